/** Bytes to text: byte order marks, UTF-16, line ends, bytes that are no text at all. */
import type { Code } from '../diagnostic-codes.js'

export type Decoded = { readonly text: string; readonly notes: readonly Code[] } | { readonly isBinary: true }

export function decodeText(bytes: Uint8Array): Decoded {
  const zero = bytes.indexOf(0)
  const utf16 = utf16Kind(bytes, zero)
  if (utf16 === undefined && zero >= 0 && zero < sniffed) return { isBinary: true }
  const decoded = utf16 === undefined ? utf8.decode(withoutReturns(bytes)) : new TextDecoder(utf16).decode(bytes)
  const notes: Code[] = []
  if (utf16 !== undefined) notes.push('encoding-utf16')
  if (decoded.includes('\ufffd')) notes.push('encoding-invalid')
  return { text: normaliseLineEnds(decoded), notes }
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

const sniffed = 4096

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
