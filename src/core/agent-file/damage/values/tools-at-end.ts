/** Lines that end in tools: what stands before them may be the key of a list that hangs on something else. */

import { type Limit, lettersOf, nearTail, proseLimits } from '../keys/near-limits.js'
import { maxKey, maxRest, type Place } from '../lines/line-start.js'
import type { How } from '../lines/scraps.js'
import { endsLikeTools, isToolLimit } from '../words/limit-words.js'
import { isNearTool, isTool } from '../words/tool-words.js'

/** `reads codetools Read, Grep`: the line ends in tools, and what stands before them ends like the key of a list. */
export function limitBeforeTools({ text: line, how, isAbsent, isQuoted = false }: Place): string | undefined {
  if (!endsWithTool(line, how) || (how === 'strict' && endsInName.test(line.slice(-80)))) return undefined
  const text = line.slice(-maxRest)
  const words = [...text.matchAll(wordWithPattern)]
  const isListed = (word: string) => isTool(word) || (how === 'repaired' && isNearTool(word))
  const first = words.findLast(([word]) => !isListed(word))
  if (first === undefined || first === words.at(-1)) return undefined
  const end = first.index + first[0].length
  const gap = /^[^A-Za-z\u00c0-\u1fff\d]*/.exec(text.slice(end))![0]
  // In valid YAML `the tools Read, Grep` is prose, in quotes `the tools: Read, Grep` too, and `codetools Read` is not.
  const word = /[^\s"'(`*]\S*$/.exec(text.slice(0, end))?.[0] ?? ''
  const isGlued = toolLimits.some(({ letters }) => isGluedTo(word, letters))
  const isSaid = isQuoted && toolLimits.some(({ letters }) => letters === lettersOf(word))
  const isWord = (isQuoted ? /^[\s,.:-]*$/ : /^[\s,.]*$/).test(gap) && (isSaid || !isGlued)
  if ((how === 'strict' && isWord) || endsLikeTools.test(word)) return undefined
  const letters = lettersOf(text.slice(Math.max(0, end - maxKey), end))
  const isKey = (limit: Limit) =>
    letters.endsWith(limit.letters) || [letters, letters.slice(0, -1)].some(tail => nearTail(tail, limit) !== undefined)
  const limit = toolLimits.find(isKey)?.limit
  return limit !== undefined && isAbsent(limit) ? limit : undefined
}

/** `Builds the dev-tools-agent.` */
const endsInName = /(?:^|\s)[a-z\d]+(?:-[a-z\d]+)+\W?$/

function isGluedTo(word: string, wanted: string): boolean {
  const at = lettersOf(word).indexOf(wanted)
  return at >= 0 && word.length > wanted.length && at + wanted.length >= lettersOf(word).length - 1
}

const wordWithPattern = /[A-Za-z\u00c0-\u1fff\d_]+(?:\([^)]*\))?/g
const toolLimits = proseLimits.filter(({ limit }) => isToolLimit(limit))

/** `Bash(git log *)` is a tool, too. */
function withoutPatterns(text: string): string {
  return text.includes(')') ? text.replace(/\([^()]*\)/g, '') : text
}

/** Nearly a tool counts only where lines were repaired: every line of every file is asked this. */
export function endsWithTool(text: string, how: How): boolean {
  const last = /([A-Za-z\u00c0-\u1fff_]{2,})[^A-Za-z\u00c0-\u1fff]{0,8}$/.exec(withoutPatterns(text.slice(-80)))?.[1]
  return last !== undefined && (isTool(last) || (how === 'repaired' && isNearTool(last)))
}
