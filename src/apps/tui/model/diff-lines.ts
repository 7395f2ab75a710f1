/** What an edit changed, as coloured lines with a little of what stands around it. */
import { structuredPatch } from 'diff'
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, type Line, span, wholeText } from './line.js'

export interface DiffLook {
  readonly width: number
  readonly glyphs: Glyphs
  readonly maxLines: number
}

/** The beginning of it, each line cut at the width. Undefined when the input is none of an edit. */
export function editDiff(name: string, input: unknown, look: DiffLook): readonly Line[] | undefined {
  const lines = changedLines(name, input)
  if (!lines) return undefined
  const shown = lines.slice(0, look.maxLines)
  const rest = lines.length - shown.length
  return [
    ...shown.map(line => cutLine([span('    '), ...line], look.width, look.glyphs.ellipsis)),
    ...(rest > 0 ? [[dim(`    ${look.glyphs.ellipsis} ${rest} more ${rest === 1 ? 'line' : 'lines'}`)]] : []),
  ]
}

/** All of it. Undefined when the input is none of an edit. */
export function changedLines(name: string, input: unknown): readonly Line[] | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const known = compared.get(input)
  if (known) return known
  const lines = changesOf(name, input)?.flatMap(({ before, after, isEverywhere }) => [
    ...(isEverywhere ? [[dim('wherever it stands in the file:')]] : []),
    ...diffLines(before, after),
  ])
  if (!lines || lines.length === 0) return undefined
  compared.set(input, lines)
  return lines
}

/** A frame is drawn many times a second; an input is compared once. */
const compared = new WeakMap<object, readonly Line[]>()

interface Change {
  readonly before: string
  readonly after: string
  /** `replace_all`. */
  readonly isEverywhere?: boolean
}

function changesOf(name: string, input: object): readonly Change[] | undefined {
  const fields = input as Readonly<Record<string, unknown>>
  const change = (edit: Readonly<Record<string, unknown>>): readonly Change[] => {
    const { old_string: before, new_string: after, replace_all: all } = edit
    return typeof before === 'string' && typeof after === 'string'
      ? [{ before, after, isEverywhere: all === true }]
      : []
  }
  if (name === 'Edit') return change(fields)
  if (name === 'MultiEdit' && Array.isArray(fields.edits))
    return (fields.edits as readonly Readonly<Record<string, unknown>>[]).flatMap(change)
  if (name === 'Write' && typeof fields.content === 'string') return [{ before: '', after: fields.content }]
  if (name === 'NotebookEdit' && typeof fields.new_source === 'string')
    return [{ before: '', after: fields.new_source }]
  return undefined
}

/** Longer texts are not compared, which could take for ever: all that goes is shown, then all that comes. */
const comparedCharacters = 40_000

function diffLines(before: string, after: string): readonly Line[] {
  const [old, now] = [ended(wholeText(before)), ended(wholeText(after))]
  if (old === '' || old.length > comparedCharacters || now.length > comparedCharacters)
    return [...signed('-', old), ...signed('+', now)]
  const { hunks } = structuredPatch('', '', old, now, '', '', { context: 2 })
  return hunks.flatMap((hunk, at) => [
    ...(at > 0 ? [[dim('⋮')]] : []),
    ...hunk.lines.filter(line => !line.startsWith('\\')).map(diffLine),
  ])
}

const signed = (sign: string, text: string): readonly Line[] =>
  text === ''
    ? []
    : text
        .slice(0, -1)
        .split('\n')
        .map(line => diffLine(sign + line))

const ended = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

function diffLine(line: string): Line {
  if (line.startsWith('+')) return [span(line, { hue: 'green' })]
  if (line.startsWith('-')) return [span(line, { hue: 'red' })]
  return [dim(line)]
}
