/**
 * Post-tool hooks of a call that waits for a child. Its answer comes from that wait, long after the call itself ran, so
 * this is where they are heard: before the answer is stored, and once (a kill in between may repeat it, with the same key).
 */
import type { Hooks } from '../core/hooks.js'
import type { CallId, TextPart } from '../core/message.js'
import type { ChildState } from '../core/run-state.js'
import type { Result } from '../core/types.js'
import { childEndEvents } from './child-end.js'
import type { DrivePorts } from './drive-ports.js'
import type { RunLog } from './run-log.js'
import { afterTool } from './tool-hooks.js'

export interface ChildEnds {
  /** What a hook said before the call ran: it stands beside the answer. */
  keepContext(callId: CallId, context: string | undefined): void
  /** Lets hooks hear of the end; gives the result on. */
  hear(child: ChildState, result: Result, signal: AbortSignal): Promise<Result>
  /** The end with what hooks said to it. Nothing while they have not been heard: the wait for the child brings it again. */
  readonly events: DrivePorts['childEnd']
}

export function childEnds(hooks: Hooks | undefined, log: RunLog): ChildEnds {
  if (!hooks) return { keepContext: () => {}, hear: async (_, result) => result, events: childEndEvents }
  const before = new Map<CallId, string>()
  const said = new Map<string, readonly TextPart[]>()
  const keyOf = ({ runId, attempt }: ChildState) => `${runId}#${attempt}`
  const isDue = (callId: CallId, name: string) => before.has(callId) || hooks.wants('post-tool', log.state.brief, name)
  return {
    keepContext(callId, context) {
      if (context) before.set(callId, context)
    },
    async hear(child, result, signal) {
      const call = log.state.calls.get(child.callId)
      if (!call || !isDue(child.callId, call.part.name)) return result
      const answer = childEndEvents(log.state, child, result).find(event => event.type === 'tool.ended')
      const extra = answer
        ? await afterTool(
            { log, call, context: { signal } },
            { content: answer.content, isError: answer.status === 'error' },
            before.get(child.callId),
            hooks,
          )
        : []
      said.set(keyOf(child), extra)
      return result
    },
    events(state, child, result) {
      const events = childEndEvents(state, child, result)
      const answer = events.find(event => event.type === 'tool.ended')
      if (!answer) return events
      const extra = said.get(keyOf(child))
      if (!extra) return isDue(answer.callId, answer.name) ? [] : events
      return events.map(event => (event === answer ? { ...answer, content: [...answer.content, ...extra] } : event))
    },
  }
}
