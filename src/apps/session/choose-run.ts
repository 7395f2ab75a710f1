/** `--continue`, `--resume` and `--fork-session`: which run is gone on with, and where. */
import { existsSync } from 'node:fs'
import { offshootDirectories } from '../../adapters/os/directories.js'
import { systemClock } from '../../adapters/os/system-clock.js'
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunStore } from '../../core/run-store.js'
import { briefOf, findRun, lastConversation } from './find-run.js'
import type { SessionFlags } from './flags.js'

export interface ChosenRun {
  readonly runId: RunId
  /** Where it was begun: its files are there. */
  readonly cwd: string
}

type Wish = Pick<SessionFlags, 'continue' | 'resume' | 'forkSession'> & {
  /** Nothing is said to it, and nobody is there to say more. */
  readonly isUnprompted?: boolean
}

export async function chooseRun(
  store: RunStore,
  { resume, forkSession: isFork, isUnprompted }: Wish,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ChosenRun | { readonly fault: string }> {
  if (resume === true)
    return { fault: 'Without a terminal --resume needs the id of a run. "offshoot runs list" shows them.' }
  const run = resume === undefined ? await lastConversation(store, cwd) : await findRun(store, resume)
  if (!run) return { fault: `There is no conversation to continue in ${cwd}. "offshoot runs list" shows all runs.` }
  if ('fault' in run) return run
  if (isUnprompted && (await isDone(store, run)))
    return {
      fault: 'What should I do? That conversation is completed. Give a prompt, for example: offshoot -c "And why?"',
    }
  const place = await placeOf(store, run, cwd)
  if ('fault' in place || !isFork) return place
  const { forkSession } = await import('./fork-session.js')
  const fork = await forkSession(store, run, systemClock().id() as RunId, offshootDirectories(env).data)
  return 'fault' in fork ? fork : { ...place, runId: fork.runId }
}

/** It said all it had to say, and so did its children: there is nothing to go on with. */
const isDone = async (store: RunStore, { rootId, outcome, recoveredFrom }: RunSummary): Promise<boolean> =>
  outcome === 'completed' && !recoveredFrom && (await store.list({ rootId, isEnded: false })).length === 0

/** A run works on the files of the directory it was begun in, wherever it is resumed from. */
export async function placeOf(
  store: RunStore,
  run: RunSummary,
  cwd: string,
): Promise<ChosenRun | { readonly fault: string }> {
  const place = (await briefOf(store, run.rootId))?.cwd ?? cwd
  if (!existsSync(place)) return { fault: `Run ${run.runId} belongs to ${place}, and that directory is gone.` }
  return { runId: run.runId, cwd: place }
}
