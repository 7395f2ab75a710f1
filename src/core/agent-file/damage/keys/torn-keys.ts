/**
 * Keys of which one piece was lost, written twice or written over: `permMode: plan`, `toolsools: Bash`, `disaCWLble: true`.
 * More than half of a limit stands at the two ends of the key, and the value is what that limit's would be. What was written
 * over has to be no word: of those anybody has some. Slips of single letters are found by near-limits.ts.
 */
import { once } from '../../../once.js'
import { isRecord } from '../../../record.js'
import { isSayable, looseKey, pieceOf, tearOf } from '../../../text/nearest.js'
import { reachingOut } from '../../../tools/outside-roots.js'
import { toolNames, withoutPattern } from '../../../tools/tool-names.js'
import { allKeys, isKnownKey } from '../../field-table.js'
import { areFeaturesOff, isCodexFeature } from '../../fields/codex-features.js'
import { fitsForeign, isForeignLimitKey, longKeys, toldKeys } from '../../fields/foreign-limits.js'
import { areSkillSwitches } from '../../fields/skill-fields.js'
import { areAgentNames } from '../../fields/told-limits.js'
import { isToolTable, toolLists } from '../../fields/tool-tables.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { couldBeValue, listedActions, requirement } from '../words/limit-words.js'
import { isTool } from '../words/tool-words.js'
import { allLimits, type IsAbsent } from './near-limits.js'

/** The limit that a key nobody knows may have been. */
export function tornLimit(key: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  const word = looseKey(key)
  if (word.length > maxKey || isKnownKey(key) || isOrdinaryKey(key) || requirement.test(word)) return undefined
  // What is left of `excludeTools` is a word that has its own meaning.
  if (isForeignLimitKey(key)) return undefined
  const isLeftOf = (whole: string) => isTornFrom(key, word, whole)
  // `search: false` is anybody's switch, and no `web_search`.
  const isSwitch = typeof value === 'boolean' && isSayable(key)
  const own = allLimits.find(
    ({ limit, letters }) =>
      isAbsent(limit) && (isRunInto(key, word, letters) || (isLeftOf(letters) && couldBeValue(limit, value))),
  )
  if (own !== undefined || isSwitch) return own?.limit
  return foreignKeys().find(whole => isLeftOf(whole) && fitsOthers(whole, value)) ?? limitHeld(value)
}

function isTornFrom(key: string, word: string, whole: string): boolean {
  const piece = pieceOf(word, whole)
  if (piece === undefined || 2 * piece.kept <= whole.length) return false
  return piece.kind !== 'noise' || !isSayable(key)
}

/** `timeoutcolor: red`, `permissionsdeny: [Bash]`: what stood between the two is gone. */
function isRunInto(key: string, word: string, whole: string): boolean {
  const { head } = tearOf(word, whole)
  const rest = word.slice(head)
  if (head < leastHead || rest.length < 3 || isJoined(key, head)) return false
  return nextKeys().some(next => next.endsWith(rest) && next.length - rest.length <= mostLost)
}

/** `hook_steps`: a word of a compound ends there, or nearly. */
function isJoined(key: string, head: number): boolean {
  let end = 0
  return key.split(/[_-]|(?=[A-Z])/).some(part => {
    end += part.length
    return end < looseKey(key).length && Math.abs(head - end) <= 2
  })
}

const leastHead = 5
/** Letters of the next key that may be gone as well. */
const mostLost = 3
const nextKeys = once((): readonly string[] => [...allKeys.map(looseKey), ...listedActions])

const maxKey = 40
const foreignKeys = once((): readonly string[] => [...new Set([...toldKeys(), ...longKeys(), ...others.keys()])])

const fitsOthers = (whole: string, value: unknown): boolean => fitsForeign(whole, value) || fitsTorn(whole, value)

/** Of a key that anybody may have, and that is not read by its value. */
export const fitsTorn = (whole: string, value: unknown): boolean => others.get(whole)?.(value) === true

/** Whom it may call; Codex’s list of skills without the dot in its name; tables of tools. */
const others: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...['agents', 'subagents', 'allowedsubagents'].map(key => [key, areAgentNames] as const),
  ['skillsconfig', areSkillSwitches],
  ['inheritmcp', value => value === false],
  ['tools', value => holdsTools(value) || areSwitches(value)],
])

function holdsTools(value: unknown): boolean {
  if (Array.isArray(value)) return value.slice(0, maxItems).some(item => typeof item === 'string' && isTool(item))
  return isRecord(value) && (isToolTable(value) || fitsForeign('features', value))
}

const areSwitches = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).includes(false) &&
  Object.values(value).every(each => typeof each === 'boolean')

const maxItems = 40

/** The limit that alone has such a value, whatever is left of its key. */
export function limitHeld(value: unknown): string | undefined {
  if (areToolLists(value)) return 'tools'
  if (Array.isArray(value) && value.slice(0, maxItems).includes(reachingOut)) return 'disabledFeatures'
  return isRecord(value) && Object.keys(value).some(isCodexFeature) && areFeaturesOff(value) ? 'features' : undefined
}

/** `xtool: {required: [Read]}`: nobody else has that. */
function areToolLists(value: unknown): boolean {
  const { granted = [], denied = [] } = (isRecord(value) ? toolLists(value) : undefined) ?? {}
  const names = [...granted, ...denied]
  return names.length > 0 && names.every(name => typeof name === 'string' && toolNames.includes(withoutPattern(name)))
}
