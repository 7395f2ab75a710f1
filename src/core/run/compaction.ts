/**
 * When a conversation nears its window, its older part is replaced by a summary the run's own model writes.
 *
 * M1 What stays: the task, what start hooks pinned, the prompt the attempt began with and what was said to it since
 *    (messages within a quarter of the window, newest first), and the newest whole turns within a quarter of the window.
 * M2 It is done only when it frees a fifth of the window, so a conversation that cannot shrink is not summarised over
 *    and over; and at most once between two working turns.
 * M3 A provider that says the window is full asks for it too. When there was no summary in the reply, or it did not
 *    help, old tool output is dropped instead: not that of the newest turns, which nobody may have read yet. Only where
 *    the provider says again that the window is full does that go, too; after that the failure stands.
 * M4 A hook may say no: then nothing is summed up before the next working turn, and only a window that is really full
 *    costs old tool output. The same where the request for a summary failed: the next turn may have more luck.
 */
import { contextTokens, replyTokens, windowOf } from '../brief/context.js'
import { estimateTokens } from '../brief/fork.js'
import type { DurableEvent, EventOf } from '../events.js'
import { type Message, type ResultPart, userMessage } from '../message.js'
import * as notices from '../notices.js'
import { taskMessages } from './first-task.js'
import { isSaid, type RunState } from './run-state.js'

const fullShare = 0.9
const tailShare = 0.25
const saidShare = 0.25
const leastFreedShare = 0.2
/** Shorter output costs less to keep than to explain away. */
const keptOutputTokens = 60

export function wantsSummary(state: RunState): boolean {
  const { stage, isOverflowing } = state.compaction
  if (stage !== 'none') return false
  if (isOverflowing) return compactionPoint(state) > 0
  if (state.brief.contextWindow === undefined) return false
  const isFull = contextTokens(state) + replyTokens(state) > windowOf(state) * fullShare
  return isFull && freedTokens(state, compactionPoint(state)) >= windowOf(state) * leastFreedShare
}

/** The summary failed, or was not enough: the fact that drops old output instead. */
export function dropOutputs(state: RunState): DurableEvent | undefined {
  const { stage, isOverflowing } = state.compaction
  const isDue =
    stage === 'failed' || (stage === 'postponed' && isBeyond(state)) || (isOverflowing && !wantsSummary(state))
  if (!isDue) return undefined
  const drop = (outputsBefore: number): DurableEvent => ({
    type: 'context.compacted',
    replaced: 0,
    summary: '',
    outputsBefore,
  })
  const { messages } = state
  const unread = messages.findLastIndex(({ role }) => role === 'assistant')
  const older = messages.slice(0, Math.min(newestTurns(state), Math.max(0, unread)))
  const isGain = stage !== 'dropped' && older.some(message => withoutOutput(message) !== message)
  if (isGain) return drop(older.length)
  return isOverflowing ? drop(messages.length) : undefined
}

const isBeyond = (state: RunState): boolean =>
  state.brief.contextWindow !== undefined && contextTokens(state) + replyTokens(state) > windowOf(state)

/** How many messages the summary takes the place of; 0: there is nothing to gain. */
export function compactionPoint(state: RunState): number {
  const point = newestTurns(state)
  return freedTokens(state, point) > 0 ? point : 0
}

/** Where the newest whole turns begin that fit into a quarter of the window; the end where not even one does. */
function newestTurns(state: RunState): number {
  const { messages } = state
  const scale = scaleOf(state)
  const room = Math.min(windowOf(state), contextTokens(state)) * tailShare
  let kept = 0
  let point = messages.length
  for (let i = messages.length - 1; i >= 0; i--) {
    kept += estimateTokens(messages[i]) * scale
    if (kept > room) break
    // A result never stands without its call.
    if (messages[i]!.role !== 'tool') point = i
  }
  return point
}

