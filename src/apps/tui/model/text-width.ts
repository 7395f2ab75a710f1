/** How many columns a text takes on a terminal: wide characters and emoji two, marks that combine none. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** In Node 20 every segment keeps a copy of all that was segmented: a long text in one piece takes its square. */
const windowCharacters = 256

/**
 * What a person takes for one character, one after the other; whoever has enough stops. The text is looked at in windows:
 * the last of a window may go on behind it and begins the next one, and no boundary looks further ahead than that.
 */
export function* graphemesIn(text: string, window = windowCharacters): Generator<string> {
  let size = window
  for (let at = 0; at < text.length; ) {
    if (isPlain(text, at)) {
      yield text[at]!
      at += 1
      continue
    }
    const end = windowEnd(text, at + size)
    const found = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment)
    const whole = end < text.length ? found.slice(0, -1) : found
    yield* whole
    at += whole.reduce((sum, { length }) => sum + length, 0)
    size = whole.length === 0 ? size * 2 : window
  }
}

/** Nothing combines two neighbours in ASCII but CR LF. */
const isPlain = (text: string, at: number): boolean =>
  text.charCodeAt(at) < 0x80 && text[at] !== '\r' && (at + 1 === text.length || text.charCodeAt(at + 1) < 0x80)

/** Not between the halves of a pair: half of one is no part of what stands before it. */
const windowEnd = (text: string, end: number): number =>
  end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!) ? end + 1 : Math.min(end, text.length)

export function textWidth(text: string): number {
  if (isAscii(text)) return text.length
  let width = 0
  for (const grapheme of graphemesIn(text)) width += characterWidth(grapheme)
  return width
}

const isAscii = (text: string): boolean => /^[\u0020-\u007e]*$/.test(text)

export function characterWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 0
  if (code < 0x300) return 1
  if (/^[\p{Mn}\p{Me}\u200b-\u200f\u2060\ufeff]+$/u.test(grapheme)) return 0
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2
  return isWide(code) ? 2 : 1
}

/** East Asian wide and full-width blocks. */
const wideBlocks: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
]
const isWide = (code: number): boolean => wideBlocks.some(([from, to]) => code >= from && code <= to)
