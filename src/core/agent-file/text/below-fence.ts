/**
 * Limits below a fence that came too early: what stands there is body, and the agent would lose them.
 * B1 what counts is a key of a limit at the left edge, in the first paragraph or before another fence that has nothing but
 *    keys above it. B2 a limit that the front matter has may stand in prose; in a second front matter only as it is above.
 * B3 a list or a map whose beginning is the last thing above the fence is cut in two. B4 a title with a blank line below it
 *    is a body's: what stands around it is no front matter.
 */
import { once } from '../../once.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import type { Entry, Problem } from '../block.js'
import { foreignBelow, isForeign } from '../damage/keys/foreign-words.js'
import { meantLimit } from '../damage/keys/near-limits.js'
import { commonWords, couldFollow } from '../damage/words/limit-words.js'
import { fieldOf, fieldTable, isSecurityKey } from '../field-table.js'
import { isForeignLimitKey, isTelltaleLimit } from '../fields/foreign-limits.js'
import { isToolTableKey } from '../fields/tool-tables.js'
import { isHarmlessBehindFence, limitBetweenFences } from './between-fences.js'
import { goesOn } from './goes-on.js'
import { withPlainColons } from './wide-signs.js'

export interface Below {
  /** The first lines behind the fence, what is glued to it included. */
  readonly lines: readonly string[]
  /** Line number of the first of them, counted from 1. */
  readonly firstLine: number
  /** Without a fence they may be the rest of the front matter. */
  readonly isClosed: boolean
  /** The first of them hangs on the fence. */
  readonly isGlued: boolean
  /** The text above the fence goes on below it. */
  readonly isInText: boolean
  /** The last line before the fence. */
  readonly lineAbove: string
}

export function limitsBelow(written: Below, entries: readonly Entry[]): readonly Problem[] {
  const below = { ...written, lines: withPlainColons(written.lines) }
  const { firstLine, isClosed } = below
  const lines = isClosed ? below.lines : withoutCode(below.lines)
  const region = isClosed ? regionOf(below) : { from: 0, to: lines.length, isFenced: false, indent: edgeOf(entries) }
  const cut = cutInTwo(nextLines(below, region), entries)
  if (cut !== undefined) return [problemOf(`"${cut.key}" goes on below the front matter`, firstLine)]
  // `Grep---`: the newline before the fence is gone, and what stands above it was no body.
  const first = isClosed ? [] : lines.slice(0, regionOf({ ...below, lines }).to)
  const fence = first.findIndex(line => /[^\s-][ \t]?-{3}\s*$/.test(line))
  if (fence >= 0) return [problemOf('the closing fence hangs on this line', firstLine + fence)]
  // `tools:` with nothing behind it grants nothing; a line that goes on with another one begins like this one.
  const [top = '', second = ''] = lines
  if (isClosed && (/^[,\]})]/.test(top) || (/^tools:\s*$/.test(top) && second.trim() === '' && !hasTools(entries))))
    return [problemOf('the line below the fence is a part of what stands above it', firstLine)]
  // `base`, the fence, and `Dir: packages/web`.
  const [, half] = /^([A-Za-z_-]{1,40}):(?:\s|$)/.exec(top) ?? []
  const whole = /^[A-Za-z_-]{1,40}$/.test(below.lineAbove) && half !== undefined ? below.lineAbove + half : undefined
  if (
    isClosed &&
    whole !== undefined &&
    (isSecurityKey(whole) || isToolTableKey(whole) || isForeignLimitKey(whole)) &&
    !entries.some(({ key }) => isSame(key, whole))
  )
    return [problemOf(`the fence may cut "${whole}" in two`, firstLine)]
  const isCapital = entries.some(({ key }) => /^[A-Z]/.test(key))
  const holdsBack = limitsAmong(lines)
  let left = maxMeant
  for (let at = region.from; at < region.to; at++) {
    const [, , written, rest = ''] = keyLine.exec(fromEdge(lines[at]!, region.indent)) ?? []
    if (written === undefined || (/^[A-Z]/.test(written) && !isCapital)) continue
    const mayBeSlip = (region.isFenced || !isClosed) && left-- > 0
    const key = mayBeSlip ? (meantLimit(written, rest) ?? written) : written
    if (!holdsBack(key) && !isLimitElsewhere(key, rest.trim(), lines[at + 1] ?? '')) continue
    const above = entries.find(entry => isSame(entry.key, key))
    const isMeant = region.isFenced
      ? above === undefined || above.raw !== rest.trim()
      : above === undefined &&
        (isForeign(key, rest, lines[at + 1] ?? '') || isPlausible(key, rest, lines[at + 1] ?? ''))
    if (isMeant) return [problemOf(`"${key}" stands below the front matter`, firstLine + at)]
  }
  const behind = below.isInText ? limitBehindText(below, entries) : undefined
  if (behind !== undefined) return [behind]
  const between = isClosed ? limitBetweenFences(below, entries) : undefined
  return between === undefined ? [] : [between]
}

