/**
 * Keys that nobody has to guess at: made of common words, or the switch of something that has a name. They are somebody's
 * own, however many slips would make a limit of one, unless
 * O1 one slip, one lost piece or one word less would, and the value is what that limit's would be: `hook: {PreToolUse: …}`,
 *    `race: 60`, `isReadOnly: true`, or
 * O2 two slips would, and the value says so: a whole number below the letters of a counted limit (`sets: 4`), or the value of
 *    a long one (`web_each: disabled`), or
 * O3 it is one slip off a counted limit, and holds nothing: `step:`, or
 * O4 the value can be nothing but a limit's, whatever the key: `surface: [Read, Bash]`.
 */
import { once } from '../../../once.js'
import { isRecord } from '../../../record.js'
import { isMadeOfCommonWords } from '../../../text/common-words.js'
import { countBits, isWithin, lettersUsed, looseKey, pieceOf } from '../../../text/nearest.js'
import type { Entry } from '../../block.js'
import { fieldOf, isSecurityKey } from '../../field-table.js'
import {
  fitsForeign,
  isForeignLimitKey,
  isOutOfTable,
  longKeys,
  nearForeignLimit,
  toldKeys,
} from '../../fields/foreign-limits.js'
import { isAction } from '../../fields/foreign-rule.js'
import { areAgents } from '../../fields/told-limits.js'
import { allLimitKeys, couldBeValue, couldFollow, isNumber, isToolLimit, limitOfValue } from '../words/limit-words.js'
import { isNearlyGuard, isScrapOfTools } from './near-limits.js'
import { fitsTorn, limitHeld } from './torn-keys.js'

/** Whether the key is somebody's own, with this value. */
export function isOwnWord({ key, value, raw = '' }: Entry): boolean {
  if (switchOfSomething.test(key)) return true
  if (isNobodysWord(value)) return false
  // Of another product: what it is depends on its value, and on nothing else.
  if (isForeignLimitKey(key) || toldKeys().includes(looseKey(key))) return value === null && raw === ''
  // `hooksPreToolUse: […]`: made of common words as well, and the guard is what lies in it.
  if (guardWord.test(key) || !isMadeOfCommonWords(key)) return false
  // `tos: Rad`
  if (isWithin(2, looseKey(key), 'tools') && isScrapOfTools(key, value)) return false
  return nearestWith(key, value) === undefined && !isParted(key, value) && !isLeftOpen(key, value)
}

/** `to.ols = ["Read"]`: a dot of TOML takes a key apart. */
function isParted(key: string, value: unknown): boolean {
  const [inner] = isRecord(value) ? Object.entries(value) : []
  return inner !== undefined && nearestWith(key + inner[0], inner[1]) !== undefined
}

const guardWord = /pre[_-]?tool[_-]?use/i

/** `onMode: plan`: a word that limits have, and hardly anybody else. */
const isNobodysWord = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^(?:plan|read-?only|dontAsk|acceptEdits|bypassPermissions|suppress|worktree)$/.test(value)

/** O4 */
export function heldLimit(entry: Entry): string | undefined {
  const held = limitOfValue(entry.key, entry.value) ?? nearForeignLimit(entry) ?? limitHeld(entry.value)
  return held ?? (isOutOfTable(entry) ? 'features' : undefined)
}

/** `hnsw_enabled`, `a2aEnabled`. */
const switchOfSomething = /^[A-Za-z][\w-]{0,40}(?:[a-z\d][_-]enabled|[a-z\d]Enabled)$/

/** O1: the limit that is so near, and has such a value. */
function nearestWith(key: string, value: unknown): string | undefined {
  const word = looseKey(key)
  // Nobody's words make all but a letter of one by chance: `max_turn`, `canSpan`.
  const isCompound = /[_-]|[a-z][A-Z]/.test(key)
  const used = lettersUsed(word)
  return limits().find(({ limit, letters, used: wanted }) => {
    // Cheap first: a slip brings in one letter at most, a piece none.
    const foreign = countBits(used & ~wanted)
    if (foreign > 2) return isPart(word, letters) && hasPart(limit, letters, value)
    // `tool: some-editor`: of a list of tools any word may be left.
    if (isWithin(1, word, letters)) return isToolLimit(limit) || isCompound || fits(limit, letters, value)
    if (isWithin(2, word, letters) && isFarFit(limit, word, letters, value)) return true
    if (isPart(word, letters)) return hasPart(limit, letters, value)
    return foreign === 0 && isLeft(word, letters) && fits(limit, letters, value)
  })?.limit
}

