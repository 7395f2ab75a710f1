/**
 * A limit whose newline was lost, so that it hangs on the end of another line: `reads codtools: Raed`, `x~basDir:packages`.
 * S1 the line ends in what the limit's value looks like, or the line below it does; a plain key that was swallowed along
 * with it (`Readcolor: red`) is taken off first. S2 what stands before the value ends in the letters of the key, or nearly.
 * S3 in valid YAML the key must hang on what stands before it, or be a word that no sentence has (`permissionMode`):
 * `with timeout 90` is prose.
 */
import { once } from '../../../once.js'
import { countBits, editDistance, lettersUsed, looseKey } from '../../../text/nearest.js'
import { fieldTable } from '../../field-table.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import type { IsAbsent, Limit } from '../keys/near-limits.js'
import { holdsTools, inSentences, isValueBelow, valuesAtEnd } from '../values/values-at-end.js'
import { type Letters, lettersBefore, maxKey } from '../words/letters-before.js'
import { endsLikeTools, isNoWord, isNumber, isSwitch, isToolLimit } from '../words/limit-words.js'
import { isTool } from '../words/tool-words.js'

/** `repaired`: the block is no valid YAML, so prose is less likely to be innocent. */
export type How = 'strict' | 'repaired'

/** The limit that the end of the line may have been, if the file does not have it otherwise. */
export function scrapOfLimit(line: string, next: string, how: How, isAbsent: IsAbsent): string | undefined {
  const text = line.slice(-maxText).replace(/[\s;,:=]+$/, '')
  if (how === 'strict' && isPlainProse(text) && !isValueBelow(next)) return undefined
  const found = scrapAtEnd(text, next, how, isAbsent)
  if (found !== undefined) return found
  const swallowed = swallowedAt(text)
  const rest = text.slice(0, Math.max(0, swallowed)).replace(/[^\w\])}]+$/, '')
  if (rest === '') return undefined
  // `Readcolor: red` is no prose, valid or not.
  const isGlued = /\S/.test(text[swallowed - 1] ?? ' ')
  return scrapAtEnd(rest, '', isGlued ? 'repaired' : how, isAbsent)
}

const maxText = 160
/** One word, or a sentence without signs, words like `maxTurns`, and a name or a number at its end. Cheap first: every line of every file is asked. */
const isPlainProse = (text: string): boolean => !/\S[\s:=]+\S/.test(text) || !noPlainSentence.test(text)
export const noPlainSentence = /[:=;~*@!%^{}[\]]|[a-z][A-Z]|(?:\b[A-Z]\w*|\d\w*|\/\S*)\W*$/
const plainKeys = once(() =>
  Object.values(fieldTable)
    .flatMap(({ keys, kind }): readonly string[] => (kind === 'security' ? [] : keys))
    .sort((a, b) => b.length - a.length),
)

