/**
 * Words that are no name of a tool, and may be what became of one. Hostile files ask for many of them: what is cheap to see
 * (lengths, letters, first and last signs) is looked at first.
 */
import { once } from '../once.js'
import {
  countBits,
  editDistance,
  isMadeOfWords,
  isOddWord,
  isSayable,
  lettersUsed,
  looseKey,
  tearOf,
} from '../text/nearest.js'
import { outsideInOpencode } from './outside-roots.js'
import { canonicalToolName, isForeignTool, toolNames, toolsByKey } from './tool-names.js'

/**
 * The tool an unknown word may be a slip for: up to three slips, or a piece of a name. Asked where the word takes
 * something away, so it rather finds one too many; `server_tool` is left alone unless it comes closer than that.
 */
export function slipForTool(written: string): string | undefined {
  if (written.length > maxKeptWord) return findSlip(written)
  const known = keptSlips.get(written)
  if (known !== undefined || keptSlips.has(written)) return known
  const found = findSlip(written)
  if (keptSlips.size >= maxKeptSlips) keptSlips.clear()
  keptSlips.set(written, found)
  return found
}

/** Agents deny the same words again and again: each is held against all names once. */
const keptSlips = new Map<string, string | undefined>()
const maxKeptSlips = 10_000
const maxKeptWord = 64

function findSlip(written: string): string | undefined {
  const key = looseKey(written.replace(/_?\*$/, '')).slice(0, maxSlip)
  if (isForeignTool(written) || canonicalToolName(written) !== undefined) return undefined
  const scrap = toolsByKey.get(key)
  if (scrap !== undefined) return scrap
  if (key.length < 2) return toolNames[0]
  const glued = toolNames.find(name => written.startsWith(name))
  const rest = glued === undefined ? '' : written.slice(glued.length)
  if (rest !== '' && (/[^\w-]/.test(written) || /^[a-z]{1,2}[A-Z]/.test(rest) || isToolNearly(rest))) return glued
  const behind = toolsByKey.get(/^[A-Z]{3,}([a-z_]{4,})$/.exec(written)?.[1] ?? '')
  if (behind !== undefined) return behind
  const torn = twoTorn(written, key) ?? runIntoNext(written, key) ?? runIntoWhole(written, key)
  return nearestTool(written, key) ?? torn ?? (isNearlyOutside(key) ? outsideInOpencode : undefined)
}

const outsideKey = looseKey(outsideInOpencode)

/** `list_directory` has nine of its letters. */
function isNearlyOutside(key: string): boolean {
  const { kept, added } = tearOf(key, outsideKey)
  return (
    (kept > 9 && added <= maxPiece) ||
    (Math.abs(key.length - outsideKey.length) < 4 && editDistance(key, outsideKey) < 4)
  )
}

/** By slips of letters, then by what else may have become of a name. Of two that are as close the first counts. */
function nearestTool(written: string, key: string): string | undefined {
  const isServerTool = serverTool.test(written)
  const word: Word = { written, key, used: lettersUsed(key) }
  let nearest: { tool: string; slips: number } | undefined
  for (const name of knownNames()) {
    const allowed = isServerTool && name.key.length < 7 ? 2 : 3
    const wanted = nearest === undefined ? allowed : Math.min(allowed, nearest.slips - 1)
    const slips = slipsBetween(word, name, wanted)
    if (slips <= wanted) nearest = { tool: name.tool, slips }
    // Two names that ran together, or a piece of one.
    else if (allowed <= wanted && isPieceOf(word, name.key)) nearest = { tool: name.tool, slips: allowed }
  }
  return nearest?.tool
}

interface Word {
  readonly written: string
  readonly key: string
  readonly used: number
}

/** Cheap first: a slip cannot change more letters than one. */
function slipsBetween(word: Word, name: KnownName, most: number): number {
  const isClose =
    name.key.length > 2 &&
    Math.abs(name.key.length - word.key.length) <= most &&
    countBits(word.used & ~name.used) <= most &&
    countBits(name.used & ~word.used) <= most
  return isClose ? editDistance(word.key, name.key) : Number.POSITIVE_INFINITY
}

function isPieceOf({ written, key }: Word, known: string): boolean {
  if (key.startsWith(known) && toolsByKey.has(key.slice(known.length))) return true
  return known.length > 2 && (known.includes(key) || isTornFrom(written, key, known))
}

/** `webfet`, of `webfet*`. */
export function isBeginningOfTool(written: string): boolean {
  const key = looseKey(written)
  return knownNames().some(known => known.key.startsWith(key))
}

/** Whether so many slips make one of our names of it, or a long one of elsewhere. */
export function isNearlyTool(written: string, slips: number): boolean {
  const key = looseKey(written)
  const word: Word = { written, key, used: lettersUsed(key) }
  return knownNames().some(
    name => (name.key.length > 4 || ownKeys.has(name.key)) && slipsBetween(word, name, slips) <= slips,
  )
}

