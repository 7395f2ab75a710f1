/**
 * Post-tool hooks of a call that waits for a child. Its answer comes from that wait, long after the call itself ran, so
 * this is where they are heard: before the answer is stored, and once (a kill in between may repeat it, with the same key).
 */
import type { Hooks } from '../../core/hooks/hooks.js'
import type { CallId, TextPart } from '../../core/message.js'
import type { ChildState } from '../../core/run/run-state.js'
import type { Result } from '../../core/types.js'
import { childEndEvents } from '../children/child-end.js'
import type { DrivePorts } from '../drive/drive-ports.js'
import type { RunLog } from '../logs/run-log.js'
import { afterTool } from './tool-hooks.js'

export interface ChildEnds {
  /** What hooks said before the call ran: it stands beside the answer. */
  keep(callId: CallId, context: string | undefined, notes: readonly string[]): void
  /** Lets hooks hear of the end; gives the result on. */
  hear(child: ChildState, result: Result, signal: AbortSignal): Promise<Result>
  /** The end with what hooks said to it. Nothing while they have not been heard: the wait for the child brings it again. */
  readonly events: DrivePorts['childEnd']
}

interface Said {
  readonly context: string | undefined
  readonly notes: readonly string[]
}

export function childEnds(hooks: Hooks | undefined, log: RunLog): ChildEnds {
  if (!hooks) return { keep: () => {}, hear: async (_, result) => result, events: childEndEvents }
  const before = new Map<CallId, Said>()
  const said = new Map<string, { readonly parts: readonly TextPart[]; readonly notes: readonly string[] }>()
  const keyOf = ({ runId, attempt }: ChildState) => `${runId}#${attempt}`
  const isDue = (callId: CallId, name: string) => before.has(callId) || hooks.wants('post-tool', log.state.brief, name)
  return {
    keep(callId, context, notes) {
      if (context || notes.length > 0) before.set(callId, { context, notes })
    },
    async hear(child, result, signal) {
      const call = log.state.calls.get(child.callId)
      if (!call || !isDue(child.callId, call.part.name)) return result
      const answer = childEndEvents(log.state, child, result).find(event => event.type === 'tool.ended')
      const { context, notes: earlier = [] } = before.get(child.callId) ?? {}
      const notes = [...earlier]
      const output = answer && { content: answer.content, isError: answer.status === 'error' }
      const heard = { log, call, notes, context: { signal } }
      const parts = output ? await afterTool(heard, output, context, hooks) : []
      said.set(keyOf(child), { parts, notes })
      return result
    },
    events(state, child, result) {
      const events = childEndEvents(state, child, result)
      const answer = events.find(event => event.type === 'tool.ended')
      if (!answer) return events
      const extra = said.get(keyOf(child))
      if (!extra) return isDue(answer.callId, answer.name) ? [] : events
      const { parts, notes } = extra
      const full = { ...answer, content: [...answer.content, ...parts], ...(notes.length > 0 && { notes }) }
      return events.map(event => (event === answer ? full : event))
    },
  }
}
