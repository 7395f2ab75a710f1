/**
 * Replacing text inside bytes: everything that is not replaced stays as it was, whatever its encoding and line ends.
 * E1 The old text must occur exactly once, unless all occurrences are wanted.
 * E2 In a file with CRLF line ends a plain newline of the model means CRLF.
 * E3 A fault says where: the lines of every occurrence, or the place most like the text that was not found.
 */
import { nearestText } from './nearest-text.js'
import { decodeText, encodeText, encodingOf } from './text-encoding.js'

export interface TextEdit {
  readonly old_string: string
  readonly new_string: string
  readonly replace_all?: boolean
}
export type Edited =
  | { readonly bytes: Buffer; readonly count: number; readonly line: number }
  | { readonly fault: string }

export function applyEdit(bytes: Buffer, edit: TextEdit): Edited {
  if (edit.old_string === edit.new_string) return { fault: 'old_string and new_string are the same' }
  if (edit.old_string === '') {
    if (bytes.length > 0) return { fault: 'old_string is empty: give the text to replace, or use Write' }
    return { bytes: Buffer.from(edit.new_string), count: 1, line: 1 }
  }
  for (const { from, to } of candidates(bytes, edit)) {
    const places = occurrences(bytes, from)
    if (places.length === 0) continue
    if (places.length > 1 && !edit.replace_all) return { fault: ambiguous(bytes, places) }
    return { bytes: replaceAt(bytes, places, from.length, to), count: places.length, line: lineAt(bytes, places[0]!) }
  }
  return { fault: missing(bytes, edit.old_string) }
}

/** All of them or none: a fault names the edit it lies in. */
export function applyEdits(bytes: Buffer, edits: readonly TextEdit[]): Edited {
  let current = bytes
  let [count, line] = [0, Number.POSITIVE_INFINITY]
  for (const [index, edit] of edits.entries()) {
    const edited = applyEdit(current, edit)
    if ('fault' in edited) return { fault: `edit ${index + 1} of ${edits.length}: ${edited.fault}` }
    current = edited.bytes
    count += edited.count
    line = Math.min(line, edited.line)
  }
  return { bytes: current, count, line }
}

function candidates(bytes: Buffer, edit: TextEdit): { from: Buffer; to: Buffer }[] {
  const encoding = encodingOf(bytes)
  const pair = (convert: (text: string) => string) => ({
    from: encodeText(convert(edit.old_string), encoding),
    to: encodeText(convert(edit.new_string), encoding),
  })
  const exact = pair(text => text)
  if (!usesCarriageReturns(bytes)) return [exact]
  const converted = pair(text => text.replace(/\r?\n/g, '\r\n'))
  // A model that writes the two line ends out means what it writes.
  return converted.from.equals(converted.to) ? [exact] : [converted, exact]
}

export function usesCarriageReturns(bytes: Buffer): boolean {
  const start = bytes.subarray(0, 65_536).toString('latin1')
  const all = start.split('\n').length - 1
  const withReturn = start.split(/\r\0?\n/).length - 1
  return withReturn > 0 && withReturn * 2 >= all
}

function occurrences(bytes: Buffer, wanted: Buffer): number[] {
  const step = encodingOf(bytes) === 'utf-8' ? 1 : 2
  const places: number[] = []
  for (let at = bytes.indexOf(wanted); at !== -1; ) {
    const isAligned = at % step === 0
    if (isAligned) places.push(at)
    at = bytes.indexOf(wanted, at + (isAligned ? wanted.length : 1))
  }
  return places
}

function replaceAt(bytes: Buffer, places: readonly number[], length: number, to: Buffer): Buffer {
  const parts: Buffer[] = []
  let end = 0
  for (const place of places) {
    parts.push(bytes.subarray(end, place), to)
    end = place + length
  }
  return Buffer.concat([...parts, bytes.subarray(end)])
}

function ambiguous(bytes: Buffer, places: readonly number[]): string {
  const lines = places.slice(0, 5).map(place => lineAt(bytes, place))
  const more = places.length > 5 ? ', …' : ''
  return `old_string occurs ${places.length} times (lines ${lines.join(', ')}${more}). Add surrounding lines to make it unique, or set replace_all`
}

function missing(bytes: Buffer, wanted: string): string {
  const near = bytes.length <= 2 * 1024 * 1024 ? nearestText(decodeText(bytes), wanted) : undefined
  return near === undefined ? 'old_string was not found' : `old_string was not found. ${near}`
}

function lineAt(bytes: Buffer, place: number): number {
  let line = 1
  for (let at = bytes.indexOf(10); at !== -1 && at < place; at = bytes.indexOf(10, at + 1)) line++
  return line
}