/** A word that takes something away, and is neither a tool nor a name that anybody would give one. */
export function isNoToolName(written: string): boolean {
  return canonicalToolName(written) === undefined && !isForeignTool(written) && !isSayable(written)
}

/** `shellrite_file`: the newline between two names was lost with the beginning of the second. */
function runIntoNext(written: string, key: string): string | undefined {
  for (const { key: known, tool } of knownNames()) {
    if (known.length < 4 || !key.startsWith(known) || !/^[a-z]/.test(written.slice(known.length))) continue
    const rest = key.slice(known.length)
    if (rest.length > leastEnd && knownNames().some(name => name.key.endsWith(rest))) return tool
  }
  return undefined
}

/** A piece was lost (`Multt`), written twice (`writwrite_file`), or stands there with signs (`bash:ash`). */
function isTornFrom(written: string, key: string, known: string): boolean {
  if (known.length < 4 || key.length - known.length > maxPiece) return false
  // Most words have neither end in common with most names.
  if (key[0] !== known[0] && key.at(-1) !== known.at(-1)) return false
  const { head, tail, kept, lost, added, isDoubled } = tearOf(key, known)
  if (added > maxPiece) return false
  const isInside = head > 0 && tail > 0
  if (isDoubled || (added === 0 && kept > 2)) return true
  if (lost === 0 && isInside && (ownKeys.has(known) || (known.length > longEnd + 1 && !isWordBetween(written, known))))
    return true
  // `editmnvf`
  const hung = lost > 0 || isInside ? '' : key.slice(head, key.length - tail)
  if (hung.length > 2 && ownKeys.has(known) && (isOddWord(hung) || /[a-z]\d/.test(hung))) return true
  if (lost > 0 && head > 2 && tail > 4 && 2 * kept >= known.length) return true
  if (written.split('/').every(isMadeOfWords)) return false
  return (lost === 0 && (isInside || /[^\w./-]/.test(written))) || (kept > 3 && 2 * kept >= known.length)
}

/** `SendUserMessage`: a word more between two words, and no noise inside one. */
function isWordBetween(written: string, known: string): boolean {
  const words = written.split(/[_-]|(?<=[a-z])(?=[A-Z])/).map(looseKey)
  return words.some((_, at) => at > 0 && [...words.keys()].some(to => to > at && isAround(words, at, to, known)))
}

const isAround = (words: readonly string[], at: number, to: number, known: string): boolean =>
  words.slice(0, at).join('') + words.slice(to).join('') === known

const maxPiece = 8
const ownKeys: ReadonlySet<string> = new Set(toolNames.map(looseKey))

/**
 * `MultiEdiotebookEdit`: the comma between two names was lost with letters on both sides, and nothing else stands there;
 * or noise does, and one of the two is whole.
 */
function twoTorn(written: string, key: string): string | undefined {
  const torn = ownNames.find(({ tool: first, key: whole }) => {
    const { head } = tearOf(key, whole)
    const isSecond = ({ tool: name, key: other }: KnownName) => {
      const { tail } = tearOf(key, other)
      const isWhole =
        (tail > longEnd && written.startsWith(first)) || (head >= first.length - 1 && written.endsWith(name))
      const least = head > leastEnd ? leastEnd : longEnd
      return name !== first && tail > least && (isWhole || head + tail >= key.length)
    }
    // Of a short name three letters are enough beside a long one: `GreatTask` is somebody's.
    return (head > leastEnd || head === whole.length - 1) && head >= leastEnd && ownNames.some(isSecond)
  })
  return torn?.tool
}

/** `shelTbgi2rwrite_file`: a long name is whole, and the other one has noise behind it. */
function runIntoWhole(written: string, key: string): string | undefined {
  const whole = longKeys.find(name => key.endsWith(name))
  if (whole === undefined || /[^\w-]/.test(written)) return undefined
  for (const { key: known, tool } of knownNames()) {
    const { head } = tearOf(key, known)
    if (head > leastEnd && known !== whole && !isMadeOfWords(key.slice(head, -whole.length))) return tool
  }
  return undefined
}

const leastEnd = 3
/** As much of a name as no other one ends in. */
const longEnd = 6

function isToolNearly(word: string): boolean {
  const key = looseKey(word)
  const near: Word = { written: word, key, used: lettersUsed(key) }
  return key.length > 2 && ownNames.some(name => name.key.length > 3 && slipsBetween(near, name, 2) <= 2)
}

const maxSlip = 32
const serverTool = /^[a-z\d-]{3,}_[\w*-]{2,}$/i

interface KnownName {
  readonly key: string
  readonly tool: string
  readonly used: number
}

const known = (key: string, tool: string): KnownName => ({ key, tool, used: lettersUsed(key) })
const knownNames = once((): readonly KnownName[] => [...toolsByKey].map(([key, tool]) => known(key, tool)))
const ownNames: readonly KnownName[] = toolNames.map(name => known(looseKey(name), name))
const longKeys: readonly string[] = [...toolsByKey.keys()].filter(name => name.length > longEnd + 1)
