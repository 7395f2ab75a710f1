/** Names somebody may have meant: used for unknown agents, keys and tools. */
import { once } from '../once.js'
import { foldLetters, isAscii } from './fold-letters.js'

/** Case and separators never matter when a name is looked up, nor how its letters are composed. */
export function looseKey(name: string): string {
  if (!/[^a-z0-9]/.test(name)) return name
  const folded = isAscii(name) ? name.toLowerCase() : foldLetters(name)
  return folded.replace(/[\s._-]+/g, '')
}

/** `maxTurns` → `max_turns`. */
export function snakeOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** `Brand Guardian` → `brand-guardian`. */
export function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/i\u0307/g, 'i')
    .replace(/[\s._-]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Best first; equal distances keep the order given. What has little in common with the name is left out. */
export function rankByLikeness(name: string, candidates: readonly string[]): readonly string[] {
  const key = looseKey(name).slice(0, maxCompared)
  return candidates
    .map((candidate, index) => ({ candidate, index, score: likeness(key, looseKey(candidate)) }))
    .filter(({ score }) => score <= Math.max(1, key.length / 2))
    .sort((a, b) => a.score - b.score || a.index - b.index)
    .map(entry => entry.candidate)
}

/** The one candidate close enough to be a slip of the pen, if any. Files repeat their words: each is compared once. */
export function didYouMean(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > maxCompared || candidates.length < few) return closest(name, candidates)
  const answers = keptAnswers.get(candidates) ?? new Map<string, string | undefined>()
  keptAnswers.set(candidates, answers)
  const known = answers.get(name)
  if (known !== undefined || answers.has(name)) return known
  const found = closest(name, candidates)
  if (answers.size >= maxAnswers) answers.clear()
  answers.set(name, found)
  return found
}

const keptAnswers = new WeakMap<readonly string[], Map<string, string | undefined>>()
const maxAnswers = 2000
const few = 4

function closest(name: string, candidates: readonly string[]): string | undefined {
  const key = looseKey(name)
  if (key.length > maxCompared) return undefined
  const allowed = key.length <= 4 ? 1 : key.length <= 8 ? 2 : 3
  const used = lettersUsed(key)
  const known = looseKeysOf(candidates)
  let best: string | undefined
  let least = allowed + 1
  // Counted, not iterated: every start holds hundreds of words against some list, in code that is still cold.
  for (let at = 0; at < known.length; at++) {
    const each = known[at]!
    const longer = each.key.length - key.length
    // Cheap first: a slip or three cannot change more letters than that.
    if (longer > allowed || -longer > allowed) continue
    if (countBits(used & ~each.used) > allowed || countBits(each.used & ~used) > allowed) continue
    const distance = editDistance(key, each.key)
    if (distance < least) [best, least] = [candidates[at], distance]
  }
  return best
}

/** The lists compared with are few and constant; their keys are worked out once. */
const looseKeys = new WeakMap<readonly string[], readonly LooseKey[]>()

interface LooseKey {
  readonly key: string
  readonly used: number
}

function looseKeysOf(candidates: readonly string[]): readonly LooseKey[] {
  const known = looseKeys.get(candidates)
  if (known) return known
  const keys = candidates.map(looseKey).map(key => ({ key, used: lettersUsed(key) }))
  looseKeys.set(candidates, keys)
  return keys
}

/** Which letters a word has, as bits: one slip brings in one bit at most. */
export function lettersUsed(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << ((word.charCodeAt(at) - 97) & 31)
  return bits
}

export function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** What is left of a word when a piece of it is lost, written over or written twice: its two ends. */
export interface Tear {
  readonly head: number
  readonly tail: number
  readonly kept: number
  readonly lost: number
  readonly added: number
  /** Nothing is lost, and what was added is a copy of what stands before it. */
  readonly isDoubled: boolean
}

export function tearOf(word: string, whole: string): Tear {
  const most = Math.min(word.length, whole.length)
  let head = 0
  while (head < most && word.charCodeAt(head) === whole.charCodeAt(head)) head++
  let tail = 0
  while (tail < most - head && endsAlike(word, whole, tail)) tail++
  const kept = head + tail
  const added = word.length - kept
  const isDoubled =
    kept === whole.length &&
    added > 0 &&
    added <= head &&
    word.slice(head - added, head) === word.slice(head, head + added)
  return { head, tail, kept, lost: whole.length - kept, added, isDoubled }
}

function endsAlike(word: string, whole: string, before: number): boolean {
  return word.charCodeAt(word.length - 1 - before) === whole.charCodeAt(whole.length - 1 - before)
}

/** How one piece of a few letters, lost, written twice or put in, or written over another, made the word of the whole. */
export type Piece = Tear & { readonly kind: 'lost' | 'doubled' | 'noise' }

