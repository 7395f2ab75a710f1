/** The lines of a block in which a limit could stand and not be read: text, and what belongs to no key. */
import { toolNames } from '../../../tools/tool-names.js'
import type { Entry } from '../../block.js'
import { isSecurityKey } from '../../field-table.js'
import { indentOf } from '../../text/front-matter.js'
import type { How } from './scraps.js'

export interface ProseLine {
  readonly text: string
  readonly at: number
  /** The rest of a key's own line. */
  readonly isOwn: boolean
  readonly isQuoted?: boolean
}

/** Lines of values that are text; where lines were repaired, also what stands at the left edge of other values. */
export function proseLines(
  lines: readonly string[],
  firstLine: number,
  entries: readonly Entry[],
  how: How,
): readonly ProseLine[] {
  const starts = [...entries].sort((a, b) => a.line - b.line)
  const head = how === 'repaired' ? lines.slice(0, (starts[0]?.line ?? firstLine) - firstLine) : []
  const found: ProseLine[] = head.map((text, at) => ({ text, at, isOwn: false }))
  for (const [index, entry] of starts.entries()) {
    // A limit that reads as one is checked by its own reader.
    if (how === 'strict' && isSecurityKey(entry.key)) continue
    const from = entry.line - firstLine
    const to = (starts[index + 1]?.line ?? firstLine + lines.length) - firstLine
    const own = lines[from] ?? ''
    const isText = typeof entry.value === 'string'
    if (!isText && how === 'strict') continue
    const raw = entry.raw ?? ''
    const isPlain = isText && !marked.has(raw.charAt(0))
    const isQuoted = how === 'strict' && !isPlain && closedQuotes.test(raw)
    const written = own.slice(own.indexOf(':') + 1)
    const isCut = how === 'strict' && isPlain && written.includes(' #')
    const text = isQuoted ? ` ${entry.value}` : isCut ? written.replace(/\s#.*$/, '') : written
    if (isText && !isToolsAlone(entry)) found.push({ text, at: from, isOwn: true, isQuoted })
    for (let at = from + 1; at < to; at++)
      if ((isText || /^[^\s-]/.test(lines[at]!)) && !isComment(lines[at]!, raw, how))
        found.push({ text: lines[at]!, at, isOwn: false })
  }
  return found
}

const closedQuotes = /^(["']).*\1\s*(?:#.*)?$/

/** Certain in valid YAML, but inside quotes or a block; and at the left edge everywhere: nobody hides a limit so by mistake. */
function isComment(line: string, raw: string, how: How): boolean {
  if (!line.includes('#')) return false
  if (line.startsWith('#')) return !/^["'].*[^"']$/.test(raw)
  return how === 'strict' && /^\s+#/.test(line) && (!marked.has(raw.charAt(0)) || closedQuotes.test(raw))
}

/** A list of tools and nothing else, each as it is written here: no letter is left for anything to hide in. */
function isToolsAlone({ key, value }: Entry): boolean {
  return key === 'tools' && typeof value === 'string' && value.split(', ').every(word => toolNames.includes(word))
}

/** In quotes, or a block. */
const marked: ReadonlySet<string> = new Set(['"', "'", '|', '>'])

/** The key without a value that the line stands under, or nothing. */
export function ownerOf(lines: readonly string[], at: number): string {
  const indent = indentOf(lines[at]!)
  if (indent === 0) return ''
  for (let above = at - 1; above >= 0 && above > at - maxAbove; above--)
    if (lines[above]!.trim() !== '' && indentOf(lines[above]!) < indent) return bareKey.exec(lines[above]!)?.[1] ?? ''
  return ''
}

const bareKey = /^\s*([A-Za-z][\w-]{0,80}):\s*$/
const maxAbove = 40
