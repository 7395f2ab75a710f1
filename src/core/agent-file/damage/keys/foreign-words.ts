/**
 * Limits of other products that a slip took away: their keys are words that anybody may have, so what stands behind one
 * has to fit it. W1 a key nobody knows that is nearly one. W2 one that hangs on the text above it, or on its last word.
 * W3 one that a stray dot of TOML took apart.
 */
import { isRecord } from '../../../record.js'
import { didYouMean, isWithin, looseKey } from '../../../text/nearest.js'
import type { Entry } from '../../block.js'
import { isKnownKey } from '../../field-table.js'
import { isCodexFeature } from '../../fields/codex-features.js'
import { fitsForeign, isOutOfTable, toldKeys } from '../../fields/foreign-limits.js'
import { twoUnits } from '../../fields/told-limits.js'
import { requirement } from '../words/limit-words.js'

/** W1 and W3, for a key nobody knows. */
export function foreignMeant(key: string, value: unknown): string | undefined {
  const word = looseKey(key.slice(0, maxKey + 1))
  if (word.length > maxKey || requirement.test(word)) return undefined
  const meant = meantBy(word, value)
  if (meant !== undefined) return meant
  // `featuresmulti_agent`, `skillsconfig`: the dot between them is gone.
  const head = typeof value === 'object' ? toldKeys().find(each => word.startsWith(each) && word !== each) : undefined
  if (head !== undefined && fitsForeign(head, { [word.slice(head.length)]: value })) return head
  const [inner] = isRecord(value) ? Object.entries(value) : []
  // A limit of ours in a table of somebody's own is told of elsewhere.
  return inner && (inner[0].startsWith('_') || !isKnownKey(inner[0]))
    ? meantBy(word + looseKey(inner[0]), inner[1])
    : undefined
}

function meantBy(word: string, value: unknown): string | undefined {
  if (word.length > maxKey) return undefined
  const meant = toldKeys().includes(word) ? word : didYouMean(word, toldKeys())
  const alone = Array.isArray(value) && value.length === 1 ? value[0] : value
  const isMeant = (key: string) => fitsForeign(key, value) || fitsForeign(key, alone) || isRunOn(key, value)
  const isLong =
    meant !== undefined && meant !== word && meant.length > 9 && meant.endsWith('tools') && Array.isArray(value)
  return meant !== undefined && (isMeant(meant) || (isLong && isWithin(1, word, meant))) ? meant : undefined
}

/** `read-onlymodel: haiku`: the line below hangs on it. */
function isRunOn(key: string, value: unknown): boolean {
  const [pair] = isRecord(value) ? Object.entries(value) : []
  const items = pair
    ? [`${pair[0]}: `]
    : Array.isArray(value)
      ? value.filter(each => typeof each === 'string')
      : [value]
  const whole = typeof items[0] === 'string' ? items.join(',') : undefined
  if (typeof whole !== 'string' || !/: |=/.test(whole)) return false
  const text = whole.slice(0, maxRun)
  return [...text].some((_, end) => end > 2 && fitsForeign(key, text.slice(0, end)))
}

/** What a line of its own would say if its colon, its first letter or its line end were not lost. */
export function foreignLine(text: string, next: string, afterNext: string): string | undefined {
  const line = text.slice(0, maxText).replace(twoUnits, '?')
  const [, key = '', sign, rest = ''] = ownLine.exec(line) ?? []
  if (key === '') return undefined
  const [, parted = '', held = ''] = partedKey.exec(line) ?? []
  const joined = parted === '' ? undefined : meantBy(looseKey(parted.replace(/[^\w-]/g, '')), valueAt(held, next))
  if (joined !== undefined) return joined
  const value = valueAt(sign === undefined ? rest.replace(strayBefore, '') : rest, next)
  // `[r`, then `ead, mcp]`.
  const isOpen = sign !== undefined && /^\s*[[{][^\]}]*$/.test(rest)
  const whole = isOpen ? meantBy(looseKey(key), valueAt(rest.trimEnd() + next.trim(), '')) : undefined
  if (whole !== undefined) return whole
  if (sign !== undefined) {
    const isOdd = isCodexFeature(key)
    if (isOdd || isOutOfTable({ key, value, line: 0, column: 0 })) return key
    return meantBy(looseKey(key), value)
  }
  // `mo`, then `de: plan`.
  const [, tail, behind = ''] = rest === '' ? (/^ {0,4}([\w-]{1,40})\s?[:=](?=\s|$)(.*)$/.exec(next) ?? []) : []
  if (tail !== undefined && isCodexFeature(key + tail)) return key + tail
  const cut = tail === undefined ? undefined : meantBy(looseKey(key + tail), valueAt(behind, afterNext))
  return cut ?? (key.length > 2 ? meantBy(looseKey(key), value) : undefined)
}