const hasPart = (limit: string, letters: string, value: unknown): boolean =>
  (isToolLimit(limit) && Array.isArray(value)) || fits(limit, letters, value)

/** O3: of the number nothing is left but a letter, `step: x`. */
function isLeftOpen(key: string, value: unknown): boolean {
  const isOpen = value === null || (typeof value === 'string' && value.length < 2)
  const word = looseKey(key)
  return isOpen && limits().some(({ limit, letters }) => isNumber(limit) && isWithin(1, word, letters))
}

/** O2 */
function isFarFit(limit: string, word: string, letters: string, value: unknown): boolean {
  if (isNumber(limit)) return Number.isInteger(value) && isAllIn(word, letters)
  return letters.length > (typeof value === 'boolean' ? 12 : 8) && fits(limit, letters, value)
}

const isAllIn = (word: string, letters: string): boolean =>
  [...letters].reduce((left, letter) => left.replace(letter, ''), word) === ''

/** `extends_note: {a: b}`: of a short word others are made. */
const isPart = (word: string, letters: string): boolean =>
  letters.length > 4 && letters !== 'extends' && (word.startsWith(letters) || word.endsWith(letters))

function isLeft(word: string, letters: string): boolean {
  const { kind, kept = 0 } = pieceOf(word, letters) ?? {}
  return kind === 'doubled' || (kind === 'lost' && 2 * kept >= letters.length)
}

function fits(limit: string, letters: string, value: unknown): boolean {
  if (fitsForeign(letters, value) || fitsTorn(letters, value)) return true
  if (limit === 'agents') return areAgents(value)
  // Names may have a blank in them.
  if (limit === 'extends' && typeof value === 'string') return /^\s?\S{1,40}(?:\s\S{0,40})?$/.test(value)
  if (value === null || value === '') return isToolLimit(limit)
  if (!allLimitKeys.includes(limit)) return false
  if (limit === 'hooks' && Array.isArray(value)) return value.some(isRecord)
  if (limit === 'hooks' && typeof value === 'string' && guardWord.test(value)) return true
  if (typeof value !== 'object')
    return couldFollow(limit, String(value), '', 'tight') || (isScrap(value) && couldBeValue(limit, value))
  if (!couldBeValue(limit, value)) return false
  return !isRecord(value) || isToolLimit(limit) || Object.entries(value).some(pair => isOf(limit, pair))
}

/** `step: ]`, `step: x4`: of a number one letter may be left. */
const isScrap = (value: unknown): boolean => typeof value === 'string' && !/^[A-Za-z][A-Za-z -]*$/.test(value)

/** Whether such a line stands in the table of that limit. */
function isOf(limit: string, [name, value]: readonly [string, unknown]): boolean {
  const field = fieldOf(limit)
  if (field === 'hooks') return isNearlyGuard(name, 2) || Array.isArray(value) || isGuardEvent(value)
  // `[mcp_servers_docs]`, and its `enabled = false`.
  if (field === 'mcpServers') return isRecord(value) || (name === 'enabled' && value === false)
  if (field === 'permissions' && isRuleInWords(value)) return true
  const parts = partsOf[field ?? limit]
  return parts === undefined ? isSecurityKey(name) || limit !== 'runConfig' : parts.includes(looseKey(name))
}

/** `can_edit: false`, `bash: {"*": deny}`: whatever the word before it. */
const isRuleInWords = (value: unknown): boolean =>
  typeof value === 'boolean' || isAction(value) || (isRecord(value) && Object.values(value).slice(0, 40).some(isAction))

/** `hook: {-,event: PreToolUse}` */
const isGuardEvent = (value: unknown): boolean => typeof value === 'string' && isNearlyGuard(value, 2)

const partsOf: Readonly<Record<string, readonly string[]>> = {
  budget: ['tokens', 'usd', 'toolcalls'],
  resources: ['memorymb', 'cpuseconds'],
  permissions: ['allow', 'ask', 'deny'],
}

interface Limit {
  readonly limit: string
  readonly letters: string
  readonly used: number
}

const limits = once((): readonly Limit[] =>
  [...new Set([...allLimitKeys, ...toldKeys(), ...longKeys(), 'agents', 'subagents', 'tools', 'skills'])].map(limit => {
    const letters = looseKey(limit)
    return { limit, letters, used: lettersUsed(letters) }
  }),
)
