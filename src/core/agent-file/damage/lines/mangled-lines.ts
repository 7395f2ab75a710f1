/**
 * Lines of a limit that one sign made something else of.
 * M1 a `#` inside one makes a comment of its rest: `Write # , Edit`, `- Bash # (git log:*)`, `tool`, then `#s: Read`. A comment
 *    that somebody wrote begins with a word of its own. M2 the key stands in an item, in brackets or between strokes, or is cut
 *    by a colon: `- tools: Read`, `tools(Read)`, `| readonly | true |`, `to: ols: []`. M3 an end of a line that is none in YAML.
 */
import { looseKey } from '../../../text/nearest.js'
import { canonicalToolName } from '../../../tools/tool-names.js'
import type { Entry, Problem } from '../../block.js'
import { fieldOf, isSecurityKey } from '../../field-table.js'
import { isForeignLimitKey } from '../../fields/foreign-limits.js'
import { isToolTableKey } from '../../fields/tool-tables.js'
import { listedActions } from '../words/limit-words.js'

export function mangledLines(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
): readonly Problem[] {
  const present = new Set(entries.map(({ key }) => nameOf(key)))
  const isOwnLost = (key: string) => isSecurityKey(key) && !present.has(nameOf(key))
  const isLost = (key: string) => isLimit(key) && !present.has(nameOf(key))
  let owner = ''
  for (const [at, line] of lines.entries()) {
    if (line.length > maxLine) continue
    owner = edgeKey.exec(line)?.[2] ?? owner
    const above = (lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1]) ?? ''
    const isShort = isLimit(owner) && isCutShort(line, above.trimEnd(), owner)
    const key = [...joinedKeys(above.trimEnd(), line), ...cutKeys(line)].find(isLost) ?? shapesOf(line).find(isOwnLost)
    const found = isShort ? `a comment cuts "${owner}" short` : key && `"${key}" may be meant by this line`
    if (found) return [{ code: 'security-key-damaged', message: found, line: firstLine + at }]
  }
  return []
}

const nameOf = (key: string): string => fieldOf(key) ?? looseKey(key)
/** Ours, or another product's. */
const isLimit = (key: string): boolean =>
  isSecurityKey(key) || isForeignLimitKey(key) || isToolTableKey(key) || /^(?:sandbox|skills)$/i.test(key)