const hasTools = (entries: readonly Entry[]): boolean => entries.some(({ key }) => fieldOf(key) === 'tools')

/** A fence inside `description: |` makes a body of the rest of it, and of all that stood below it. */
function limitBehindText({ lines, firstLine }: Below, entries: readonly Entry[]): Problem | undefined {
  const holdsBack = limitsAmong(lines)
  for (const [at, line] of lines.entries()) {
    const [, , key, rest = ''] = keyLine.exec(line) ?? []
    const next = lines[at + 1] ?? ''
    if (key === undefined || entries.some(entry => isSame(entry.key, key))) continue
    const isLimit = isLimitElsewhere(key, rest.trim(), next) || (holdsBack(key) && isPlausible(key, rest, next))
    if (isLimit) return problemOf(`a fence stands inside a text above "${key}"`, firstLine + at)
  }
  return undefined
}

/** Slips are looked for in so many keys. */
const maxMeant = 100

/** Where all keys stand: a block may be moved in as a whole. */
function edgeOf(entries: readonly Entry[]): number {
  return entries.reduce((least, { column }) => Math.min(least, column - 1), entries[0] ? entries[0].column - 1 : 0)
}

/** Blank where code stands. A fence further in may belong to a text that is a value, and one alone opens nothing. */
function withoutCode(lines: readonly string[]): readonly string[] {
  const fences = lines.flatMap((line, at) => (/^(?:```|~~~)/.test(line) ? [at] : []))
  const inside = new Set<number>()
  for (let pair = 0; pair + 1 < fences.length; pair += 2)
    for (let at = fences[pair]!; at <= fences[pair + 1]!; at++) inside.add(at)
  return inside.size === 0 ? lines : lines.map((line, at) => (inside.has(at) ? '' : line))
}

const fromEdge = (line: string, indent: number): string =>
  line.slice(0, indent).trim() === '' ? line.slice(indent) : line

/** An agent without its servers has less, unless one of them is bound; and so has one without hooks of which none guards. */
function limitsAmong(lines: readonly string[]): (key: string) => boolean {
  const hasGuard = once(() => lines.some(line => /pre_?tool_?use/i.test(line)))
  const hasBound = once(() => lines.some(line => boundServer.test(line)))
  return key => {
    const field = fieldOf(key)
    if (field === 'hooks') return hasGuard()
    return field === 'mcpServers' ? hasBound() : isSecurityKey(key)
  }
}

const boundServer = /^\s+(?:(?:dis|en)abled_?tools|(?:in|ex)clude_?tools|enabled: false)\b/i

/** Another product's, or somebody's own, that is read above the fence. */
function isLimitElsewhere(key: string, text: string, next: string): boolean {
  return (
    isTelltaleLimit(key, text, next) || (isToolTableKey(key) && /^(?:$|[[{])/.test(text)) || isForeign(key, text, next)
  )
}

const keyLine = /^(["']?)([A-Za-z][\w-]{0,40})\1[ \t]*[:=](?=[ \t]|$)(.*)$/
/** Cheap first: it is asked of every line. */
const isFence = (line: string): boolean => fenceSigns.includes(line.slice(0, 3)) && fenceLine.test(line)
const fenceSigns: readonly string[] = ['---', '...', '+++']
const fenceLine = /^(?:-{3,}|\.{3}|\+{3})\s*$/

function problemOf(message: string, line: number): Problem {
  return { code: 'security-key-damaged', message, line, hint: 'move it above the closing fence' }
}

interface Region {
  readonly from: number
  readonly to: number
  /** It is another front matter, or the rest of the first one. */
  readonly isFenced: boolean
  /** Of all its keys. */
  readonly indent: number
}

function regionOf({ lines, isGlued }: Below): Region {
  // `--- x`, and what stands below that.
  const top = isGlued && isHarmlessBehindFence(lines[0]!) ? 1 : 0
  const first = Math.max(
    top,
    lines.findIndex((line, at) => at >= top && line.trim() !== ''),
  )
  const from = isFence(lines[first] ?? '') ? first + 1 : first
  const fence = lines.findIndex((line, at) => at >= from && isFence(line))
  const above = lines.slice(from, Math.max(from, fence))
  if (fence >= 0 && above.every(isLikeYaml) && !above.some(isTitle)) {
    const top = above.find(line => /^\s*[^\s#]/.test(line)) ?? ''
    return { from, to: fence, isFenced: true, indent: top.length - top.trimStart().length }
  }
  const end = lines.findIndex((line, at) => at >= from && /^\s*(?:$|```|~~~)/.test(line))
  return { from, to: end < 0 ? lines.length : end, isFenced: false, indent: 0 }
}

function isLikeYaml(line: string): boolean {
  return /^\s*(?:#|$)|^\s+\S|^- |^\[/.test(line) || keyLine.test(line)
}

/** A comment stands right above its key. */
function isTitle(line: string, at: number, lines: readonly string[]): boolean {
  return /^#{1,6} /.test(line) && lines[at + 1]?.trim() === ''
}

function isSame(key: string, other: string): boolean {
  const field = fieldOf(key)
  return field === undefined ? looseKey(key) === looseKey(other) : field === fieldOf(other)
}

/** `tools: use what you need to find out` is a sentence. */
function isPlausible(key: string, rest: string, next: string): boolean {
  const field = fieldOf(key)
  const [limit = 'runConfig'] = field === undefined ? [] : fieldTable[field].keys
  if (couldFollow(limit, rest.slice(0, maxRest), next, 'loose')) return true
  const isWord = commonWords.has(looseKey(key)) || looseKey(key) === 'agents'
  return !isWord && rest.length < maxRest && rest.trim() !== '' && rest.trim().split(/\s+/).length <= maxWords
}

const maxRest = 400
const maxWords = 4

/** In what may be front matter whatever comes first; otherwise what hangs on the fence, and what stands right below it. */
function nextLines({ lines, isGlued, isClosed }: Below, { from, to, isFenced }: Region): readonly string[] {
  if (isFenced || !isClosed)
    return lines
      .slice(from, to)
      .filter(line => /^\s*[^\s#]/.test(line))
      .slice(0, 1)
  const start = isFence(lines[from - 1] ?? '') ? from : 0
  return lines.slice(start, start + (isGlued ? 2 : 1))
}

function cutInTwo(lines: readonly string[], entries: readonly Entry[]): Entry | undefined {
  const last = entries.reduce<Entry | undefined>((a, b) => (a !== undefined && a.line > b.line ? a : b), undefined)
  if (last === undefined) return undefined
  const isForeignOne =
    last.value === null && lines.some(line => /^\s+\S/.test(line) && foreignBelow(last.key, line.trim()))
  if (isForeignOne) return last
  if (!(isSecurityKey(last.key) || isToolTableKey(last.key))) return undefined
  const isOpen = last.value === null || typeof last.value === 'object'
  // An allow list that lost its end allows less.
  if (!isOpen || (fieldOf(last.key) === 'tools' && !isRecord(last.value))) return undefined
  const isEdge = (line: string) => Array.isArray(last.value) && line.startsWith('- ') && goesOn(` ${line}`, last)
  return lines.some(line => goesOn(line, last) || isEdge(line)) ? last : undefined
}
