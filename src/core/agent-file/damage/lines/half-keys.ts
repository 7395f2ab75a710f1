/**
 * Keys that may be only a piece of a limit: a newline that slipped in cut it, and the rest stands in the line above, or
 * more of its line stands before the colon than a key has.
 */
import { isMadeOfCommonWords } from '../../../text/common-words.js'
import { editDistance, looseKey } from '../../../text/nearest.js'
import { type Entry, isPoison, type Problem } from '../../block.js'
import { isKnownKey, isSecurityKey } from '../../field-table.js'
import { isForeignLimitKey, toldKeys } from '../../fields/foreign-limits.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { foreignAcross } from '../keys/foreign-words.js'
import { piecesInOrder } from '../keys/letters-in-order.js'
import { foreignWord, type IsAbsent, meantLimit } from '../keys/near-limits.js'
import { isOwnWord } from '../keys/own-words.js'
import { isNearTool, isTool } from '../words/tool-words.js'
import { likeLimit } from './like-limits.js'
import { limitOfTerseLine } from './line-start.js'
import { ownerOf } from './prose-lines.js'
import { limitCutInTwo, limitOfSecondHalf, scrapOfLimit } from './scraps.js'

/** A key nobody knows may be one half of a limit, or one with more of its line before the colon than a key has. */
export function damagedAround(entry: Entry, lines: readonly string[], at: number, isAbsent: IsAbsent): Problem[] {
  const { key, value, line } = entry
  if (isPoison(key)) return []
  // Above `tools:` a mode of teams, and no half of `delegateTools`.
  const [before = '', own = '', next = ''] = [lines[at - 1], lines[at], lines[at + 1]]
  const above = before.startsWith('#') ? '' : before
  if (above.length < 48 && above.toLowerCase().includes('delegate') && teamMode.test(above)) return []
  const isUnknown = !isKnownKey(key)
  const half = isUnknown
    ? (foreignAcross(above, key, value) ??
      (isOrdinaryKey(key) ? undefined : likeLimit(lines.slice(at, at + 3))) ??
      limitAboveMoved(lines, at, key) ??
      limitAcross(above, key, value, isAbsent) ??
      itemOf(lines, at, key))
    : (limitOfSecondHalf(key, value, above, isAbsent) ?? oppositeOf(key, above, isAbsent))
  const torn = half ?? (isTornAbove(above, key) ? `${above.trim()}${key}` : undefined)
  if (torn !== undefined)
    return [{ code: 'security-key-damaged', message: `"${key}" may be a part of "${torn.slice(0, 60)}"`, line }]
  // Further in it is the last line of a text, and a key that is known needs nothing before it.
  const isTerse =
    above.trim().length < 14 && (isUnknown ? /^\s*[A-Za-z\d]\S{0,12}\s*$/ : /^\s?[A-Za-z\d]\S{0,12}\s*$/).test(above)
  if (!isUnknown && !isSecurityKey(key) && !isTerse) return []
  // What the key itself shows is told where keys are sorted.
  if (isUnknown && (meantLimit(key, value) !== undefined || foreignWord.test(key))) return []
  // A word is somebody's key, however much of a limit it looks like.
  const isOdd = isUnknown && !isOrdinaryKey(key) && !plainWords.test(key) && !isOwnWord(entry)
  const cut = above.trim() === '' ? undefined : limitCutInTwo(above, key, isOdd || isTerse ? 2 : 1, isAbsent)
  const limit =
    cut ??
    (isUnknown && !isOrdinaryKey(key) ? toolAcross(above, key) : undefined) ??
    (isOdd
      ? (scrapOfLimit(`|${own}`, next, 'repaired', isAbsent) ??
        limitOfTerseLine({ ...nowhere, text: own, next, isAbsent }))
      : undefined)
  const message = `"${key.slice(0, 60)}" may be a part of "${limit}"`
  return limit === undefined ? [] : [{ code: 'security-key-damaged', message, line }]
}

