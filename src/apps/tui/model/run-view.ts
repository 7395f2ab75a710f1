/**
 * One run as a screen shows it: a fold of its events, passing ones included. A view belongs to whoever folds it:
 * `hearRun` changes it in place.
 */
import { isWork } from '../../../core/brief/completion.js'
import { addUsage, costWithFailure, noUsage, totalTokens } from '../../../core/budget/usage.js'
import type { Envelope, EventOf } from '../../../core/events.js'
import type { CallId, RunId } from '../../../core/message.js'
import { activeMsAt, applyClock, type ClockFold, openClock } from '../../../core/run/run-clock.js'
import { oneLine } from '../../../core/text/text.js'
import type { PermissionLink, Result, Usage } from '../../../core/types.js'
import { LastTurns } from '../../session/last-turns.js'
import { missedToolsWords } from '../../session/run-words.js'
import { type Entry, entriesOf } from './entry.js'

export interface OpenCall {
  readonly name: string
  readonly context: string
  readonly input: unknown
  readonly childId?: RunId
  /** The newest sign of life of the tool. */
  progress?: string
}

export interface RunView {
  readonly runId: RunId
  readonly parentId?: RunId
  /** The caller's call that it answers. */
  readonly callId?: CallId
  readonly agent: string
  /** What it is called here: its agent, with a number from the second run of that on. */
  readonly name: string
  readonly depth: number
  description: string
  nickname?: string
  colour?: string
  model: string
  /** What its calls are judged by: modes along the way from the root. */
  chain: readonly PermissionLink[]
  status: 'queued' | 'working' | 'asking' | 'waiting' | 'grace' | 'ended'
  isBackground: boolean
  attempt: number
  queuedAt: number
  startedAt?: number
  endedAt?: number
  turns: number
  maxTurns?: number
  maxSeconds?: number
  /** Time in which it could work, as the run itself counts it. */
  readonly clock: ClockFold
  toolCalls: number
  usage: Usage
  /** What the last request and its reply held: how full the window is. */
  contextTokens: number
  cost: number | undefined
  position?: number
  /** Grace, retries: shown until the next thing happens. */
  notice?: string
  calls: Map<CallId, OpenCall>
  /** Every call it made, in the order in which its model wished for them. */
  callOrder: CallId[]
  asking: Set<string>
  /** What calls that have not ended are about, from before they began: a denied one never does. */
  wished: Map<CallId, string>
  /** Which calls somebody said no to: who, and why. */
  refusals: Map<CallId, string>
  readonly lastTurns: LastTurns
  entries: Entry[]
  /** What the model is saying right now. */
  draft: string
  isThinking: boolean
  result?: Result
}

export function openRun({ runId, parentId, callId, agent, depth, at }: Envelope, name = agent): RunView {
  return {
    runId,
    ...(parentId && { parentId }),
    ...(callId && { callId }),
    agent,
    name,
    depth,
    description: '',
    model: '',
    chain: [],
    status: 'queued',
    isBackground: false,
    attempt: 1,
    queuedAt: at,
    turns: 0,
    clock: openClock(at),
    toolCalls: 0,
    usage: noUsage,
    contextTokens: 0,
    cost: 0,
    calls: new Map(),
    callOrder: [],
    asking: new Set(),
    wished: new Map(),
    refusals: new Map(),
    lastTurns: new LastTurns(),
    entries: [],
    draft: '',
    isThinking: false,
  }
}

export function hearRun(view: RunView, envelope: Envelope): void {
  view.entries.push(...entriesOf(envelope, view))
  const { event } = envelope
  const hear = listeners[event.type] as Listener<typeof event.type> | undefined
  hear?.(view, event as never, envelope.at)
  applyClock(view.clock, envelope)
  if (view.status !== 'ended') view.status = statusOf(view)
}

function statusOf(view: RunView): RunView['status'] {
  if (view.startedAt === undefined) return 'queued'
  if (view.asking.size > 0) return 'asking'
  if (view.status === 'grace') return 'grace'
  const calls = [...view.calls.values()]
  return calls.length > 0 && calls.every(call => call.childId) ? 'waiting' : 'working'
}

type Event = Envelope['event']
type Listener<T extends Event['type']> = (view: RunView, event: Extract<Event, { type: T }>, at: number) => void