export function pieceOf(word: string, whole: string): Piece | undefined {
  if (word.length > whole.length + maxPiece || word.length < whole.length - maxPiece) return undefined
  const tear = tearOf(word, whole)
  const { kept, lost, added, isDoubled } = tear
  if (kept === 0 || lost > maxPiece || added > maxPiece || lost + added < 2) return undefined
  if (added === 0) return { ...tear, kind: 'lost' }
  if (isDoubled) return { ...tear, kind: 'doubled' }
  // A piece is written over by one as long; signs in it do not count.
  return lost === 0 || Math.abs(lost - added) <= 2 ? { ...tear, kind: 'noise' } : undefined
}

const maxPiece = 6

/** Whether a value is what a piece left of one of these words. With noise in it, where nobody would write it so. */
export function isTornWord(value: string, words: readonly string[]): boolean {
  if (value.length > maxCompared) return false
  const word = looseKey(value)
  return words.some(whole => {
    const { kind, kept = 0 } = pieceOf(word, whole) ?? {}
    if (kind !== 'noise') return kind !== undefined
    return 3 * kept >= whole.length && (!plainWords.test(value) || !isSayable(value))
  })
}

const plainWords = /^[A-Za-z]+(?:[ _-][A-Za-z]+)*$/

/**
 * Whether the whole is all there with a piece inside that no word is: `disaCWLble`, and not `maxOutputTurns`, `tooltips` or
 * `discoverable`, which are words of somebody's own.
 */
export function isAroundNoise(name: string, whole: string, { head, tail, lost, added }: Tear): boolean {
  if (lost > 0 || added < 2 || added > maxPiece || head === 0 || tail === 0) return false
  const isWord = (word: string) => !isOddWord(word)
  if (
    /^[a-z_-]+$/.test(name) &&
    (tail === 1 || name.split(/[_-]/).every(isSayable)) &&
    name.split(/[_-]/).every(isWord)
  )
    return false
  return !isCompoundOf(name, whole)
}

/** Whether it is the whole with other words before, between or behind its own. */
export function isCompoundOf(name: string, whole: string): boolean {
  if (!isSayable(name)) return false
  const words = name.split(/[\s._-]+|(?<=[a-z\d])(?=[A-Z])/).map(looseKey)
  return words.some((_, from) =>
    words.some(
      (_word, to) =>
        to >= from &&
        words
          .slice(0, from)
          .concat(words.slice(to + 1))
          .join('') === whole,
    ),
  )
}

/** As a person would write a name, in whatever script: `maxItems`, `best_for`, `Größe`, `parseJSONFile`, `step2`, `taskId`. */
export function isMadeOfWords(name: string): boolean {
  if (name.length > maxCompared) return false
  if (/^[A-Z]+(?:_[A-Z]+)*$/.test(name)) return true
  // Word by word: one pattern for all of it takes exponential time where it does not fit.
  const [first, ...more] = name.replace(/^@?_?/, '').split(/[_. -]|(?<=[a-z\u00c0-\ud7ff])(?=[A-Z])/)
  return firstWord.test(first!) && more.every(word => laterWord.test(word))
}

/** By ranges: classes of Unicode take long to compile. */
const firstWord = /^[A-Z]*[a-z\u00c0-\ud7ff]{2,}\d?$/
const laterWord = /^(?:[A-Z]{0,6}[a-z\u00c0-\ud7ff]{2,}\d?|[A-Z]{1,4}|[A-Z][a-z]|\d)$/

/**
 * Whether anybody would give something this name: every word of it can be said, is an abbreviation or stands in capitals.
 * `deploy_prod`, `getURLs`, `k8s_apply` are such names; `xzNY`, `Edr8mash` and `NoteVaP_RSit` are what is left of one.
 */
export function isSayable(name: string): boolean {
  if (name.length > maxCompared || !/^[\w\u00c0-\ud7ff.:/@*~ -]+$/.test(name) || oddSigns.test(name)) return false
  if (/^[a-z\d]+(?:[_-][a-z\d]+)+$/.test(name)) return vowel.test(name)
  // `jiraMCP_sqlx_run`: a server by whatever name, and its tool in small letters.
  const [, server, tool] = /^([A-Za-z\d-]+)_([a-z\d]+(?:_[a-z\d]+)+)$/.exec(name) ?? []
  if (server !== undefined && tool !== undefined) return vowel.test(tool) && isSayable(server)
  const singular = name.replace(/(?<=[A-Z]{2})s(?![a-z])/g, '')
  return singular.split(wordEnds).every(isSayableWord)
}

/** A word that begins or ends as none does, or that cannot be said. */
export const isOddWord = (word: string): boolean => !isSayable(word) || oddOnset.test(word) || oddCoda.test(word)
const oddOnset = /^(?:[bdfgjklmnpqrtvwxz][bcdfgjkmpqtvxz]|[rnmjwq]l|[lnmjxqz]r)/i
const oddCoda = /(?<!leng?|reng?)[bcdfghjklmnpqrstvwxz]{5}$|gnts?$/i

const oddSigns = /[^\w*\u00c0-\ud7ff]{2}|[-/.:~]$/
const wordEnds = /[^A-Za-z\d\u00c0-\ud7ff]+|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

