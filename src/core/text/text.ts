/** Text by bytes: cutting never splits a code point, and all of it runs in linear time. */

/** UTF-8 length without making the bytes. */
export function byteLength(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.length) {
      // A pair of surrogates is four bytes: two code units are counted, two more are owed.
      bytes += 2
      i++
    } else bytes += 2
  }
  return bytes
}

/** Whether a text is longer than this many bytes, without counting a long one to its end. */
export function exceedsBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  return text.length * 3 > maxBytes && byteLength(text) > maxBytes
}

/** The longest beginning that fits into `maxBytes`. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isPair = code >= 0xd800 && code < 0xdc00 && i + 1 < text.length
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : isPair ? 4 : 3
    if (bytes > maxBytes) return text.slice(0, i)
    if (isPair) i++
  }
  return text
}

/** One line of at most `max` characters, for people. */
export function oneLine(text: string, max: number): string {
  const line = text
    .slice(0, max * 4)
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`
}

/** The first text among the values of an object: of a call's input, what it is likely to be about. */
export function firstText(input: unknown): string {
  if (!input || typeof input !== 'object') return ''
  return Object.values(input).find((value): value is string => typeof value === 'string') ?? ''
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** A short fingerprint to tell values apart, not to keep secrets. */
export function fingerprint(text: string): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
}

/** JSON with keys in order, so that equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}

/** At most `max` UTF-16 units, never half of a pair, with a sign that something is missing. */
export function cutCharacters(text: string, max: number): string {
  if (text.length <= max) return text
  const end = max - 1
  const isPair = text.charCodeAt(end - 1) >= 0xd800 && text.charCodeAt(end - 1) < 0xdc00
  return `${text.slice(0, isPair ? end - 1 : end)}…`
}

/** With its full stop, and not with two. */
export const sentence = (text: string): string =>
  /[.!?…]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`