const listeners: { readonly [T in Event['type']]?: Listener<T> } = {
  'run.queued'(view, { brief }) {
    view.description = brief.description
    if (brief.nickname) view.nickname = brief.nickname
    if (brief.color) view.colour = brief.color
    view.model = brief.model
    view.isBackground = brief.isBackground
    view.chain = brief.chain
    if (brief.limits.maxTurns !== undefined) view.maxTurns = brief.limits.maxTurns
    if (brief.limits.timeoutMs !== undefined) view.maxSeconds = Math.round(brief.limits.timeoutMs / 1000)
  },
  'brief.narrowed'(view, { changes }) {
    if (changes.chain) view.chain = changes.chain
  },
  'run.started'(view, _, at) {
    view.startedAt ??= at
    delete view.position
  },
  'run.resumed'(view, { attempt }, at) {
    Object.assign(view, { attempt, status: 'queued', turns: 0, queuedAt: at, draft: '' })
    for (const key of ['result', 'endedAt', 'startedAt', 'notice'] as const) delete view[key]
  },
  'turn.started'(view) {
    view.draft = ''
    view.isThinking = false
    delete view.notice
    delete view.position
  },
  'text.delta'(view, { text }) {
    view.draft += text
    view.isThinking = false
    delete view.notice
  },
  'thought.delta'(view) {
    view.isThinking = true
  },
  'turn.ended'(view, event) {
    view.draft = ''
    view.isThinking = false
    if (event.purpose === 'work') view.turns += 1
    view.callOrder.push(...event.calls.map(call => call.id))
    for (const part of event.message.content) if (part.type === 'call') view.wished.set(part.id, contextOf(part.input))
    view.usage = addUsage(view.usage, event.usage)
    view.contextTokens = totalTokens(event.usage)
    view.cost = view.cost === undefined || event.cost === undefined ? undefined : view.cost + event.cost
    view.model = event.model
  },
  'turn.failed'(view, event) {
    view.draft = ''
    view.notice = oneLine(event.error.message, 100)
    if (event.usage) view.usage = addUsage(view.usage, event.usage)
    view.cost = costWithFailure(view.cost, event)
  },
  'price.missed'(view) {
    view.cost = undefined
  },
  'tool.started'(view, { callId, name, input }) {
    view.calls.set(callId, { name, context: contextOf(input), input })
    delete view.notice
  },
  'tool.progress'(view, { callId, text }) {
    const call = view.calls.get(callId)
    if (call) call.progress = oneLine(text, 100)
  },
  'child.started'(view, { callId, runId, description, isBackground }) {
    if (!isBackground) view.calls.set(callId, { name: 'Task', context: description, input: undefined, childId: runId })
  },
  'tool.ended'(view, event) {
    view.calls.delete(event.callId)
    view.wished.delete(event.callId)
    view.refusals.delete(event.callId)
    if (isWork(event)) view.toolCalls += 1
  },
  'approval.requested'(view, { approvalId }) {
    view.asking.add(approvalId)
  },
  'approval.resolved'(view, event) {
    view.asking.delete(event.approvalId)
    const refusal = refusalWords(event)
    if (refusal) view.refusals.set(event.callId, refusal)
  },
  'slot.waiting'(view, { position }) {
    view.position = position
  },
  'model.warned'(view, { text }) {
    view.notice = oneLine(text, 80)
  },
  'tools.missed'(view, { names }) {
    view.notice = oneLine(missedToolsWords(names), 120)
  },
  'model.retrying'(view, { attempt, waitMs, reason }) {
    view.notice = `asks again in ${Math.ceil(waitMs / 1000)} s (${attempt}): ${oneLine(reason, mostOfReason)}`
  },
  'grace.started'(view, { cause }) {
    view.status = 'grace'
    view.notice = `${cause} reached`
  },
  'run.backgrounded'(view) {
    view.isBackground = true
  },
  'run.ended'(view, { result }, at) {
    Object.assign(view, { status: 'ended', result, endedAt: at, draft: '', isThinking: false })
    view.calls.clear()
    view.asking.clear()
    delete view.notice
    delete view.position
  },
}

/** What can be done about it stands at the end. */
const mostOfReason = 300

/** None where nobody was there to ask: what the call came to says that. */
function refusalWords({ verdict, by, reason }: EventOf<'approval.resolved'>): string | undefined {
  if (verdict === 'expired') return 'denied: nobody answered in time'
  if (verdict !== 'deny' || by === 'runtime') return undefined
  return `denied by ${by === 'user' ? 'the user' : by}${reason ? `: ${reason}` : ''}`
}

/** Of its calls, those that did not run because a rule or a person said no. */
export const deniedCalls = ({ entries }: RunView): number =>
  entries.filter(entry => entry.kind === 'call' && entry.status === 'denied').length

export const activeMs = ({ clock }: RunView, now: number): number => activeMsAt(clock, now)

const telling = ['file_path', 'path', 'command', 'pattern', 'query', 'url', 'description', 'prompt', 'skill', 'name']

/** The part of an input that says what a call is about. */
export function contextOf(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const fields = input as Readonly<Record<string, unknown>>
  const key = telling.find(each => typeof fields[each] === 'string')
  return key ? oneLine(fields[key] as string, 60) : ''
}
