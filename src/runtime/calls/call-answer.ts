/** What a call in hand becomes in the log: its answer, the child it starts, or the question it asks. */
import type { DurableEvent } from '../../core/events.js'
import type { ImagePart, TextPart } from '../../core/message.js'
import type { Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import type { CallState, ToolEnded } from '../../core/run/run-state.js'
import { firstText, oneLine } from '../../core/text/text.js'
import type { RunLog } from '../logs/run-log.js'
import { readContent } from './output.js'

export interface CallInHand {
  readonly log: Pick<RunLog, 'state' | 'pass'>
  readonly call: CallState
  readonly context: ToolContext
  /** What hooks said for people so far. */
  readonly notes: string[]
  /** Stores facts in the middle of the call; resolves when they are stored. */
  note(events: readonly DurableEvent[]): Promise<void>
}
interface ToolsByName {
  readonly tools: ReadonlyMap<string, Tool>
}

export function ended(
  hand: CallInHand,
  status: ToolEnded['status'],
  content: string | ToolEnded['content'],
  facts: Partial<ToolEnded>,
): ToolEnded {
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return {
    type: 'tool.ended',
    callId: hand.call.part.id,
    name: hand.call.part.name,
    status,
    content: parts,
    context: '',
    summary: status === 'ok' ? '' : oneLine(parts[0]?.type === 'text' ? parts[0].text : status, 50),
    durationMs: 0,
    ...facts,
  }
}

export function shortContext({ call }: CallInHand, { tools }: ToolsByName, input: unknown): string {
  try {
    return oneLine(tools.get(call.part.name)?.context?.(input) ?? firstText(input), 60)
  } catch {
    return ''
  }
}

export function summaryOf(content: readonly (TextPart | ImagePart)[]): string {
  const text = content.find(part => part.type === 'text')?.text ?? ''
  const lines = text.trim() === '' ? 0 : text.trim().split('\n', 1000).length
  return lines > 1 ? `${lines}${lines === 1000 ? '+' : ''} lines` : oneLine(text, 50)
}

export function childEvents(
  hand: CallInHand,
  output: ToolOutput,
  child: NonNullable<ToolOutput['child']>,
  ports: ToolsByName,
): readonly DurableEvent[] {
  const { part } = hand.call
  const started: DurableEvent = { type: 'child.started', callId: part.id, ...child }
  if (!child.isBackground) return [started]
  const context = shortContext(hand, ports, part.input)
  return [started, ended(hand, 'ok', readContent(output.content), { context, summary: 'in the background' })]
}

/** A caller that is asked has to be free to answer, so a question to it moves this run to the background. */
export function questionEvents(
  { call, log, context }: CallInHand,
  { question, to, deadlineMs }: NonNullable<ToolOutput['question']>,
): readonly DurableEvent[] {
  const { runId, brief } = log.state
  const asked: DurableEvent = {
    type: 'question.asked',
    questionId: `${runId}/${call.part.id}`,
    callId: call.part.id,
    to,
    question,
    path: brief.path,
    ...(deadlineMs !== undefined && { expiresAt: context.clock.now() + deadlineMs }),
  }
  return to === 'caller' && !brief.isBackground ? [asked, { type: 'run.backgrounded' }] : [asked]
}
