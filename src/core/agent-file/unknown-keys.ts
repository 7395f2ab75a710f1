/**
 * A key that no field of ours has: somebody's own, which is kept, or what is left of a limit, which is refused.
 * The surest signs are asked for first, so that what is said of it names the likeliest cause.
 */
import { isLooseMode } from '../brief/mode.js'
import { once } from '../once.js'
import { isRecord } from '../record.js'
import { didYouMean, looseKey } from '../text/nearest.js'
import { type Entry, isPoison } from './block.js'
import { isNearlyTold } from './damage/keys/foreign-words.js'
import { nearestKey, type Said, whatWasLost } from './damage/keys/lost-limit.js'
import type { IsAbsent } from './damage/keys/near-limits.js'
import { isOwnWord } from './damage/keys/own-words.js'
import type { Code } from './diagnostic-codes.js'
import { isKindOfMode } from './dialect.js'
import { allKeys, fieldOf, isKnownKey, isSecurityKey } from './field-table.js'
import { ignoreMode } from './fields/field-reader.js'
import { isForeignLimitKey } from './fields/foreign-limits.js'
import { isModeKey } from './fields/told-limits.js'
import { isCommentedOut } from './fields/tool-tables.js'
import { hasAnotherWord } from './ordinary-keys.js'
import { byRules, insteadOfLimit, isAllowedPlaces, limitInside } from './unkept-limits.js'

type Note = (code: Code, message: string, hint?: string) => void

export function keepUnknown(entry: Entry, extra: (readonly [string, unknown])[], isAbsent: IsAbsent, note: Note): void {
  const refused = refusal(entry)
  if (refused) {
    note(...refused)
    return
  }
  const { key, value } = entry
  extra.push([key, value])
  if (isModeKey(key) && typeof value === 'string' && isLooseMode(value)) ignoreMode(value, { note })
  else {
    const isRead = isKnownKey(key) || isUnclear(entry)
    const said = isRead
      ? saidOfKnown(entry)
      : ((isAllowedPlaces(entry) ? undefined : whatWasLost(entry, isAbsent)) ?? saidOf(entry))
    if (said) note(...said)
  }
}

function refusal({ key, value }: Entry): Said | undefined {
  if (isPoison(key)) return ['key-forbidden', `"${key}" was left out`]
  if (looseKey(key) !== 'runconfig') return undefined
  const unknown = isRecord(value) ? Object.keys(value).find(each => fieldOf(each) === undefined) : undefined
  if (unknown === undefined) return ['security-value-unclear', '"runConfig" must be a table of limits']
  const meant = didYouMean(unknown, limitKeys())
  const hint = meant === undefined ? 'remove it, or write it beside "runConfig"' : `did you mean "${meant}"?`
  return ['security-value-unclear', `"${unknown.slice(0, 60)}" in "runConfig" is no key of ours`, hint]
}

const limitKeys = once(() => allKeys.filter(isSecurityKey))

const isUnclear = (entry: Entry): boolean => isCommentedOut(entry) || isNearlyTold(entry.key, entry.value, entry.raw)

/** A limit elsewhere, and not with this value. */
function saidOfKnown(entry: Entry): Said | undefined {
  const { key, value } = entry
  if (isUnclear(entry)) return ['security-value-unclear', `the value of "${key}" cannot be read for certain`]
  if (isSecurityKey(key) || isForeignLimitKey(key))
    return ['key-unknown', `"${key}" is a limit elsewhere, and not with this value`]
  if (/^(?:autocompactwindow|observer(?:message)?)$/.test(looseKey(key)))
    return ['key-unknown', `"${key}" is Claude Code’s, and does nothing here`]
  return isModeKey(key) && !isKindOfMode(value) ? ['key-unknown', `"${key}" is no mode of ours`] : undefined
}

/** It is somebody's own: what may be meant by it, if anything. */
function saidOf(entry: Entry): Said {
  const { key, value } = entry
  // `disallowed: []` is no slip for `disabled`: with a tool in it, it is a denial.
  const near = isOwnWord(entry) || isForeignLimitKey(key) ? undefined : nearestKey(key)
  const isAnother = near !== undefined && !isSecurityKey(near) && hasAnotherWord(key, near)
  // `agent: true` says what it is, and `agents` would be a list.
  const meant = isAnother || (near === 'agents' && typeof value !== 'object') ? undefined : near
  const instead = meant === undefined ? insteadOfLimit(entry) : undefined
  if (instead !== undefined) return ['limit-unknown', `"${key}" is no key of ours, and limits nothing`, instead]
  const inside = meant === undefined ? limitInside(value) : undefined
  if (inside !== undefined)
    return ['limit-unknown', `"${inside}" inside "${key}" is no key of ours, and limits nothing`, byRules]
  if (meant === undefined) return ['key-unknown', `"${key}" is no key of ours`]
  return ['key-misspelled', `"${key}" is no key of ours`, `did you mean "${meant}"?`]
}
