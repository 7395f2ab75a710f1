/**
 * The live tree: one line a child, more below it when it is expanded. Columns at the right are dropped one by one as
 * the terminal gets narrower: cost first, then tokens, time, turns.
 */

import type { RunId } from '../../../core/message.js'
import { isUnchecked } from '../../../core/run/result.js'
import { oneLine } from '../../../core/text/text.js'
import { callWords } from '../../session/call-words.js'
import { costShort, secondsWords, tokensShort } from '../../session/figures.js'
import { textWidth } from '../../session/text-width.js'
import type { Glyphs } from './glyphs.js'
import type { TreeItem } from './house-view.js'
import { hueOf } from './hue.js'
import { cutLine, dim, fitLine, type Hue, type Line, lineWidth, rowText, type Span, span } from './line.js'
import { activeMs, deniedCalls, type RunView } from './run-view.js'

export interface TreeLook {
  readonly width: number
  readonly now: number
  readonly glyphs: Glyphs
  readonly selected?: RunId
  readonly expanded: ReadonlySet<RunId>
}

export function treeLines(items: readonly TreeItem[], look: TreeLook): readonly Line[] {
  const widths = { name: nameWidth(items, look), middle: middleWidth(items, look) }
  return items.flatMap(item => [
    itemLine(item, widths, look),
    ...(look.expanded.has(item.run.runId) ? detailLines(item, look) : []),
  ])
}

/** In a narrow terminal a name leaves room for what its run does. */
const nameWidth = (items: readonly TreeItem[], { width }: TreeLook): number =>
  Math.min(
    18,
    Math.max(6, Math.floor(width * 0.3)),
    Math.max(0, ...items.map(({ run, follows }) => run.name.length + (follows.length - 1) * 3)),
  )

const mostMiddle = 34
const activityWidth = 14

/**
 * What the middle needs before a column may have the rest: the titles, which stand still, and some of what goes on; less
 * in a narrow terminal. The same for all lines, so that columns stand below each other.
 */
const middleWidth = (items: readonly TreeItem[], { width }: TreeLook): number =>
  Math.min(
    mostMiddle,
    Math.floor(width * 0.4),
    activityWidth + Math.max(0, ...items.map(({ run }) => textWidth(titleOf(run)))),
  )

interface Widths {
  readonly name: number
  readonly middle: number
}

/** A name that is too long loses its end, and never its number. */
function nameColumn({ agent, name, colour }: RunView, width: number): Line {
  const look = { hue: hueOf(colour), isBold: true }
  const number = name.slice(agent.length)
  return fitLine([...cutLine([span(agent, look)], Math.max(1, width - number.length)), span(number, look)], width)
}

function itemLine(item: TreeItem, { name, middle: wanted }: Widths, look: TreeLook): Line {
  const { run, follows } = item
  const isSelected = look.selected === run.runId
  const branch = branchOf(follows, look.glyphs)
  const head: Line = [
    span(isSelected ? `${look.glyphs.prompt} ` : '  ', { hue: 'cyan' }),
    dim(branch),
    mark(run, look),
    span(' '),
    ...nameColumn(run, Math.max(4, name - (follows.length - 1) * 3)),
    span(' '),
  ]
  const columns = columnsOf(run, look)
  const room = look.width - lineWidth(head)
  const shown = dropColumns(columns, room - wanted)
  const right = shown.flatMap((text, at): Span[] => [...(at > 0 ? [dim('  ')] : []), dim(text)])
  const middle = fitLine(
    about(run, Math.max(0, room - lineWidth(right) - 2), look),
    Math.max(0, room - lineWidth(right) - 1),
  )
  const line = cutLine([...head, ...middle, span(' '), ...right], look.width)
  return isSelected ? line.map(each => ({ ...each, isBold: true })) : line
}

function branchOf(follows: readonly boolean[], { pipe, fork, corner }: Glyphs): string {
  const above = follows.slice(0, -1).map((more, at) => (at === 0 && !more ? '   ' : `${more ? pipe : '  '} `))
  return `${above.join('')}${follows.at(-1) ? fork : corner} `
}

const marks: Readonly<Record<RunView['status'], Hue>> = {
  queued: 'gray',
  working: 'cyan',
  asking: 'yellow',
  waiting: 'gray',
  grace: 'yellow',
  ended: 'green',
}

const spinMs = 100

function mark(run: RunView, { glyphs, now }: TreeLook): Span {
  if (run.status === 'ended') {
    const isDone = run.result?.outcome === 'completed'
    return span(isDone ? glyphs.done : glyphs.failed, { hue: isDone ? 'green' : 'red' })
  }
  const signs = {
    queued: glyphs.queued,
    working: glyphs.spinner[Math.floor(now / spinMs) % glyphs.spinner.length]!,
    asking: glyphs.asking,
    waiting: glyphs.waiting,
    grace: glyphs.grace,
  }
  return span(signs[run.status], { hue: marks[run.status] })
}

