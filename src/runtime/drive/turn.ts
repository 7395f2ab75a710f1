/**
 * One turn: asks the model and turns whatever comes back into events.
 *
 * T1 A failure of the model is `turn.failed`, whatever it did: error value, throw, silence, nonsense.
 * T2 Call ids are unique within a run: a repeated one is renamed before anybody sees it.
 * T3 A stream that stays silent is ended by its watchdog.
 * T4 That a model has no price stands in the log while it is asked: a request that is cut off says nothing of its cost.
 * T5 That nothing is out yet because others hold what is left of a budget stands in the log as long as it is so.
 * T6 So does that nothing is out while a turn waits to ask again (retry-wait.ts).
 */

import { contextTokens, replyTokens } from '../../core/brief/context.js'
import { estimateTokens } from '../../core/brief/fork.js'
import type { TokenPrices } from '../../core/budget/budget.js'
import { guessUsage, knownUsage } from '../../core/budget/known-usage.js'
import { knownAmount } from '../../core/budget/request-cost.js'
import { noUsage } from '../../core/budget/usage.js'
import type { CallTraits, DurableEvent, ModelFailure, TurnPurpose } from '../../core/events.js'
import type { CallPart } from '../../core/message.js'
import type { Clock, Model, ModelDelta, ModelReply, ModelRequest } from '../../core/ports.js'
import { summaryPlan } from '../../core/run/compaction.js'
import { purseCause } from '../../core/run/run-clock.js'
import { requestMessages, toolChoice } from '../../core/run/run-request.js'
import type { RunState } from '../../core/run/run-state.js'
import { messageOf, stackOf } from '../../core/thrown.js'
import type { Declared, Usage } from '../../core/types.js'
import type { PurseBook } from '../children/purse.js'
import type { Log } from '../logs/run-log.js'
import type { Note } from './drive-ports.js'
import { isReply, type ModelAnswer, readCalls, stopOf, summaryEvents } from './model-answer.js'
import { RetryWait, waitingEvent } from './retry-wait.js'
import { orAbort } from './steps.js'
import type { Spent, TurnHold } from './turn-hold.js'
import type { TurnInFlight } from './turn-in-flight.js'
import { unpaidTurn } from './unpaid-turn.js'
import { Watchdog } from './watchdog.js'

export interface TurnPorts {
  readonly model: Model
  readonly clock: Clock
  traitsOf(call: CallPart): CallTraits
  /** Absent when nobody limits what the run spends, or knows prices. */
  readonly purse?: Pick<PurseBook, 'takeTurn' | 'release' | 'tokenPrices' | 'knowsPrices' | 'priceOf'>
}

/** The turn that is to be taken, and what it is taken with. */
export interface TurnInHand {
  readonly log: Log
  readonly declared: Declared
  /** Told of everything, so that whoever cuts the turn off knows how far it had come. */
  readonly flight: TurnInFlight
  /** Stores facts in the middle of the turn; resolves when they are stored. */
  readonly note: Note
  readonly signal: AbortSignal
}

/** With what was taken for its request; undefined where nothing limits the run. */
interface HeldTurn extends TurnInHand {
  readonly hold: TurnHold | undefined
}

export async function takeTurn(hand: TurnInHand, ports: TurnPorts): Promise<readonly DurableEvent[]> {
  const { purse } = ports
  const { log, declared, flight, note, signal } = hand
  if (!purse || !log.state.brief.purses) return askAndNote({ ...hand, hold: undefined }, ports)
  const wish = turnWish(log.state, declared, flight.purpose)
  const hold = await purse.takeTurn(log.state, flight.key, wish, signal, () => note([waits]))
  const goesOn: readonly DurableEvent[] = log.state.clockCauses.has(purseCause) ? [waitsNoMore] : []
  if ('reached' in hold)
    return [...goesOn, await unpaidTurn(log.state, flight.facts, { reached: hold.reached, wish, purse })]
  try {
    const notices = [...goesOn, ...hold.notices]
    if (notices.length > 0) await note(notices)
    return await askAndNote({ ...hand, hold }, ports)
  } catch (error) {
    purse.release(log.state, flight.key)
    throw error
  }
}

/** T5. */
const waits: DurableEvent = { type: 'clock.stopped', cause: purseCause }
const waitsNoMore: DurableEvent = { type: 'clock.started', cause: purseCause }