function isSayableWord(word: string): boolean {
  if (/^(?:[A-Z]{2,5}|A|[a-z]?)$/.test(word)) return true
  if (/^[A-Z]$|[A-Z]{2}\d[a-z]|[qQ][bcdfghjkmnpqrvwxyz]/.test(word)) return false
  if (/\d/.test(word) && word.length < 5) return true
  if (/[A-Za-z]\d[a-z]/.test(word)) return false
  const isAbbreviated = [2, 3, 4].some(length => abbreviations().has(word.slice(0, length).toLowerCase()))
  return vowel.test(word) ? isAbbreviated || !fourConsonants.test(word) : abbreviations().has(word.toLowerCase())
}

/** No word begins with so many, but for those from German. */
const fourConsonants = /^(?!sch|[^aeiouy]*$)[bcdfghjklmnpqrstvwxz]{4}/i
const vowel = /[aeiouy\u00c0-\ud7ff]/i
const abbreviations = once(
  () =>
    new Set(
      `
  bg btn cfg cmd cpp css ctx csv ctrl db dns fn fs gb gh gpt grpc html http https js jwt kb ls llm mb mcp md mqtt ms msg npm npx pdf
  pg php pkg png pnpm ps psql ptr pwd px py rb rpc rs sh sql src srv ssh std str svg tcp tmp ts tts txt vcs vm vs ws xml
  `
        .trim()
        .split(/\s+/),
    ),
)

/** How many letters two words have in common in the same order, with anything between them. */
export function sharedLetters(first: string, second: string): number {
  let row = new Array<number>(second.length + 1).fill(0)
  for (let at = 0; at < first.length; at++) {
    const next = [0]
    for (let other = 0; other < second.length; other++)
      next.push(first[at] === second[other] ? row[other]! + 1 : Math.max(row[other + 1]!, next[other]!))
    row = next
  }
  return row[second.length]!
}

const maxCompared = 64

function likeness(key: string, candidate: string): number {
  if (key === candidate) return 0
  const distance = editDistance(key, candidate.slice(0, maxCompared))
  const isPart = key.length >= 3 && (candidate.includes(key) || (candidate.length >= 3 && key.includes(candidate)))
  return isPart ? Math.min(distance, 1) : distance
}

/** Whether so many slips make one word of the other; for most pairs their lengths and letters say no. */
export function isWithin(slips: number, first: string, second: string): boolean {
  const longer = first.length - second.length
  if (longer > slips || -longer > slips) return false
  const [one, other] = [lettersUsed(first), lettersUsed(second)]
  if (countBits(one & ~other) > slips || countBits(other & ~one) > slips) return false
  return editDistance(first, second) <= slips
}

/** Insertions, deletions, replacements and swaps of neighbours, also of letters that something came between. */
export function editDistance(first: string, second: string): number {
  let from = 0
  while (from < first.length && first.charCodeAt(from) === second.charCodeAt(from)) from++
  let [endOfFirst, endOfSecond] = [first.length, second.length]
  while (endOfFirst > from && endOfSecond > from && first[endOfFirst - 1] === second[endOfSecond - 1]) {
    endOfFirst--
    endOfSecond--
  }
  return distanceOf(first.slice(from, endOfFirst), second.slice(from, endOfSecond))
}

/**
 * Of what differs: most words share their beginning or their end, and then little is left to compare. Damerau's distance
 * in full: a slip may hit what an earlier one swapped (`timeout`, `tieout`, `teiout`).
 */
function distanceOf(a: string, b: string): number {
  if (a.length <= 1 || b.length <= 1) return shortDistance(a, b)
  const width = b.length + 1
  const count = (a.length + 1) * width
  const cells = count <= roomForCells.length ? roomForCells : new Uint32Array(count)
  // Of each letter of b: the last row before this one that has it.
  const lastRows = width <= roomForRows.length ? roomForRows.fill(0, 0, width) : new Uint32Array(width)
  for (let column = 0; column < width; column++) cells[column] = column
  for (let row = 1; row <= a.length; row++) {
    const letter = a.charCodeAt(row - 1)
    const [above, here] = [(row - 1) * width, row * width]
    cells[here] = row
    let lastMatch = 0
    for (let column = 1; column < width; column++) {
      const isSame = letter === b.charCodeAt(column - 1)
      const replaced = cells[above + column - 1]! + (isSame ? 0 : 1)
      let best = Math.min(cells[above + column]! + 1, cells[here + column - 1]! + 1, replaced)
      const swapRow = lastRows[column]!
      if (swapRow > 0 && lastMatch > 0)
        best = Math.min(
          best,
          cells[(swapRow - 1) * width + lastMatch - 1]! + (row - swapRow) + (column - lastMatch) - 1,
        )
      if (isSame) {
        lastMatch = column
        lastRows[column] = row
      }
      cells[here + column] = best
    }
  }
  return cells[a.length * width + b.length]!
}

/** For words of common length: this is asked for so often that making room each time would be most of the cost. */
const roomForCells = new Uint32Array(2048)
const roomForRows = new Uint32Array(128)

function shortDistance(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short !== '' && long.includes(short) ? long.length - 1 : long.length
}
