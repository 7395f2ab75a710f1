/**
 * Limits that stand where nothing is read: inside prose, or in lines that belong to no key.
 * H1 in valid YAML only what is spelt out counts, followed by a value to the end of the line, or glued to the word
 *    before it (scraps.ts): prose is far likelier there than two mistakes at once.
 * H2 where lines had to be repaired, a word that is nearly a limit counts too, glued to the word before it or in front of
 *    its value; a line that begins with a key is judged as keys are; and one that is no text (text-lines.ts) belonged to one.
 * H3 a limit the file has otherwise is no loss.
 */
import { once } from '../../../once.js'
import { looseKey, snakeOf } from '../../../text/nearest.js'
import type { Entry, Problem } from '../../block.js'
import { fieldOf, isKnownKey } from '../../field-table.js'
import { isForeignLimitKey, limitWithoutColon } from '../../fields/foreign-limits.js'
import { isOrdinaryKey } from '../../ordinary-keys.js'
import { outsideExamples } from '../../text/segments.js'
import { foreignInside, foreignLine, valueAt } from '../keys/foreign-words.js'
import { whatWasLost } from '../keys/lost-limit.js'
import { allLimits, type IsAbsent, type Limit, lettersOf, nearTail, proseLimits } from '../keys/near-limits.js'
import { endsWithTool } from '../values/tools-at-end.js'
import { couldFollow, isNoWord, isToolLimit, limitKeys } from '../words/limit-words.js'
import { isNearTool } from '../words/tool-words.js'
import { withoutFolders } from './folder-names.js'
import { ownerOf, proseLines } from './prose-lines.js'
import { type How, isLabel, noPlainSentence, scrapOfLimit } from './scraps.js'
import { isTextLine } from './text-lines.js'

/** A line of prose, or of what belongs to no key, and what stands below it. */
interface Place {
  readonly text: string
  readonly isOwn: boolean
  /** All of it stands in one pair of quotes, and the YAML is valid. */
  readonly isQuoted?: boolean
  readonly next: string
  readonly afterNext: string
  readonly how: How
  readonly isAbsent: IsAbsent
}