const titleOf = (run: RunView): string => rowText(run.nickname ?? run.description)

/** What it was asked for, then what it does now: a long title leaves that a third of the room, if it needs so much. */
function about(run: RunView, room: number, { glyphs }: TreeLook): Line {
  const now = activity(run, glyphs)
  const background =
    run.isBackground && run.status !== 'ended' ? [span(` ${glyphs.background}`, { hue: 'magenta' })] : []
  const between: Line = [...background, dim(` ${glyphs.dot} `)]
  const forTitle = room - lineWidth(between) - Math.min(lineWidth(now), Math.floor(room / 3))
  const title = cutLine([span(titleOf(run))], Math.max(0, forTitle), glyphs.ellipsis)
  return cutLine([...title, ...between, ...now], room, glyphs.ellipsis)
}

function activity(run: RunView, glyphs: Glyphs): Line {
  if (run.status === 'ended') return [ending(run)]
  if (run.status === 'queued')
    return [dim(run.position ? `waits for a slot, position ${run.position}` : 'about to start')]
  if (run.status === 'asking') return [span('waits for your approval', { hue: 'yellow' })]
  if (run.notice) return [span(run.notice, { hue: 'yellow' })]
  const calls = [...run.calls.values()]
  const [call] = calls
  if (run.status === 'waiting')
    return [dim(`waits for ${calls.length === 1 ? 'its child' : `${calls.length} children`}`)]
  if (call) {
    const more = calls.length > 1 ? dim(` +${calls.length - 1}`) : undefined
    return [
      span(call.name, { hue: 'cyan' }),
      span(' '),
      dim(call.progress ?? callWords(call.name, call.context)),
      ...(more ? [more] : []),
    ]
  }
  if (run.draft) return [dim(oneLine(run.draft.slice(-200), 80))]
  return [dim(run.isThinking ? `thinking${glyphs.ellipsis}` : `asks its model${glyphs.ellipsis}`)]
}

function ending(run: RunView): Span {
  const { result } = run
  if (!result) return dim('ended')
  if (result.outcome !== 'completed') {
    return span(`${result.outcome}${result.error ? `: ${oneLine(result.error.message, 80)}` : ''}`, { hue: 'red' })
  }
  return result.recoveredFrom
    ? span(`saved after ${result.recoveredFrom}`, { hue: 'yellow' })
    : dim(`done${isUnchecked(result) ? ', without a single tool call' : ''}${deniedWords(run)}`)
}

function deniedWords(run: RunView): string {
  const count = deniedCalls(run)
  return count === 0 ? '' : `, ${count} ${count === 1 ? 'call' : 'calls'} denied`
}

/** In the order in which they are kept. */
function columnsOf(run: RunView, { now }: TreeLook): readonly string[] {
  const of = (value: string, max: string | undefined) => (max === undefined ? value : `${value}/${max}`)
  const time = secondsWords(activeMs(run, now))
  const limit = run.maxSeconds === undefined || run.status === 'ended' ? undefined : `${run.maxSeconds}s`
  return [
    of(`${run.turns}`, run.maxTurns === undefined ? undefined : String(run.maxTurns)).padStart(5),
    of(time, limit).padStart(9),
    `${tokensShort(run.usage)} tok`.padStart(9),
    costShort(run.cost, run.usage).replace('cost unknown', '$?').padStart(7),
  ]
}

function dropColumns(columns: readonly string[], room: number): readonly string[] {
  for (let kept = columns.length; kept > 0; kept--) {
    const width = columns.slice(0, kept).reduce((sum, text) => sum + text.length + 2, 0)
    if (width <= room) return columns.slice(0, kept)
  }
  return []
}

const shownActivities = 5

function detailLines({ run, follows }: TreeItem, look: TreeLook): readonly Line[] {
  const { glyphs, width } = look
  const inset = ' '.repeat(follows.length * 3 + 3)
  const calls = run.entries.filter(entry => entry.kind === 'call').slice(-shownActivities)
  const lines = calls.map((entry): Line => {
    const isOk = entry.status === 'ok' || entry.status === 'detached'
    return [
      span(inset),
      span(isOk ? glyphs.done : glyphs.failed, { hue: isOk ? 'green' : 'red' }),
      dim(
        ` ${entry.name} ${oneLine(callWords(entry.name, entry.context), 60)} ${glyphs.arrow} ${oneLine(entry.summary, 50)}`,
      ),
    ]
  })
  const model: Line = [span(inset), dim(`${run.model}  run ${run.runId}`)]
  return [...lines, model].map(line => cutLine(line, width))
}
