/**
 * What a matcher of a guard cannot have meant. Nobody knows the tools of every server and host, so only slips that are near
 * a tool of ours, and rules where names belong, are told.
 */
import { guessTool } from '../tools/tool-guess.js'
import { canonicalToolName, toolNames } from '../tools/tool-names.js'

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

function matchesAny(matcher: string): boolean {
  try {
    const expression = new RegExp(matcher)
    return toolNames.some(name => expression.test(name))
  } catch {
    return false
  }
}
