/**
 * One turn: asks the model and turns whatever comes back into events.
 *
 * T1 A failure of the model is `turn.failed`, whatever it did: error value, throw, silence, nonsense.
 * T2 Call ids are unique within a run: a repeated one is renamed before anybody sees it.
 * T3 A stream that stays silent is ended by its watchdog.
 * T4 That a model has no price stands in the log while it is asked: a request that is cut off says nothing of its cost.
 */

import { contextTokens, replyTokens } from '../../core/brief/context.js'
import { estimateTokens } from '../../core/brief/fork.js'
import type { TokenPrices } from '../../core/budget/budget.js'
import { guessUsage, knownUsage } from '../../core/budget/known-usage.js'
import { knownAmount } from '../../core/budget/request-cost.js'
import type { CallTraits, DurableEvent, FinishReason, ModelFailure, TurnPurpose } from '../../core/events.js'
import type { AssistantPart, CallId, CallPart } from '../../core/message.js'
import { neutralise } from '../../core/notices.js'
import type { Clock, Model, ModelDelta, ModelReply, ModelRequest } from '../../core/ports.js'
import { summaryPlan } from '../../core/run/compaction.js'
import { requestMessages, toolChoice } from '../../core/run/run-request.js'
import type { RunState } from '../../core/run/run-state.js'
import { calledTool } from '../../core/tools/tool-names.js'
import type { Declared, Usage } from '../../core/types.js'
import type { PurseBook } from '../children/purse.js'
import type { Log } from '../logs/run-log.js'
import { orAbort } from './steps.js'
import type { TurnHold } from './turn-hold.js'
import { unpaidTurn } from './unpaid-turn.js'
import { Watchdog } from './watchdog.js'

export interface TurnPorts {
  readonly model: Model
  readonly clock: Clock
  traitsOf(call: CallPart): CallTraits
  /** Absent when nobody limits what the run spends, or knows prices. */
  readonly purse?: Pick<PurseBook, 'takeTurn' | 'release' | 'tokenPrices' | 'knowsPrices' | 'priceOf'>
}

/** A turn in flight: what the model has said so far can be kept when the turn is cut off. */
export interface TurnInFlight {
  readonly turn: number
  readonly purpose: TurnPurpose
  /** Set when the request is made: everything up to there is in it. */
  upto: number
  partial: string
  /** Characters of thought, which are paid for like text. */
  thought?: number
  /** Once they were found out. */
  prices?: TokenPrices | undefined
  /** Its request is out: cut off from here on it counts, also without a word. */
  isSent?: boolean
  /** What was sent before was refused, and nothing is out until then. */
  waitsUntil?: number
  /** An attempt before was begun to be answered. */
  isPaid?: boolean
  /** From then on, where the request is made: what it has used and cost after so many tokens of text, by estimate. */
  spentAfter?: TurnHold['spentAfter']
}

type SummaryPlan = ReturnType<typeof summaryPlan>
type ModelAnswer = Exclude<ModelReply, { error: unknown }>
type NotingPorts = TurnPorts & { note(events: readonly DurableEvent[]): Promise<void> }

export async function takeTurn(
  log: Log,
  declared: Declared,
  flight: TurnInFlight,
  ports: NotingPorts,
  signal: AbortSignal,
): Promise<readonly DurableEvent[]> {
  const { purse } = ports
  if (!purse || !log.state.brief.purses) return askAndNote(log, declared, flight, undefined, ports, signal)
  const key = turnKey(flight)
  const wish = turnWish(log.state, declared, flight.purpose)
  const hold = await purse.takeTurn(log.state, key, wish, signal)
  if ('reached' in hold) return [await unpaidTurn(log.state, flight, { reached: hold.reached, wish, purse })]
  try {
    if (hold.notices.length > 0) await ports.note(hold.notices)
    return await askAndNote(log, declared, flight, hold, ports, signal)
  } catch (error) {
    purse.release(log.state, key)
    throw error
  }
}

/**
 * T4. The request goes out first. A reply says by itself that its cost is unknown; a failure does not. Where nobody
 * knows prices at all that is not said in advance: a reply may tell what it cost.
 */
async function askAndNote(
  log: Log,
  declared: Declared,
  flight: TurnInFlight,
  hold: TurnHold | undefined,
  ports: NotingPorts,
  signal: AbortSignal,
): Promise<readonly DurableEvent[]> {
  const { state } = log
  const missed: DurableEvent = { type: 'price.missed', model: state.brief.model }
  let isOver = false
  const asking = askModel(log, declared, flight, hold, ports, signal)
  const isUnpriced = state.cost !== undefined && findPrices(flight, state.brief.model, ports)
  const isNoted = (async () => {
    if (!ports.purse?.knowsPrices || !(await isUnpriced) || isOver) return false
    await ports.note([missed])
    return true
  })().catch(() => false)
  const events = await asking
  isOver = true
  const isSilent = events.some(({ type }) => type === 'turn.failed')
  return isSilent && (await isUnpriced) && !(await isNoted) ? [missed, ...events] : events
}

