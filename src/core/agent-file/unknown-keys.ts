/**
 * A key that no field of ours has: somebody's own, which is kept, or what is left of a limit, which is refused.
 * The surest signs are asked for first, so that what is said of it names the likeliest cause.
 */
import { isLooseMode } from '../brief/mode.js'
import { once } from '../once.js'
import { isRecord } from '../record.js'
import { didYouMean, isWithin, looseKey, sharedLetters } from '../text/nearest.js'
import { canonicalToolName } from '../tools/tool-names.js'
import { type Entry, isPoison } from './block.js'
import { foreignMeant, isNearlyTold } from './damage/keys/foreign-words.js'
import { damagedKey, type IsAbsent } from './damage/keys/near-limits.js'
import { nestedLimit } from './damage/keys/nested-limits.js'
import { heldLimit, isOwnWord } from './damage/keys/own-words.js'
import { tornLimit } from './damage/keys/torn-keys.js'
import type { Code } from './diagnostic-codes.js'
import { isKindOfMode } from './dialect.js'
import { allKeys, fieldOf, isKnownKey, isSecurityKey } from './field-table.js'
import { ignoreMode } from './fields/field-reader.js'
import { isForeignLimitKey, isOutOfTable, nearForeignLimit } from './fields/foreign-limits.js'
import { areAgents, isModeKey, mayBeAgentNames, twoUnits } from './fields/told-limits.js'
import { isCommentedOut } from './fields/tool-tables.js'
import { hasAnotherWord, isOrdinaryKey } from './ordinary-keys.js'
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
      : ((isAllowedPlaces(entry) ? undefined : faultIn(entry, isAbsent)) ?? saidOf(entry))
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

type Said = readonly [code: Code, message: string, hint?: string]

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

/** Why it may be what is left of a limit, if it may. */
function faultIn(entry: Entry, isAbsent: IsAbsent): Said | undefined {
  const { key, value } = entry
  if (isOwnWord(entry)) return faultInside(entry, isAbsent)
  if (isLeftOfNone(key, value) && isAbsent('tools'))
    return ['security-key-damaged', `"${key}" may be what is left of "tools", of which there are none`]
  const damage = damagedKey(key, value, isAbsent)
  if (damage !== undefined) return ['security-key-damaged', damage]
  if (isOutOfTable(entry) || (nearForeignLimit(entry) ?? foreignMeant(key, writtenValue(entry))) !== undefined)
    return ['security-key-damaged', `"${key}" may be a limit of another product`]
  const torn = tornLimit(key, value, isAbsent)
  if (torn !== undefined) return ['security-key-damaged', `"${key.slice(0, 60)}" may be what is left of "${torn}"`]
  const nested = nestedIn(entry, isAbsent)
  if (nested !== undefined) return nested
  const meant = isSlipForSubagents(entry) ? 'subagents' : nearestKey(key)
  const isMeant =
    meant === 'subagents' || (meant === 'agents' && areAgents(value)) || (meant === 'skills' && isRecord(value))
  return isMeant ? ['security-key-damaged', `"${key}" is no key; "${meant}" may be meant`] : undefined
}

/** `ols: []`: of an empty list of tools the key alone tells. */
const isLeftOfNone = (key: string, value: unknown): boolean =>
  Array.isArray(value) && value.length === 0 && /^[tols]{3,4}$/.test(key) && sharedLetters(key, 'tools') === key.length

/** Of a key of somebody's own. */
function faultInside(entry: Entry, isAbsent: IsAbsent): Said | undefined {
  const held = heldLimit(entry)
  const tool = entry.value === false && held === 'tools' ? canonicalToolName(entry.key) : undefined
  if (tool !== undefined)
    return [
      'security-key-damaged',
      `"${entry.key}: false" switches a tool off, and stands below no key that is read so`,
      `indent it below "tools", or write disallowedTools: [${tool}]`,
    ]
  if (held !== undefined && ((held !== 'tools' && held !== 'permissionMode') || isAbsent(held)))
    return ['security-key-damaged', `"${entry.key}" is no key, and holds what "${held}" would`]
  return nestedIn(entry, isAbsent)
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

const nearestKey = (key: string): string | undefined => (isOrdinaryKey(key) ? undefined : didYouMean(key, allKeys))

/** `acces: &read-only`: YAML made an anchor or a tag of it. */
const writtenValue = ({ value, raw = '' }: Entry): unknown =>
  value === null || value === '' ? (/^[&!](\S+)$/.exec(raw)?.[1] ?? value) : value

/** `sbagents: [b, c]`, `subagens: b`. */
const isSlipForSubagents = ({ key, value }: Entry): boolean =>
  key.length < 16 &&
  !isForeignLimitKey(key) &&
  isWithin(1, looseKey(key.replace(twoUnits, '?')), 'subagents') &&
  (areAgents(value) ||
    (isRecord(value) && mayBeAgentNames(value)) ||
    (typeof value === 'string' && /^\S{1,40}(?:\s\S{1,40})?$|^\S\s?- \S{1,40}$/.test(value.trim())))

/** A limit that stands inside of it. */
export function nestedIn({ key, value }: Entry, isAbsent: IsAbsent): Said | undefined {
  const nested = nestedLimit(value, isAbsent)
  return nested === undefined ? undefined : ['limit-nested', `"${nested}" stands inside "${key}"`]
}
