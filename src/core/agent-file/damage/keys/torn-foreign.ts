/**
 * Limits of other products of which a piece was lost, written over or written twice at once: `web_rch: disabled`,
 * `accessaccess: read-only`, `[ents]` above `max_depth = 0`. Their keys are words that anybody may have, so the value has to
 * be one of theirs; then hardly anything may be left of the key.
 * T1 nothing but the two ends of such a key is left. T2 a piece of it stands twice. T3 noise stands in it, and the key is no
 * word. Slips of single letters are found by foreign-words.ts.
 */
import { once } from '../../../once.js'
import { isRecord } from '../../../record.js'
import { isMadeOfCommonWords } from '../../../text/common-words.js'
import {
  isAroundNoise,
  isCompoundOf,
  isOddWord,
  isSayable,
  isWithin,
  looseKey,
  type Piece,
  pieceOf,
  sharedLetters,
  tearOf,
} from '../../../text/nearest.js'
import { reachingOut } from '../../../tools/outside-roots.js'
import { toolNames, withoutPattern } from '../../../tools/tool-names.js'
import { isKnownKey } from '../../field-table.js'
import { bareWords } from '../../fields/bare-words.js'
import { areFeaturesOff, codexFeatures, isCodexFeature } from '../../fields/codex-features.js'
import { fitsForeign, longKeys, toldKeys } from '../../fields/foreign-limits.js'
import { isAction } from '../../fields/foreign-rule.js'
import { areSkillSwitches } from '../../fields/skill-fields.js'
import { areAgentNames, areTools } from '../../fields/told-limits.js'
import { isToolTable, toolLists } from '../../fields/tool-tables.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { isNoise, isScramble, isShortOf, lettersIn, oddSign } from '../words/garbled-words.js'
import { requirement } from '../words/limit-words.js'
import { isTool } from '../words/tool-words.js'
import { isSomebodys } from './torn-keys.js'

/** The limit that a key nobody knows may have been, by what is left of it and by its value. */
export function tornForeign(key: string, value: unknown): string | undefined {
  const word = looseKey(key.slice(0, maxKey + 1))
  if (word.length > maxKey || isKnownKey(key) || isOrdinaryKey(key) || requirement.test(word)) return undefined
  // `exclude: [base]`: what is left of `excludeTools` has its tools behind it still, and counts for itself.
  if (bareKeys().has(word)) return undefined
  return (
    wholeKeys().find(whole => isLeftOf(key, word, whole, value)) ??
    inPieces(key, value) ??
    runInto(key, word, value) ??
    beforeSwitch(key, value) ??
    beforeName(word, value) ??
    intoNext(key, word) ??
    limitHeld(value) ??
    (isNoise(key) || /[-_]$/.test(key) ? limitOfWord(value) : undefined)
  )
}

/** The limit that alone has such a value, whatever is left of its key. */
export function limitHeld(value: unknown): string | undefined {
  if (areToolLists(value)) return 'tools'
  if (Array.isArray(value) && value.slice(0, maxItems).includes(reachingOut)) return 'disabledFeatures'
  if (typeof value === 'string' && brokenRules.test(value)) return 'permission'
  return isRecord(value) && Object.keys(value).some(isCodexFeature) && areFeaturesOff(value) ? 'features' : undefined
}

