/** After a crash: what was left unfinished, and how to go on. Said, never done unasked. */
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import type { RunSummary } from '../../core/run-summary.js'
import { commandLine } from '../../core/shell-word.js'
import { oneLine } from '../../core/text.js'
import { countWords } from './figures.js'

/** Roots of trees that nobody drives and that have not ended, newest first. */
export async function unfinishedTrees(store: MeasuredStore): Promise<readonly RunSummary[]> {
  const open = await store.list({ isEnded: false })
  const roots: RunSummary[] = []
  for (const rootId of new Set(open.map(run => run.rootId))) {
    if (await store.isHeld(rootId)) continue
    const root = await store.summary(rootId)
    if (root) roots.push(root)
  }
  return roots
}

const shown = 3

export async function recoveryNote(store: MeasuredStore): Promise<string> {
  const trees = await unfinishedTrees(store)
  if (trees.length === 0) return ''
  const lines = trees
    .slice(0, shown)
    .map(
      run =>
        `  ${commandLine('offshoot', 'runs', 'resume', run.runId)}   ${run.agent}: ${oneLine(run.description, 60)}`,
    )
  const rest = trees.length > shown ? [`  … and ${trees.length - shown} more: offshoot runs list --unfinished`] : []
  return [`${countWords(trees.length, 'run')} left unfinished by a process that is gone:`, ...lines, ...rest, ''].join(
    '\n',
  )
}
