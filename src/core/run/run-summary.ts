/** One row of `runs list`: a fold of the log, so that every store lists the same. */
import { isWork } from '../brief/completion.js'
import { addUsage, costWithFailure, noUsage } from '../budget/usage.js'
import type { StoredEvent } from '../events.js'
import type { CallId, RunId } from '../message.js'
import type { Outcome, Usage } from '../types.js'

/** A run in one line: a fold of its log. */
export interface RunSummary {
  readonly runId: RunId
  readonly rootId: RunId
  readonly parentId?: RunId
  readonly callId?: CallId
  readonly agent: string
  readonly nickname?: string
  readonly description: string
  readonly depth: number
  readonly status: 'queued' | 'running' | 'ended'
  readonly outcome?: Outcome
  /** The limit it had reached: it is completed by the report of a last turn. */
  readonly recoveredFrom?: Outcome
  /** The provider's word for why it stopped, where nobody knows what it means: the report may be incomplete. */
  readonly unknownStop?: string
  /** What is wrong with its log, where that cannot be opened: it is listed as failed, and cannot be resumed. */
  readonly damage?: string
  readonly attempt: number
  readonly isBackground: boolean
  readonly createdAt: number
  readonly updatedAt: number
  readonly lastSeq: number
  readonly turns: number
  readonly toolCalls: number
  readonly usage: Usage
  /** US dollars; absent when any price is unknown, or nobody has told one yet. */
  readonly cost?: number
}

/** Of the runs of one tree those from a run on: itself, and everything below it. */
export function runsFrom(tree: readonly RunSummary[], runId: RunId): readonly RunSummary[] {
  const found = new Set([runId])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const run of tree) if (run.parentId && found.has(run.parentId)) found.add(run.runId)
  }
  return tree.filter(run => found.has(run.runId))
}

/** Where nobody knows prices a reply alone tells what it cost: until one does, the cost of a run at work is not nothing. */
export function withoutUntold<T extends { readonly turns: number; readonly cost?: number | undefined }>(run: T): T {
  if (run.turns > 0 || run.cost !== 0) return run
  const { cost: _, ...rest } = run
  return rest as T
}

/** Whether what was stored as one can be read as one by whoever lists runs. */
export function isWholeSummary(value: RunSummary): boolean {
  const given = value as { readonly [Key in keyof RunSummary]: unknown }
  const usage = (given.usage ?? {}) as Readonly<Record<string, unknown>>
  return (
    texts.every(key => typeof given[key] === 'string') &&
    numbers.every(key => typeof given[key] === 'number') &&
    tokens.every(key => typeof usage[key] === 'number') &&
    statuses.has(given.status) &&
    (given.cost === undefined || typeof given.cost === 'number')
  )
}
const texts = ['runId', 'rootId', 'agent', 'description'] as const
const numbers = ['depth', 'attempt', 'createdAt', 'updatedAt', 'lastSeq', 'turns', 'toolCalls'] as const
const tokens = ['input', 'output', 'cacheRead', 'cacheWrite'] as const
const statuses: ReadonlySet<unknown> = new Set(['queued', 'running', 'ended'] satisfies RunSummary['status'][])

/**
 * The summary of a log after one more of its events; undefined before `run.queued`. What a store keeps beside each log, so
 * that every store lists the same.
 */
export function summarise(before: RunSummary | undefined, envelope: StoredEvent): RunSummary | undefined {
  const { event } = envelope
  if (event.type === 'run.queued') return before ?? opened(envelope)
  if (!before) return undefined
  const summary = { ...before, updatedAt: envelope.at, lastSeq: envelope.seq }
  switch (event.type) {
    case 'run.started':
      return { ...summary, status: 'running' }
    case 'run.resumed':
      return {
        ...summary,
        status: 'queued',
        attempt: event.attempt,
        outcome: undefined,
        recoveredFrom: undefined,
        unknownStop: undefined,
      }
    case 'turn.ended':
      return {
        ...summary,
        status: 'running',
        turns: summary.turns + (event.purpose === 'work' ? 1 : 0),
        usage: addUsage(summary.usage, event.usage),
        cost: summary.cost === undefined || event.cost === undefined ? undefined : summary.cost + event.cost,
      }
    case 'turn.failed':
      return {
        ...summary,
        ...(event.usage && { usage: addUsage(summary.usage, event.usage) }),
        cost: costWithFailure(summary.cost, event),
      }
    case 'price.missed':
      return { ...summary, cost: undefined }
    case 'tool.ended':
      return isWork(event) ? { ...summary, toolCalls: summary.toolCalls + 1 } : summary
    case 'run.backgrounded':
      return { ...summary, isBackground: true }
    case 'run.ended': {
      const { outcome, recoveredFrom, unknownStop } = event.result
      return {
        ...summary,
        status: 'ended',
        outcome,
        ...(recoveredFrom && { recoveredFrom }),
        ...(unknownStop !== undefined && { unknownStop }),
      }
    }
    default:
      return summary
  }
}

function opened(envelope: StoredEvent): RunSummary | undefined {
  const { event } = envelope
  if (event.type !== 'run.queued') return undefined
  return {
    runId: envelope.runId,
    rootId: envelope.rootId,
    parentId: envelope.parentId,
    callId: envelope.callId,
    agent: envelope.agent,
    nickname: event.brief.nickname,
    description: event.brief.description,
    depth: envelope.depth,
    status: 'queued',
    attempt: 1,
    isBackground: event.brief.isBackground,
    createdAt: envelope.at,
    updatedAt: envelope.at,
    lastSeq: envelope.seq,
    turns: 0,
    toolCalls: 0,
    usage: noUsage,
    cost: 0,
  }
}