/** What the request will hold, by estimate: the provider counts after it was sent. */
export function turnWish(state: RunState, declared: Declared, purpose: TurnPurpose) {
  const isFirst = state.context.tokens === 0
  const held = contextTokens(state) + (isFirst ? estimateTokens(declared) : 0)
  return {
    purpose,
    inputTokens: state.brief.usesNoTokens ? 0 : held,
    maxOutputTokens: replyTokens(state),
  }
}

/**
 * T4. The request goes out first. A reply says by itself that its cost is unknown; a failure does not. Where nobody
 * knows prices at all that is not said in advance: a reply may tell what it cost.
 */
async function askAndNote(held: HeldTurn, ports: TurnPorts): Promise<readonly DurableEvent[]> {
  const { log, flight, note } = held
  const { model } = log.state.brief
  const missed: DurableEvent = { type: 'price.missed', model }
  let isOver = false
  const asking = askModel(held, ports)
  const isUnpriced = log.state.cost !== undefined && findPrices(flight, model, ports)
  const isNoted = (async () => {
    if (!ports.purse?.knowsPrices || !(await isUnpriced) || isOver) return false
    await note([missed])
    return true
  })().catch(() => false)
  const events = await asking
  isOver = true
  const isSilent = events.some(({ type }) => type === 'turn.failed')
  return isSilent && (await isUnpriced) && !(await isNoted) ? [missed, ...events] : events
}

/** True when there are none. */
async function findPrices(flight: TurnInFlight, model: string, { purse }: Pick<TurnPorts, 'purse'>): Promise<boolean> {
  flight.prices = await purse?.tokenPrices(model).catch(() => undefined)
  return flight.prices === undefined
}

async function askModel(held: HeldTurn, ports: TurnPorts): Promise<readonly DurableEvent[]> {
  const { log, declared, flight, hold } = held
  const { state } = log
  const { purpose } = flight
  const request = buildRequest(state, declared, purpose, hold?.maxOutputTokens)
  const plan = purpose === 'compact' ? summaryPlan(state) : undefined
  const wait = new RetryWait(flight.facts, held.note)
  // Of a turn before that was cut off in this process.
  if (state.waiting) await held.note([waitingEvent(state.waiting, true)])
  const spent = state.brief.usesNoTokens ? spentNothing : spentBy
  flight.send(state.seq, (output, prices) => spent(request, output, hold, prices))
  log.pass({ type: 'turn.started', turn: flight.facts.turn, purpose })
  const reply = await askWatched(request, held, wait, ports)
  if ('error' in reply) return [await failedTurn(reply, request.model, held, ports)]
  const ended = await endedTurn(reply, request, held, ports)
  return plan ? [ended, ...summaryEvents(plan, reply)] : [ended]
}

function buildRequest(
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
    messages: requestMessages(state, purpose),
    toolChoice: toolChoice(state, purpose),
    sampling: state.brief.sampling,
    maxOutputTokens,
  }
}

/** What that costs need not be nothing: somebody may have a price for each request. */
const spentNothing: typeof spentBy = (request, _, hold, prices) => {
  const { cost } = spentBy(request, 0, hold, prices)
  return { usage: noUsage, ...(cost !== undefined && { cost }) }
}

function spentBy(
  request: ModelRequest,
  output: number,
  hold: TurnHold | undefined,
  prices: TokenPrices | undefined,
): Spent {
  const held = hold?.spentAfter(output)
  const usage = held?.usage ?? guessUsage(request, output)
  const cost = held?.cost ?? (prices && usage.input * prices.inputToken + usage.output * prices.outputToken)
  return { usage, ...(cost !== undefined && { cost }) }
}

