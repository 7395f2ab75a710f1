/** Whether a line ends in a tool. */
import type { How } from '../lines/scraps.js'
import { isNearTool, isTool } from '../words/tool-words.js'

/** `Bash(git log *)` is a tool, too. */
function withoutPatterns(text: string): string {
  return text.includes(')') ? text.replace(/\([^()]*\)/g, '') : text
}

/** Nearly a tool counts only where lines were repaired: every line of every file is asked this. */
export function endsWithTool(text: string, how: How): boolean {
  const last = /([A-Za-z\u00c0-\u1fff_]{2,})[^A-Za-z\u00c0-\u1fff]{0,8}$/.exec(withoutPatterns(text.slice(-80)))?.[1]
  return last !== undefined && (isTool(last) || (how === 'repaired' && isNearTool(last)))
}
