/** `runs export ID`: a run or its whole tree as Claude Code's sidechain files, Markdown or JSON. */
import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeDirectories } from '../../../adapters/os/make-directories.js'
import type { StoredEvent } from '../../../core/events.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import type { RunStore } from '../../../core/run-store.js'
import { exportTranscript, type TranscriptFormat } from '../../../core/transcript/transcript.js'
import { exitCodes } from '../../session/exit-codes.js'
import type { CommandDeps } from '../command-deps.js'
import { treeRows } from './run-tree.js'
import { treeFrom } from './show.js'

export interface ExportOptions {
  readonly format: TranscriptFormat
  readonly to?: string
  readonly only?: boolean
  readonly thoughts?: boolean
}

export async function exportRun(
  store: RunStore,
  run: RunSummary,
  { format, to, only, thoughts }: ExportOptions,
  deps: CommandDeps,
): Promise<number> {
  const tree = only ? [run] : treeRows(await treeFrom(store, run)).map(row => row.run)
  const logs: StoredEvent[][] = []
  for (const each of tree) {
    const events: StoredEvent[] = []
    for await (const envelope of store.read(each.runId)) events.push(envelope)
    logs.push(events)
  }
  const files = exportTranscript(logs, format, { includesThoughts: thoughts === true })
  if (to === undefined && files.length === 1) {
    deps.write(files[0]!.text)
    return exitCodes.ok
  }
  const folder = resolve(deps.cwd, to ?? `offshoot-${run.runId}`)
  for (const file of files) {
    const path = join(folder, file.path)
    // A transcript holds whatever its agents saw: a copy is as private as the store.
    makeDirectories(dirname(path), 0o700)
    writeFileSync(path, file.text, { mode: 0o600 })
    deps.warn(`${path}\n`)
  }
  return exitCodes.ok
}
