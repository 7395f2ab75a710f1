import type { DurableEvent } from '../core/events.js'

/**
 * What several effects brought at one moment, as one append. Each knew only the state before, so two may answer the same
 * call or end the same run: the first counts (E1), and nothing follows an end.
 */
export function fitTogether(events: readonly DurableEvent[]): readonly DurableEvent[] {
  const answered = new Set<string>()
  const fitting: DurableEvent[] = []
  for (const event of events) {
    if (event.type === 'tool.ended') {
      if (answered.has(event.callId)) continue
      answered.add(event.callId)
    }
    fitting.push(event)
    if (event.type === 'run.ended') break
  }
  return fitting
}
