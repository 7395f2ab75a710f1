/**
 * Mends what made the strict parser fail, and nothing else: values are put in quotes or blocks, tabs that indent become
 * spaces. The result is handed back only if it reads without repair and means exactly what the file meant before.
 */
import type { AgentDefinition, AgentSource } from '../agent-definition.js'
import type { Parsers } from './block.js'
import { readAgentFile } from './read-agent-file.js'
import { splitFrontMatter } from './text/front-matter.js'
import { readSegments } from './text/repair.js'
import { isProse, proseEnd, untab } from './text/segments.js'
import { entryLines } from './write-agent-file.js'

/** Undefined when there is nothing to mend, or no certain way to. */
export function fixAgentText(text: string, path: string, parsers: Parsers): string | undefined {
  if (!path.toLowerCase().endsWith('.md')) return undefined
  if (text.startsWith(byteOrderMark)) {
    const fixed = fixAgentText(text.slice(1), path, parsers)
    return fixed && byteOrderMark + fixed
  }
  const isWindows = text.includes('\r\n')
  // Line ends of two kinds are left to a person.
  if (isWindows && /(?<!\r)\n/.test(text)) return undefined
  const plain = isWindows ? text.replaceAll('\r\n', '\n') : text
  const before = read(plain, path, parsers)
  if (!before.agent || before.agent.quarantine !== undefined || !before.codes.includes('syntax-repaired'))
    return undefined
  const split = splitFrontMatter(plain)
  if ('none' in split || split.language !== 'yaml') return undefined
  const lines = plain.split('\n')
  const from = split.firstLine - 1
  const to = from + split.lines.length
  // An indented file keeps its indentation: mending inside it is left to a person.
  if (split.lines.some((line, index) => lines[from + index] !== line)) return undefined
  const fixed = [...lines.slice(0, from), ...fixLines(split.lines, parsers), ...lines.slice(to)].join('\n')
  const after = read(fixed, path, parsers)
  const isMended = !after.codes.includes('syntax-repaired') && isSame(before.agent, after.agent)
  return isMended ? (isWindows ? fixed.replaceAll('\n', '\r\n') : fixed) : undefined
}

const byteOrderMark = '\ufeff'

function fixLines(lines: readonly string[], parsers: Parsers): readonly string[] {
  const segments = readSegments(lines, parsers.yaml)
  const head = lines.slice(0, segments[0]?.at ?? 0)
  const edge = lines[segments[0]?.at ?? 0] ?? ''
  const fixed = segments.flatMap(({ key, at, indent, count, value, isClean }) => {
    const own = lines
      .slice(at, at + count)
      .map((line, index) => (index === 0 ? firstLine(line, edge) : line.replace(/^[ \t]+/, untab)))
    const end = proseEnd(own)
    if (isClean || value === undefined || !isCertain(key, own.slice(0, end), parsers)) return own
    const written = entryLines(key, value, 0).map(line => ' '.repeat(indent) + line)
    return [...written, ...own.slice(end)]
  })
  return [...head, ...fixed]
}

/** A key that a tab stands before was read as one at the edge of the others. */
function firstLine(line: string, edge: string): string {
  const spaced = line.replace(/:\u00a0+/, ': ')
  return /^ *\t/.test(line) && /^\S/.test(edge) ? spaced.trimStart() : spaced
}

/** A table or a list would become a text; a comment, or a key of its own, a part of one. */
function isCertain(key: string, lines: readonly string[], parsers: Parsers): boolean {
  const text = lines[0]!.replace(/^[^:]*:/, '').trim()
  if (!isProse(key)) return lines.length === 1 && !/^[[{]|\s#/.test(text)
  const end = lines.findIndex((line, at) => at > 0 && /^\S/.test(line))
  if (end < 0) return true
  if (/^(?:["'].*["']|[|>][-+\d]{0,2})\s+#/.test(text)) return false
  return !/^[a-z][\w-]*:(?:\s|$)/.test(lines[end]!) || !('value' in parsers.yaml(lines.slice(0, end).join('\n')))
}

const nowhere: AgentSource = { scope: 'user', isTrusted: true }

function read(
  text: string,
  path: string,
  parsers: Parsers,
): { readonly agent?: AgentDefinition; readonly codes: readonly string[] } {
  const reading = readAgentFile({ path, content: text, source: nowhere }, parsers)
  const agent = reading.agents[0]?.agent
  return { ...(agent ? { agent } : {}), codes: reading.diagnostics.map(each => each.code) }
}

function isSame(before: AgentDefinition, after: AgentDefinition | undefined): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