/** True when there are none. */
async function findPrices(flight: TurnInFlight, model: string, { purse }: TurnPorts): Promise<boolean> {
  flight.prices = await purse?.tokenPrices(model).catch(() => undefined)
  return flight.prices === undefined
}

/** Cut off now, it would have to be paid. */
export const isOut = ({ isSent, isPaid, waitsUntil }: TurnInFlight, now: number): boolean =>
  isSent === true && (isPaid === true || waitsUntil === undefined || now >= waitsUntil)

export const turnKey = ({ turn, purpose }: Pick<TurnInFlight, 'turn' | 'purpose'>): string => `turn/${turn}/${purpose}`

async function askModel(
  log: Log,
  declared: Declared,
  flight: TurnInFlight,
  hold: TurnHold | undefined,
  ports: TurnPorts,
  signal: AbortSignal,
): Promise<readonly DurableEvent[]> {
  const { state } = log
  flight.upto = state.seq
  const request = buildRequest(state, declared, flight.purpose, hold?.maxOutputTokens)
  const plan = flight.purpose === 'compact' ? summaryPlan(state) : undefined
  flight.spentAfter = spentAfter(request, flight, hold)
  flight.isSent = true
  log.pass({ type: 'turn.started', turn: flight.turn, purpose: flight.purpose })
  const reply = await askWatched(request, log, flight, ports, signal)
  if ('error' in reply) return [await failedTurn(reply, request, flight, hold, ports)]
  const usage = knownUsage(reply.usage, () => guessUsage(request, estimateTokens(reply.content)))
  const compacted = plan ? summaryEvents(plan, reply) : []
  const content = readCalls(reply, declared, new Set(state.callIds))
  const calls = content.filter((part): part is CallPart => part.type === 'call').map(ports.traitsOf)
  return [
    {
      type: 'turn.ended',
      ...factsOf(flight),
      message: { role: 'assistant', content },
      calls,
      ...stopOf(reply, calls.length > 0),
      usage,
      model: reply.model || request.model,
      cost: knownAmount(reply.cost) ?? (await priceOf(usage, request.model, hold, ports)),
    },
    ...compacted,
  ]
}

/** A host's model may have words of another kind for why it stopped: what they mean nobody knows here. */
function stopOf(
  { finish, unknownStop }: Pick<Whole, 'unknownStop'> & { readonly finish?: unknown },
  hasCalls: boolean,
): Pick<Whole, 'finish' | 'unknownStop'> {
  const known = finishWords.find(word => word === finish)
  const word = typeof finish === 'string' ? finish.slice(0, 60).replace(/[^\w .:/-]/g, '?') : 'no word for it'
  const unknown = unknownStop ?? (known ? undefined : word)
  return { finish: known ?? (hasCalls ? 'calls' : 'other'), ...(unknown !== undefined && { unknownStop: unknown }) }
}
type Whole = Exclude<ModelReply, { error: unknown }>
const finishWords: readonly FinishReason[] = ['stop', 'calls', 'length', 'refusal', 'filter', 'other']

/** What it had used is paid for as well; where nobody says how much, whatever was heard of it tells that it was. */
async function failedTurn(
  { error, partial, usage: said }: Extract<ModelReply, { error: unknown }>,
  request: ModelRequest,
  flight: TurnInFlight,
  hold: TurnHold | undefined,
  ports: TurnPorts,
): Promise<DurableEvent> {
  const text = partial || flight.partial
  const isUsed = said !== undefined || text !== '' || flight.thought !== undefined || error.kind === 'stalled'
  const usage = isUsed ? knownUsage(said, () => flight.spentAfter!(estimateTokens(text)).usage) : undefined
  const cost = usage && (await priceOf(usage, request.model, hold, ports))
  return {
    type: 'turn.failed',
    ...factsOf(flight),
    error,
    partial: text,
    ...(usage && { usage }),
    model: request.model,
    ...(cost !== undefined && { cost }),
  }
}

function spentAfter(request: ModelRequest, flight: TurnInFlight, hold: TurnHold | undefined): TurnHold['spentAfter'] {
  return text => {
    const output = text + Math.ceil((flight.thought ?? 0) / 4)
    const held = hold?.spentAfter(output)
    const usage = held?.usage ?? guessUsage(request, output)
    const { prices } = flight
    const cost = held?.cost ?? (prices && usage.input * prices.inputToken + usage.output * prices.outputToken)
    return { usage, ...(cost !== undefined && { cost }) }
  }
}

const factsOf = ({ turn, purpose, upto }: TurnInFlight) => ({ turn, purpose, upto })

