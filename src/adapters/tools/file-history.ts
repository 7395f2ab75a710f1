/**
 * Who wrote a file last, and what its recent versions held: enough to tell the writer of a stale copy what happened.
 * The truth about versions is each run's log; this is only memory, bounded, and may have forgotten.
 */
import { createTwoFilesPatch } from 'diff'
import type { RunId } from '../../core/message.js'
import { decodeText } from './text-encoding.js'

export interface FileWriter {
  readonly runId: RunId
  readonly agent: string
  readonly at: number
  /** What the file was after it. */
  readonly version: string
}
export interface FileHistory {
  /** Keeps the content of a version for a while. */
  remember(version: string, bytes: Buffer): void
  recall(version: string): Buffer | undefined
  written(path: string, by: FileWriter): void
  lastWriter(path: string): FileWriter | undefined
}

const mostBytes = 16 * 1024 * 1024
const mostFiles = 10_000

export function createFileHistory(): FileHistory {
  const contents = new Map<string, Buffer>()
  const writers = new Map<string, FileWriter>()
  let kept = 0
  return {
    remember(version, bytes) {
      if (contents.has(version) || bytes.length > mostBytes / 4) return
      contents.set(version, bytes)
      kept += bytes.length
      for (const [oldest, old] of contents) {
        if (kept <= mostBytes) break
        contents.delete(oldest)
        kept -= old.length
      }
    },
    recall: version => contents.get(version),
    written(path, by) {
      writers.delete(path)
      writers.set(path, by)
      if (writers.size > mostFiles) writers.delete(writers.keys().next().value!)
    },
    lastWriter: path => writers.get(path),
  }
}

export interface Comparison {
  /** Unified; cut when long. */
  readonly diff: string
  /** Lines of the whole difference, shown or not. */
  readonly added: number
  readonly removed: number
}

/** Large or unlike texts are compared only as far as it stays quick; then all of one counts as replaced by the other. */
export function compareTexts(path: string, before: Uint8Array, after: Uint8Array): Comparison {
  const [old, now] = [decodeText(before), decodeText(after)]
  const patch = createTwoFilesPatch(path, path, old, now, '', '', {
    context: 1,
    timeout: 200,
    maxEditLength: 2000,
  })
  if (patch === undefined)
    return { diff: '(too different to compare)', added: countLines(now), removed: countLines(old) }
  const lines = patch.split('\n').slice(4)
  const count = (mark: string) => lines.filter(line => line.startsWith(mark)).length
  const isLong = lines.length > shownLines
  const shown = isLong ? [...lines.slice(0, shownLines), `… ${lines.length - shownLines} more lines`] : lines
  return { diff: shown.join('\n').trimEnd(), added: count('+'), removed: count('-') }
}

const shownLines = 40

function countLines(text: string): number {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}
