/**
 * Whether a name in a rule or a list of tools is about a tool.
 * N1 `mcp__srv` names a server, and with it all of its tools. No server's name holds two underscores, so
 *    `mcp__srv__tool` is one tool: what allows it allows no other that begins alike.
 * N2 What forbids is read generously: in any case, and with all that hangs on a name.
 */
import { commandGlob, globMatches } from '../text/glob.js'

/** For names that allow. */
export function isServerOf(name: string, tool: string): boolean {
  return /^mcp__(?!.*__)/.test(name) && tool.startsWith(`${name}__`)
}

/** For names that forbid. */
export function forbidsTool(name: string, tool: string): boolean {
  const [forbidden, called] = [name.toLowerCase(), tool.toLowerCase()]
  if (forbidden.includes('*')) return globMatches(commandGlob(forbidden), called)
  return forbidden === called || (forbidden.startsWith('mcp__') && called.startsWith(`${forbidden}__`))
}
