/**
 * How many columns a text takes on a terminal at most. Terminals do not agree: some paint a cluster as one sign, others
 * one code point after the other, and what paints for us (ink) counts in a third way. Whatever is laid out here has room in
 * all of them: a row that is a little short hurts nobody, one that is too long is cut or pushes the head off the screen.
 */
import { eastAsianWidth } from 'get-east-asian-width'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** In Node 20 every segment keeps a copy of all that was segmented: a long text in one piece takes its square. */
const windowCharacters = 256

/**
 * What a person takes for one character, one after the other; whoever has enough stops. The text is looked at in windows:
 * the last of a window may go on behind it and begins the next one, and no boundary looks further ahead than that.
 */
export function* graphemesIn(text: string, window = windowCharacters, room = Infinity): Generator<string> {
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
    for (const grapheme of whole) {
      // No letter takes more than two: most need no second look.
      if (grapheme.length * 2 <= room || characterWidth(grapheme) <= room) yield grapheme
      else yield* splitToWidth(grapheme, room)
    }
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

/** Never less than ink counts, nor than what the code points take one by one. */
export function characterWidth(grapheme: string): number {
  const code = grapheme.charCodeAt(0)
  if (grapheme.length === 1 && code < 0x300) return narrowWidth(code)
  let width = 0
  for (const letter of grapheme.replace(syllables, '$1')) width += letterWidth(letter)
  return width < 2 && twoColumns.test(grapheme) ? 2 : width
}

/** A leading, a vowel and perhaps a trailing jamo are painted as the one syllable they make. */
const syllables = /([\u1100-\u115e\ua960-\ua97c])[\u1161-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g

/** Emoji, and what makes one of the sign before it: a heart of a playing card, a digit of a key. */
const twoColumns = /\p{Emoji_Presentation}|\ufe0f|\u20e3/u

function letterWidth(letter: string): number {
  const code = letter.codePointAt(0)!
  if (code < 0x300) return narrowWidth(code)
  if (takesNone.test(letter)) return 0
  return isWideToday(code) ? 2 : eastAsianWidth(code)
}

/** Of Latin letters; what a terminal obeys takes none. */
const narrowWidth = (code: number): number => (code < 0x20 || (code >= 0x7f && code < 0xa0) ? 0 : 1)

/** Of what is there to format, only what may be ignored: the Arabic number sign can be seen. */
const takesNone = /^(?:[\p{Mn}\p{Me}]|(?=\p{Default_Ignorable_Code_Point})\p{Cf})$/u

/** Numbers in black squares: ambiguous by the standard, wide in every terminal. */
const isWideToday = (code: number): boolean => code >= 0x3248 && code <= 0x324f

/**
 * As `graphemesIn`, but none is wider than `room`: marks and joined letters may make one of any width, and a row that it
 * does not fit into would be cut.
 */
export const piecesIn = (text: string, room: number): Generator<string> => graphemesIn(text, windowCharacters, room)

function* splitToWidth(grapheme: string, room: number): Generator<string> {
  let piece = ''
  let used = 0
  for (const letter of grapheme) {
    const width = twoColumns.test(letter) ? 2 : letterWidth(letter)
    if (used + width > room && piece !== '') {
      yield piece
      piece = ''
      used = 0
    }
    piece += letter
    used += width
  }
  yield piece
}
