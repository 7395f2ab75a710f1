/**
 * A model that plays a script and remembers what it was asked. Scripts are named by agent; every run of that agent
 * plays its script from the start. It fails loudly on a request beyond the script and, in `assertDone`, on steps
 * nobody asked for.
 */
import type { FinishReason, ModelFailure } from '../core/events.js'
import type { AssistantPart, CallId, Json } from '../core/message.js'
import type { Model, ModelDelta, ModelReply, ModelRequest } from '../core/ports.js'
import type { Usage } from '../core/types.js'

/** A call in a scripted reply. */
export interface ScriptedCall {
  readonly id?: string
  readonly name: string
  readonly input?: unknown
  /** Arguments that are no JSON. */
  readonly invalidInput?: string
}
/** What is said, called and spent in one turn; or how it fails. */
export interface ScriptedReply {
  readonly thought?: string
  readonly text?: string
  readonly calls?: readonly ScriptedCall[]
  readonly finish?: FinishReason
  readonly unknownStop?: string
  /** A failure reports it as well, where it is given. */
  readonly usage?: Partial<Usage>
  readonly cost?: number
  readonly model?: string
  /** Fails like this instead; `text` is then what had arrived. */
  readonly error?: Partial<ModelFailure> & { readonly message: string }
  /** Throws this instead of answering: an adapter that breaks its contract. */
  readonly throws?: Error
  /** Streams `text`, then stays silent until aborted. */
  readonly hangs?: boolean
  /** Waits for this before it answers. */
  readonly after?: Promise<unknown>
  readonly opaque?: Json
}
/** Plain text is a reply; a function sees the request first. */
export type ScriptStep =
  | string
  | ScriptedReply
  | ((request: ModelRequest) => string | ScriptedReply | Promise<string | ScriptedReply>)
/** The replies of one agent, in order, or a function that makes them of the first request. */
export type Script = readonly ScriptStep[] | ((first: ModelRequest) => readonly ScriptStep[])

/**
 * A model that plays what it was given, by agent. A request without a step fails, and `assertDone` tells.
 */
export class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []
  readonly #scripts: Readonly<Record<string, Script>>
  readonly #runs = new Map<string, { readonly agent: string; readonly steps: readonly ScriptStep[]; played: number }>()
  readonly #faults: string[] = []

  constructor(scripts: Readonly<Record<string, Script>>) {
    this.#scripts = scripts
  }

  async ask(request: ModelRequest, on: (delta: ModelDelta) => void, signal: AbortSignal): Promise<ModelReply> {
    signal.throwIfAborted()
    this.requests.push(request)
    const step = this.#nextStep(request)
    const number = this.requests.length
    const reply = typeof step === 'function' ? step(request) : step
    return play(reply instanceof Promise ? await reply : reply, request, on, signal, number)
  }

  requestsOf(agent: string): readonly ModelRequest[] {
    return this.requests.filter(request => request.agent === agent)
  }

  /** Throws when a request had no step, or a step no request. */
  assertDone(): void {
    const faults = [...this.#faults]
    for (const [runId, { agent, steps, played }] of this.#runs) {
      if (played < steps.length) faults.push(`run ${runId} of ${agent} played ${played} of ${steps.length} steps`)
    }
    const played = new Set([...this.#runs.values()].map(({ agent }) => agent))
    for (const agent of Object.keys(this.#scripts))
      if (!played.has(agent)) faults.push(`the script of ${agent} was never played`)
    if (faults.length > 0) throw new Error(`ScriptedModel: ${faults.join('; ')}`)
  }

  #nextStep(request: ModelRequest): ScriptStep {
    let run = this.#runs.get(request.runId)
    if (!run) {
      const script = this.#scripts[request.agent] ?? []
      run = { agent: request.agent, steps: typeof script === 'function' ? script(request) : script, played: 0 }
      this.#runs.set(request.runId, run)
    }
    const step = run.steps[run.played]
    run.played += 1
    if (step !== undefined) return step
    const fault = this.#missingStep(request, run)
    this.#faults.push(fault)
    return { error: { message: `ScriptedModel: ${fault}`, kind: 'bug' } }
  }

  /** In words for whoever wrote the script. */
  #missingStep(
    { agent, purpose }: ModelRequest,
    { steps, played }: { readonly steps: readonly ScriptStep[]; readonly played: number },
  ): string {
    const came = `this is request ${played} of the run (${purpose})`
    const scripted = Object.keys(this.#scripts)
    if (!scripted.includes(agent))
      return `there is no script for ${agent}, and ${came}. There are scripts for ${scripted.join(', ') || 'nobody'}; add ${agent}: [one step for each request].`
    const missing = steps.length === 0 ? 'no steps, and' : `no more steps: it has ${steps.length}, and`
    return `the script of ${agent} has ${missing} ${came}. Every run of ${agent} plays the script from the start; add a step for each request a run makes.`
  }
}

/** A model that is a function of its request alone: the same conversation always gets the same reply. */
export function modelOf(
  reply: (request: ModelRequest) => string | ScriptedReply | Promise<string | ScriptedReply>,
): Model {
  return {
    async ask(request, on, signal) {
      signal.throwIfAborted()
      const given = reply(request)
      return play(given instanceof Promise ? await given : given, request, on, signal, request.messages.length)
    },
  }
}

async function play(
  said: string | ScriptedReply,
  request: ModelRequest,
  on: (delta: ModelDelta) => void,
  signal: AbortSignal,
  number: number,
): Promise<ModelReply> {
  const reply = typeof said === 'string' ? { text: said } : said
  if (reply.after) await Promise.race([reply.after, aborted(signal)])
  if (reply.thought) on({ type: 'thought', text: reply.thought })
  if (reply.text) on({ type: 'text', text: reply.text })
  if (reply.throws) throw reply.throws
  if (reply.hangs) await aborted(signal)
  const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0, ...reply.usage }
  if (reply.error) {
    const error = { kind: 'provider', isRetryable: false, ...reply.error } as const
    return { error, partial: reply.text ?? '', ...(reply.usage && { usage }) }
  }
  const calls = (reply.calls ?? []).map(
    (call, i): AssistantPart => ({
      type: 'call',
      id: (call.id ?? `call_${number}_${i + 1}`) as CallId,
      name: call.name,
      input: call.input ?? {},
      ...(call.invalidInput !== undefined && { invalidInput: call.invalidInput }),
    }),
  )
  const content: AssistantPart[] = [
    ...(reply.thought
      ? [{ type: 'thought' as const, text: reply.thought, ...(reply.opaque !== undefined && { opaque: reply.opaque }) }]
      : []),
    ...(reply.text ? [{ type: 'text' as const, text: reply.text }] : []),
    ...calls,
  ]
  return {
    content,
    finish: reply.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
    ...(reply.unknownStop !== undefined && { unknownStop: reply.unknownStop }),
    usage,
    model: reply.model ?? request.model,
    ...(reply.cost !== undefined && { cost: reply.cost }),
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
