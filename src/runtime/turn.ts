/**
 * One turn: asks the model and turns whatever comes back into events.
 *
 * T1 A failure of the model is `turn.failed`, whatever it did: error value, throw, silence, nonsense.
 * T2 Call ids are unique within a run: a repeated one is renamed before anybody sees it.
 * T3 The watchdog ends a stream that stays silent; it knows nothing of tools, so a long call never wakes it.
 */
import type { CallTraits, DurableEvent, ModelFailure, TurnPurpose } from '../core/events.js'
import type { AssistantPart, CallId, CallPart } from '../core/message.js'
import type { Clock, Model, ModelReply, ModelRequest } from '../core/ports.js'
import { requestMessages, toolChoice } from '../core/run-request.js'
import type { RunState } from '../core/run-state.js'
import type { Declared } from '../core/types.js'
import { noUsage } from '../core/usage.js'
import type { RunLog } from './run-log.js'
import { orAbort } from './steps.js'

export interface TurnPorts {
  readonly model: Model
  readonly clock: Clock
  traitsOf(call: CallPart): CallTraits
}

/** A turn in flight: what the model has said so far can be kept when the turn is cut off. */
export interface TurnInFlight {
  readonly turn: number
  readonly purpose: TurnPurpose
  readonly upto: number
  partial: string
}

export async function takeTurn(
  log: RunLog,
  declared: Declared,
  flight: TurnInFlight,
  ports: TurnPorts,
  signal: AbortSignal,
): Promise<readonly DurableEvent[]> {
  const { state } = log
  const request = buildRequest(state, declared, flight.purpose)
  log.pass({ type: 'turn.started', turn: flight.turn, purpose: flight.purpose })
  const reply = await askWatched(request, log, flight, ports, signal)
  const facts = { turn: flight.turn, purpose: flight.purpose, upto: flight.upto }
  if ('error' in reply) {
    return [
      {
        type: 'turn.failed',
        ...facts,
        error: reply.error,
        partial: reply.partial || flight.partial,
        usage: reply.usage,
        model: request.model,
      },
    ]
  }
  const content = uniqueCalls(reply.content, usedCallIds(state))
  const calls = content.filter((part): part is CallPart => part.type === 'call').map(ports.traitsOf)
  return [
    {
      type: 'turn.ended',
      ...facts,
      message: { role: 'assistant', content },
      calls,
      finish: reply.finish,
      usage: reply.usage ?? { ...noUsage, isEstimated: true },
      model: reply.model || request.model,
      cost: reply.cost,
    },
  ]
}

export function buildRequest(state: RunState, declared: Declared, purpose: TurnPurpose): ModelRequest {
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
    maxOutputTokens: state.brief.maxOutputTokens,
  }
}

async function askWatched(
  request: ModelRequest,
  log: RunLog,
  flight: TurnInFlight,
  { model, clock }: TurnPorts,
  signal: AbortSignal,
): Promise<ModelReply> {
  const stall = new AbortController()
  const done = new AbortController()
  const { stallMs } = log.state.brief.limits
  let heardAt = clock.now()
  const watch = async () => {
    for (;;) {
      const silentMs = clock.now() - heardAt
      if (silentMs >= stallMs) return stall.abort(new DOMException(`no sign of life for ${stallMs} ms`, 'TimeoutError'))
      await clock.sleep(stallMs - silentMs, done.signal)
    }
  }
  watch().catch(() => {})
  const either = AbortSignal.any([signal, stall.signal])
  try {
    const ask = async () =>
      model.ask(
        request,
        delta => {
          heardAt = clock.now()
          if (delta.type === 'text') {
            flight.partial += delta.text
            log.pass({ type: 'text.delta', text: delta.text })
          } else if (delta.type === 'thought') log.pass({ type: 'thought.delta', text: delta.text })
          else if (delta.type === 'retrying')
            log.pass({ type: 'model.retrying', attempt: delta.attempt, waitMs: delta.waitMs, reason: delta.reason })
        },
        either,
      )
    const reply = await orAbort(ask(), either)
    return 'error' in reply || Array.isArray(reply.content)
      ? reply
      : failure('bug', 'the model adapter gave a reply without content', flight)
  } catch (error) {
    if (signal.aborted) throw error
    if (stall.signal.aborted)
      return failure('stalled', `The model sent nothing for ${Math.round(stallMs / 1000)} s.`, flight)
    return failure('bug', `The model adapter threw: ${error instanceof Error ? error.message : String(error)}`, flight)
  } finally {
    done.abort()
  }
}

const failure = (kind: ModelFailure['kind'], message: string, flight: TurnInFlight): ModelReply => ({
  error: { kind, message, isRetryable: kind === 'stalled' },
  partial: flight.partial,
})

function usedCallIds(state: RunState): Set<string> {
  const used = new Set<string>()
  for (const message of state.messages) {
    if (message.role === 'assistant') for (const part of message.content) if (part.type === 'call') used.add(part.id)
  }
  return used
}

function uniqueCalls(content: readonly AssistantPart[], used: Set<string>): readonly AssistantPart[] {
  return content.map(part => {
    if (part.type !== 'call') return part
    let id: string = part.id || 'call'
    for (let i = 2; used.has(id); i++) id = `${part.id || 'call'}_${i}`
    used.add(id)
    return id === part.id ? part : { ...part, id: id as CallId }
  })
}
