/**
 * Keys that stand twice in one table of a JSON text: the parser keeps the last without a word. One pass, valid JSON only.
 * Keys are compared as they are meant, whatever escapes they are written with.
 */

export interface Repeat<Place> {
  readonly key: string
  readonly line: number
  /** Where the table stands. */
  readonly place: Place
  /** The two values, as written. */
  readonly earlier: string
  readonly later: string
}

/** `below` says where the tables under a key stand; those in a list stand where the list does. */
export function eachRepeat<Place>(
  json: string,
  top: Place,
  below: (place: Place, key: string) => Place,
  found: (repeat: Repeat<Place>) => void,
): void {
  const open: Table<Place>[] = []
  let line = 1
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    const table = open.at(-1)
    if (sign === '\n') line++
    else if (sign === '{' || sign === '[') {
      const place = table ? table.inner : top
      open.push({ place, inner: place, values: undefined, last: undefined })
    } else if (sign === '}' || sign === ']') {
      if (table) endValue(json, at, table, found)
      open.pop()
    } else if (sign === '"') {
      const end = endOfText(json, at)
      if (table && isKey(json, end + 1)) {
        endValue(json, at, table, found)
        const key = keyAt(json, at, end)
        table.last = { key, line, from: json.indexOf(':', end) + 1 }
        table.inner = below(table.place, key)
      }
      at = end
    }
  }
}

/** The first key that stands twice and says two things, for a file in which none may. */
export function firstRepeat(json: string): Pick<Repeat<unknown>, 'key' | 'line'> | undefined {
  let first: Repeat<unknown> | undefined
  const keep = (repeat: Repeat<unknown>) => {
    if (repeat.earlier !== repeat.later) first ??= repeat
  }
  eachRepeat<unknown>(json, undefined, () => undefined, keep)
  return first
}

interface Table<Place> {
  readonly place: Place
  /** Where the value of its last key stands. */
  inner: Place
  /** Where the value of each key begins and ends. */
  values: Map<string, Span> | undefined
  last: { readonly key: string; readonly line: number; readonly from: number } | undefined
}

interface Span {
  readonly from: number
  readonly to: number
}

function keyAt(json: string, at: number, end: number): string {
  const written = json.slice(at + 1, end)
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written
}

/** Behind the last key of the table: now its value is known, and can be held against an earlier one. */
function endValue<Place>(json: string, to: number, table: Table<Place>, found: (repeat: Repeat<Place>) => void): void {
  const { last, place } = table
  if (last === undefined) return
  const { key, line, from } = last
  const earlier = table.values?.get(key)
  if (earlier !== undefined)
    found({ key, line, place, earlier: valueAt(json, earlier), later: valueAt(json, { from, to }) })
  table.values = (table.values ?? new Map()).set(key, { from, to })
  table.last = undefined
}

/** Without the comma behind it. */
function valueAt(json: string, { from, to }: Span): string {
  const value = json.slice(from, to).trim()
  return value.endsWith(',') ? value.slice(0, -1).trimEnd() : value
}

function endOfText(json: string, from: number): number {
  let at = from + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

function isKey(json: string, from: number): boolean {
  let at = from
  while (json[at] === ' ' || json[at] === '\n' || json[at] === '\t' || json[at] === '\r') at++
  return json[at] === ':'
}