/** `d i1s`, then `allowedTools: Bash`: nothing else turns a limit into its opposite, so hardly anything may be left of it. */
function oppositeOf(key: string, above: string, isAbsent: IsAbsent): string | undefined {
  if (looseKey(key) !== 'allowedtools' || !isAbsent('disallowedTools')) return undefined
  // A line of its own, or what hangs on the sign before it: `</example>/di`.
  const left = above.trim().length < 8 ? above : (/[^\sA-Za-z\d]([A-Za-z]{2,4})\s*$/.exec(above)?.[1] ?? '')
  const isHung = /<\/\w+>\s?\w?(?:d.?i|d.?s|i.?s)\w?\s*$/.test(above)
  const isLeft = editDistance(left.toLowerCase().replace(/[^a-z]/g, ''), 'dis') <= 1
  return isLeft || isHung ? 'disallowedTools' : undefined
}

/** `exclS!`, then `Tools: [Bash]`: the second half of a longer key, below a word at the left edge that is none. */
const isTornAbove = (above: string, key: string): boolean =>
  (key === 'Tools' || key === 'Mode') && /^[A-Za-z]\S{1,11}$/.test(above) && /[^\w.:]|[a-z][A-Z]/.test(above)

const teamMode = /^permission[-_]?mode: {0,4}["']?delegate["']?\s{0,9}$/i

/** `Bash`, then `utputmodel:`: a tool that has more than the one that was written. */
function toolAcross(above: string, key: string): string | undefined {
  const word = lastWord(above)
  const moved = movedKey.exec(key)?.[1]
  // `Re`, then `dcolor:`: of a tool with a slip in it.
  const isBegun = word !== undefined && (isTool(word) || (moved?.length === 1 && /^[A-Z]/.test(word)))
  return isBegun && moved && isNearTool(word + moved) ? 'tools' : undefined
}

/** `  - shell`, then `é9: web`: no key that anybody writes, and what stands behind it may have been the next item. */
function itemOf(lines: readonly string[], at: number, key: string): string | undefined {
  if (/[A-Za-z].*[A-Za-z]/.test(key) || !/^\s*- /.test(lines[at - 1] ?? '')) return undefined
  const owner = ownerOf(lines, at - 1)
  return isSecurityKey(owner) ? owner : undefined
}

/** `x?disalbedF`, then `atures: [shell]`: together they have nearly all letters of a limit. */
function limitAcross(above: string, key: string, value: unknown, isAbsent: IsAbsent): string | undefined {
  const word = /[A-Za-z]{1,16}$/.exec(above.trimEnd().slice(-maxWord))?.[0]
  // `time`, then `out: 90`.
  if (word !== undefined && word.length > 1 && isSecurityKey(word + key)) return word + key
  if (word === undefined || isOrdinaryKey(key) || isMadeOfCommonWords(key) || isForeignLimitKey(key)) return undefined
  // What the key itself shows is told where keys are sorted.
  if (piecesInOrder(key, value) !== undefined) return undefined
  const limit = piecesInOrder(word + key, value)
  return limit !== undefined && isAbsent(limit) ? limit : undefined
}

const lastWord = (line: string): string | undefined => /[A-Za-z]{2,16}$/.exec(line.trimEnd().slice(-maxWord))?.[0]
const maxWord = 20

/** Somebody's key, as far as its letters go. */
const plainWords = /^[a-z]{2,}(?:[_-][a-z]{2,})*$|^[a-z]{2,}(?:[A-Z][a-z]{3,})+$/

const nowhere = { isOwn: false, isPlain: false, afterNext: '', how: 'repaired' } as const

/** `mode: panm`, then `odel:`; `  deploy: fals`, then `emodel:`: the newline moved by a letter, and a limit lost or got it. */
function limitAboveMoved(lines: readonly string[], at: number, key: string): string | undefined {
  const above = lines[at - 1] ?? ''
  const isGiven = knownWithout.test(key) && above.endsWith('m')
  if (!isGiven && movedKey.exec(key)?.[1]?.length !== 1) return undefined
  if (/["'\]}]$/.test(above)) return undefined
  const held = /^\s/.test(above) ? ownerOf(lines, at - 1) : (/^([\w-]{1,40}):\s/.exec(above)?.[1] ?? '')
  return toldKeys().includes(looseKey(held)) ? held : undefined
}

const knownWithout = /^(?:odel|emory|axTurns)$/

const movedKey = /^([A-Za-z\d]{1,12})(?:name|description|model|color|mode|temperature|kind|effort|memory|skills)$/
