/** `runs export ID`: a run or its whole tree as Claude Code's sidechain files, Markdown or JSON. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { makeDirectories } from '../../../adapters/os/make-directories.js'
import type { StoredEvent } from '../../../core/events.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import type { RunStore } from '../../../core/run-store.js'
import { messageOf } from '../../../core/thrown.js'
import { exportTranscript, type TranscriptFormat } from '../../../core/transcript/transcript.js'
import { exitCodes } from '../../session/exit-codes.js'
import { forTerminal } from '../../session/terminal-codes.js'
import type { CommandDeps } from '../command-deps.js'
import { ReadableLogs } from './readable-logs.js'
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
  const readable = new ReadableLogs(store, run.runId, deps.warn)
  const logs: StoredEvent[][] = []
  for (const each of tree) {
    const events: StoredEvent[] = []
    for await (const envelope of readable.read(each.runId)) events.push(envelope)
    if (events.length > 0) logs.push(events)
  }
  const code = readable.isWhole ? exitCodes.ok : exitCodes.error
  const files = exportTranscript(logs, format, { includesThoughts: thoughts === true })
  if (to === undefined && files.length === 1) {
    deps.write(files[0]!.text)
    return code
  }
  const folder = resolve(deps.cwd, to ?? `offshoot-${run.runId}`)
  for (const file of files) {
    const path = join(folder, file.path)
    // A transcript holds whatever its agents saw: a copy is as private as the store.
    makeDirectories(dirname(path), 0o700)
    // Somebody will show it on a terminal; the other formats escape what one would obey.
    writeWhole(path, format === 'markdown' ? forTerminal(file.text) : file.text)
    deps.warn(`${path}\n`)
  }
  return code
}

/** All of it or nothing, and a file of its own: what lay there, a link or one that others can read, is put aside. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.part`
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new Error(`${path} could not be written: ${messageOf(error)}`, { cause: error })
  }
}
