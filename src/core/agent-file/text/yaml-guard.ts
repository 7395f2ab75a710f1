/**
 * What may be handed to a YAML parser at all. Parsers have inputs on which their time grows without measure (a few
 * kilobytes of `? ` took a minute); this is one pass over the text.
 */

export interface Kept {
  readonly fault: string
  /** Nobody writes this by accident: it is not even read line by line. */
  readonly isHostile?: true
}

/** Why this text is kept from the parser, or undefined. */
export function whyNotParsed(text: string): Kept | undefined {
  if (text.length > MAX_PARSED) return { fault: `it has more than ${MAX_PARSED} characters` }
  let depth = 0
  let signs = 0
  let questions = 0
  let lines = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\n') lines++
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1)
    else if (character === '?' && !WORD.test(text[at - 1] ?? ' ')) questions++
    if (SIGNS.includes(character)) signs++
    if (depth > MAX_DEPTH) return { fault: `it has more than ${MAX_DEPTH} brackets open`, isHostile: true }
  }
  if (lines > MAX_LINES) return { fault: `it has more than ${MAX_LINES} lines` }
  if (questions > MAX_QUESTIONS) return { fault: 'it uses explicit keys ("? ")' }
  return signs > MAX_SIGNS ? { fault: 'it has too many separators, anchors, tags or comments' } : undefined
}

const MAX_PARSED = 64 * 1024
const MAX_LINES = 2000
const MAX_DEPTH = 32
const MAX_SIGNS = 1000
const MAX_QUESTIONS = 24
const SIGNS = ',:[]{}&*!#?-|>%"'
const WORD = /[\p{L}\p{N}"')\]»”?!.]/u
