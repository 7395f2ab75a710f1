/** Runs in the order of a tree: every run directly above its children, siblings in the order they were made. */
import type { RunSummary } from '../../../core/run-summary.js'

export interface TreeRow {
  readonly run: RunSummary
  /** `├─ ` and the like; empty for the root. */
  readonly branch: string
}

export function treeRows(runs: readonly RunSummary[], isAscii = false): readonly TreeRow[] {
  const [fork, corner, pipe] = isAscii ? ['|- ', '`- ', '|  '] : ['├─ ', '└─ ', '│  ']
  const known = new Set(runs.map(run => run.runId))
  const below = (parentId: string | undefined) =>
    runs
      .filter(run => (run.parentId !== undefined && known.has(run.parentId) ? run.parentId : undefined) === parentId)
      .sort((a, b) => a.createdAt - b.createdAt || (a.runId < b.runId ? -1 : 1))
  const rows: TreeRow[] = []
  const walk = (run: RunSummary, branch: string, inset: string) => {
    rows.push({ run, branch })
    const children = below(run.runId)
    children.forEach((child, at) => {
      const isLast = at === children.length - 1
      walk(child, `${inset}${isLast ? corner : fork}`, `${inset}${isLast ? '   ' : pipe}`)
    })
  }
  for (const root of below(undefined)) walk(root, '', '')
  return rows
}
