/** What `/cost` lists: a row for each agent, figures below figures, and the sum of all. */
import { addUsage, cachedShare, noUsage } from '../../../core/budget/usage.js'
import type { Usage } from '../../../core/types.js'
import { costShort, shortCount, tokensShort } from '../../session/figures.js'
import { textWidth } from '../../session/text-width.js'
import { bold, cutLine, dim, type Line, lineWidth, type Span, span } from './line.js'

export interface CostedRun {
  readonly agent: string
  readonly usage: Usage
  /** US dollars; absent when any price is unknown. */
  readonly cost?: number | undefined
}

export function costLines(runs: readonly CostedRun[], width: number): readonly Line[] {
  const title = [bold('Spent so far')]
  if (runs.length === 0) return [title, [dim('  nothing')]]
  const groups = new Map<string, CostedRun[]>()
  for (const run of runs) groups.set(run.agent, [...(groups.get(run.agent) ?? []), run])
  const rows = [head, ...[...groups].map(([agent, own]) => [agent, ...figuresOf(own)])]
  if (groups.size > 1) rows.push(['total', ...figuresOf(runs)])
  const widths = head.map((_, at) => Math.max(...rows.map(row => textWidth(row[at]!))))
  const figures = widths.slice(1).reduce((sum, column) => sum + column + gap.length, 0)
  const room = Math.max(leastName, Math.min(widths[0]!, width - inset.length - figures))
  const styles = rows.map((_, at) => (at === 0 ? dim : at > groups.size ? bold : span))
  return [title, ...rows.map((row, at) => rowLine(row, room, widths, styles[at]!))]
}

const head = ['agent', 'runs', 'tokens', 'cost', 'cached']
const inset = '  '
const gap = '  '
const leastName = 5

function figuresOf(runs: readonly CostedRun[]): readonly string[] {
  const usage = runs.reduce((sum, run) => addUsage(sum, run.usage), noUsage)
  const cost = runs.reduce<number | undefined>(
    (sum, run) => (sum === undefined || run.cost === undefined ? undefined : sum + run.cost),
    0,
  )
  const share = cachedShare(usage)
  return [
    shortCount(runs.length),
    tokensShort(usage),
    costShort(cost, usage).replace('cost ', ''),
    share === undefined ? '-' : `${Math.round(share * 100)} %`,
  ]
}

function rowLine(
  [agent = '', ...figures]: readonly string[],
  room: number,
  [, ...widths]: readonly number[],
  style: (text: string) => Span,
): Line {
  const name = cutLine([style(agent)], room)
  const rest = figures.map((figure, at) => `${gap}${' '.repeat(widths[at]! - textWidth(figure))}${figure}`).join('')
  const dimmed = style === span ? dim : style
  return [span(inset), ...name, dimmed(`${' '.repeat(Math.max(0, room - lineWidth(name)))}${rest}`)]
}
