/** Lines that begin like a limit: the first thing to look for in prose, and in what belongs to no key. */
import { countBits, editDistance, lettersUsed } from '../../../text/nearest.js'
import { isKnownKey } from '../../field-table.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { allLimits, type IsAbsent, type Limit, lettersOf, nearestLimit, proseLimits } from '../keys/near-limits.js'
import { isOwnLine } from '../keys/own-words.js'
import { commonWords, couldFollow, holdsList, isNoWord, isToolLimit, limitKeys } from '../words/limit-words.js'
import { isTool } from '../words/tool-words.js'
import { type How, isLabel } from './scraps.js'

/** A line of prose, or of what belongs to no key, and what stands below it. */
export interface Place {
  readonly text: string
  readonly isOwn: boolean
  /** It goes on with a text that has neither quotes nor a block sign: at its left edge a key could have stood. */
  readonly isPlain: boolean
  /** All of it stands in one pair of quotes, and the YAML is valid. */
  readonly isQuoted?: boolean
  readonly next: string
  readonly afterNext: string
  readonly how: How
  readonly isAbsent: IsAbsent
}

/** `tools: Read`, `tool:s Read`, `to ols: Read`, `tools Read`: what precedes the first value is compared by letters. */
export function limitAtStart({ text: line, next, how, isAbsent }: Place): string | undefined {
  const text = line.slice(0, 4 * maxRest).replace(/^[^A-Za-z\u00c0-\u1fff]+/, '')
  const head = text.slice(0, maxHead)
  const colon = head.search(/[:=]/)
  const second = /^\S+\s+\S+/.exec(head)?.[0].length ?? -1
  const limits = how === 'repaired' ? allLimits : proseLimits
  const isTerse = how === 'repaired' && isTerseLine(line)
  for (const end of [
    colon,
    head.search(/\s/),
    second,
    // `can=pawn: …`: the first sign was a letter.
    how === 'repaired' ? head.indexOf(':', colon + 1) : -1,
    how === 'repaired' ? head.search(odd) : -1,
    wordEnd(text, how),
  ]) {
    if (end <= 0 || end > maxHead) continue
    // `Sandbox mode: read-only` inside a text is a label; a key of two words in there took three slips.
    if (how === 'strict' && end === colon && /\s/.test(head.slice(0, end).trim())) continue
    const rest = text.slice(end).replace(separators, '')
    const letters = lettersOf(text.slice(0, end))
    // `based on Task`, `looks into Bash`: prose, where the YAML is valid.
    const slips = (limit: string) => (isToolLimit(limit) && isTool(/^[^\s,]*/.exec(rest)![0]) ? 1 : 0)
    const isSentence = (limit: string) => end !== colon && editDistance(letters, lettersOf(limit)) > slips(limit)
    const fits = (limit: string) => {
      if (how === 'strict' && (isSentence(limit) || (isToolLimit(limit) && isSaid(rest, end === colon)))) return -9
      if (commonWords.has(limit) && !text.startsWith(limit)) return -9
      // Nothing else is written so, whatever has become of its value.
      if (how === 'repaired' && letters.length > longWord && letters === lettersOf(limit) && isNoWord(limit)) return 1
      if (how === 'repaired' && holdsList(limit) && listOnLine.test(text.slice(end))) return 1
      if (how === 'repaired' && /[:,[]/.test(text) && isTellingValue(limit, rest, next)) return 2
      const fit = how === 'strict' && !isToolLimit(limit) ? 'exact' : 'loose'
      if (couldFollow(limit, rest, isItem(line) ? '' : next, fit)) return 1
      return isTerse && isTelling(limit, end === colon) ? 0 : -9
    }
    const limit = nearestLimit(letters, limits, fits)
    if (limit !== undefined && isAbsent(limit) && !isLabel(text.slice(0, end), limit)) return limit
  }
  return undefined
}

/** `tools Read`, `tools: read, grep` are lists; `tools search the web` and `Tools: prefer Grep` are how sentences go on. */
function isSaid(rest: string, hasColon: boolean): boolean {
  if (rest.trim() === '') return false
  return !couldFollow('tools', rest, '', 'near') || !(hasColon || /[A-Z_,]/.test(rest))
}

/** Nothing but tools, here or below, or a sum. */
function isTellingValue(limit: string, rest: string, next: string): boolean {
  if (limit === 'budget') return /^\$\d|^\d+[km]? tokens/.test(rest)
  if (!isToolLimit(limit)) return false
  return couldFollow(limit, rest, '', 'near') || (/^\s+\S/.test(next) && couldFollow(limit, '', next, 'whole'))
}

/** Of a list in prose: the item below it is not its value. */
export function isItem(line: string): boolean {
  return /^\s*[-*] /.test(line)
}

/** Two or three words at the left edge, no label and no item of a list: hardly a sentence, and perhaps a key with its value. */
function isTerseLine(line: string): boolean {
  const isNoLabel = /^(?:[^A-Z\s<#(-]|-[a-z])/.test(line) || /^[A-Za-z]+[^A-Za-z\s:.,'’()-][A-Za-z]/.test(line)
  return line.length <= 48 && isNoLabel && line.trim().split(/\s+/).length <= 3
}

/** Words of prose (`budget`, `timeout`) need their colon; `baseDir` is a key whatever has become of it. */
function isTelling(limit: string, hasColon: boolean): boolean {
  return limit.length > 7 || /[A-Z]/.test(limit) || (hasColon && limit.length > 5)
}

const longWord = 9
/** Its newlines are gone. */
const listOnLine = /^[^A-Za-z\d]{0,4}\s- *\S/
export const maxHead = 32
export const maxRest = 160
export const maxKey = 24
const odd = /[^A-Za-z\u00c0-\u1fff\d_\s-]/
/** What may stand between a key and its value once the colon is gone; brackets belong to the value. */
export const separators = /^[\s:;,.=`~|&!?%@*'"\\/_<>)–—-]{0,4}/

/** The end of a key that runs into its value (`toolsaRead`), or of a line that is nothing but a key. */
function wordEnd(text: string, how: How): number {
  const glued = how === 'repaired' ? limitKeys.find(limit => text.startsWith(limit)) : undefined
  if (glued !== undefined) return glued.length + (/^[a-z][A-Z]/.test(text.slice(glued.length)) ? 1 : 0)
  return text.length <= maxKey ? text.length : -1
}

/**
 * A terse line that begins like a key: `disabledTtrue`, `dis*bled[true`, `timeRut 90color: red`. Sentences have no signs
 * among their first letters; a key that is no word needs none.
 */
export function limitOfTerseLine({ text: line, next, how, isAbsent }: Place): string | undefined {
  const text = line.trim()
  if (!isTerseLine(text)) return undefined
  const letters = lettersOf(text.slice(0, maxHead))
  const isOdd = signs[how].test(text) || (how === 'repaired' && /^\s+\S/.test(next))
  const isRun = /^[A-Za-z]+$/.test(text)
  const begins = ({ limit, letters: key }: Limit) => {
    const isTold =
      isOdd || isNoWord(limit) || commonWords.has(limit) || (isRun && key.length > 6 && letters.length > key.length + 2)
    if (!isTold || !isAbsent(limit)) return false
    // `step 1: …` is prose; `steps: …` at the left edge is not.
    const isAlone = /^\W?[a-z]\S{3,7}$/.test(text) && editDistance(letters, key) <= 1
    if (commonWords.has(limit)) return isAlone || new RegExp(`^\\W?${limit}\\s?:`).test(text)
    const isShort = how === 'strict' && key.length <= 5
    return beginsLike(letters, key, isShort || !isOdd ? 1 : key.length < 10 ? 2 : 3)
  }
  return allLimits.find(begins)?.limit
}

/** What prose has among its words where the YAML is valid (`steps 1-3`, `tools/docs`) is no sign there. */
const signs: Readonly<Record<How, RegExp>> = { repaired: /[^A-Za-z\s'’.,()-]/, strict: /[:=*~@!^{}[\];|]/ }

function beginsLike(letters: string, key: string, most: number): boolean {
  if (countBits(lettersUsed(key) & ~lettersUsed(letters.slice(0, key.length + most))) > most) return false
  for (let length = Math.max(3, key.length - most); length <= key.length + most; length++)
    if (editDistance(letters.slice(0, length), key) <= most) return true
  return false
}

/** A key broken in two by a newline, or parted from its value by one. */
export function limitOverTwoLines({ text, next, afterNext, ...place }: Place): string | undefined {
  const head = /[^\s:]{1,20}$/.exec(text.trimEnd())?.[0]
  if (
    head === undefined ||
    next.trim() === '' ||
    isItem(text) ||
    isSpoken(text, head, next) ||
    standsApart(place, text, next) ||
    (place.how === 'strict' && head !== text.trim())
  )
    return undefined
  return limitAtStart({ ...place, text: head + next.trimStart(), next: afterNext, afterNext: '' })
}

/**
 * `user: "Look at our tools."`, then anything: half a key ends in a letter of it, and not like a sentence. `look at our tools`,
 * then `<example>`, `**Then**` or `assistant: …`: the rest of a key begins with a letter of it, or its colon.
 */
function isSpoken(text: string, head: string, next: string): boolean {
  return head !== text.trim() && /^\S/.test(next) && (/[.!?…)\]}>"'’”]$/.test(head) || newThought.test(next))
}

const newThought = /^(?:[<*#>`|"“]|\d{1,2}[.)] |(?:user|assistant): )/i

/** A key that stands where it should, a label or an item is no part of the line above, unless that is a lone word. */
export function standsApart({ isOwn }: Pick<Place, 'isOwn'>, text: string, line: string): boolean {
  if (!isOwn && /^[A-Za-z\d]\S{0,13}$/.test(text.trim())) return false
  if (/^\s*(?:[A-Z][a-z]|[-*] )/.test(line)) return true
  const [, key, rest = ''] = /^([A-Za-z][\w-]{0,80}):(\s.*|$)/.exec(line) ?? []
  if (key === undefined) return false
  // `last-tested: …`, `tdd_enabled: true`: no piece of a limit is made of whole words.
  return isKnownKey(key) || isOrdinaryKey(key) || (/[a-z\d][_-][a-z]/.test(key) && isOwnLine(key, rest, ''))
}
