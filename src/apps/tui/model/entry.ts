/** What a transcript is made of: each finished thing once, in the order it happened. */
import type { CallStatus, Envelope, EventOf } from '../../../core/events.js'
import type { CallId, RunId } from '../../../core/message.js'
import type { Outcome, Result } from '../../../core/types.js'
import { askedText } from './asked-entry.js'
import type { Hue } from './line.js'
import type { RunView } from './run-view.js'

export type Entry = { readonly id: string; readonly at: number } & (
  | { readonly kind: 'user'; readonly from: string; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'call'
      readonly callId: CallId
      readonly name: string
      readonly context: string
      readonly status: CallStatus
      readonly summary: string
      readonly durationMs: number
      /** For edits: what a diff is made of. */
      readonly input?: unknown
      /** What the person was asked, and said. */
      readonly asked?: string
      readonly childId?: RunId
      /** Of a denied one, in words: by whom or which rule, and why. */
      readonly denial?: string
    }
  | {
      /** A child in the background has ended. */
      readonly kind: 'background'
      readonly childId: RunId
      readonly outcome: Outcome
      readonly recoveredFrom?: Outcome
    }
  | { readonly kind: 'note'; readonly hue: Hue; readonly text: string }
  | {
      readonly kind: 'end'
      readonly result: Result
      /** Why it failed stands right above. */
      readonly isSaid?: boolean
    }
)

type Fresh = Entry extends infer E ? (E extends Entry ? Omit<E, 'id' | 'at'> : never) : never

/** `view` is the run before the event. */
export function entriesOf({ eventId, at, depth, event }: Envelope, view: RunView): readonly Entry[] {
  const entries = [...lastTurnNote(event, view), ...freshEntries(event, view, depth)]
  return entries.map((entry, index) => ({ ...entry, id: `${eventId}/${index}`, at }) as Entry)
}

function lastTurnNote(event: Envelope['event'], { runId, lastTurns }: RunView): readonly Fresh[] {
  const text = lastTurns.hear({ runId, event })
  // Why there is none is a note of its own.
  const isUnpaid = event.type === 'turn.failed' && event.error.kind === 'budget'
  return text === undefined || isUnpaid ? [] : [{ kind: 'note', hue: 'yellow', text }]
}

const shownInputs = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])

function freshEntries(event: Envelope['event'], view: RunView, depth: number): readonly Fresh[] {
  const note = (hue: Hue, text: string): Fresh[] => [{ kind: 'note', hue, text }]
  switch (event.type) {
    case 'run.queued':
      return [{ kind: 'user', from: depth > 0 ? 'caller' : 'user', text: event.prompt }]
    case 'run.resumed':
      return event.prompt ? [{ kind: 'user', from: depth > 0 ? 'caller' : 'user', text: event.prompt }] : []
    case 'message.received':
      return [{ kind: 'user', from: event.from, text: event.text }]
    case 'turn.ended':
      return textEntries(event)
    case 'turn.failed':
      if (event.error.kind === 'aborted') return event.partial.trim() ? [{ kind: 'text', text: event.partial }] : []
      return note('red', event.error.message)
    case 'tool.ended':
      return callEntries(event, view)
    case 'child.ended':
      if (event.report === undefined) return []
      return [
        {
          kind: 'background',
          childId: event.runId,
          outcome: event.outcome,
          ...(event.recoveredFrom && { recoveredFrom: event.recoveredFrom }),
        },
      ]
    case 'brief.narrowed':
      return note('yellow', `narrowed by the rules of today: ${Object.keys(event.changes).join(', ')}`)
    case 'message.heard':
      if (event.verdict === 'refuse') return note('yellow', `a hook refused a message: ${event.reason ?? ''}`)
      return notesOf(event)
    case 'hook.ended':
      return notesOf(event)
    case 'context.compacted':
      return note('gray', 'earlier parts of the conversation were summarised')
    case 'run.ended':
      return [{ kind: 'end', result: event.result, ...(isSaid(event.result, view) && { isSaid: true }) }]
    default:
      return []
  }
}

function isSaid({ error }: Result, { entries }: RunView): boolean {
  const last = entries.at(-1)
  return error !== undefined && last?.kind === 'note' && last.text === error.message
}

function callEntries(event: EventOf<'tool.ended'>, view: RunView): readonly Fresh[] {
  const { callId, name, context, status, summary, durationMs } = event
  if (status === 'not-run' || name === 'complete_task') return []
  const open = view.calls.get(callId)
  const asked = askedText(event, open?.input)
  const input = shownInputs.has(name) && status === 'ok' ? open?.input : undefined
  return [
    {
      kind: 'call',
      callId,
      name,
      context: context || open?.context || view.wished.get(callId) || '',
      status,
      summary,
      durationMs,
      ...(input !== undefined && { input }),
      ...(asked !== undefined && { asked }),
      ...(open?.childId && { childId: open.childId }),
      ...(status === 'denied' && { denial: denialOf(event, view) }),
    },
    ...notesOf(event),
  ]
}

const notesOf = ({ notes = [] }: { readonly notes?: readonly string[] }): readonly Fresh[] =>
  notes.map(text => ({ kind: 'note', hue: 'yellow', text }))

/** A person's answer in their words; anything else in those of the rule, which the model got as well. */
function denialOf(event: EventOf<'tool.ended'>, view: RunView): string {
  const answer = view.refusals.get(event.callId)
  if (answer !== undefined) return answer
  const text = event.content.find(part => part.type === 'text')?.text ?? event.summary
  return `denied: ${text}${event.rule ? ` (rule: ${event.rule})` : ''}`
}

function textEntries(event: EventOf<'turn.ended'>): readonly Fresh[] {
  if (event.purpose === 'compact') return []
  const text = event.message.content.map(part => (part.type === 'text' ? part.text : '')).join('')
  return text.trim() === '' ? [] : [{ kind: 'text', text }]
}