/** `"*": deny helper:a llow`: a table of rules that became text. */
const brokenRules = /^\s*(["'])\*\1\s*:\W{0,3}(?:deny|ask|false)\b/

/** `xtool: {required: [Read]}`: nobody else has that, whatever is left of the key. */
function areToolLists(value: unknown): boolean {
  const { granted = [], denied = [] } = (isRecord(value) ? toolLists(value) : undefined) ?? {}
  const names = [...granted, ...denied]
  return names.length > 0 && names.every(name => typeof name === 'string' && toolNames.includes(withoutPattern(name)))
}

const isNobodysWord = (value: unknown): boolean => limitOfWord(value) !== undefined

/** `sWIp.6B: read-only`: of the key nothing is left, and the word is nobody else's. */
const limitOfWord = (value: unknown): string | undefined =>
  value === 'read-only' ? 'sandbox' : value === 'plan' ? 'mode' : undefined

function isLeftOf(key: string, word: string, whole: string, value: unknown): boolean {
  // Signs that are no letters of any key are more than a piece has.
  const piece = pieceOf(word, whole) ?? (oddSign.test(key) ? pieceOf(lettersIn(key), whole) : undefined)
  // `tools_alowed: [R,ad]`
  if (Array.isArray(value) && whole.length > 8 && whole.includes('tools') && isWithin(1, word, whole)) return true
  const isLeft = (piece !== undefined && isEnough(key, whole, piece, value)) || isTwoSlips(word, whole)
  if (isLeft && fits(whole, value)) return true
  return isGarbledKey(key, word, whole, value) && fits(whole, value)
}

/** `cces: read-only`, `grus: [read, mcp]`, `meo: plan`. A list of names tells nothing: its key must be no word. */
function isGarbledKey(key: string, word: string, whole: string, value: unknown): boolean {
  if (whole === 'mode') return typeof value === 'string' && isExactMode.test(value) && isScrambledMode(key)
  if (whole === 'tools') return isRecord(value) && word.length > 2 && isScramble(lettersIn(word), whole)
  if (!isShortOf(word, whole)) return false
  return whole !== 'agents' || !Array.isArray(value) || isOddWord(key) || !isMadeOfCommonWords(key)
}

function isScrambledMode(key: string): boolean {
  if (key.length > 5) return false
  const isOdd = isOddWord(key) || /[a-z][A-Z]/.test(key) || !isMadeOfCommonWords(key)
  const letters = lettersIn(key)
  return letters.length > 2 && (isScramble(letters, 'mode') || (isOdd && sharedLetters(letters, 'mode') > 2))
}
const isExactMode = /^(?:plan|read-only|readonly|dontAsk)$/

/** `sbagenst: [b, c]`: most of so long a key is left. */
const isTwoSlips = (word: string, whole: string): boolean => whole.length > 8 && isWithin(2, word, whole)

/** `defaulm.permissions = ":read-only"`: a dot takes a key of TOML apart. */
function inPieces(key: string, value: unknown): string | undefined {
  const [inner, ...more] = isRecord(value) ? Object.entries(value) : []
  if (!inner || more.length > 0 || isKnownKey(inner[0]) || inner[0].length > maxKey) return undefined
  const joined = `${key}${inner[0]}`
  return wholeKeys().find(whole => isLeftOf(joined, looseKey(joined), whole, inner[1]))
}

/** `to tickets: false`: what is left of the key, and the first line below it. */
function beforeSwitch(key: string, value: unknown): string | undefined {
  const head = /^(\w{1,10}) [\w*-]+$/.exec(key)?.[1]
  if (head === undefined || !(typeof value === 'boolean' || isAction(value))) return undefined
  // `skill03gL deploy: false`
  const isNoisy = !isSayable(head)
  return ['tools', 'skills', 'permission'].find(
    each => each.startsWith(head) || (isNoisy && tearOf(head, each).head > 2),
  )
}

/** `agentsmodel: haiku`: all of its line but the key is gone, and the next line hangs on it. */
function intoNext(key: string, word: string): string | undefined {
  return wholeKeys().find(
    whole => word.startsWith(whole) && isKnownKey(word.slice(whole.length)) && !/[_A-Z-]/.test(key.slice(whole.length)),
  )
}

/** `skilldeploy: false`, `toolsbash: false`, `featuremulti_agent`: the line end behind the key is gone, and a part of it. */
function runInto(key: string, word: string, value: unknown): string | undefined {
  const isMeant = (whole: string) => {
    const { head } = tearOf(word, whole)
    const inner = word.slice(head)
    if (inner.length < 2 || (/^[_-]|[A-Z]/.test(key.slice(head)) && isSayable(key))) return false
    if (whole === 'mcpservers') return head === whole.length && isRecord(value)
    if (whole === 'tools') return head > 2 && isTornSwitch(head === whole.length, inner, value)
    const isList = Array.isArray(value) && fitsForeign(whole, { [inner]: value })
    if (whole === 'skills') return head > 3 && (value === false || isList)
    return head > 2 && fitsForeign(whole, { [inner]: value })
  }
  return heads.find(isMeant)
}

const heads = ['skills', 'tools', 'features', 'mcpservers']

/** `faturesmulti_agent_v2`, `permissionsWbash`: with a slip in the key, or a sign behind it, and the whole name of what it held. */
function beforeName(word: string, value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const isNear = (head: string, name: string) =>
    word.endsWith(name) && word !== name && isWithin(1, word.slice(0, -name.length), head)
  if (codexFeatures.some(name => isNear('features', name))) return 'features'
  return toolNames.some(tool => tool.length > 3 && isNear('permissions', looseKey(tool))) ? 'permissions' : undefined
}

/** Of a tool little may be left; behind the whole key one that is off may be a server's. */
function isTornSwitch(isWhole: boolean, inner: string, value: unknown): boolean {
  if (Array.isArray(value)) return grantWord.test(inner)
  if (typeof value !== 'boolean') return false
  return (isWhole && !value) || isTool(inner) || isEndOfTool(inner)
}

const isEndOfTool = (word: string): boolean => toolNames.some(tool => tool.length > 3 && looseKey(tool).endsWith(word))
const grantWord = /^(?:(?:in|ex)?clude|nclude|xclude|allow(?:ed)?|llowed|den(?:y|ied)|eny|blocked|locked)$/

const maxKey = 40

/** No compound has all of one, but by damage. */
const longKey = 12

/** A switch may be anybody's, unless its key is no word. */
function isEnough(key: string, whole: string, piece: Piece, value: unknown): boolean {
  const { kind, head, tail, kept, lost } = piece
  const isPlain = typeof value === 'boolean' || typeof value === 'number'
  if (kind === 'doubled' || isAroundNoise(key, whole, piece)) return true
  // `Igtmode: plan`, `commandExecutionPolicybuk: off`.
  const isHung = kind === 'noise' && lost === 0 && !isCompoundOf(key, whole)
  if (isHung && (kept > longKey || (isNobodysWord(value) && /[^a-z]/.test(key)))) return true
  // `TFWyskills: {deploy: false}`: before a word of its own there is a sign, or a capital begins it.
  if (isHung && head === 0 && /[A-Z\d][a-z]?$/.test(key.slice(0, -whole.length))) return true
  if (bareKeys().has(whole) && 3 * kept < 2 * (kept + lost)) return false
  // `web: disabled`, `sub: [b, c]`: a word of which less than half is left is anybody's.
  if (kind === 'lost' && 2 * kept < kept + lost && key.length > 2 && isSayable(key)) return false
  if (kind === 'lost') return !isPlain || !isSayable(key) || (whole === 'inheritmcp' && kept > 3)
  if (whole === 'inheritmcp' && kept > 4 && tail > 0) return true
  if (!isSomebodys(key) || isOddWord(key)) {
    const least = isPlain ? 2 : value === 'read-only' ? 4 : 3
    return kept > 1 && least * kept >= kept + lost
  }
  if (Math.min(head, tail) < 2) return false
  if (kept > longKey && 3 * kept >= 2 * (kept + lost) && !isCompoundOf(key, whole)) return true
  return lost === 0 ? kept > longKey : !/[_-]/.test(key) && kept > 8 && 4 * kept >= 3 * (kept + lost)
}

/** A sentence may have a tool in it. */
function fits(whole: string, value: unknown): boolean {
  if (value === true || (typeof value === 'string' && /\s/.test(value) && !areTools(value))) return false
  // `surface: read` is what it is about.
  if (typeof value === 'string' && /^[a-z]+$/.test(value) && isTool(value)) return false
  return fitsForeign(whole, value) || fitsTorn(whole, value)
}

/** Of a key that anybody may have, and that is not read by its value. */
export const fitsTorn = (whole: string, value: unknown): boolean => others.get(whole)?.(value) === true

/** Tables of tools, lists with something else among them, and Codex’s switches. */
function holdsTools(value: unknown): boolean {
  if (Array.isArray(value)) return value.slice(0, maxItems).some(item => typeof item === 'string' && isTool(item))
  return isRecord(value) && (isToolTable(value) || fitsForeign('features', value))
}

const areSwitches = (value: unknown): boolean =>
  isRecord(value) &&
  Object.values(value).includes(false) &&
  Object.values(value).every(each => typeof each === 'boolean')

const maxItems = 40

/** Whom it may call; Codex’s list of skills without the dot in its name; tables of tools. */
const others: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ...['agents', 'subagents', 'allowedsubagents'].map(key => [key, areAgentNames] as const),
  ['skillsconfig', areSkillSwitches],
  ['inheritmcp', value => value === false],
  ['tools', value => holdsTools(value) || areSwitches(value)],
])
/** Words that anybody has. */
const bareKeys = once((): ReadonlySet<string> => new Set(bareWords.map(({ key }) => key)))
const wholeKeys = once((): readonly string[] => [...new Set([...toldKeys(), ...longKeys(), ...others.keys()])])
