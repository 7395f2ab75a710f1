/**
 * apply(state, event) → state: the one fold. Pure but for the state it owns and changes in place.
 *
 * D1 every effect's result is applied when it arrives.  D3 a claim turns calls that were running into `open` (read,
 * delegate: done again) or `lost` (anything else).  D4 messages a request did not contain wait for the next; results
 * enter the conversation in call order, all together.  D6 time never goes back, and stands still for the causes named
 * (`run-clock.ts`).
 */

import { withChanges } from '../brief/amend.js'
import { noUsage } from '../budget/usage.js'
import type { DurableEvent, Envelope, EventOf, StoredEvent } from '../events.js'
import { type Message, userMessage } from '../message.js'
import * as notices from '../notices.js'
import { compactionHeard, contextCompacted } from './compaction.js'
import { taskAskedAgain, taskHeard, taskReworded } from './first-task.js'
import {
  approvalRequested,
  approvalResolved,
  childEnded,
  childStarted,
  loseRunning,
  toolEnded,
  toolStarted,
} from './run-calls.js'
import { passTime, queueCauses } from './run-clock.js'
import { messageHeard, messageHeld, messageReceived } from './run-messages.js'
import { questionAnswered, questionAsked } from './run-questions.js'
import { type AttemptState, isSaid, type RunState } from './run-state.js'
import { turnEnded, turnFailed } from './run-turns.js'

export function fold(events: Iterable<StoredEvent>): RunState | undefined {
  let state: RunState | undefined
  for (const envelope of events) state = apply(state, envelope)
  return state
}

export function apply(before: RunState | undefined, envelope: StoredEvent): RunState {
  const { event } = envelope
  if (!before) {
    if (event.type !== 'run.queued') throw new Error(`a log begins with run.queued, not ${event.type}`)
    return open(envelope, event)
  }
  const state = before
  passTime(state, event, envelope.at)
  state.seq = envelope.seq
  const change = changes[event.type] as ((state: RunState, event: DurableEvent) => void) | undefined
  change?.(state, event)
  return state
}

/**
 * The state as a reply without calls would leave it, for whoever has to know before it is stored. The one that is given
 * stays as it is: what such a reply changes in place is copied.
 */
export function afterReply(state: RunState, reply: Envelope<EventOf<'turn.ended'>>): RunState {
  const letters = new Map([...state.letters].map(([id, letter]) => [id, { ...letter }]))
  return apply({ ...state, messages: [...state.messages], models: [...state.models], letters }, reply)
}

function open(envelope: StoredEvent, event: EventOf<'run.queued'>): RunState {
  return {
    runId: envelope.runId,
    rootId: envelope.rootId,
    parentId: envelope.parentId,
    callId: envelope.callId,
    depth: envelope.depth,
    agent: envelope.agent,
    brief: event.brief,
    seq: envelope.seq,
    at: envelope.at,
    ...newAttempt(1, envelope.at),
    messages: [...event.brief.opening],
    task: 'unheard',
    context: { tokens: 0, messages: 0 },
    openingLength: event.brief.opening.length,
    pinned: [],
    said: { attempt: 1, words: [] },
    pending: [],
    turn: 0,
    order: [],
    calls: new Map(),
    children: new Map(),
    seen: new Set(),
    letters: new Map(),
    held: [],
    callIds: callIdsIn(event.brief.opening),
    totalTurns: 0,
    toolCalls: 0,
    usage: noUsage,
    cost: 0,
    spentUsd: 0,
    startedCalls: 0,
    budgetMarks: new Map(),
    models: [],
    toolLog: [],
    filesChanged: new Set(),
    versions: new Map(),
    leftRunning: new Map(),
  }
}

/** Names every fact of an attempt, so that none is left over from the one before. */
const newAttempt = (attempt: number, at: number): { [K in keyof Required<AttemptState>]: AttemptState[K] } => ({
  attempt,
  wantedBy: undefined,
  claims: 0,
  queuedAt: at,
  startedAt: undefined,
  activeMs: 0,
  clockCauses: new Set(),
  compaction: { stage: 'none', isOverflowing: false },
  waiting: undefined,
  workTurns: 0,
  last: undefined,
  cutText: '',
  cuts: 0,
  partial: '',
  lastText: '',
  isReminded: false,
  streak: { call: '', content: [], times: 0 },
  completion: undefined,
  digest: undefined,
  refusalText: undefined,
  failure: undefined,
  failedTool: undefined,
  hasExpiredApproval: false,
  stop: undefined,
  grace: undefined,
  startHook: undefined,
  stopHook: { returns: 0, isDone: false },
  result: undefined,
  madeCalls: 0,
  evidence: { calls: 0, files: new Set(), commands: new Set() },
  budgetReached: undefined,
  verification: undefined,
})

