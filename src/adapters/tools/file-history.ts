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
export interface FileDiff {
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  /** Unified; cut when long. */
  readonly diff: string
}
export interface FileHistory {
  /** Keeps the content of a version for a while. */
  remember(version: string, bytes: Buffer): void
  recall(version: string): Buffer | undefined
  written(path: string, by: FileWriter, diff: FileDiff): void
  lastWriter(path: string): FileWriter | undefined
  /** What a run changed, in order. */
  changesOf(runId: RunId): readonly FileDiff[]
  forget(runId: RunId): void
}

export function createFileHistory(limits = { bytes: 16 * 1024 * 1024, files: 10_000, diffs: 500 }): FileHistory {
  const contents = new Map<string, Buffer>()
  const writers = new Map<string, FileWriter>()
  const diffs = new Map<RunId, FileDiff[]>()
  let kept = 0
  return {
    remember(version, bytes) {
      if (contents.has(version) || bytes.length > limits.bytes / 4) return
      contents.set(version, bytes)
      kept += bytes.length
      for (const [oldest, old] of contents) {
        if (kept <= limits.bytes) break
        contents.delete(oldest)
        kept -= old.length
      }
    },
    recall: version => contents.get(version),
    written(path, by, diff) {
      writers.delete(path)
      writers.set(path, by)
      if (writers.size > limits.files) writers.delete(writers.keys().next().value!)
      const changes = diffs.get(by.runId) ?? []
      diffs.set(by.runId, [...changes.slice(1 - limits.diffs), diff])
    },
    lastWriter: path => writers.get(path),
    changesOf: runId => diffs.get(runId) ?? [],
    forget: runId => void diffs.delete(runId),
  }
}

export interface Comparison {
  /** Unified; of at most so many lines. */
  readonly diff: string
  /** Lines of the whole difference, shown or not. */
  readonly added: number
  readonly removed: number
}

/** Large or unlike texts are compared only as far as it stays quick; then all of one counts as replaced by the other. */
export function compareTexts(path: string, before: Uint8Array, after: Uint8Array, maxLines: number): Comparison {
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
  const isLong = lines.length > maxLines
  const shown = isLong ? [...lines.slice(0, maxLines), `… ${lines.length - maxLines} more lines`] : lines
  return { diff: shown.join('\n').trimEnd(), added: count('+'), removed: count('-') }
}

export function shortDiff(path: string, before: Uint8Array, after: Uint8Array, maxLines = 40): string {
  return compareTexts(path, before, after, maxLines).diff
}

function countLines(text: string): number {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}
