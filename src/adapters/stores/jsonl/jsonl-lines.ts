/**
 * How a log lies in a file: one line an append, so that a torn line is a torn append and the rest is whole.
 * `{"events":[…],"consumed":[…],"head":"<hash of the last event>","sizes":[…]}`; the sizes are the lengths of the events'
 * texts, so that each can be hashed as it lies there. Pure text in, values out.
 */
import type { StoredEvent } from '../../../core/events.js'
import { parseJson } from '../../../core/text/parse-json.js'
import type { Link } from '../hash-chain.js'

export interface LogRecord {
  readonly events: readonly StoredEvent[]
  /** Inbox items that this append used up, by key. */
  readonly consumed: readonly string[]
  readonly head: string
  /** The events as they lie in the file; undefined when the line was put together by somebody else. */
  readonly texts: readonly string[] | undefined
}

/** A line of which nothing could be used, or only after taking it apart. */
export interface LineFault {
  readonly line: number
  readonly kind: 'skipped' | 'repaired'
}

export interface ParsedLines {
  readonly records: readonly (LogRecord & { readonly line: number })[]
  readonly faults: readonly LineFault[]
  readonly lines: number
}

export function formatRecord(links: readonly Link[], consumed: readonly string[], head: string): string {
  const events = links.map(({ text }) => text).join(',')
  const sizes = links.map(({ text }) => text.length).join(',')
  return `${start}${events}${middle}${JSON.stringify(consumed)},"head":"${head}","sizes":[${sizes}]}\n`
}

/** `text` is whole lines. Says what it could not use instead of throwing. */
export function parseLines(text: string, firstLine: number): ParsedLines {
  const records: (LogRecord & { line: number })[] = []
  const faults: LineFault[] = []
  const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n')
  lines.forEach((raw, index) => {
    const line = firstLine + index
    const found = parseLine(index === 0 && firstLine === 1 ? raw.replace(/^\uFEFF/, '') : raw)
    for (const record of found.records) records.push({ line, ...record })
    if (found.records.length === 0) faults.push({ line, kind: 'skipped' })
    else if (found.isRepaired) faults.push({ line, kind: 'repaired' })
  })
  return { records, faults, lines: lines.length }
}

export function parseLine(raw: string): { readonly records: readonly LogRecord[]; readonly isRepaired: boolean } {
  const whole = parseRecord(raw)
  if (whole) return { records: [whole], isRepaired: false }
  // A crash can leave a block of NULs, and a line without its end can have the next one glued to it.
  return { records: salvage(raw.replaceAll('\0', '')), isRepaired: true }
}

/** Inside a JSON string the quotes would be escaped, so this can only be the start of a record, or of a tool's input. */
const start = '{"events":['
const middle = '],"consumed":'

/** In one pass over the text, or two where a string was torn: a line can be long, and its tools' inputs full of starts. */
function salvage(text: string): readonly LogRecord[] {
  const records: LogRecord[] = []
  const ends = new Map<number, number | undefined>()
  let done = 0
  for (const { index } of text.matchAll(/\{"events":\[/g)) {
    if (index < done) continue
    if (!ends.has(index)) findEnds(text, index, ends)
    const end = ends.get(index)
    const whole = end === undefined ? undefined : text.slice(index, end)
    const record = whole === undefined ? undefined : parseRecord(whole)
    if (record) records.push(record)
    // What lies inside a whole value is a part of it, whatever it looks like.
    if (end !== undefined && (record || isJson(whole!))) done = end
  }
  return records
}

/** Notes where each start that is met outside a string ends, from `from` on; undefined when it does not. */
function findEnds(text: string, from: number, ends: Map<number, number | undefined>): void {
  const open: number[] = []
  const signs = /["[\]{}]/g
  signs.lastIndex = from
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found
    if (sign === '"') {
      signs.lastIndex = endOfString(text, found.index)
    } else if (sign === '{' || sign === '[') {
      open.push(found.index)
      if (text.startsWith(start, found.index) && !ends.has(found.index)) ends.set(found.index, undefined)
    } else {
      const opened = open.pop()!
      if (ends.has(opened)) ends.set(opened, found.index + 1)
      if (open.length === 0) return
    }
  }
}

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = at - 1
    while (text[escapes] === '\\') escapes -= 1
    if ((at - escapes) % 2 === 1) return at + 1
  }
  return text.length
}

function parseRecord(text: string): LogRecord | undefined {
  const value = parseJson(text)
  if (typeof value !== 'object' || value === null) return undefined
  const { events, consumed, head, sizes } = value as { readonly [key: string]: unknown }
  if (!Array.isArray(events) || !events.every(isEnvelope)) return undefined
  return {
    events,
    consumed: Array.isArray(consumed) ? consumed.map(String) : [],
    head: String(head ?? ''),
    texts: textsOf(text, sizes, events.length),
  }
}

/** Only where the sizes cover the whole list, so that nothing can hide between the texts. */
function textsOf(text: string, sizes: unknown, count: number): readonly string[] | undefined {
  if (!Array.isArray(sizes) || sizes.length !== count || !text.startsWith(start)) return undefined
  const texts: string[] = []
  let from = start.length
  for (const size of sizes) {
    if (!Number.isSafeInteger(size) || size <= 0) return undefined
    texts.push(text.slice(from, from + size))
    from += size + 1
    if (texts.length < count && text[from - 1] !== ',') return undefined
  }
  return text.startsWith(middle, Math.max(from - 1, start.length)) ? texts : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function isEnvelope(value: unknown): value is StoredEvent {
  if (typeof value !== 'object' || value === null) return false
  const { eventId, runId, seq, at, event } = value as Partial<StoredEvent>
  return (
    typeof eventId === 'string' &&
    typeof runId === 'string' &&
    Number.isSafeInteger(seq) &&
    typeof at === 'number' &&
    typeof (event as { type?: unknown } | undefined)?.type === 'string'
  )
}
