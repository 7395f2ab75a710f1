/**
 * TaskWait: waits for several runs of yours. `all`, `any` (or `count` of them), or `success`: the first `count` that
 * completed, and the rest are stopped. When the time is up it gives what is there, and says how far the others are.
 */
import type { RunId } from '../core/message.js'
import type { DescendantView, Tool, ToolContext, ToolOutput } from '../core/ports.js'
import { isSuccess, renderResult } from '../core/run/result.js'
import type { Result } from '../core/types.js'
import { unknownRun } from './address.js'
import { defaultSeconds, maxSeconds, waitMs } from './wait-time.js'

/** How long losers may take to stop before the answer goes out without their ends. */
const stopMs = 5_000

interface Wish {
  readonly until: 'all' | 'any' | 'success'
  readonly count: number
  readonly ms: number
}
type Ended = Map<RunId, Result>

export function taskWaitTool(resultBytes: number): Tool {
  return {
    spec: {
      name: 'TaskWait',
      description:
        'Wait for runs you started. until: all, any (count of them), or success (the first count that completed; the others are stopped). After timeout you get what is there.',
      inputSchema: {
        type: 'object',
        properties: {
          task_ids: {
            type: 'array',
            items: { type: 'string' },
            description: 'Ids or names; all running when left out',
          },
          until: { type: 'string', enum: ['all', 'any', 'success'] },
          count: { type: 'integer', minimum: 1, description: 'How many, for any and success (default 1)' },
          timeout: { type: 'number', description: `Seconds, at most ${maxSeconds} (default ${defaultSeconds})` },
        },
        // Passed over, a wish under another name (`mode: any`) would be a wait for all.
        additionalProperties: false,
      },
      effect: 'delegate',
      displayName: 'Task wait',
      isPolling: true,
    },
    context: input => String((input as { until?: string }).until ?? 'all'),
    run: async (input, context) => {
      const views = await findAll(input as { task_ids?: readonly string[] }, context)
      if ('content' in views) return views
      const wish = readWish(input, views.length)
      if (typeof wish === 'string') return { content: wish, isError: true, summary: 'invalid wait' }
      const ended = await collect(views, ended => isEnough(ended, wish, views.length), wish.ms, context)
      const losers = wish.until === 'success' ? await stopLosers(views, ended, wish, context) : new Set<RunId>()
      return report({ views, ended, losers, wish }, resultBytes, context)
    },
  }
}

async function findAll(
  { task_ids }: { task_ids?: readonly string[] },
  context: ToolContext,
): Promise<readonly DescendantView[] | ToolOutput> {
  if (!task_ids) {
    const mine = (await context.delegation.list()).filter(({ isOwn }) => isOwn)
    const running = mine.filter(({ summary }) => summary.status !== 'ended')
    if (running.length > 0) return running
    // What ended while the model made this call is what it wanted to wait for.
    const untold = mine.filter(({ isUntold }) => isUntold)
    if (untold.length === 0) return { content: 'You have nothing running to wait for.', isError: true, summary: 'none' }
    task_ids = untold.map(({ summary }) => summary.runId)
  }
  const views = new Map<RunId, DescendantView>()
  for (const address of task_ids) {
    const view = await context.delegation.find(address)
    if (!view) return unknownRun(address, context)
    views.set(view.summary.runId, view)
  }
  return views.size > 0 ? [...views.values()] : { content: 'task_ids is empty.', isError: true, summary: 'none' }
}

function readWish(input: unknown, of: number): Wish | string {
  const {
    until = 'all',
    count,
    timeout = defaultSeconds,
  } = input as { until?: Wish['until']; count?: number; timeout?: number }
  if (count !== undefined && until === 'all') return 'count goes with until any or success; all waits for every one.'
  if (count !== undefined && count > of) return `count is ${count}, but these are only ${of} runs.`
  return { until, count: until === 'all' ? of : (count ?? 1), ms: waitMs(timeout) }
}

function isEnough(ended: Ended, { until, count }: Wish, of: number): boolean {
  if (until !== 'success') return ended.size >= count
  const good = successes(ended)
  // Once too few are left to reach the count, waiting longer cannot help.
  return good >= count || good + (of - ended.size) < count
}

const successes = (ended: Ended): number => [...ended.values()].filter(isSuccess).length

