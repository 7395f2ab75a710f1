/** Bytes to text: byte order marks, UTF-16, line ends, bytes that are no text at all. */
import type { Problem } from '../block.js'

export interface Decoded {
  readonly text: string
  readonly notes: readonly Problem[]
  /** It is no text; or one that a crash has left zero bytes in, first on this line. Those at the end are taken off. */
  readonly zeroLine?: number
}

export function decodeText(bytes: Uint8Array): Decoded {
  const zero = bytes.indexOf(0)
  const utf16 = utf16Kind(bytes, zero)
  const hasZeros = utf16 === undefined && zero >= 0
  const decoded = utf16 === undefined ? utf8.decode(withoutReturns(bytes)) : new TextDecoder(utf16).decode(bytes)
  const text = normaliseLineEnds(hasZeros ? withoutZeros(decoded) : decoded)
  const notes: Problem[] =
    utf16 === undefined ? [] : [{ code: 'encoding-utf16', message: 'the file is UTF-16', line: 1 }]
  const lost = text.indexOf('\ufffd')
  if (utf16 !== undefined && bytes.length % 2 === 1)
    notes.push({ code: 'encoding-torn', message: 'the bytes of the file do not pair, and it is UTF-16', line: 1 })
  if (lost >= 0) notes.push({ code: 'encoding-invalid', message: someBytes, line: lineAt(text, lost) })
  return hasZeros ? { text, notes, zeroLine: lineAt(decoded, decoded.indexOf('\0')) } : { text, notes }
}

const someBytes = 'some bytes are no valid UTF-8'
const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** A line with one in it says nothing for certain, a name least of all. */
function withoutZeros(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\0' || text[end - 1] === '\n')) end--
  const lines = text.slice(0, end).split('\n')
  return lines.map(line => (line.includes('\0') ? '' : line)).join('\n')
}

/** Also takes off a byte order mark, for texts that were never bytes. */
export function normaliseLineEnds(text: string): string {
  const bare = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  if (!bare.includes('\r')) return bare
  const unix = bare.replaceAll('\r\n', '\n')
  return unix.includes('\r') ? unix.split('\r').join('\n') : unix
}

/** On bytes, because a text of nothing but returns takes a quarter of a second. */
function withoutReturns(bytes: Uint8Array): Uint8Array {
  const first = bytes.indexOf(carriageReturn)
  if (first < 0) return bytes
  const kept = Uint8Array.from(bytes)
  let to = first
  for (let at = first; at < bytes.length; at++) {
    if (bytes[at] === carriageReturn && bytes[at + 1] === newline) continue
    kept[to++] = bytes[at] === carriageReturn ? newline : bytes[at]!
  }
  return kept.subarray(0, to)
}

const carriageReturn = 13
const newline = 10

const utf8 = new TextDecoder('utf-8')

/** By its mark, or, without one, by zero bytes in every other place. */
function utf16Kind(bytes: Uint8Array, zero: number): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes.length < 4 || zero < 0 || zero > 63) return undefined
  const head = bytes.subarray(0, 64)
  const isAscii = (index: number) => head[index]! >= 0x09 && head[index]! < 0x7f
  const pairs = Math.floor(head.length / 2)
  const isEvery = (test: (pair: number) => boolean) => Array.from({ length: pairs }, (_, pair) => pair).every(test)
  if (isEvery(pair => isAscii(pair * 2) && head[pair * 2 + 1] === 0)) return 'utf-16le'
  if (isEvery(pair => head[pair * 2] === 0 && isAscii(pair * 2 + 1))) return 'utf-16be'
  return undefined
}