/** One entry an event type; a type that is not here changes nothing but sequence and time (E6). */
const changes: { readonly [T in DurableEvent['type']]: (state: RunState, event: EventOf<T>) => void } = {
  'run.queued': () => {},
  'run.claimed': claimed,
  'run.started': state => {
    state.startedAt = state.at
  },
  'run.resumed': resumed,
  'brief.narrowed': (state, { changes }) => {
    state.brief = withChanges(state.brief, changes)
  },
  'run.barred': (state, { message, rule }) => {
    state.failure ??= { message, rule }
  },
  'turn.ended': turnEnded,
  'turn.failed': turnFailed,
  'turn.waiting': (state, { turn, purpose, isOver }) => {
    state.waiting = isOver ? undefined : { turn, purpose }
  },
  'tool.started': toolStarted,
  'tool.ended': toolEnded,
  'approval.requested': approvalRequested,
  'approval.resolved': approvalResolved,
  'child.started': childStarted,
  'child.ended': childEnded,
  'message.received': messageReceived,
  'message.held': messageHeld,
  'message.heard': messageHeard,
  'question.asked': questionAsked,
  'question.answered': questionAnswered,
  'budget.reached': (state, event) => {
    state.budgetReached = event
  },
  'budget.noticed': (state, event) => {
    state.budgetMarks.set(event.dimension, event.percent)
    state.pending.push({ seq: state.seq, text: notices.budgetMark(event) })
  },
  'evidence.checked': (state, { isVerified, faults }) => {
    state.verification = { isVerified, faults }
  },
  'hook.ended': hookEnded,
  'stop.requested': (state, event) => {
    if (event.itemId) state.seen.add(event.itemId)
    state.stop ??= { reason: event.reason, by: event.by }
  },
  'clock.stopped': (state, event) => {
    state.clockCauses.add(event.cause)
  },
  'clock.started': (state, event) => {
    state.clockCauses.delete(event.cause)
  },
  'clock.skipped': () => {},
  'grace.started': (state, event) => {
    state.grace = { cause: event.cause, startedActiveMs: state.activeMs, isEnded: false, isSaved: false }
  },
  'grace.ended': (state, event) => {
    if (state.grace) state.grace = { ...state.grace, isEnded: true, isSaved: event.isSaved }
  },
  'run.backgrounded': (state, event) => {
    if (event.itemId) state.seen.add(event.itemId)
    state.brief = { ...state.brief, isBackground: true }
  },
  'context.compacted': contextCompacted,
  'price.missed': state => {
    state.cost = undefined
  },
  'process.died': (state, { message, rule, printed, tool }) => {
    state.failure = { message, rule, ...(printed && { stack: printed }) }
    state.failedTool = tool
  },
  'run.ended': (state, event) => {
    state.result = event.result
  },
}

function claimed(state: RunState, { owner }: EventOf<'run.claimed'>): void {
  state.claims += 1
  if (state.owner !== owner) loseRunning(state)
  state.owner = owner
  state.waiting = undefined
  for (const cause of queueCauses) state.clockCauses.delete(cause)
  for (const call of state.calls.values()) {
    if (call.phase !== 'started') continue
    const { effect } = call.traits
    call.phase = effect === 'read' || effect === 'delegate' ? 'open' : 'lost'
  }
}

function resumed(state: RunState, event: EventOf<'run.resumed'>): void {
  // What a last turn saved did not complete by itself: there is something to go on with.
  const outcome = state.result?.recoveredFrom ?? state.result?.outcome ?? 'interrupted'
  if (event.brief) state.brief = event.brief
  Object.assign(state, newAttempt(event.attempt, state.at), { wantedBy: event.wantedBy })
  // A root may be spoken to again: what it left running goes on with its process.
  if (state.depth > 0) loseRunning(state)
  // A provider needs something to answer: a reply of its own cannot stand last.
  const text =
    event.prompt ??
    (event.isWoken ? undefined : taskAskedAgain(state)) ??
    (state.messages.at(-1)?.role === 'assistant' && !event.isWoken ? notices.resumed(outcome) : undefined)
  const isFiller = event.prompt === undefined && outcome === 'completed'
  const isPrompt = event.prompt !== undefined || text === taskAskedAgain(state)
  if (text !== undefined)
    state.pending.push({ seq: state.seq, text, ...(isFiller && { isFiller }), ...(isPrompt && { isPrompt }) })
}

function callIdsIn(messages: readonly Message[]): Set<string> {
  const ids = new Set<string>()
  for (const message of messages)
    if (message.role === 'assistant') for (const part of message.content) if (part.type === 'call') ids.add(part.id)
  return ids
}

function hookEnded(state: RunState, event: EventOf<'hook.ended'>): void {
  if (event.point === 'start') startHookEnded(state, event)
  else if (event.point === 'pre-compact') compactionHeard(state, event)
  else stopHookEnded(state, event)
}

function stopHookEnded(state: RunState, event: EventOf<'hook.ended'>): void {
  state.stopHook.isDone = true
  if (event.verdict !== 'send-back') {
    if (event.text !== undefined) state.stopHook.objection = event.text
    return
  }
  const report = state.completion ?? (state.last ? { text: state.last.text } : undefined)
  state.stopHook = { returns: state.stopHook.returns + 1, isDone: false, report: state.stopHook.report ?? report }
  state.completion = undefined
  state.digest = undefined
  state.isReminded = false
  state.pending.push({ seq: state.seq, text: notices.sentBack(event.text ?? '') })
}

function askOtherwise(state: RunState, text: string): void {
  const rest = state.pending.filter(pending => !isSaid(pending))
  state.pending = [...rest, { seq: state.seq, text, isPrompt: true }]
}

function startHookEnded(state: RunState, event: EventOf<'hook.ended'>): void {
  state.startHook = { verdict: event.verdict === 'refuse' ? 'refuse' : 'go', text: event.text }
  if (event.brief && state.attempt > 1) taskReworded(state, event.brief)
  if (event.brief) state.brief = event.brief
  taskHeard(state, event.verdict === 'refuse')
  if (state.attempt > 1) {
    // What was refused is not asked again by the next attempt; reports of children are facts and stay.
    if (event.verdict === 'refuse') state.pending = state.pending.filter(pending => pending.childId !== undefined)
    else {
      if (event.prompt !== undefined) askOtherwise(state, event.prompt)
      if (event.text) state.pending.push({ seq: state.seq, text: notices.hookContext(event.text) })
    }
    return
  }
  if (event.brief) state.messages = [...event.brief.opening]
  if (event.verdict !== 'go' || !event.text) return
  const context = userMessage(notices.hookContext(event.text))
  state.messages.splice(-1, 0, context)
  state.pinned.push(context)
}
