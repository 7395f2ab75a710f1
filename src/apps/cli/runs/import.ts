/** `runs import FILE`: a sidechain transcript, of Claude Code or of ours, as a run that can be resumed here. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { currentOwner } from '../../../adapters/os/process-owner.js'
import { systemClock } from '../../../adapters/os/system-clock.js'
import { importRun } from '../../../adapters/stores/import-run.js'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { RunId } from '../../../core/message.js'
import { commandLine } from '../../../core/text/shell-word.js'
import { type ImportedTranscript, readSidechain } from '../../../core/transcript/transcript-import.js'
import type { Brief } from '../../../core/types.js'
import { exitCodes } from '../../session/exit-codes.js'
import { countWords } from '../../session/figures.js'
import { openSession } from '../../session/open-session.js'
import type { CommandDeps } from '../command-deps.js'

export interface ImportOptions {
  readonly agent?: string
}

const maxBytes = 256 * 1024 * 1024

/** Closes the store in the end. */
export async function importCommand(
  store: MeasuredStore,
  file: string,
  options: ImportOptions,
  deps: CommandDeps,
): Promise<number> {
  const path = resolve(deps.cwd, file)
  const transcript = readTranscript(path)
  const brief = 'fault' in transcript ? transcript : await briefFor(transcript, options, store, deps)
  if ('fault' in transcript || 'fault' in brief) {
    deps.warn(`offshoot: ${'fault' in transcript ? transcript.fault : (brief as Fault).fault}\n`)
    await store.close()
    return exitCodes.usage
  }
  const runId = systemClock().id() as RunId
  await importRun(store, transcript, { runId, brief, owner: currentOwner(randomUUID()), at: deps.now() })
  await store.close()
  deps.write(`${runId}\n`)
  deps.warn(wordsFor(transcript, brief, runId))
  return exitCodes.ok
}

interface Fault {
  readonly fault: string
}

function readTranscript(path: string): ImportedTranscript | Fault {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) return { fault: `There is no file ${path}.` }
  if (found.size > maxBytes) return { fault: `${path} is larger than ${maxBytes / 1024 / 1024} MB.` }
  const meta = path.replace(/\.jsonl$/, '.meta.json')
  const hasMeta = meta !== path && existsSync(meta)
  const transcript = readSidechain(readFileSync(path, 'utf8'), hasMeta ? readFileSync(meta, 'utf8') : '')
  const isEmpty = transcript.opening.length === 0 && transcript.turns.length === 0
  return isEmpty ? { fault: `Nothing in ${path} is a line of a transcript.` } : transcript
}

/** What the run may do is decided here and now, by its agent as it is here. */
async function briefFor(
  transcript: ImportedTranscript,
  { agent }: ImportOptions,
  store: MeasuredStore,
  { cwd, env }: CommandDeps,
): Promise<Brief | Fault> {
  // The house is only asked; the store stays open for what comes after.
  const session = await openSession({ cwd, env, flags: {}, store })
  if ('fault' in session) return session
  try {
    const description = transcript.description ?? 'imported transcript'
    const brief = session.house.explain({
      agent: agent ?? transcript.agent ?? 'main',
      prompt: 'imported',
      description,
    })
    return 'refused' in brief ? { fault: `${brief.refused} "--agent NAME" chooses who goes on with it.` } : brief
  } finally {
    await session.house.close('leave')
  }
}

function wordsFor({ turns, skippedLines, missingResults }: ImportedTranscript, brief: Brief, runId: RunId): string {
  const lines = [
    `${countWords(turns.length, 'turn')} as a run of ${brief.agent}. Go on: ${commandLine('offshoot', 'runs', 'resume', runId)} "…"`,
    ...(skippedLines.length > 0 ? [`Left out, because they could not be read: lines ${skippedLines.join(', ')}.`] : []),
    ...(missingResults.length > 0
      ? [`${countWords(missingResults.length, 'call')} had no result; the model is told that the outcome is unknown.`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}
