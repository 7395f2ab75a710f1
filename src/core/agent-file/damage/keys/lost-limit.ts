/** Whether a key nobody knows is what is left of a limit, and of which: the surest signs are asked for first. */
import { isRecord } from '../../../record.js'
import { didYouMean, isWithin, looseKey, sharedLetters } from '../../../text/nearest.js'
import { canonicalToolName } from '../../../tools/tool-names.js'
import type { Entry } from '../../block.js'
import type { Code } from '../../diagnostic-codes.js'
import { allKeys } from '../../field-table.js'
import { isForeignLimitKey, isOutOfTable, nearForeignLimit } from '../../fields/foreign-limits.js'
import { areAgents, mayBeAgentNames, twoUnits } from '../../fields/told-limits.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { foreignMeant } from './foreign-words.js'
import { damagedKey, type IsAbsent } from './near-limits.js'
import { nestedLimit } from './nested-limits.js'
import { heldLimit, isOwnWord } from './own-words.js'
import { tornLimit } from './torn-keys.js'

export type Said = readonly [code: Code, message: string, hint?: string]

/** Why it may be what is left of a limit, if it may. */
export function whatWasLost(entry: Entry, isAbsent: IsAbsent): Said | undefined {
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

export const nearestKey = (key: string): string | undefined =>
  isOrdinaryKey(key) ? undefined : didYouMean(key, allKeys)

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
