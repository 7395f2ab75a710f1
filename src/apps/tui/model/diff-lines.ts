/** What an edit changed, as coloured lines with a little of what stands around it. */
import { structuredPatch } from 'diff'
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, type Line, safeText, span } from './line.js'

export interface DiffLook {
  readonly width: number
  readonly glyphs: Glyphs
  readonly maxLines: number
}

/** Undefined when the input is none of an edit. */
export function editDiff(name: string, input: unknown, look: DiffLook): readonly Line[] | undefined {
  const changes = changesOf(name, input)
  if (!changes) return undefined
  const lines = changes.flatMap(({ before, after }) => diffLines(before, after))
  if (lines.length === 0) return undefined
  const shown = lines.slice(0, look.maxLines)
  const rest = lines.length - shown.length
  return [
    ...shown.map(line => cutLine([{ text: '    ' }, ...line], look.width, look.glyphs.ellipsis)),
    ...(rest > 0 ? [[dim(`    ${look.glyphs.ellipsis} ${rest} more lines`)]] : []),
  ]
}

interface Change {
  readonly before: string
  readonly after: string
}

function changesOf(name: string, input: unknown): readonly Change[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const fields = input as Readonly<Record<string, unknown>>
  const change = ({ old_string: before, new_string: after }: Readonly<Record<string, unknown>>): readonly Change[] =>
    typeof before === 'string' && typeof after === 'string' ? [{ before, after }] : []
  if (name === 'Edit') return change(fields)
  if (name === 'MultiEdit' && Array.isArray(fields.edits))
    return (fields.edits as readonly Readonly<Record<string, unknown>>[]).flatMap(change)
  if (name === 'Write' && typeof fields.content === 'string') return [{ before: '', after: fields.content }]
  if (name === 'NotebookEdit' && typeof fields.new_source === 'string')
    return [{ before: '', after: fields.new_source }]
  return undefined
}

/** Longer texts are not compared: a screen shows their beginning anyway. */
const comparedCharacters = 40_000

function diffLines(before: string, after: string): readonly Line[] {
  const cut = (text: string) => safeText(text.slice(0, comparedCharacters))
  const { hunks } = structuredPatch('', '', ended(cut(before)), ended(cut(after)), '', '', { context: 2 })
  return hunks.flatMap((hunk, at) => [
    ...(at > 0 ? [[dim('⋮')]] : []),
    ...hunk.lines.filter(line => !line.startsWith('\\')).map(diffLine),
  ])
}

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function diffLine(line: string): Line {
  if (line.startsWith('+')) return [span(line, { hue: 'green' })]
  if (line.startsWith('-')) return [span(line, { hue: 'red' })]
  return [dim(line)]
}
