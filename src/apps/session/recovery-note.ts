/** After a crash: what was left unfinished, and how to go on. Said, never done unasked. */
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import { commandLine } from '../../core/text/shell-word.js'
import { oneLine } from '../../core/text/text.js'
import { countWords } from './figures.js'
import { briefOf } from './find-run.js'

/**
 * Of every tree that nobody drives and that has not ended the run to go on with, newest first: its root, or what a root
 * that has ended left open.
 */
export async function unfinishedTrees(store: MeasuredStore): Promise<readonly RunSummary[]> {
  const heads = new Map<RunId, RunSummary>()
  for (const run of await store.list({ isEnded: false })) {
    const head = heads.get(run.rootId)
    if (!head || run.depth < head.depth) heads.set(run.rootId, run)
  }
  const unfinished: RunSummary[] = []
  for (const run of heads.values()) if (!(await store.isHeld(run.rootId))) unfinished.push(run)
  return unfinished
}

const shown = 3

/**
 * For a start in `cwd`: its own runs by name, those of other directories only counted, and only for a person who begins to
 * talk: with every answer it would be noise.
 */
export async function recoveryNote(
  store: MeasuredStore,
  cwd: string,
  { isConversation }: { readonly isConversation: boolean },
): Promise<string> {
  const here: RunSummary[] = []
  let elsewhere = 0
  for (const run of await unfinishedTrees(store)) {
    if (await wasLeftOnPurpose(store, run)) continue
    if ((await briefOf(store, run.rootId))?.cwd === cwd) here.push(run)
    else elsewhere += 1
  }
  const lines = [...noteHere(here), ...noteElsewhere(isConversation ? elsewhere : 0)]
  return lines.map(line => `${line}\n`).join('')
}

/** Its conversation was over, and nobody died: a child in the background that was not waited for (`--no-wait`). */
const wasLeftOnPurpose = async (store: MeasuredStore, run: RunSummary): Promise<boolean> =>
  run.depth > 0 && !(await store.isAbandoned(run.rootId))

function noteHere(runs: readonly RunSummary[]): readonly string[] {
  if (runs.length === 0) return []
  const rest = runs.length - shown
  return [
    `${countWords(runs.length, 'run')} left unfinished by a process that is gone ("offshoot runs stop ID" ends one):`,
    ...runs
      .slice(0, shown)
      .map(
        run =>
          `  ${commandLine('offshoot', 'runs', 'resume', run.runId)}   ${run.agent}: ${oneLine(run.description, 60)}`,
      ),
    ...(rest > 0 ? [`  … and ${rest} more: offshoot runs list --unfinished`] : []),
  ]
}

const noteElsewhere = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${countWords(count, 'run')} of ${count === 1 ? 'another directory' : 'other directories'} unfinished: "offshoot runs list --unfinished" shows ${count === 1 ? 'it' : 'them'}, and how to go on or end ${count === 1 ? 'it' : 'them'}`,
      ]
