/** A log as a conversation, in the order in which the model read it. */

import { noUsage } from '../budget/usage.js'
import type { CallStatus, StoredEvent } from '../events.js'
import type { AssistantPart, CallId, ImagePart, Message, RunId, TextPart, UserPart } from '../message.js'
import { saidContent } from '../run/digest.js'
import { disputedWords, outcomeWords } from '../run/result.js'
import { type RunSummary, summarise } from '../run/run-summary.js'
import type { Result, Usage } from '../types.js'

/** One file of an export. */
export interface TranscriptFile {
  /** Relative to wherever the caller puts it. */
  readonly path: string
  readonly text: string
}
/** What goes into an export besides the conversation. */
export interface TranscriptOptions {
  readonly includesThoughts?: boolean
}

export type TranscriptEntry = { readonly eventId: string; readonly at: number } & (
  | { readonly kind: 'user'; readonly from: string; readonly content: readonly UserPart[] }
  | {
      readonly kind: 'assistant'
      /** Absent in what a definition puts before the first turn as an example. */
      readonly turn?: number
      readonly content: readonly AssistantPart[]
      readonly model: string
      readonly usage: Usage
    }
  | {
      readonly kind: 'result'
      readonly callId: CallId
      readonly name: string
      readonly status: CallStatus
      readonly content: readonly (TextPart | ImagePart)[]
      readonly context: string
      readonly summary: string
      readonly durationMs: number
    }
  /** What happened beside the conversation. */
  | { readonly kind: 'note'; readonly text: string }
)
export interface Transcript {
  readonly summary: RunSummary
  readonly model: string
  readonly entries: readonly TranscriptEntry[]
  readonly result?: Result
}

/** Undefined when the events open no run. */
export function transcriptOf(
  events: readonly StoredEvent[],
  { includesThoughts = false }: TranscriptOptions = {},
): Transcript | undefined {
  let summary: RunSummary | undefined
  for (const event of events) summary = summarise(summary, event)
  const queued = events[0]?.event
  if (!summary || queued?.type !== 'run.queued') return undefined
  const ended = events.findLast(({ event }) => event.type === 'run.ended' || event.type === 'run.resumed')?.event
  const entries = inConversationOrder(events)
  return {
    summary: asKnown(summary),
    model: queued.brief.model,
    entries: includesThoughts ? entries : entries.map(withoutThoughts),
    ...(ended?.type === 'run.ended' && { result: ended.result }),
  }
}

/** A run without an end may have a request out that no log counts: its figures are an estimate, and nothing is no cost. */
function asKnown(summary: RunSummary): RunSummary {
  if (summary.status !== 'running') return summary
  const { cost, ...rest } = summary
  return { ...rest, usage: { ...summary.usage, isEstimated: true }, ...(cost && { cost }) }
}

/** An id as part of a file name. */
export const fileName = (id: RunId): string => id.replace(/[^A-Za-z0-9_-]/g, '-')

function entriesOf(envelope: StoredEvent): readonly TranscriptEntry[] {
  const { event, eventId, at } = envelope
  const user = (from: string, text: string): TranscriptEntry[] => [
    { eventId, at, kind: 'user', from, content: [{ type: 'text', text }] },
  ]
  const note = (text: string): TranscriptEntry[] => [{ eventId, at, kind: 'note', text }]
  switch (event.type) {
    case 'run.queued':
      return event.brief.opening.flatMap(message => openingEntry(message, envelope, event.brief.model))
    case 'run.resumed':
      return event.prompt === undefined ? note(`resumed (attempt ${event.attempt})`) : user('caller', event.prompt)
    case 'turn.ended':
      if (event.purpose === 'compact') return []
      return [{ eventId, at, kind: 'assistant', ...pick(event), content: saidContent(event) }]
    case 'turn.failed':
      return note(`turn ${event.turn + 1} failed: ${event.error.message}`)
    case 'tool.ended': {
      const { callId, name, status, content, context, summary, durationMs } = event
      return [{ eventId, at, kind: 'result', callId, name, status, content, context, summary, durationMs }]
    }
    case 'message.received':
      return user(event.from, event.text)
    case 'message.heard':
      return event.verdict === 'refuse' ? note(`a message was refused: ${event.reason ?? ''}`) : []
    case 'hook.ended':
      if (event.point === 'pre-compact') return event.verdict === 'refuse' ? note(`not summed up: ${event.text}`) : []
      return event.text === undefined ? [] : event.verdict === 'refuse' ? note(event.text) : user('hook', event.text)
    case 'approval.resolved':
      return note(`approval ${event.verdict} by ${event.by}${event.reason ? `: ${event.reason}` : ''}`)
    case 'child.started':
      if (event.isResumed) return note(`${event.runId} (${event.agent}) was resumed: attempt ${event.attempt}`)
      return note(`handed to ${event.agent} as ${event.runId}: ${event.description}`)
    case 'child.ended':
      if (event.report !== undefined) return user('child', event.report)
      return note(`${event.runId} ended: ${outcomeWords(event.outcome, event.recoveredFrom)}`)
    case 'grace.started':
      return note(`${event.cause} reached: a last turn for the report is due`)
    case 'context.compacted':
      if (event.outputsBefore !== undefined) return note('old tool output was dropped to save room')
      return note(`the first ${event.replaced} messages were replaced by a summary:\n${event.summary}`)
    case 'evidence.checked':
      return note(event.isVerified ? 'the report is backed' : `the report is not backed: ${event.faults.join('; ')}`)
    case 'question.asked':
      return note(`asked its ${event.to}: ${event.question.text}`)
    case 'budget.reached':
      return note(`the budget is used up: ${event.used} of ${event.granted} ${event.dimension}`)
    case 'stop.requested':
      return note(`stop requested by ${event.by}: ${event.reason}`)
    case 'run.ended':
      return note(endingWords(event.result))
    default:
      return []
  }
}

