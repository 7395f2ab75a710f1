/**
 * What may be handed to a YAML parser at all. Parsers have inputs on which their time grows without measure (a few
 * kilobytes of `? ` took a minute); this is one pass over the text.
 */
import { once } from '../../once.js'

export interface Kept {
  readonly fault: string
  /** Nobody writes this by accident: it is not even read line by line. */
  readonly isHostile?: true
}

interface Bounds {
  readonly characters: number
  readonly lines: number
  readonly signs: number
  /** Without those that seem to stand in a text of several lines, where they cost a parser little. */
  readonly signsOutside?: number
}

const ofBlocks: Bounds = { characters: 64 * 1024, lines: 2000, signs: 1000 }

/** A list holds the prompts of all its agents. Only lists that nest in a line make a parser call itself that often. */
export const ofLists: Bounds = { characters: 128 * 1024, lines: 3000, signs: 6000, signsOutside: 1300 }

/** Why this text is kept from the parser, or undefined. */
export function whyNotParsed(text: string, bounds = ofBlocks): Kept | undefined {
  if (text.length > bounds.characters) return { fault: `it has more than ${bounds.characters} characters` }
  if (bounds === ofLists && nestedDashes.test(text)) return { fault: 'lists nest in it more than four times in a line' }
  let depth = 0
  let signs = 0
  let questions = 0
  let lines = 1
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '\n') lines++
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1)
    else if (character === '?' && !word().test(text[at - 1] ?? ' ')) questions++
    if (yamlSigns.includes(character)) signs++
    if (depth > maxDepth) return { fault: `it has more than ${maxDepth} brackets open`, isHostile: true }
  }
  if (lines > bounds.lines) return { fault: `it has more than ${bounds.lines} lines` }
  if (questions > maxQuestions) return { fault: 'it uses explicit keys ("? ")' }
  const isTooMuch =
    signs > bounds.signs || (bounds.signsOutside !== undefined && signsOutside(text) > bounds.signsOutside)
  return isTooMuch ? { fault: 'it has too many separators, anchors, tags or comments' } : undefined
}

function signsOutside(text: string): number {
  let signs = 0
  let textBelow = Number.POSITIVE_INFINITY
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/)
    if (indent < 0 || indent > textBelow) continue
    textBelow = /(?:^|[\s:-])[|>][-+\d]{0,2}\s*$/.test(line) ? indent : Number.POSITIVE_INFINITY
    for (const character of line) if (yamlSigns.includes(character)) signs++
  }
  return signs
}

const maxDepth = 32
const nestedDashes = /(?:-[ \t]+){5}/
const maxQuestions = 24
const yamlSigns = ',:[]{}&*!#?-|>%"'
/** Classes of Unicode take long to make. */
const word = once(() => /[\p{L}\p{N}"')\]»”?!.]/u)
