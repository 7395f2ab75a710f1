/**
 * The rows of `runs list` on a terminal: none is wider than it. What says least gives way first: the end of an id that its
 * beginning stands for, then turns, tokens, the cost and the time.
 */
import { sep } from 'node:path'
import { homeDirectory } from '../../../adapters/os/directories.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import type { RunStore } from '../../../core/run-store.js'
import { textWidth } from '../../session/text-width.js'
import type { CommandDeps } from '../command-deps.js'
import { cutPath, cutText, fitColumns } from '../fit-columns.js'

const [id, state, when, turns, tokens, cost, what, elsewhere] = [0, 1, 2, 3, 4, 5, 6, 7]
/** Below it a column less says more. */
const goodCell = 24

/** With the heads as the first row; the places are there when there are any. */
export function fitRuns(
  rows: readonly (readonly string[])[],
  short: ReadonlyMap<string, string>,
  { width, env }: Pick<CommandDeps, 'width' | 'env'>,
): readonly (readonly string[])[] {
  const home = `${homeDirectory(env)}${sep}`
  const hasPlaces = rows[0]!.length > elsewhere
  const place = hasPlaces ? [elsewhere] : []
  const whole = rows.map(row => row.map((cell, at) => (at === elsewhere ? fromHome(cell, home) : cell)))
  const isWide = tableWidth(whole) > width
  return fitColumns(
    whole.map(row => (isWide ? row.with(id, short.get(row[id]!) ?? row[id]!) : row)),
    {
      width,
      choices: [
        [id, state, when, turns, tokens, cost, what, ...place],
        [id, state, when, tokens, cost, what, ...place],
        [id, state, when, cost, what, ...place],
        [id, state, when, what, ...place],
        [id, state, what],
      ],
      cuts: { [state]: cutText, [what]: cutText, [elsewhere]: cutPath },
      goodCell,
    },
  )
}

const tableWidth = (rows: readonly (readonly string[])[]): number =>
  rows[0]!.reduce((sum, _, at) => sum + Math.max(...rows.map(row => textWidth(row[at]!))) + 2, -2)

const fromHome = (path: string, home: string): string =>
  path.startsWith(home) ? `~${sep}${path.slice(home.length)}` : path

const leastLetters = 8

/** By id, the shortest beginning that no other stored run has. */
export async function shortIds(store: RunStore, runs: readonly RunSummary[]): Promise<ReadonlyMap<string, string>> {
  const all = (await store.list({})).map(({ runId }) => runId).sort()
  const places = new Map(all.map((runId, at) => [runId, at]))
  const beside = (runId: RunSummary['runId']) => {
    const at = places.get(runId) ?? 0
    return [all[at - 1], all[at + 1]].map(other => (other === undefined ? 0 : sameLetters(runId, other)))
  }
  return new Map(
    runs.map(({ runId }) => [runId, runId.slice(0, Math.max(leastLetters, ...beside(runId).map(n => n + 1)))]),
  )
}

function sameLetters(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}