const endingWords = ({ outcome, recoveredFrom, unknownStop, error, objection }: Result): string =>
  `ended: ${outcomeWords(outcome, recoveredFrom, unknownStop)}${error ? ` (${error.message})` : ''}${objection === undefined ? '' : `. ${disputedWords(objection)}`}`

function pick({ turn, model, usage }: { turn: number; model: string; usage: Usage }) {
  return { turn, model, usage }
}

function openingEntry(message: Message, { eventId, at }: StoredEvent, model: string): readonly TranscriptEntry[] {
  switch (message.role) {
    case 'user':
      return [{ eventId, at, kind: 'user', from: 'caller', content: message.content }]
    case 'assistant':
      return [{ eventId, at, kind: 'assistant', content: message.content, model, usage: noUsage }]
    case 'tool':
      return message.content.map(({ callId, name, content, isError }) => {
        const status = isError ? 'error' : 'ok'
        return { eventId, at, kind: 'result', callId, name, status, content, context: '', summary: '', durationMs: 0 }
      })
  }
}

/** D4: what arrives while calls are open is read after their results; what a request did not contain, after its reply. */
function inConversationOrder(events: readonly StoredEvent[]): readonly TranscriptEntry[] {
  const ordered: Placed[] = []
  const open = new Set<CallId>()
  let waiting: Placed[] = []
  for (const placed of events.flatMap(placedEntries)) {
    const { entry, upto } = placed
    if (entry.kind === 'user' && open.size > 0) {
      waiting.push(placed)
      continue
    }
    if (upto !== undefined) waiting.push(...takeUnread(ordered, upto))
    if (entry.kind === 'assistant') for (const part of entry.content) if (part.type === 'call') open.add(part.id)
    if (entry.kind === 'result') open.delete(entry.callId)
    ordered.push(placed)
    if (open.size === 0) {
      ordered.push(...waiting)
      waiting = []
    }
  }
  return [...ordered, ...waiting].map(({ entry }) => entry)
}

/** Takes out what came while the request was on its way: it stands behind the last reply or result. */
function takeUnread(ordered: Placed[], upto: number): readonly Placed[] {
  const last = ordered.findLastIndex(({ entry }) => entry.kind === 'assistant' || entry.kind === 'result')
  const since = ordered.splice(last + 1)
  const isUnread = ({ entry, seq }: Placed) => entry.kind === 'user' && seq > upto
  ordered.push(...since.filter(placed => !isUnread(placed)))
  return since.filter(isUnread)
}

/** An entry, where its event stands in the log, and for a reply the last event that its request contained. */
interface Placed {
  readonly entry: TranscriptEntry
  readonly seq: number
  readonly upto?: number
}

const placedEntries = (envelope: StoredEvent): readonly Placed[] => {
  const { seq, event } = envelope
  const upto = event.type === 'turn.ended' ? { upto: event.upto } : {}
  return entriesOf(envelope).map(entry => ({ entry, seq, ...upto }))
}

function withoutThoughts(entry: TranscriptEntry): TranscriptEntry {
  if (entry.kind !== 'assistant') return entry
  return { ...entry, content: entry.content.filter(part => part.type !== 'thought') }
}