/** Those that ended, as soon as they are enough or the time is up. */
async function collect(
  views: readonly DescendantView[],
  isDone: (ended: Ended) => boolean,
  ms: number,
  { delegation, clock, signal }: ToolContext,
): Promise<Ended> {
  const ended: Ended = new Map(views.flatMap(({ summary, result }) => (result ? [[summary.runId, result]] : [])))
  if (isDone(ended)) return ended
  const over = new AbortController()
  const either = AbortSignal.any([signal, over.signal])
  try {
    await new Promise<void>((resolve, reject) => {
      const failed = (error: unknown) => (over.signal.aborted ? undefined : reject(error))
      for (const { summary, result } of views) {
        if (result) continue
        const arrived = (late: Result) => {
          if (over.signal.aborted) return
          ended.set(summary.runId, late)
          if (isDone(ended)) resolve()
        }
        delegation.join(summary.runId, either, summary.attempt).then(arrived, failed)
      }
      clock.sleep(ms, either).then(resolve, failed)
    })
    return ended
  } finally {
    over.abort()
  }
}

async function stopLosers(
  views: readonly DescendantView[],
  ended: Ended,
  { count }: Wish,
  context: ToolContext,
): Promise<ReadonlySet<RunId>> {
  if (successes(ended) < count) return new Set()
  const losers = views.filter(({ summary }) => !ended.has(summary.runId))
  for (const { summary } of losers) {
    await context.delegation.send(summary.runId, {
      id: `stop/${context.runId}/${context.callId}`,
      kind: 'stop',
      by: 'caller',
      reason: 'another run was first',
    })
  }
  const late = await collect(losers, all => all.size === losers.length, stopMs, context)
  for (const [runId, result] of late) ended.set(runId, result)
  return new Set(losers.map(({ summary }) => summary.runId))
}

interface Outcome {
  readonly views: readonly DescendantView[]
  readonly ended: Ended
  /** Those that were told to stop. */
  readonly losers: ReadonlySet<RunId>
  readonly wish: Wish
}

/** What became of a run: one that was told to stop may have come to an end of its own first, or to none in time. */
function fateOf({ ended, losers }: Outcome, { summary: { runId } }: DescendantView): Fate {
  const result = ended.get(runId)
  if (!result) return losers.has(runId) ? 'stopping' : 'open'
  const isStopped = losers.has(runId) && result.outcome === 'cancelled' && result.error?.rule === 'stopped-by-caller'
  return isStopped ? 'stopped' : 'shown'
}
type Fate = 'shown' | 'stopped' | 'stopping' | 'open'

/** Results in the order asked for; each that is shown counts as delivered. */
async function report(outcome: Outcome, resultBytes: number, { delegation }: ToolContext): Promise<ToolOutput> {
  const { views, ended, wish } = outcome
  const those = (fate: Fate) => views.filter(view => fateOf(outcome, view) === fate)
  const shown = those('shown')
  const maxBytes = Math.min(resultBytes, Math.floor(delegation.room() / Math.max(1, shown.length)))
  const progress = new Map((await delegation.list()).map(view => [view.summary.runId, view.progress]))
  const texts = [
    headline(outcome),
    ...shown.map(view => `${title(view)}\n${renderResult(ended.get(view.summary.runId)!, { maxBytes })}`),
    ...those('stopped').map(view => `${title(view)}\nstopped: not needed any more`),
    ...those('stopping').map(view => `${title(view)}\ntold to stop, and not ended yet: you are told when it ends`),
    ...those('open').map(view => `${title(view)}\nnot ended: ${progress.get(view.summary.runId) ?? view.progress}`),
  ]
  const isShort = wish.until === 'success' && successes(ended) < wish.count
  return {
    content: texts.join('\n\n'),
    isError: isShort,
    summary: `${ended.size} of ${views.length} ended`,
    delivers: views.flatMap(({ summary: { runId, attempt } }) => (ended.has(runId) ? [{ runId, attempt }] : [])),
  }
}

function headline(outcome: Outcome): string {
  const { views, ended, wish } = outcome
  const left = views.length - ended.size
  if (wish.until === 'success') {
    const good = successes(ended)
    if (good < wish.count)
      return `Only ${good} of the ${wish.count} wanted succeeded${left > 0 ? `, ${left} not ended when the time was up` : ''}.`
    const count = (fate: Fate) => views.filter(view => fateOf(outcome, view) === fate).length
    const stopped = count('stopped') > 0 ? `; ${count('stopped')} stopped` : ''
    const stopping = count('stopping') > 0 ? `; ${count('stopping')} told to stop and not ended yet` : ''
    return `${good} succeeded${stopped}${stopping}.`
  }
  const late =
    left > 0 && ended.size < wish.count ? ` The time is up; ${left} go on, and you are told when they end.` : ''
  return `${ended.size} of ${views.length} have ended.${late}`
}

const title = ({ summary, nickname }: DescendantView): string =>
  `## ${nickname ? `${nickname} · ` : ''}${summary.agent} · run ${summary.runId}`