/** A price that cannot be had leaves the cost unknown. */
async function priceOf(
  usage: Usage,
  model: string,
  hold: TurnHold | undefined,
  { purse }: Pick<TurnPorts, 'purse'>,
): Promise<number | undefined> {
  return (await purse?.priceOf(model, usage).catch(() => undefined)) ?? hold?.spentAfter(usage.output).cost
}

/** A reply that was refused or broken off, that wants to work on or says nothing is no summary: it would be all that is left. */
function summaryEvents(plan: SummaryPlan, { finish, content }: ModelAnswer): readonly DurableEvent[] {
  if (finish !== 'stop' || content.some(part => part.type === 'call')) return []
  const summary = content.map(part => (part.type === 'text' ? part.text : '')).join('')
  return summary.trim() === '' ? [] : [{ type: 'context.compacted', ...plan, summary: neutralise(summary) }]
}

/** What the request will hold, by estimate: the provider counts after it was sent. */
function turnWish(state: RunState, declared: Declared, purpose: TurnPurpose) {
  const isFirst = state.context.tokens === 0
  return {
    purpose,
    inputTokens: contextTokens(state) + (isFirst ? estimateTokens(declared) : 0),
    maxOutputTokens: replyTokens(state),
  }
}

export function buildRequest(
  state: RunState,
  declared: Declared,
  purpose: TurnPurpose,
  maxOutputTokens = state.brief.maxOutputTokens,
): ModelRequest {
  return {
    runId: state.runId,
    rootId: state.rootId,
    agent: state.agent,
    purpose,
    model: state.brief.model,
    declared,
    messages: requestMessages(state, purpose).messages,
    toolChoice: toolChoice(state, purpose),
    sampling: state.brief.sampling,
    maxOutputTokens,
  }
}

async function askWatched(
  request: ModelRequest,
  log: Log,
  flight: TurnInFlight,
  { model, clock }: TurnPorts,
  signal: AbortSignal,
): Promise<ModelReply> {
  const watchdog = new Watchdog(clock, log.state.brief.limits.stallMs, signal)
  const hear = (delta: ModelDelta) => {
    watchdog.heard()
    if (delta.type === 'text') {
      flight.partial += delta.text
      log.pass({ type: 'text.delta', text: delta.text })
    } else if (delta.type === 'thought') {
      flight.thought = (flight.thought ?? 0) + delta.text.length
      log.pass({ type: 'thought.delta', text: delta.text })
    } else if (delta.type === 'warning') log.pass({ type: 'model.warned', text: delta.text })
    else if (delta.type === 'retrying') {
      const isPaid = flight.partial !== '' || flight.thought !== undefined || delta.usage !== undefined
      if (!isPaid && !flight.isPaid) flight.waitsUntil = clock.now() + delta.waitMs
      else flight.isPaid = true
      // What was shown of a broken attempt does not count: the answer begins anew.
      flight.partial = ''
      log.pass({ type: 'model.retrying', attempt: delta.attempt, waitMs: delta.waitMs, reason: delta.reason })
    }
  }
  try {
    // The extra function turns a synchronous throw into a rejection.
    const reply = await orAbort((async () => model.ask(request, hear, watchdog.signal))(), watchdog.signal)
    // A host's model may give anything back.
    if (isReply(reply)) return reply
    return failure('bug', 'the model adapter gave a reply without content', flight)
  } catch (error) {
    if (signal.aborted) throw error
    if (watchdog.hasBitten)
      return failure('stalled', `The model sent nothing for ${Math.round(watchdog.ms / 1000)} s.`, flight)
    return failure('bug', `The model adapter threw: ${error instanceof Error ? error.message : String(error)}`, flight)
  } finally {
    watchdog.close()
  }
}

const isReply = (reply: ModelReply | undefined | null): reply is ModelReply =>
  typeof reply === 'object' && reply !== null && ('error' in reply || Array.isArray(reply.content))

const failure = (kind: ModelFailure['kind'], message: string, flight: TurnInFlight): ModelReply => ({
  error: { kind, message, isRetryable: kind === 'stalled' },
  partial: flight.partial,
})

/**
 * Each with an id of its own, and with the name that rules, hooks and the log know its tool by. A call that a cut reply ends
 * with and that has no arguments has none yet: it is not run without them.
 */
function readCalls({ content, finish }: ModelAnswer, { tools }: Declared, used: Set<string>): readonly AssistantPart[] {
  return content.map((part, at) => {
    if (part.type !== 'call') return part
    let id: string = part.id || 'call'
    for (let i = 2; used.has(id); i++) id = `${part.id || 'call'}_${i}`
    used.add(id)
    const name = calledTool(part.name, tools)
    const isUnfinished = finish === 'length' && at === content.length - 1 && hasNoArguments(part)
    const read = id === part.id && name === part.name ? part : { ...part, id: id as CallId, name }
    return isUnfinished ? { ...read, invalidInput: '' } : read
  })
}

const hasNoArguments = ({ input, invalidInput }: CallPart): boolean =>
  invalidInput === undefined && Object.keys(input ?? {}).length === 0
