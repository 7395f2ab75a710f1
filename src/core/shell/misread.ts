/**
 * Where the parser reads a line otherwise than bash does. Whoever finds one of these cannot say what the line runs.
 * M1 Each is wider than the difference it stands for: a doubt too many asks, one too few runs.
 */
import type { WordNode, WordPartNode } from './grammar.js'

export function misreadScript(text: string): string | undefined {
  // Bash joins the lines before it looks for `$x`, `${x}`, `$'…'` or `<<`; nobody breaks a line in the middle of a word.
  // At the very end a backslash stands for itself, or for nothing, depending on what was quoted before it.
  if (/\S\\(?:\r?\n|$)/.test(text)) return 'a line is broken in the middle of a word'
  return hasQuoteInExpansion(text) ? 'a quote inside an expansion need not be one' : undefined
}

/** In a here-document, or in double quotes, `'` and `$'` inside `${x:-…}` are plain signs, and what is in them runs. */
function hasQuoteInExpansion(text: string): boolean {
  if (!text.includes('${')) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '{' && (depth > 0 || text[at - 1] === '$')) depth++
    else if (sign === '}' && depth > 0) depth--
    else if (sign === "'" && depth > 0) return true
  }
  return false
}

/** `$'…'` with escapes that every reader takes alike: others, and a zero, end or change the word in bash. */
export const isPlainAnsi = ({ text }: WordPartNode): boolean => plainAnsi.test(text)

const plainAnsi = /^\$'(?:[^\\']|\\(?:[abeEfnrtv\\'"?]|x(?!00)[0-7][0-9a-fA-F]|(?!000)[01][0-7]{2}))*'$/

/** `{a},b}`: a brace that closes before a comma was seen closes nothing in bash, and another one does. */
export function misreadBraces({ text, parts }: WordNode): boolean {
  if (!text.includes('{')) return false
  const bare = parts ? parts.map(part => (unquoted.has(part.type) ? part.text : 'x')).join('') : text
  const isExpanded = parts?.some(part => part.type === 'BraceExpansion') === true
  for (let at = 0; at < bare.length; at++) {
    if (bare[at] === '\\') at++
    else if (bare[at] === '{' && isOddGroup(bare, at, isExpanded)) return true
  }
  return false
}

const unquoted = new Set(['Literal', 'BraceExpansion'])

function isOddGroup(text: string, start: number, isExpanded: boolean): boolean {
  let [level, commas, ranges, isClosedEarly] = [0, 0, 0, false]
  for (let at = start + 1; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '{') level++
    else if (sign === '}' && level > 0) level--
    else if (sign === '}' && commas + ranges > 0) return isClosedEarly || (commas > 0 && !isExpanded)
    else if (sign === '}') isClosedEarly = true
    else if (level === 0 && sign === ',') commas++
    else if (level === 0 && sign === '.' && text[at + 1] === '.') ranges++
  }
  return false
}
