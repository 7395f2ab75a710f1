/**
 * Runs in the order of a tree: every run directly above its children. Stores list the newest first, also among those of one
 * millisecond: roots stay so, children stand in the order they were made.
 */
import type { RunSummary } from '../../../core/run/run-summary.js'

export interface TreeRow {
  readonly run: RunSummary
  /** `├─ ` and the like; empty for the root. */
  readonly branch: string
}

export function treeRows(runs: readonly RunSummary[], isAscii = false): readonly TreeRow[] {
  const [fork, corner, pipe] = isAscii ? ['|- ', '`- ', '|  '] : ['├─ ', '└─ ', '│  ']
  const known = new Set(runs.map(run => run.runId))
  const isTop = ({ parentId }: RunSummary) => parentId === undefined || !known.has(parentId)
  const rows: TreeRow[] = []
  const walk = (run: RunSummary, branch: string, inset: string) => {
    rows.push({ run, branch })
    const children = runs.filter(each => each.parentId === run.runId && each !== run).reverse()
    children.forEach((child, at) => {
      const isLast = at === children.length - 1
      walk(child, `${inset}${isLast ? corner : fork}`, `${inset}${isLast ? '   ' : pipe}`)
    })
  }
  for (const root of runs.filter(isTop)) walk(root, '', '')
  return rows
}
