/** Lines that begin like a limit: the first thing to look for in prose, and in what belongs to no key. */
import { editDistance } from '../../../text/nearest.js'
import { isKnownKey } from '../../field-table.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { allLimits, type IsAbsent, lettersOf, nearestLimit, proseLimits } from '../keys/near-limits.js'
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
