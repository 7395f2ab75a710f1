/** A tree as a chart of when each run was at work. Where a row has no room for it, a run has several. */
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import { oneLine } from '../../../core/text/text.js'
import { fitTo } from '../../session/columns.js'
import { costShort, secondsWords, tokensShort } from '../../session/figures.js'
import { mayUseUnicode } from '../../session/paint.js'
import { stateWords } from '../../session/run-words.js'
import { textWidth } from '../../session/text-width.js'
import type { CommandDeps } from '../command-deps.js'
import { type Bar, ganttBars, ganttScale, idleSign } from './gantt.js'
import { treeRows } from './run-tree.js'

export interface Charted {
  /** In the time of the world, as the chart draws it. */
  readonly bar: Bar
  /** By the run's own clock, over all attempts. */
  readonly activeMs: number
  readonly isDriven: boolean
}

const leastBar = 12
const leastLabel = 20
const timeWidth = 8

export function runChart(
  tree: readonly RunSummary[],
  facts: ReadonlyMap<RunId, Charted>,
  { look, width, env }: Pick<CommandDeps, 'look' | 'width' | 'env'>,
): string {
  const isAscii = !mayUseUnicode(env)
  const rows = treeRows(tree, isAscii).map(({ run, branch }) => {
    const { bar, activeMs, isDriven } = facts.get(run.runId)!
    const state = stateWords(run, isDriven)
    const used = `${tokensShort(run.usage)} tok, ${costShort(run.cost, run.usage)}`
    const label = `${branch}${run.agent} ${oneLine(run.nickname ?? run.description, 28)}`
    const time = secondsWords(activeMs).padStart(timeWidth)
    // Colours are not for everybody.
    const ending = state === 'completed' ? '' : `, ${state}`
    return { label, bar, time, used, ending, colour: look[hueOf(run)] }
  })
  const labels = Math.max(...rows.map(({ label }) => textWidth(label)))
  const figures = timeWidth + 5 + Math.max(...rows.map(({ used, ending }) => textWidth(used + ending)))
  const labelWidth = Math.min(labels, Math.max(leastLabel, Math.floor(width * 0.45), width - figures - 3 * leastBar))
  const besides = width - labelWidth - figures
  const isStacked = besides < leastBar
  const barWidth = isStacked ? Math.max(leastBar, width - timeWidth - 3) : besides
  const bars = rows.map(({ bar }) => bar)
  const drawn = ganttBars(bars, barWidth, isAscii)
  const lines = rows.map(({ label, time, used, ending, colour }, at) => {
    const bar = colour(drawn[at]!)
    const words = `${look.dim(used)}${ending && colour(ending)}`
    return isStacked
      ? `${fitTo(label, width).trimEnd()}\n  ${bar} ${time}\n  ${words}`
      : `${fitTo(label, labelWidth)}  ${bar} ${time}  ${words}`
  })
  const idle = idleSign(isAscii)
  const legend = drawn.some(bar => bar.includes(idle)) ? `${look.dim(`${idle} idle: ended, left, or waiting`)}\n` : ''
  const inset = ' '.repeat(isStacked ? 2 : labelWidth + 2)
  return `${inset}${look.dim(ganttScale(bars, barWidth))}\n${lines.join('\n')}\n${legend}\n`
}

export function hueOf({ status, outcome, recoveredFrom }: RunSummary): 'yellow' | 'green' | 'red' {
  if (status !== 'ended' || recoveredFrom) return 'yellow'
  return outcome === 'completed' ? 'green' : 'red'
}
