/** `--continue`, `--resume` and `--fork-session`: which run is gone on with, and where. */
import { existsSync } from 'node:fs'
import { offshootDirectories } from '../../adapters/os/directories.js'
import { systemClock } from '../../adapters/os/system-clock.js'
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunStore } from '../../core/run-store.js'
import { commandLine } from '../../core/text/shell-word.js'
import { openBelow } from '../../runtime/children/open-below.js'
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
    return { fault: `What should I do? That conversation is completed. ${givePrompt('offshoot -c')}` }
  const place = await placeOf(store, run, cwd)
  if ('fault' in place || !isFork) return place
  const { forkSession } = await import('./fork-session.js')
  const fork = await forkSession(store, run, systemClock().id() as RunId, offshootDirectories(env).data)
  return 'fault' in fork ? fork : { ...place, runId: fork.runId }
}

/** For `runs resume`, where nothing is said to the run. */
export async function whyNotUnprompted(store: RunStore, run: RunSummary): Promise<string | undefined> {
  if (!(await isDone(store, run))) return undefined
  return `What should I do? Run ${run.runId} is completed. ${givePrompt(commandLine('offshoot', 'runs', 'resume', run.runId))}`
}

const givePrompt = (command: string): string => `Give a prompt, for example: ${command} "And why?"`

/** It said all it had to say, so did its children, and nothing waits to be read by it: there is nothing to go on with. */
async function isDone(store: RunStore, run: RunSummary): Promise<boolean> {
  if (run.outcome !== 'completed' || run.recoveredFrom) return false
  if ((await openBelow(store, run)).length > 0 || (await store.inbox(run.runId)).length > 0) return false
  for await (const { event } of store.read(run.runId, run.lastSeq))
    if (event.type === 'run.ended' && event.result.unread) return false
  return true
}

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
