/** The letters of what may be a key, without the signs that slipped in, and where each of them stands. */
export interface Letters {
  readonly letters: string
  /** Where each of them stands. */
  readonly places: readonly number[]
  readonly text: string
  readonly end: number
}

export function lettersBefore(text: string, end: number): Letters {
  const from = Math.max(0, end - maxKey)
  const places: number[] = []
  let letters = ''
  for (let at = from; at < end; at++) {
    if (!isLetter(text.charCodeAt(at))) continue
    letters += text[at]!.toLowerCase()
    places.push(at)
  }
  return { letters, places, text, end }
}

/** A to Z, digits, and what other scripts have: by code, since no pattern is asked of every letter as quickly. */
function isLetter(code: number): boolean {
  const small = code | 32
  return (small >= 97 && small <= 122) || (code >= 48 && code <= 57) || (code >= 0xc0 && code <= 0x1fff)
}

/** As far back as the longest key reaches, and a slip or two. */
export const maxKey = 26