/** Where the first plain key begins that has no more than three words behind its colon, to the end; or -1. */
function swallowedAt(text: string): number {
  for (const { index } of text.matchAll(/[:=]/g)) {
    if (!/^\s?\S+(?: \S+){0,2}$/.test(text.slice(index + 1))) continue
    const head = text.slice(0, index).replace(/["']?\s?$/, '')
    const key = plainKeys().find(each => head.endsWith(each))
    if (key !== undefined) return head.length - key.length
  }
  return -1
}

function scrapAtEnd(text: string, next: string, how: How, isAbsent: IsAbsent): string | undefined {
  for (const { from, limits } of valuesAtEnd(text, next)) {
    const head = lettersBefore(text, from)
    const before = text.slice(Math.max(0, from - maxKey), from)
    // A stray letter may stand behind the colon; and a line of two or three words in a broken block is no sentence.
    const isTied = /[:=]\s*(?:\S{1,2}\s+)?$/.test(before) || (how === 'repaired' && isTerse(text))
    const isMeant = (limit: Limit) =>
      endsLikeKey(head, limit, how) &&
      !isLabel(before, limit.limit) &&
      (isTied || !inSentences.has(limit) || endsInKey(before, limit, text.slice(from)))
    const found = limits.find(limit => isAbsent(limit.limit) && isMeant(limit))
    if (found) return found.limit
  }
  return undefined
}

const isTerse = (text: string): boolean => /^\s*[^\s,]+(?:\s+[^\s,]+){1,2}\s*$/.test(text)

/** `codesteps 3`, `codetols Read`: without a colon a slip more is a sentence, like `runs tests, e2e` and `web applications, REST`. */
function endsInKey(before: string, { limit, letters }: Limit, value: string): boolean {
  const word = looseKey(/[\w\u00c0-\u1fff-]+$/.exec(before.trimEnd())?.[0] ?? '')
  const isNear = (fewer: number) => editDistance(word.slice(fewer - letters.length), letters) <= 1
  if (!isToolLimit(limit)) return word.endsWith(letters)
  const isKey = hungTools.test(before) || (!endsLikeTools.test(word) && [0, 1, -1].some(isNear))
  return isKey && value.split(/[\s,]+/).some(isTool)
}

/** `code]tools; Read`, `work.0tools( Read`: signs on both sides that no sentence has there. */
const hungTools = /[^\sA-Za-z"'(*_`/-]tools[^\w\s]?\s*$/

/** `Systems: 3`, `in minutes: 30`: a whole word, with a capital or one that files have, and only close to a limit. */
export function isLabel(head: string, limit: string): boolean {
  // `Operations: Read, write, delete`.
  if (isToolLimit(limit))
    return /(?:^|[:.;]\s|[-*]\s|["'(])\s*[A-Z][a-z]+(?:tions?|tors|ers|ings?|ials)[\s:=]*$/.test(head)
  const isPlain = isNumber(limit) || isSwitch(limit) || limit === 'isolation'
  const word = isPlain ? /(?:^|[\s.;(])([A-Za-z][a-z]{2,})[\s:=]*$/.exec(head)?.[1] : undefined
  if (word === undefined || word.toLowerCase().endsWith(looseKey(limit))) return false
  const isSlip = editDistance(looseKey(word), looseKey(limit)) < 2
  // `Wimeout: 90`; `Timeouts: 3` counts them.
  if (isSlip && (isSwitch(limit) || (limit.length > 5 && !word.endsWith('s')))) return false
  return /^[A-Z]/.test(word) || isOrdinaryKey(word)
}

/** Every beginning it could have is tried, since slips make a key shorter or longer; the likeliest one counts. */
function endsLikeKey({ letters, places, text }: Letters, limit: Limit, how: How, slips = maxSlips): boolean {
  const { letters: key, used } = limit
  const most = Math.min(slips, key.length < 10 ? 2 : maxSlips)
  if (countBits(used & ~lettersUsed(letters.slice(-(key.length + most)))) > most) return false
  let best: { readonly distance: number; readonly isGlued: boolean } | undefined
  for (let length = Math.max(3, key.length - most); length <= Math.min(letters.length, key.length + most); length++) {
    const tail = letters.slice(-length)
    if (countBits(used & ~lettersUsed(tail)) > most) continue
    const distance = editDistance(tail, key)
    if (distance > Math.min(most, best?.distance ?? most)) continue
    const before = text[places[letters.length - length]! - 1]
    const isGlued = before !== undefined && before !== ' '
    // Of a short key `books` is another word, and not `hooks` with something before it.
    const isLikelier = key.length <= 5 ? !isGlued : isGlued
    if (distance < (best?.distance ?? most + 1) || isLikelier) best = { distance, isGlued }
  }
  if (best === undefined) return false
  if (best.isGlued) return true
  if (how === 'repaired') return isNoWord(limit.limit) || holdsTools.has(limit)
  return best.distance === 0 && isNoWord(limit.limit) && text.toLowerCase().includes(limit.letters)
}

const maxSlips = 3