/** `skills" `, `mode[ plan`, `groups:a[read]`, `mode:# plan`. */
const strayBefore = /^[^\w\s]?\w?\s*$|^[^\w\s[{]?\w?(?:\s+|(?=[[{]))[#&!]?|^[:=][#&!]\s*/
/** A slip may have moved it in. */
const ownLine = /^(?: {0,4}|\W{0,2})([\w-]{1,40})(?:["']?\s?([:=])(?=\s|$))?\s?(.*)$/

/** `gr@oups: [read]`, `web_se arch: disabled`: a sign slipped into the key. */
const partedKey = /^\W{0,2}([\w-]{1,40}[^\w:=-][\w-]{1,40})["']?\s?[:=](?=[\s[{]|$)(.*)$/

/** Whether a line is such a limit as it stands. */
export function isForeign(key: string, rest: string, next: string): boolean {
  return fitsForeign(looseKey(key), valueAt(rest, next))
}

/** Whether a value makes a limit of another product of the key, or nearly. */
export const isToldLimit = (key: string, value: unknown): boolean =>
  fitsForeign(looseKey(key), value) || isNearlyTold(key, value)

/** `mode: plan`, and `mode: haiku` further down: of a key that stands twice the last one counts, and the other was a limit. */
export function isLimitTwice(key: string, texts: readonly string[]): boolean {
  return texts.some(text => {
    const [rest = '', next = ''] = text.replace(/^:\s?/, '').split('\n')
    return isForeign(key, rest, next) || isNearlyTold(key, rest.trim())
  })
}

/** Whether a line below a key with nothing behind it would be its value: `  # deploy: false` below `skills:`. */
export function foreignBelow(key: string, line: string): boolean {
  return meantBy(looseKey(key), valueAt('', ` ${line}`)) !== undefined
}

/** `mode: planmodel: haiku`, `mode: &plan`: the value is there, and more, or a sign before it. */
export function isNearlyTold(key: string, value: unknown, raw = ''): boolean {
  if (key.length > maxKey) return false
  const word = looseKey(key)
  if (!toldKeys().includes(word)) return false
  const [, swallowed] = value === null || value === '' ? (/^[#&!]\s?(.*)$/.exec(raw) ?? []) : []
  if (swallowed !== undefined) return fitsForeign(word, valueAt(swallowed, ''))
  return isRunOn(word, value)
}

/** `skills:`, and its one line, or the rest of it, at the left edge. */
export function isCutBelow({ key, value, raw }: Entry, next: Entry): boolean {
  const isEmpty = key.length < maxKey && (value === null || (typeof value === 'string' && raw === ''))
  const names = isEmpty ? [next.key, `${value ?? ''}${next.key}`] : []
  const isWhole = isEmpty && typeof next.value === 'object' && fitsForeign(looseKey(key), next.value)
  return isWhole || names.some(name => fitsForeign(looseKey(key), { [name]: next.value }))
}

const maxRun = 40

/** W2: `x web_search: disabled`, `xfeatures:` above what they hold. */
export function foreignInside(text: string, next: string, isOwn: boolean): string | undefined {
  for (const { index, 1: word } of text.slice(-maxText).matchAll(keyInText)) {
    const start = text.length - Math.min(text.length, maxText) + index
    // `design_mode: plan` is a key of somebody's own.
    if (!isOwn && text.slice(0, start).trim() === '') continue
    const end = start + word!.length
    const meant = endOf(word!)
    if (meant !== undefined && fitsForeign(meant, valueAt(text.slice(end).replace(/^["']?\s?[:=]/, ''), next)))
      return meant
  }
  return undefined
}

/** The longest, since some of them end in others. */
function endOf(word: string): string | undefined {
  const letters = looseKey(word)
  const ends = toldKeys().filter(key => letters.endsWith(key))
  return ends.reduce<string | undefined>((a, b) => (a !== undefined && a.length >= b.length ? a : b), undefined)
}

const keyInText = /([\w-]{4,60})["']?\s?[:=](?=\s|$)/g
const maxText = 300
const maxKey = 60

/** What a parser would make of the rest of a line, or of the first line below it, as far as it matters here. */
export function valueAt(rest: string, next: string): unknown {
  const text = rest.replace(/\s#.*$/, '').trim()
  if (text === '') {
    const [, item] = /^\s*- (.*)$/.exec(next) ?? []
    if (item !== undefined) return [scalarOf(item)]
    const pairs = pairsIn(next)
    return pairs.length > 0 && /^[\s\W]/.test(next)
      ? Object.fromEntries(pairs)
      : pairs.length > 0
        ? null
        : valueOn(next)
  }
  return valueOn(text)
}

function valueOn(line: string): unknown {
  const text = line.slice(0, maxText).trim()
  if (text === '') return null
  const [, open, inner = ''] = /^([[{])(.*?)[\]}]?$/.exec(text) ?? []
  if (open === '[') return inner.split(',', maxItems).map(scalarOf)
  const pieces = (open === '{' ? inner : text).split(',', maxItems)
  const pairs = open === '{' || pairsIn(pieces[0]!).length > 0 ? pieces.flatMap(pairsIn) : []
  return pairs.length > 0 ? Object.fromEntries(pairs) : scalarOf(open === '{' ? inner : text)
}

const maxItems = 40

function pairsIn(text: string): readonly (readonly [string, unknown])[] {
  const [, , key, value = ''] = /^\W{0,8}()([\w*.-]{1,60})["']?\s*[:=]\s*(.*)$/.exec(text.slice(0, maxText)) ?? []
  return key === undefined ? [] : [[key, scalarOf(value)]]
}

function scalarOf(text: string): unknown {
  const word = text.trim().replace(/^(["'])(.*)\1$/, '$2')
  return word === 'true' ? true : word === 'false' ? false : word === '' ? null : word
}