export function findHiddenLimits(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
  how: How,
): readonly Problem[] {
  // Beside `allowedTools` there may have been `tools`, which are fewer in Kiro's files.
  const named = (key: string) => fieldOf(key) ?? looseKey(key)
  const present = new Set<string>()
  for (const { key } of entries) if (looseKey(key) !== 'allowedtools') present.add(named(key))
  const isAbsent = (limit: string) => !present.has(named(limit))
  const problems: Problem[] = []
  const isOutside = outsideExamples(lines)
  let left = maxPlaces
  for (const { text: written, at, isOwn, isQuoted = false } of proseLines(lines, firstLine, entries, how)) {
    // Spaces that cannot be seen are signs like any other: a sentence may have them, a key has not.
    const seen = unseen.test(written) ? written.replace(/[\u00a0\ufeff]|(?<=\S)\t/g, '~') : written
    const hasAside = /[`([]/.test(seen) && !(isOwn && behindQuotes.test(seen))
    const text = withoutFolders(hasAside ? seen.replace(asides, '') : seen)
    left -= how === 'repaired' ? placesIn(text) : 0
    if (left < 0) return [...problems, { code: 'security-key-damaged', message: tooMany, line: firstLine + at }]
    const below = placeBelow(lines, at)
    const [next, afterNext] = [withoutFolders(lines[below] ?? ''), withoutFolders(lines[below + 1] ?? '')]
    // `metadata:`, and its lines below: they are somebody's own.
    if (how === 'repaired' && !isOwn && isSomebodysOwn(ownerOf(lines, at))) continue
    const isLost = how === 'repaired' && !isOwn && isOutside[at] && !isTextLine(text)
    const message = isLost ? lineWithoutKey(text) : hiddenIn({ text, isOwn, isQuoted, next, afterNext, how, isAbsent })
    if (message !== undefined && !problems.some(problem => problem.message === message))
      problems.push({
        code: 'security-key-damaged',
        message,
        line: firstLine + at,
        ...(isLost && { hint: textOrKey }),
      })
    if (problems.length >= maxProblems) break
  }
  return problems
}

/** Past blank lines, but not far; and past comments above another key: what is indented below one may have been its own. */
function placeBelow(lines: readonly string[], at: number): number {
  const written = (from: number) => [from, from + 1, from + 2].find(place => lines[place]?.trim()) ?? from
  const first = written(at + 1)
  let place = first
  while (lines[place]?.startsWith('#')) place = written(place + 1)
  return /^\S/.test(lines[place] ?? '') ? place : first
}

/** `features:` holds limits elsewhere. */
const isSomebodysOwn = (owner: string): boolean => isOrdinaryKey(owner) && !isForeignLimitKey(owner)

export const lineWithoutKey = (text: string): string =>
  `a line without a key: ${JSON.stringify(text.trim().slice(0, 60))}`
export const textOrKey = 'if it is text, put all of that in quotes or in a block (|); if it is a limit, give it its key'

const maxProblems = 3
/** `(tools: Read)`, and `timeout: 60` in signs of code: somebody writes about it. */
const asides = /(?<=[\s("'])`[^`]*`(?=[\s.,;:!?)"']|$)|(?<=\s)\([^()]*\)(?!\w)|(?<=\s)\[\w+: [^\][]*\]/g
/** Hanging on a text that has ended it is no part of what is said. */
const behindQuotes = /^\s*"[^"]*"[^\s"]/
const unseen = /[\u00a0\ufeff]|\S\t/
/** Lines and colons of prose that are looked at in a broken block: the longest real one comes to 300. */
const maxPlaces = 500
const tooMany = 'so much broken text that a limit could hide in it'

/** A short line with a key at the left edge may be any limit, which takes longer. */
function placesIn(text: string): number {
  return (
    (text.length < 26 && text.includes(':') && /^\w.{0,24}$/.test(text) ? 3 : 1) + text.split(':', maxColons + 1).length
  )
}

function hiddenIn(place: Place): string | undefined {
  const { text, next, how, isOwn, isAbsent } = place
  if (isOwn && (how === 'strict' ? isQuiet(text, next) : isWordAlone(text, next))) return undefined
  const [, key, rest = ''] = isOwn || how === 'strict' ? [] : (keyLine.exec(text) ?? [])
  if (key === undefined || isKnownKey(key) || label.test(text)) return inText(place)
  // Behind broken prose a key of somebody else is taken for a part of it.
  const entry = { key, value: valueAt(rest, next), raw: rest.trim(), line: 0, column: 0 }
  const [code, message] = whatWasLost(entry, isAbsent) ?? []
  if (code === 'security-key-damaged') return message
  return rest.trim() === '' ? undefined : inText({ ...place, text: rest, isOwn: true })
}

function inText(place: Place): string | undefined {
  const { text, next, how, isOwn, isAbsent } = place
  const foreign = how === 'repaired' ? foreignIn(place) : undefined
  if (foreign !== undefined) return `"${foreign}" may have been meant by this line`
  const glued = /[a-z][A-Z]/.test(text) ? gluedWord().exec(text)?.[1] : undefined
  if (glued !== undefined && isAbsent(glued)) return `"${glued}" stands inside another value`
  // In quotes a limit is a part of what is said, unless it hangs on the word before it.
  const scrap = place.isQuoted ? undefined : scrapOfLimit(text, next, how, isAbsent)
  if (scrap !== undefined) return `"${scrap}" stands inside another value`
  if (how === 'strict' && ((!hasLimitWord(text) && !endsWithTool(text, how)) || isHeading(place))) return undefined
  if (how === 'repaired' && !isOwn && /^\s*:(?:\s|$)/.test(text)) return 'a value without a key'
  const hit = limitInside(place)
  return hit === undefined ? undefined : `"${hit}" stands inside another value`
}

/** `  Write permissions:`, inside a text, and no rules below it. */
const isHeading = ({ text, next, isOwn }: Place): boolean =>
  !isOwn && /^\s+[A-Z][\w-]*(?: [\w-]+){1,3}:\s*$/.test(text) && !/^\s*["']?(?:allow|ask|deny|\w+ToolUse)\b/.test(next)

/** Another product's: hanging on a text, or what is left of a line of its own. */
function foreignIn({ text, next, afterNext, isOwn }: Place): string | undefined {
  const inside = foreignInside(text, next, isOwn)
  if (inside !== undefined) return inside
  return isOwn ? undefined : (limitWithoutColon(text) ?? foreignLine(text, next, afterNext))
}

const keyAtStart = /^([A-Za-z][\w-]{0,80}):\s/
/** `  Needs: Bash`, inside a text. */
const label = /^ {2,}[A-Z]/
/** A slip may have moved it in. */
const keyLine = /^[ \t]{0,4}([A-Za-z][\w-]{0,80})\s?:(\s.*|)$/

/**
 * One word, or a plain sentence, as most lines of most files: nothing hangs on it, and nothing belongs to it below. Nothing
 * below would find a limit in it; this finds out sooner.
 */
export function isQuiet(text: string, next: string): boolean {
  if (/^[\s[{]/.test(next)) return false
  const isOne = oneWord.test(text)
  // `tools-agent`: a name.
  if (isOne && text.includes('-')) return true
  return (isOne || !noPlainSentence.test(text)) && !endsWithTool(text, 'strict')
}

const oneWord = /^ ?[a-z\d]+(?:-[a-z\d]+)*$/

/**
 * `name: code-reviewer`, above a key or nothing: to hang there in one word a limit would have lost its newline, its colon
 * and its blank.
 */
function isWordAlone(text: string, next: string): boolean {
  const isLast = next === '' || isKnownKey(keyAtStart.exec(next)?.[1] ?? '')
  return isLast && oneWord.test(text) && (text.includes('-') || !endsWithTool(text, 'repaired'))
}

/** Valid YAML is looked at more closely only where a limit is spelt out: this runs for every file. */
const hasLimitWord = (text: string): boolean => (text.includes(':') || text.includes('=')) && limitWord().test(text)
const limitWord = once(() => new RegExp(`(?:${[...limitKeys, ...limitKeys.map(snakeOf)].join('|')})\\s*[:=]`, 'i'))

/** `xpermissionMode plan`, `x*baseDir`: a long key of ours that hangs on the word before it. `databaseDir` is one of somebody else. */
const gluedWord = once(() => {
  const longKeys = limitKeys.filter(key => /[A-Z]/.test(key) && key.length > 7 && key !== 'allowedTools')
  return new RegExp(`[A-Za-z\\d][~*@!%^{};=]?(${longKeys.join('|')})`)
})

/** The newline before the key was lost. */
function limitInside({ text, next, how, isAbsent, isQuoted = false }: Place): string | undefined {
  for (const anchor of anchorsOf(text, next, how)) {
    const rest = text.slice(anchor + 1, anchor + maxRest).replace(separators, '')
    // `tools:R ead`: no sentence goes on without a space.
    const isTight = /^[A-Za-z]/.test(text.slice(anchor + 1))
    // A key whose colon slipped one letter forward ends behind it.
    for (const end of how === 'repaired' ? [anchor, anchor + 2] : [anchor]) {
      const limit = limitAtEnd(text.slice(Math.max(0, anchor - maxHead), end), how)
      if (limit === undefined || isLabel(text.slice(0, end), limit.name)) continue
      // In quotes a key hangs on something, or it is a part of what is said.
      if (isQuoted && !limit.isGlued) continue
      if (isAbsent(limit.name) && isMeant(limit, rest, next, how, isTight)) return limit.name
    }
  }
  return undefined
}

function isMeant(
  { name, isGlued, isExact, isFirst }: LimitWord,
  rest: string,
  next: string,
  how: How,
  isTight: boolean,
): boolean {
  // Nobody writes `disabledFeatures: web` in a sentence, nor ends one in `tools: none`.
  if (isExact && (how === 'repaired' || isFirst) && isSpeltOut(name, rest)) return true
  if (how === 'strict') {
    if (!isGlued) return couldFollow(name, rest, next, 'exact') || (isTight && couldFollow(name, rest, next, 'loose'))
    const isScrap = rest.length <= 12 && isNearTool(lettersOf(rest))
    const isToolList = isToolLimit(name) && isScrap
    return (
      isToolList ||
      /^[[{]/.test(rest) ||
      ['tight' as const, 'near' as const].some(fit => couldFollow(name, rest, next, fit))
    )
  }
  const isLong = name.length > 6
  if (!isExact && name.length > 9 && /[a-z][A-Z]/.test(name)) return true
  if (isGlued && isLong && (isExact || rest === '' || /[a-z][A-Z]/.test(name))) return true
  if (isGlued && isExact && (/^[[{]/.test(rest) || rest.length < 3)) return true
  if (isGlued && isToolLimit(name) && /^\[[^\]]*\]$/.test(rest)) return true
  if (rest === '' && /^\s+\S/.test(next) && (isGlued || isLong)) return true
  // Nobody ends a line of prose so, and nothing but a budget is counted so.
  if (isExact && rest.length < 3 && /[a-z][A-Z]/.test(name)) return true
  if (rest === '' && name === 'budget' && /^\s?\d+[km]? tokens?$/.test(next)) return true
  if (!isGlued && !isToolLimit(name) && goesOn.test(rest)) return false
  if (couldFollow(name, rest, next, isGlued || isExact ? 'loose' : 'tight')) return true
  // `baseDir: packages/webmodel: sonnet`: the line below hangs on its value.
  const first = /^\S+(?=: )/.exec(rest)?.[0]
  return isExact && first !== undefined && isNoWord(name) && couldFollow(name, first, '', 'loose')
}

const isSpeltOut = (limit: string, rest: string): boolean =>
  rest !== '' &&
  (isNoWord(limit) ? !goesOn.test(rest) : isToolLimit(limit) && saysTools(rest.replace(/\s#.*$/, '').trim()))

/** `none`, `All tools except Edit`, or a list with a remark behind it. */
const saysTools = (value: string): boolean =>
  /^(?:none|\[\s*\])$/.test(value) || couldFollow('tools', value.replace(/^all tools except\s/i, ''), '', 'exact')

/** `timeout: 30 errors in CI logs.`: behind the value a sentence goes on. */
const goesOn = /^[^\s:]+(?: [A-Za-z][^\s:]*){2,}$/

const maxColons = 64
const maxHead = 32
const maxRest = 160
/** What may stand between a key and its value once the colon is gone; brackets belong to the value. */
const separators = /^[\s:;,.=`~|&!?%@*'"\\/_<>)–—-]{0,4}/

/** Colons, and the end of a line that stands above something indented. */
function anchorsOf(text: string, next: string, how: How): readonly number[] {
  const anchors: number[] = []
  for (let at = text.indexOf(':'); at >= 0 && anchors.length < maxColons; at = text.indexOf(':', at + 1))
    anchors.push(at)
  return how === 'repaired' && /^\s+\S/.test(next) ? [...anchors, text.trimEnd().length] : anchors
}

interface LimitWord {
  readonly name: string
  readonly isGlued: boolean
  readonly isExact: boolean
  /** Nothing stands before it. */
  readonly isFirst: boolean
}

/** Fuzzy only where lines had to be repaired, and only if none fits exactly. */
function limitAtEnd(head: string, how: How): LimitWord | undefined {
  const letters = lettersOf(head)
  const limits = how === 'repaired' ? allLimits : proseLimits
  // The longest: `disallowedTools` ends in `tools`.
  const ends = limits.filter(({ letters: wanted }) => letters.endsWith(wanted))
  const exact = ends.reduce<Limit | undefined>((a, b) => (a && a.letters.length >= b.letters.length ? a : b), undefined)
  const near = exact || how === 'strict' ? undefined : limits.find(limit => nearTail(letters, limit))
  const tail = exact ? exact.letters : near && nearTail(letters, near)
  if (tail === undefined) return undefined
  const before = head.slice(0, head.toLowerCase().lastIndexOf(tail.slice(0, 2)))
  return {
    name: (exact ?? near)!.limit,
    isGlued: before !== '' && /\S$/.test(before),
    isExact: exact !== undefined,
    isFirst: before.trim() === '',
  }
}
