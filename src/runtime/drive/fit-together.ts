import type { DurableEvent, EventOf } from '../../core/events.js'
import type { RunState } from '../../core/run/run-state.js'

/**
 * What several effects brought at one moment, as one append. Each knew only the state before, so two may answer the same
 * call, begin or end the same attempt of a child, or end the same run: the first counts (E1), and nothing follows an end.
 * Ends of children come first: one that is told after the child's next attempt has begun counts for nothing.
 */
export function fitTogether(events: readonly DurableEvent[]): readonly DurableEvent[] {
  const told = new Set<string>()
  const fitting: DurableEvent[] = []
  const isLast = ({ type }: DurableEvent) => Number(type !== 'child.ended')
  for (const event of events.toSorted((a, b) => isLast(a) - isLast(b))) {
    const fact = onceOnly(event)
    if (fact !== undefined && told.has(fact)) continue
    if (fact !== undefined) told.add(fact)
    fitting.push(event)
    if (event.type === 'run.ended') break
  }
  return fitting
}

function onceOnly(event: DurableEvent): string | undefined {
  switch (event.type) {
    case 'tool.ended':
      return `${event.type} ${event.callId}`
    case 'child.started':
    case 'child.ended':
      return `${event.type} ${event.runId}#${event.attempt}`
    default:
      return undefined
  }
}

/** A call that was answered meanwhile (a limit, a stop) takes no second answer. */
export function stillFits(state: RunState, event: DurableEvent): boolean {
  if (event.type === 'child.started' && isUnderWay(state, event)) return false
  if (!('callId' in event)) return true
  const call = state.calls.get(event.callId)
  return call !== undefined && call.phase !== 'ended'
}

/** Another call, or a message, began this attempt while this one was being decided: it must not begin a second time. */
function isUnderWay({ children }: RunState, { runId, attempt, callId }: EventOf<'child.started'>): boolean {
  const child = children.get(runId)
  return child !== undefined && child.attempt >= attempt && child.callId !== callId
}