function freedTokens(state: RunState, point: number): number {
  const sizes = (messages: readonly Message[]) => messages.reduce((sum, message) => sum + estimateTokens(message), 0)
  const head = [...headOf(state), ...wordsOf(keptWords(state, point))]
  return (sizes(state.messages.slice(0, point)) - sizes(head)) * scaleOf(state)
}

/** What a summary, asked for now, takes the place of, and what of that stays word for word. */
export function summaryPlan(state: RunState): Pick<EventOf<'context.compacted'>, 'replaced' | 'kept'> {
  const replaced = compactionPoint(state)
  const kept = keptWords(state, replaced)
  return { replaced, ...(kept.length > 0 && { kept }) }
}

/** What was said last and would go with the messages before this one. */
function keptWords(state: RunState, point: number): readonly string[] {
  const { said, pending, attempt } = state
  const isNewer = attempt !== said.attempt && pending.some(isSaid)
  if (isNewer) return []
  const standing = new Set(
    [...headOf(state), ...state.messages.slice(point)].flatMap(({ role, content }) =>
      role === 'user' ? content.map(part => (part.type === 'text' ? part.text : '')) : [],
    ),
  )
  let room = (windowOf(state) * saidShare) / scaleOf(state)
  const kept = said.words.toReversed().filter(({ text, isPrompt }) => {
    if (standing.has(text)) return false
    const isKept = isPrompt || estimateTokens(text) <= room
    if (isKept) room -= estimateTokens(text)
    return isKept
  })
  return kept.map(({ text }) => text).toReversed()
}

const wordsOf = (kept: readonly string[]): readonly Message[] => (kept.length === 0 ? [] : [userMessage(...kept)])

/** The provider's count against our estimate. */
function scaleOf(state: RunState): number {
  const counted = state.messages.slice(0, state.context.messages).reduce((sum, one) => sum + estimateTokens(one), 0)
  return counted > 0 && state.context.tokens > 0 ? state.context.tokens / counted : 1
}

const headOf = (state: RunState): readonly Message[] => [...state.pinned, ...taskMessages(state)]

/** The fold of a hook that heard that a summary is due. */
export function compactionHeard(state: RunState, { verdict, text }: EventOf<'hook.ended'>): void {
  const { isOverflowing } = state.compaction
  if (verdict === 'refuse') state.compaction = { stage: 'blocked', isOverflowing }
  else state.compaction = { stage: 'none', isOverflowing, ...(text !== undefined && { wish: text }) }
}

/** The fold of `context.compacted`. */
export function contextCompacted(state: RunState, event: EventOf<'context.compacted'>): void {
  const tokens = contextTokens({ ...state, pending: [] })
  const before = estimateTokens(state.messages)
  if (event.outputsBefore !== undefined) {
    const isAll = event.outputsBefore >= state.messages.length
    state.messages = state.messages.map((message, i) => (i < event.outputsBefore! ? withoutOutput(message) : message))
    state.compaction = { stage: isAll ? 'emptied' : 'dropped', isOverflowing: false }
  } else {
    const summary = userMessage(notices.compacted(event.summary))
    const head = [...headOf(state), ...wordsOf(event.kept ?? [])]
    state.messages = [...head, summary, ...state.messages.slice(event.replaced)]
    state.compaction = { stage: 'summarised', isOverflowing: false }
    state.openingLength = 0
  }
  state.context = {
    tokens: Math.round((tokens * estimateTokens(state.messages)) / Math.max(1, before)),
    messages: state.messages.length,
  }
}

function withoutOutput(message: Message): Message {
  if (message.role !== 'tool' || !message.content.some(isLong)) return message
  const content = message.content.map((result): ResultPart => {
    if (!isLong(result)) return result
    return { ...result, content: [{ type: 'text', text: notices.outputDropped() }] }
  })
  return { role: 'tool', content }
}

const isLong = ({ content }: ResultPart): boolean => estimateTokens(content) > keptOutputTokens
