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
  if (text.length > maxParsed) return { fault: `it has more than ${maxParsed} characters` }
  let depth = 0
  let signs = 0
  let questions = 0
  let lines = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\n') lines++
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1)
    else if (character === '?' && !word.test(text[at - 1] ?? ' ')) questions++
    if (yamlSigns.includes(character)) signs++
    if (depth > maxDepth) return { fault: `it has more than ${maxDepth} brackets open`, isHostile: true }
  }
  if (lines > maxLines) return { fault: `it has more than ${maxLines} lines` }
  if (questions > maxQuestions) return { fault: 'it uses explicit keys ("? ")' }
  return signs > maxSigns ? { fault: 'it has too many separators, anchors, tags or comments' } : undefined
}

const maxParsed = 64 * 1024
const maxLines = 2000
const maxDepth = 32
const maxSigns = 1000
const maxQuestions = 24
const yamlSigns = ',:[]{}&*!#?-|>%"'
const word = /[\p{L}\p{N}"')\]»”?!.]/u
