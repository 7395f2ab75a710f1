/**
 * A run's conversation as a file, for hooks that read it: Claude Code's JSON lines, as `runs export` writes them.
 *
 * 1. Written when a hook is about to run and the log has grown since: who has no hooks never pays for it.
 * 2. The log stays the truth: the file is a copy for the user alone (0600), whole at every moment.
 * 3. Copies nobody has asked for in a month are removed.
 */
import { chmodSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import type { RunStore } from '../../core/run-store.js'
import { exportTranscript } from '../../core/transcript/transcript.js'
import { makeDirectories } from '../os/make-directories.js'

const keptMs = 30 * 86_400_000
/** How many files are remembered; one that is forgotten is written anew. */
const maxKnown = 200

/**
 * Conversations as files for hooks: gives the path of a run's file, written up to now; empty when there is no such
 * run, or it cannot be written.
 */
export function transcriptFiles(
  store: Pick<RunStore, 'read'>,
  directory: string,
): (runId: RunId) => string | Promise<string> {
  const written = new Map<RunId, { readonly path: string; readonly seq: number }>()
  const writing = new Map<RunId, Promise<string>>()
  let isSwept = false
  const refresh = async (runId: RunId): Promise<string> => {
    const known = written.get(runId)
    if (known && !(await hasMore(store, runId, known.seq))) return known.path
    const events: StoredEvent[] = []
    for await (const event of store.read(runId)) events.push(event)
    const [file] = exportTranscript([events], 'sidechain')
    if (!file) return ''
    if (!isSwept) sweep(directory)
    isSwept = true
    const path = join(directory, file.path)
    replaceFile(path, file.text)
    written.set(runId, { path, seq: events.at(-1)?.seq ?? 0 })
    const [oldest] = written.keys()
    if (written.size > maxKnown && oldest) written.delete(oldest)
    return path
  }
  return runId => {
    // One after the other: two hooks at once must not write one file.
    const mine = (writing.get(runId) ?? Promise.resolve('')).then(() => refresh(runId)).catch(() => '')
    writing.set(runId, mine)
    void mine.then(() => writing.get(runId) === mine && writing.delete(runId))
    return mine
  }
}

async function hasMore(store: Pick<RunStore, 'read'>, runId: RunId, seq: number): Promise<boolean> {
  for await (const _ of store.read(runId, seq + 1)) return true
  return false
}

function replaceFile(path: string, text: string): void {
  makeDirectories(dirname(path), 0o700)
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

function sweep(directory: string): void {
  for (const name of listed(directory)) {
    const path = join(directory, name)
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > keptMs) rmSync(path, { recursive: true, force: true })
  }
}

function listed(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
