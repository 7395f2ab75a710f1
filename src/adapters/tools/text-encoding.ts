/** UTF-8 unless a byte order mark says otherwise. Bytes that are no text become U+FFFD; nothing here throws. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

export function encodingOf(bytes: Uint8Array): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

/** A UTF-16 mark: the only way a text file may contain NUL bytes. */
export function hasTextMark(bytes: Uint8Array): boolean {
  return encodingOf(bytes) !== 'utf-8'
}

/** Without the byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

/** `text` in the encoding of the file it replaces, with its byte order mark: whoever reads the file is not shown either. */
export function encodeLike(before: Uint8Array | undefined, text: string): Buffer {
  const mark = before?.subarray(0, markLength(before)) ?? Buffer.alloc(0)
  if (mark.length === 0) return Buffer.from(text)
  return Buffer.concat([mark, encodeText(text.replace(/^\ufeff/, ''), encodingOf(mark))])
}

function markLength(bytes: Uint8Array): number {
  if (hasTextMark(bytes)) return 2
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** The bytes `text` has inside a file of this encoding. */
export function encodeText(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  const little = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16le' ? little : little.swap16()
}
