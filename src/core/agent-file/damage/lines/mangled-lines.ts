/**
 * Lines of a limit that one sign made something else of.
 * M1 a `#` inside one makes a comment of its rest: `Write # , Edit`, `- Bash # (git log:*)`, `tool`, then `#s: Read`. A comment
 *    that somebody wrote begins with a word. M2 the key stands in an item, in brackets or between strokes, or is cut by a
 *    colon: `- tools: Read`, `tools(Read)`, `| readonly | true |`, `to: ols: []`. M3 an end of a line that is none in YAML.
 */
import { snakeOf } from '../../../text/nearest.js'
import { canonicalToolName } from '../../../tools/tool-names.js'
import type { Entry, Problem } from '../../block.js'
import { fieldOf, isSecurityKey } from '../../field-table.js'

export function mangledLines(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
): readonly Problem[] {
  const present = new Set(entries.map(({ key }) => fieldOf(key)))
  const isLost = (key: string) => isSecurityKey(key) && !present.has(fieldOf(key))
  let owner = ''
  for (const [at, line] of lines.entries()) {
    if (line.length > maxLine) continue
    owner = edgeKey.exec(line)?.[2] ?? owner
    const limit = isSecurityKey(owner) ? cutShort(lines, at, owner) : undefined
    const message =
      limit === undefined ? undefined : `a comment cuts "${limit}" short: what it holds may be a part of it`
    const above = lines[at - 1]?.trim() === '' ? lines[at - 2] : lines[at - 1]
    const key = [joinedKey(above ?? '', line), ...shapesOf(line)].find(each => each !== undefined && isLost(each))
    const found = message ?? (key === undefined ? undefined : `"${key}" may be meant by this line`)
    if (found !== undefined) return [{ code: 'security-key-damaged', message: found, line: firstLine + at }]
  }
  return []
}

const maxLine = 2000
const edgeKey = /^(["']?)([A-Za-z][\w-]{0,40})\1\s*:(?=\s|$)/

/** M1, M3: the limit to which the line belongs, if the end of it is lost. */
function cutShort(lines: readonly string[], at: number, owner: string): string | undefined {
  const line = lines[at]!
  if (lineSign.test(line)) return owner
  if (!line.includes('#')) return undefined
  const sign = line.search(/\s#/)
  const head = sign < 0 ? '' : line.slice(0, sign).trimEnd()
  if (isRest(head, line.slice(sign + 2).trim(), owner)) return owner
  // `Write`, then `#, Edit`.
  const [, rest = ''] = /^\s*#(\S.*)$/.exec(line) ?? []
  const above = (lines[at - 1] ?? '').trimEnd()
  return rest !== '' && /^[^#]*\S$/.test(above) && isRest(above, rest, owner) ? owner : undefined
}

/** At the end of a line it takes nothing away. */
const lineSign = /[\u0085\u2028\u2029](?=.*\S)/

/** A comma, a colon or a star goes on with what stands before it, and so do brackets with a pattern in them behind a tool. */
function isRest(head: string, tail: string, owner: string): boolean {
  if (head === '' || tail === '' || isQuoted(head)) return false
  if (/^(?:[,*]|:(?:\s|$)|_\w*\*)/.test(tail)) return true
  const tool = /([A-Za-z]+)$/.exec(head)?.[1]
  if (tool === undefined || canonicalToolName(tool) === undefined) return false
  return fieldOf(owner) === 'permissions' ? /^\([^()]+\)\s*$/.test(tail) : /^\([^()]*[*:/][^()]*\)/.test(tail)
}

/** A quote stands open: the sign is a part of a text. */
const isQuoted = (head: string): boolean => head.split('"').length % 2 === 0 || head.split("'").length % 2 === 0

/** M1: `di`, then `#sallowedTools: Write`; or nothing but the end of the line between them, and of an empty limit no value. */
function joinedKey(above: string, line: string): string | undefined {
  const [, end] = /^(?:#|\s*(?:- )?(?=[A-Za-z_-]+:\s*(?:""|\[\])?\s*$))([A-Za-z_-]{1,40}):(?:\s|$)/.exec(line) ?? []
  const [start] = /^[A-Za-z_-]{1,40}$/.exec(above.trimEnd()) ?? []
  return end === undefined || start === undefined ? undefined : start + end
}

/** M2 */
function shapesOf(line: string): readonly (string | undefined)[] {
  const [, item] = /^-\s+([A-Za-z][\w-]{2,40}):(?:\s|$)/.exec(line) ?? []
  const [, called, inside = ''] = /^([A-Za-z][\w-]{2,40})\((.*)\)\s*$/.exec(line) ?? []
  const [, cell] = /^\|\s*([A-Za-z][\w-]{2,40})\s*\|/.exec(line) ?? []
  const [, start, end] = /^([A-Za-z_-]{1,20}):\s+([A-Za-z_-]{1,20}):(?:\s|$)/.exec(line) ?? []
  const isCall = inside.split(/[,\s]+/).some(word => canonicalToolName(word.trim()) !== undefined)
  // `model: tools: x` names two keys.
  const isCut = start !== undefined && end !== undefined && fieldOf(start) === undefined && snakeOf(end) !== ''
  return [item, isCall ? called : undefined, cell, isCut ? `${start}${end}` : undefined]
}
