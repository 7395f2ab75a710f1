/** A stream of YAML may hold many documents. One is read: what stands behind its end is told, not dropped. */
import type { Problem } from '../block.js'

export interface FirstDocument {
  readonly lines: readonly string[]
  /** Where something goes on behind its end, counted from 0. */
  readonly next?: number
}

export function firstDocument(lines: readonly string[]): FirstDocument {
  const first = lines.findIndex(line => !isBetween(line) && !line.startsWith('%'))
  const end = first < 0 ? -1 : lines.findIndex((line, at) => at > first && isMark(line))
  if (end < 0) return { lines }
  const next = lines.findIndex((line, at) => at >= end && !isBetween(line))
  return next < 0 ? { lines: lines.slice(0, end) } : { lines: lines.slice(0, end), next }
}

export function secondDocument(line: number): Problem {
  const message = 'a second document begins here; only one is read, and a limit may stand in it'
  return { code: 'syntax-error', message, line, hint: 'remove the --- or ... above it; each agent needs its own file' }
}

/** `... and so on` is prose that lost its way, and left to the repair. */
function isMark(line: string): boolean {
  return marks.has(line.slice(0, 3)) && /^---(?:\s|$)|^\.\.\.\s*(?:#.*)?$/.test(line)
}

/** Cheap first: it is asked of every line. */
const marks: ReadonlySet<string> = new Set(['---', '...'])

function isBetween(line: string): boolean {
  const start = line.trimStart()
  return (
    start === '' || start.startsWith('#') || (marks.has(line.slice(0, 3)) && /^(?:---|\.\.\.)\s*(?:#.*)?$/.test(line))
  )
}
