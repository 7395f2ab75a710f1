/** Whether words are tools, or nearly, whatever else is unclear about their line. */
import { didYouMean } from '../../../text/nearest.js'
import { canonicalToolName, copilotTools, isForeignTool, toolNames, withoutPattern } from '../../../tools/tool-names.js'

/**
 * `tight`: it starts like a value. `whole`: all of it is one, if it is tools; `exact`: whatever it is; `near`: nearly. `loose`:
 * something in it is, or nearly.
 */
export type Fit = 'tight' | 'whole' | 'exact' | 'near' | 'loose'

/** Two words or more, all tools, one written as only a tool is, or a server's among others: `[read, write]` may be anybody's. */
export function isToolList(words: readonly unknown[]): boolean {
  const names = words.slice(0, 40).map(word => (typeof word === 'string' ? word.trim() : ''))
  return (
    names.length > 1 &&
    names.every(name => name !== '' && isToolOrServer(name)) &&
    names.some(name => /^mcp__|^[^@]*\w_\w|\(/.test(name) || toolNames.includes(name) || isServerOf(name, names))
  )
}

/** A set of Kiro's, or a server beside a tool. */
function isServerOf(name: string, names: readonly string[]): boolean {
  return name.startsWith('@') && (isTool(name) || names.some(isTool))
}

export function areTools(text: string, fit: Fit): boolean {
  if (text.startsWith('*')) return true
  const plain = text.replace(/\([^()]*\)/g, ' ')
  const words = wordsOf(plain, /[\s,;:[\]{}()"']+/)
  if (fit === 'tight') return isTool(words[0] ?? '')
  const isClose = (word: string) => isTool(word) || (fit !== 'whole' && isNearTool(word))
  if (fit !== 'loose') return words.length > 0 && words.every(isClose)
  // A sign that slipped into a word takes it apart (`Re(ad`): its letters are looked at, too.
  const runs = wordsOf(plain, /[\s,]+/).map(word => word.replace(/[^A-Za-z]/g, ''))
  return words.some(isClose) || runs.some(isNearTool) || wordsOf(plain, /[^A-Za-z]+/).some(isTool)
}

/**
 * Tools but for a few words: a list may name some that nobody here knows. `read, write, execute` are verbs and `Read, then
 * act` is a sentence: two are written as only tools are, or they stand in brackets.
 */
export function areMostlyTools(text: string): boolean {
  // The first one tells a sentence from a list, nearly always.
  const first = /[^\s,;[\]"'(]+/.exec(text.slice(0, 80))?.[0]
  if (first === undefined || (!isTool(first) && !text.includes(','))) return false
  const words = text
    .slice(0, maxListed)
    .replace(/\([^()]*\)/g, ' ')
    .split(/[\s,;[\]"']+/)
    .filter(word => word !== '')
    .slice(0, 40)
  const count = words.filter(isTool).length
  const cased = words.filter(word => /^(?:[A-Z]|mcp__)/.test(word) && isTool(word)).length
  // The bracket before it may be gone.
  if (/^\s*\[|^["'].*["']\]$/.test(text)) return 2 * count > words.length
  if (cased < Math.min(2, words.length)) return false
  if (count === words.length) return true
  return count > 2 && (3 * count >= 2 * words.length || words.slice(0, 3).every(isTool))
}

const maxListed = 600

/** Of a long list: three of the first four are written as only tools are, with nothing but commas between them. */
export function areManyTools(text: string): boolean {
  const first = text
    .slice(0, 120)
    .split(',', 4)
    .map(piece => piece.trim())
  return first.filter(word => toolNames.includes(word)).length > 2 && areMostlyTools(text)
}

function wordsOf(text: string, separators: RegExp): readonly string[] {
  return text
    .split(separators)
    .filter(word => word !== '')
    .slice(0, maxWords)
}

const maxWords = 12

export function isTool(word: string): boolean {
  const name = withoutPattern(word)
  if (canonicalToolName(name) !== undefined || word.startsWith('mcp__') || copilotTools(name) !== undefined) return true
  if (word === '@builtin' || word === '@mcp') return true
  // Written as elsewhere: `changes` and `new` are words.
  return /^[A-Z]{2}|[a-z][A-Z]/.test(name) && isForeignTool(name)
}

/** Kiro's `@git` and `@git/push` as well. Alone they may be packages, or people: a key or another word has to tell. */
export function isToolOrServer(word: string): boolean {
  return /^@[\w.-]{1,60}(?:\/[\w.*-]{1,100})?$/.test(word) || isTool(word)
}

export function isNearTool(word: string): boolean {
  return /^[A-Za-z\d]{3,}$/.test(word) && didYouMean(word, longerNames) !== undefined
}

/** Everything short is near to `LS`. */
const longerNames = toolNames.filter(name => name.length > 2)
