/**
 * What a matcher of a guard cannot have meant, and what it means that is written in another product's names. Nobody knows the
 * tools of every server and host, so only slips that are near a tool of ours, rules where names belong, and expressions that
 * fit no tool are told.
 */
import { guessTool } from '../tools/tool-guess.js'
import { canonicalToolName, namesElsewhere, namesThere, toolNames } from '../tools/tool-names.js'

/** In words, with what may have been meant. */
export function matcherSlip(matcher: string): string | undefined {
  const [, tool] = /^\s*([A-Za-z]+)\(.*\)\s*$/.exec(matcher) ?? []
  if (tool !== undefined && canonicalToolName(tool) && !matchesAny(matcher))
    return `the matcher "${matcher}" is a rule and matches no tool: a matcher names tools ("${tool}"), and the hook reads tool_input`
  for (const name of /^[A-Za-z0-9_\- ,|]+$/.test(matcher) ? matcher.split(/[,|]/) : []) {
    const near = name.trim() === '' ? undefined : guessTool(name.trim())
    if (near !== undefined) return `the matcher "${matcher}" names a tool nobody knows here: did you mean "${near}"?`
  }
  return undefined
}

/** `"Bash"`, `/Bash/`: no name has such signs, and what stands between them is meant. */
export function bareMatcher(matcher: string): string {
  const [, , quoted, expression] = /^\s*(?:(["'`])(.+)\1|\/(.+)\/[a-z]*)\s*$/.exec(matcher) ?? []
  return quoted ?? expression ?? matcher
}

/**
 * `^run_shell_command$`, `(bash|write)`: an expression of which a part fits no tool by our names, nor by Claude Code's, is about
 * those that are called so elsewhere. A part that fits one of ours says no more than that.
 */
export function coversElsewhere(matcher: string, tool: string): boolean {
  const names = toolNames.includes(tool) ? namesElsewhere(tool) : []
  return names.length > 0 && partsOf(matcher).some(part => !fitsOurs(part) && names.some(name => part.test(name)))
}

/** An expression that fits no tool anybody knows, and no server's. */
export function fitsNoTool(matcher: string): boolean {
  const parts = partsOf(matcher)
  const isKnown = (part: RegExp) =>
    fitsOurs(part) || toolNames.some(tool => namesElsewhere(tool).some(name => part.test(name)))
  return parts.length > 0 && !parts.some(isKnown)
}

/**
 * The first part of an expression that fits no tool, and has one's name in it: `Writ}e|Edit`, `"Bash`. Undefined for what
 * is no expression, and for a rule (`Bash(git *)`), which is told by itself.
 */
export function brokenPart(matcher: string): string | undefined {
  if (matcher.length > maxExpression || /^\s*[A-Za-z]+\(.*\)\s*$/.test(matcher)) return undefined
  const pieces = splitAtTop(matcher)
  if (pieces === undefined) return matcher
  return pieces.find(piece => {
    const parts = partsOf(piece)
    return parts.length === 0 ? !isExpression(piece) : fitsNoTool(piece) || missesItsTool(piece, parts)
  })
}

/** `.Bash`, `Bash.`: it may fit another one, and the tool that it names it does not. */
function missesItsTool(piece: string, parts: readonly RegExp[]): boolean {
  const name = piece.replace(/[^A-Za-z_]/g, '')
  return toolNames.includes(name) && !parts.some(part => part.test(name))
}

/** At the strokes outside of brackets; undefined where a bracket has no other half. */
function splitAtTop(matcher: string): readonly string[] | undefined {
  const pieces = ['']
  let depth = 0
  for (const [at, letter] of [...matcher].entries()) {
    if ('([{'.includes(letter) && matcher[at - 1] !== '\\') depth++
    if (')]}'.includes(letter) && matcher[at - 1] !== '\\') depth--
    if (depth < 0) return undefined
    if (letter === '|' && depth === 0) pieces.push('')
    else pieces[pieces.length - 1] += letter
  }
  return depth === 0 ? pieces : undefined
}

function isExpression(piece: string): boolean {
  try {
    return new RegExp(piece) !== undefined
  } catch {
    return false
  }
}

const fitsOurs = (part: RegExp): boolean =>
  /mcp|__/.test(part.source) || toolNames.some(tool => [tool, ...namesThere(tool)].some(name => part.test(name)))

/** What stands between its strokes. None of an expression that could take long: it is held against every name there is. */
function partsOf(matcher: string): readonly RegExp[] {
  if (matcher.length > maxExpression || /\)[*+?{]/.test(matcher) || (matcher.match(/[*+{]/g)?.length ?? 0) > maxRepeats)
    return []
  const [, start = '', inner = matcher, end = ''] = /^(\^?)\((?:\?:)?([^()]*)\)(\$?)$/.exec(matcher) ?? []
  const pieces = /[()[\]\\]/.test(inner) ? [matcher] : inner.split('|').map(piece => start + piece + end)
  try {
    return pieces.map(piece => new RegExp(piece))
  } catch {
    return []
  }
}

const maxExpression = 200
const maxRepeats = 4

function matchesAny(matcher: string): boolean {
  try {
    const expression = new RegExp(matcher)
    return toolNames.some(name => expression.test(name))
  } catch {
    return false
  }
}
