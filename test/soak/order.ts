/** What must hold of every log after a storm, whatever happened in it. Each fault names its run. */
import type { DurableEvent, StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import { fold } from '../../src/core/run/run-apply.js'
import type { Result } from '../../src/core/types.js'
import { assertSound, type Logs } from '../crash/soundness.js'

/** `isSound`: neither the store nor servers have failed. */
export function assertInOrder(logs: Logs, isSound = false): void {
  assertSound({ logs, marks: new Map(), openAtCut: [] }, 'after the storm')
  const faults: string[] = []
  for (const [runId, log] of logs) {
    const events = log.map(({ event }) => event)
    if (!fold(log)?.result) faults.push(`${runId} has no ending`)
    const end = events.findLastIndex(({ type }) => type === 'run.ended')
    if (events.slice(end + 1).length > 0) faults.push(`${runId} goes on after its ending`)
    const parent = log[0]?.parentId
    if (parent && !logs.has(parent)) faults.push(`${runId}: its caller ${parent} is not in the list`)
    faults.push(
      ...unanswered(runId, events),
      ...untold(runId, events, logs),
      ...endsOfOthers(runId, events, logs, isSound),
    )
    if (JSON.stringify(events).includes('UNPAIRED')) faults.push(`${runId}: a request had an unpaired call`)
  }
  assertNone(faults, logs)
}

export function assertNone(faults: readonly string[], logs: Logs): void {
  if (faults.length > 0) throw new Error(faults.map(fault => `${fault}\n${traceOf(fault, logs)}`).join('\n'))
}

/** The logs of the runs a fault names, in short. */
function traceOf(fault: string, logs: Logs): string {
  return [...new Set(fault.match(/[0-9a-f][\w-]{20,}/g))]
    .filter(runId => logs.has(runId as RunId))
    .map(
      runId =>
        `  ${runId}: ${logs
          .get(runId as RunId)!
          .map(({ event }) => inShort(event))
          .join(' ')}`,
    )
    .join('\n')
}

function inShort(event: DurableEvent): string {
  if (event.type === 'tool.ended') return `tool.ended(${event.name} ${event.status})`
  if (event.type === 'run.ended') return `run.ended(${event.result.outcome})`
  if (event.type === 'child.started')
    return `child.started(${event.runId}#${event.attempt}${event.isBackground ? ' bg' : ''})`
  if (event.type === 'child.ended')
    return `child.ended(${event.runId}#${event.attempt} ${event.outcome}${event.isRefused ? ' refused' : ''})`
  if (event.type === 'run.claimed') return `run.claimed(${event.owner})`
  if (event.type === 'turn.failed') return `turn.failed(${event.error.kind}${event.usage ? ', paid' : ''})`
  return event.type === 'process.died' ? `process.died(${event.rule})` : event.type
}

/** Every call of every turn has its one answer. */
function unanswered(runId: RunId, events: readonly DurableEvent[]): readonly string[] {
  const open = new Set<string>()
  for (const event of events) {
    if (event.type === 'turn.ended') for (const { id } of event.calls) open.add(id)
    if (event.type === 'tool.ended') open.delete(event.callId)
  }
  return [...open].map(callId => `${runId}: call ${callId} was never answered`)
}

/**
 * Nobody is told twice (see `assertSound`). A caller that went on to its own report has heard of every child, once. One
 * that was stopped, failed or ran into a limit takes its children with it: nobody is there to be told, and a child it had
 * not come to make is not there.
 */
function untold(runId: RunId, events: readonly DurableEvent[], logs: Logs): readonly string[] {
  const open = new Set<string>()
  const faults: string[] = []
  const [queued] = events
  const brief = queued?.type === 'run.queued' ? queued.brief : undefined
  // The log of a loop that is not ours ends when that says so, and takes its children with it.
  const isHost = brief?.isLogOnly === true
  // A conversation rests while they work, and is told when it goes on.
  const isTold = !isHost && brief?.waitsForChildren === true
  let isCut = false
  for (const event of events) {
    if (event.type === 'stop.requested') isCut = true
    if (event.type === 'child.started') open.add(`${event.runId}#${event.attempt}`)
    if (event.type === 'child.ended') open.delete(`${event.runId}#${event.attempt}`)
    if (event.type !== 'run.ended') continue
    const { outcome, recoveredFrom } = event.result
    if (outcome === 'completed' && !recoveredFrom && !isCut && isTold)
      faults.push(...[...open].map(key => `${runId}: was never told of ${key}`))
    open.clear()
    isCut = false
  }
  // What such a loop could not begin, it hears of as having failed.
  for (const event of isHost ? [] : events)
    if (event.type === 'child.ended' && !event.isRefused && !logs.has(event.runId))
      faults.push(`${runId}: told of ${event.runId}, which is not there`)
  return faults
}

/**
 * What a caller was told of an attempt is how that very attempt ended. One that could not be stored or begun has none at
 * first.
 */
function endsOfOthers(runId: RunId, events: readonly DurableEvent[], logs: Logs, isSound: boolean): readonly string[] {
  const [queued] = events
  // A loop that is not ours is answered when the house closes, whatever becomes of the child.
  if (queued?.type === 'run.queued' && queued.brief.isLogOnly) return []
  const isStopped = events.some(({ type }) => type === 'stop.requested')
  return events.flatMap(event => {
    if (event.type !== 'child.ended' || event.isRefused) return []
    const { runId: child, attempt, outcome, usage } = event
    if ((outcome === 'interrupted' || outcome === 'failed') && !isSound) return []
    // Stopped in a house that closes, it goes without a child that another process has in hand: nobody waits for that.
    if (outcome === 'interrupted' && isStopped) return []
    const result = resultsOf(logs.get(child)).get(attempt)
    if (!result) return [`${runId}: told ${outcome} of ${child}#${attempt}, which has no end`]
    const isSame = result.outcome === outcome && JSON.stringify(result.usage) === JSON.stringify(usage)
    return isSame ? [] : [`${runId}: told ${outcome} of ${child}#${attempt}, which ended as ${result.outcome}`]
  })
}

function resultsOf(log: readonly StoredEvent[] = []): ReadonlyMap<number, Result> {
  const results = new Map<number, Result>()
  let attempt = 1
  for (const { event } of log) {
    if (event.type === 'run.resumed') attempt = event.attempt
    if (event.type === 'run.ended') results.set(attempt, event.result)
  }
  return results
}