async function askWatched(
  request: ModelRequest,
  { log, flight, signal }: Pick<TurnInHand, 'log' | 'flight' | 'signal'>,
  wait: RetryWait,
  { model, clock }: Pick<TurnPorts, 'model' | 'clock'>,
): Promise<ModelReply> {
  const watchdog = new Watchdog(clock, log.state.brief.limits.stallMs, signal)
  const hear = (delta: ModelDelta): undefined | Promise<void> => {
    watchdog.heard()
    if (wait.isOn && delta.type !== 'retrying') {
      flight.sendAgain()
      const isTold = wait.end()
      // Somebody between may lose what this gives back; and whatever else is heard was asked for.
      isTold.catch(() => {})
      if (delta.type === 'sending') return isTold
    }
    if (delta.type === 'sending') flight.sendAgain()
    else if (delta.type === 'held') flight.askAgain({ at: Number.POSITIVE_INFINITY, isUsed: false })
    else if (delta.type === 'text') {
      flight.say({ text: delta.text, isAnew: false })
      log.pass({ type: 'text.delta', text: delta.text })
    } else if (delta.type === 'thought') {
      flight.think(delta.text)
      log.pass({ type: 'thought.delta', text: delta.text })
    } else if (delta.type === 'warning') log.pass({ type: 'model.warned', text: delta.text })
    else if (delta.type === 'retrying') {
      const at = delta.isAnnounced ? Number.POSITIVE_INFINITY : clock.now() + delta.waitMs
      flight.askAgain({ at, isUsed: delta.usage !== undefined })
      if (delta.isAnnounced && !flight.isOut(clock.now())) wait.begin()
      log.pass({ type: 'model.retrying', attempt: delta.attempt, waitMs: delta.waitMs, reason: delta.reason })
    }
    return undefined
  }
  const failed = (kind: ModelFailure['kind'], message: string, stack?: string): ModelReply => ({
    error: { kind, message, isRetryable: kind === 'stalled', ...(stack && { stack }) },
    partial: flight.partial,
  })
  try {
    // The extra function turns a synchronous throw into a rejection.
    const reply = await orAbort((async () => model.ask(request, hear, watchdog.signal))(), watchdog.signal)
    return isReply(reply) ? reply : failed('bug', 'the model adapter gave a reply without content')
  } catch (error) {
    if (signal.aborted) throw error
    if (watchdog.hasBitten) return failed('stalled', `The model sent nothing for ${Math.round(watchdog.ms / 1000)} s.`)
    return failed('bug', `The model adapter threw: ${messageOf(error)}`, stackOf(error))
  } finally {
    watchdog.close()
  }
}

async function endedTurn(
  reply: ModelAnswer,
  request: ModelRequest,
  { log, flight, hold }: Pick<HeldTurn, 'log' | 'flight' | 'hold'>,
  { traitsOf, purse }: Pick<TurnPorts, 'traitsOf' | 'purse'>,
): Promise<DurableEvent> {
  const usage = knownUsage(reply.usage, () => guessUsage(request, estimateTokens(reply.content)))
  const content = readCalls(reply, request.declared, new Set(log.state.callIds))
  const calls = content.filter((part): part is CallPart => part.type === 'call').map(traitsOf)
  return {
    type: 'turn.ended',
    ...flight.facts,
    message: { role: 'assistant', content },
    calls,
    ...stopOf(reply, calls.length > 0),
    usage,
    model: reply.model || request.model,
    cost: knownAmount(reply.cost) ?? (await priceOf(usage, request.model, hold, purse)),
  }
}

/** What it had used is paid for as well; where nobody says how much, whatever was heard of it tells that it was. */
async function failedTurn(
  { error, partial, usage: said }: Extract<ModelReply, { error: unknown }>,
  model: string,
  { flight, hold }: Pick<HeldTurn, 'flight' | 'hold'>,
  { purse }: Pick<TurnPorts, 'purse'>,
): Promise<DurableEvent> {
  const text = partial || flight.partial
  const isUsed = said !== undefined || text !== '' || flight.isAnswered || error.kind === 'stalled'
  const usage = isUsed ? knownUsage(said, () => flight.spentAfter(text)!.usage) : undefined
  const cost = usage && (await priceOf(usage, model, hold, purse))
  return {
    type: 'turn.failed',
    ...flight.facts,
    error,
    partial: text,
    ...(usage && { usage }),
    model,
    ...(cost !== undefined && { cost }),
  }
}

/** A price that cannot be had leaves the cost unknown. */
async function priceOf(
  usage: Usage,
  model: string,
  hold: TurnHold | undefined,
  purse: TurnPorts['purse'],
): Promise<number | undefined> {
  return (await purse?.priceOf(model, usage).catch(() => undefined)) ?? hold?.spentAfter(usage.output).cost
}
