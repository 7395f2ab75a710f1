/** The part of the fold that deals with questions a run puts to its caller or the user. */
import type { DurableEvent, EventOf } from '../events.js'
import * as notices from '../notices.js'
import type { CallState, QuestionAsked, RunState } from './run-state.js'

export function questionAsked(state: RunState, event: QuestionAsked): void {
  const call = state.calls.get(event.callId)
  if (!call || call.phase === 'ended') return
  call.phase = 'asking'
  call.question = event
}

/** The call itself is answered by the `tool.ended` stored with it. */
export function questionAnswered(state: RunState, event: EventOf<'question.answered'>): void {
  if (event.itemId) state.seen.add(event.itemId)
}

export function openQuestion(state: RunState): QuestionAsked | undefined {
  for (const call of state.calls.values()) if (call.phase === 'asking' && call.question) return call.question
  return undefined
}

/** An answer as facts: the question is settled and its call is over. */
export function answerEvents(
  state: RunState,
  call: CallState,
  answer: { readonly value?: QuestionAsked['question']['default']; readonly by: string; readonly itemId?: string },
): readonly DurableEvent[] {
  const { questionId, callId } = call.question!
  const { value, by, itemId } = answer
  const text = notices.answer(value === undefined ? undefined : String(value), by)
  return [
    { type: 'question.answered', questionId, callId, ...(value !== undefined && { value }), by, itemId },
    {
      type: 'tool.ended',
      callId,
      name: call.part.name,
      status: 'ok',
      content: [{ type: 'text', text }],
      context: call.question!.question.text,
      summary: value === undefined ? 'no answer' : `${by}: ${String(value)}`,
      durationMs: call.startedAt === undefined ? 0 : Math.max(0, state.at - call.startedAt),
    },
  ]
}
