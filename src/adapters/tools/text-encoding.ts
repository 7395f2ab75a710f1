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

/** The bytes `text` has inside a file of this encoding. */
export function encodeText(text: string, encoding: TextEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
  const little = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16le' ? little : little.swap16()
}
