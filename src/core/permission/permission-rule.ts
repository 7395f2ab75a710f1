/**
 * The syntax of permission rules: `Tool`, `Tool(pattern)`, `mcp__server__*`. What a pattern means is judged elsewhere.
 * R1 a rule that cannot be read is a fault, never a wider rule. R2 `Tool(*)` is the whole tool.
 * R3 one text is one rule: two of them read as one would cover nothing. Nor would two patterns in one pair of brackets, a
 *    remark there, the name of a field, or half of a bracket or quote: where that is to hold something back, it is a fault.
 * R4 tool names of other products are turned into ours; a name nobody knows is kept, since hosts add tools.
 */

import type { PermissionRule, PermissionRules } from '../agent-definition.js'
import { canonicalToolName } from '../tools/tool-names.js'

/** A rule as written, taken apart (`Bash(npm run *)`), or why it is none. */
export function parsePermissionRule(written: string): PermissionRule | { readonly fault: string } {
  const text = written.trim()
  if (text === '') return { fault: 'an empty rule' }
  if (text.length > maxRule) return { fault: `a rule of ${text.length} characters (at most ${maxRule})` }
  if (controlCharacter.test(text)) return { fault: `${JSON.stringify(text)} has control characters` }
  const open = text.indexOf('(')
  const name = (open < 0 ? text : text.slice(0, open)).trim()
  if (!toolPattern.test(name)) return { fault: `"${text}" does not start with a tool name` }
  const tool = canonicalName(name)
  if (open < 0) return { tool, text }
  if (!text.endsWith(')')) return { fault: `"${text}" has an opening bracket and no closing one at its end` }
  if (isSeveralRules(text)) return { fault: `"${text}" is more than one rule; write each for itself` }
  const pattern = text.slice(open + 1, -1).trim()
  if (pattern === '') return { fault: `"${text}" has nothing between its brackets` }
  return pattern === '*' || pattern === '**' ? { tool, text } : { tool, pattern, text }
}

function whyHollow({ tool, text, pattern = '' }: PermissionRule): string | undefined {
  if (isSeveralPatterns(pattern)) return `"${text}" has more than one pattern in its brackets; write a rule for each`
  if (isHalf(pattern, tool)) return `"${text}" has a bracket or a quote without its other half`
  if (namesField(pattern)) return `"${text}" names a field in its brackets, and no call is like it; leave that out`
  if (isRemark(text, pattern)) return `"${text}" has a remark in its brackets, and no call is like it; leave that out`
  return undefined
}

/**
 * `Bash(git push *))`, `Bash(rm *)(git push *)`, `Bash(git push" *)`. Not what a star goes on with (`Bash(psql -c "DROP*)`,
 * `Bash(node -e rm(*)`), and no signs of a shell alone (`Bash(*$(*)`).
 */
export function isHalf(pattern: string, tool: string): boolean {
  const bare = pattern.replace(/\\./g, '')
  if (/[$<>]\(|\$\{/.test(bare) || !/[\p{L}\d]/u.test(bare)) return false
  const count = (sign: string) => bare.split(sign).length - 1
  if (count(')') > count('(') || /\)\s*\(/.test(bare)) return true
  const quotes = tool === 'Bash' ? ['"', "'", '`'] : ['"']
  const open = quotes.find(quote => count(quote) % 2 === 1)
  if (open !== undefined) return !isBegun(bare, open)
  // A file may be called with any of the others alone.
  const pairs = tool === 'Bash' ? ['()', '[]', '{}'] : ['()']
  const left = pairs.find(([first, last]) => count(first!) !== count(last!))
  return left !== undefined && !bare.endsWith(`${left[0]}*`)
}

/** A word in quotes that the star at the end goes on with. */
function isBegun(pattern: string, quote: string): boolean {
  const at = pattern.lastIndexOf(quote)
  return (
    quote !== '`' && pattern.endsWith('*') && /[\s=]/.test(pattern[at - 1] ?? '') && /\S/.test(pattern[at + 1] ?? '')
  )
}

/** `Bash(rm *, git push *)`. */
export function isSeveralPatterns(pattern: string): boolean {
  return pattern.split(/,\s/).filter(piece => piece.includes('*')).length > 1
}

/** `Read(pattern:x.ts)`, `Bash(command: rm x)`. `file:*` and `command:*` are commands. */
export function namesField(pattern: string): boolean {
  return /^(?:pattern|paths?|file|file_?path|glob|command|regex)\s*[:=]\s*(?!\*$)\S/i.test(pattern)
}

/** `WebSearch (ask the planner)`: apart from the tool, and nothing that a pattern has. */
function isRemark(text: string, pattern: string): boolean {
  return /^[^(]*\s\(/.test(text) && /\s/.test(pattern) && !/[*:/]/.test(pattern)
}

/** After the bracket of the first has closed another one opens behind a name: `Read(./a) Bash(cat *)`. */
function isSeveralRules(text: string): boolean {
  const end = endOfBrackets(text)
  return end < text.length - 1 && /(^|[\s,;])[A-Za-z_*][\w.:/*-]*\s*\(/.test(text.slice(end + 1))
}

function endOfBrackets(text: string): number {
  let depth = 0
  for (let at = text.indexOf('('); at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return text.length
}

/** Rules of one file or layer. Faults say which list and why; the rules that could be read are there all the same. */
export function parsePermissionRules(lists: {
  readonly allow?: readonly string[]
  readonly ask?: readonly string[]
  readonly deny?: readonly string[]
}): { readonly rules: PermissionRules; readonly faults: readonly string[] } {
  const faults: string[] = []
  const read = (list: 'allow' | 'ask' | 'deny') =>
    (lists[list] ?? []).flatMap(text => {
      const rule = parsePermissionRule(text)
      const fault = 'fault' in rule ? rule.fault : list === 'allow' ? undefined : whyHollow(rule)
      if (fault !== undefined) faults.push(`${list}: ${fault}`)
      return fault !== undefined || 'fault' in rule ? [] : [rule]
    })
  return { rules: { allow: read('allow'), ask: read('ask'), deny: read('deny') }, faults }
}

/** Splits at commas, spaces or newlines that lie outside brackets. Brackets that do not close hold the rest together. */
export function splitOutsideBrackets(text: string, separator: RegExp): readonly string[] {
  if (!text.includes('(')) return trimmed(text.split(separator))
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0 && separator.test(character)) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  parts.push(text.slice(from))
  return trimmed(parts)
}

const trimmed = (parts: readonly string[]): readonly string[] =>
  parts.map(part => part.trim()).filter(part => part !== '')

/** `mcp__server` alone means every tool of that server. */
export function canonicalName(name: string): string {
  const known = canonicalToolName(name)
  if (known !== undefined) return known
  return /^mcp__[^*]+$/.test(name) && !name.slice('mcp__'.length).includes('__') ? `${name}__*` : name
}

export const maxRule = 4096
export const controlCharacter = /[\u0000-\u0008\u000b-\u001f\u007f]/
const toolPattern = /^[A-Za-z_*][\w.:/*-]*$/