const maxLine = 2000
const edgeKey = /^(["']?)([A-Za-z][\w-]{0,40})\1\s*:(?=\s|$)/

/** M1, M3 */
function isCutShort(line: string, above: string, owner: string): boolean {
  if (lineSign.test(line)) return true
  if (!line.includes('#')) return false
  const sign = line.search(/\s#/)
  if (sign >= 0 && isRest(line.slice(0, sign).trimEnd(), line.slice(sign + 2).trim(), owner, line[sign + 2] === '('))
    return true
  // `Write`, then `#, Edit`; `{ al`, then `#low: [Read] }`.
  const [, rest] = /^\s*#(.*\S)/.exec(line) ?? []
  if (rest === undefined || above === '' || above.includes('#')) return false
  return isRest(above, rest.trim(), owner) || (edgeKey.test(above) && openBracket.test(above))
}

/** At the end of a line it takes nothing away. */
const lineSign = /[\u0085\u2028\u2029](?=.*\S)/
/** Cut inside a word: behind a comma or the bracket itself people write comments. */
const openBracket = /:\s*[[{][^\]}"']*[^\s,[{\]}"']$/

/** What goes on with what stands before it: from a comma, a colon, a star, a pattern in brackets or the rest of a word. */
function isRest(head: string, tail: string, owner: string, isGlued = false): boolean {
  if (head === '' || isQuoted(head)) return false
  if (/^(?:[,*]|:(?:\s|$)|_\w*\*|\w*__[\w*]|-[A-Za-z]|(?:tools\s+)?except\b)/i.test(tail)) return true
  const word = /([A-Za-z]+)$/.exec(head)?.[1]
  if (word === undefined) return false
  const joined = word + (/^[A-Za-z-]+/.exec(tail)?.[0] ?? '')
  if (joined !== word && canonicalToolName(word) === undefined && isWordOfLimit(joined)) return true
  if (canonicalToolName(word) === undefined) return false
  // `Task #(scout, tester)`: whom it may call.
  if (isGlued && /^\([^()]+\)/.test(tail)) return true
  return fieldOf(owner) === 'permissions' ? /^\([^()]+\)\s*$/.test(tail) : /^\([^()]*[*:/][^()]*\)/.test(tail)
}

const isWordOfLimit = (word: string): boolean =>
  canonicalToolName(word) !== undefined || listedActions.includes(word) || wordsOfLimits.has(looseKey(word))
const wordsOfLimits: ReadonlySet<string> = new Set(
  ['true', 'false', 'readonly', 'plan', 'disabled', 'suppress', 'worktree'].concat('pretooluse', 'permissionrequest'),
)

/** A quote stands open: the sign is a part of a text. */
const isQuoted = (head: string): boolean => head.split('"').length % 2 === 0 || head.split("'").length % 2 === 0

/**
 * M1: `di`, then `#sallowedTools: Write`, or both on one line, or `tools`, then `#: Read`; or nothing but the end of the line
 * between them, and of an empty limit no value.
 */
function joinedKeys(above: string, line: string): readonly string[] {
  const [, here, rest] = /^([A-Za-z_-]{1,40})\s+#\s?([A-Za-z_-]{0,40})\s?:(?:\s|$)/.exec(line) ?? []
  if (here !== undefined) return [here + rest]
  const [, behind] = /^#\s?([A-Za-z_-]{0,40})\s?:(?:\s|$)/.exec(line) ?? []
  const [, below] = /^\s*(?:- )?([A-Za-z_-]{1,40}):\s*(?:""|\[\])?\s*$/.exec(line) ?? []
  const end = behind ?? below
  return end !== undefined && /^[A-Za-z_-]{1,40}$/.test(above) ? [above + end] : []
}

/** M2: `model: tools: x` names two keys. */
function cutKeys(line: string): readonly string[] {
  const [, start, end] = /^([A-Za-z_-]{1,20}):\s+([A-Za-z_-]{1,20}):(?:\s|$)/.exec(line) ?? []
  const [, cell] = /^\|\s*([A-Za-z][\w-]{2,40})\s*\|/.exec(line) ?? []
  const isCut = start !== undefined && fieldOf(start) === undefined
  if (leftOfNone.some(shape => shape.test(line))) return ['tools']
  // `budgetokens: 200000`; a model may have `budget_tokens` to think.
  if (/^budg(?!et[_-]tokens)[a-z]*ens: \d/.test(line)) return ['budget']
  return [...(isCut ? [`${start}${end}`] : []), ...(cell === undefined ? [] : [cell])]
}

/** `tool`, `toolmodel: haiku`, `description: xools: []`: of an empty list nothing else is left. */
const leftOfNone = [
  /^(?:tools?|too)$/,
  /^tools?(?:model|color|description|effort|skills|memory|permissionMode|maxTurns):/,
  /^description: .*[a-su-z]ools: \[\]$/,
]

/** M2, of our own keys: anybody's list may have an item, and anybody's text brackets. */
function shapesOf(line: string): readonly string[] {
  const [, item] = /^-\s+([A-Za-z][\w-]{2,40}):(?:\s|$)/.exec(line) ?? []
  const [, called, inside = ''] = /^([A-Za-z][\w-]{2,40})\((.*)\)\s*$/.exec(line) ?? []
  const isCall = inside.split(/[,\s]+/).some(word => canonicalToolName(word) !== undefined)
  return [...(item === undefined ? [] : [item]), ...(isCall ? [called!] : [])]
}
