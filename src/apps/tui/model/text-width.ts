/** How many columns a text takes on a terminal: wide characters and emoji two, marks that combine none. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function graphemesOf(text: string): readonly string[] {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.split('')
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}

export function textWidth(text: string): number {
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length
  return graphemesOf(text).reduce((sum, grapheme) => sum + characterWidth(grapheme), 0)
}

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
