/**
 * OpenTelemetry for runs: a listener on events and nothing else.
 *
 * 1. A run is `invoke_agent`, a turn `chat`, a call `execute_tool`. A child in the foreground stands below the call
 *    that started it; one in the background begins a trace of its own, linked to that call.
 * 2. A root stands below whatever span is active where it is started; its baggage is copied to every span of its tree.
 * 3. Each attempt has its own span, linked to the one before. One that was taken over from a dead process says so, and
 *    stands below its caller where that was taken over too: the call that had started it is gone.
 * 4. Without an SDK there is nothing to listen for, and `otelTelemetry` gives undefined.
 */
import {
  type Attributes,
  type Context,
  context,
  createNoopMeter,
  type Link,
  type MeterProvider,
  metrics,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { DurableEvent, Envelope, EventOf, RunEvent } from '../../core/events.js'
import type { CallId, RunId } from '../../core/message.js'
import type { Subscriber } from '../../core/ports.js'
import type { StoredBrief } from '../../core/types.js'
import { span as names, operation, own } from './gen-ai-names.js'
import { RunMetrics } from './run-metrics.js'
import {
  agentAttributes,
  type ContentChoice,
  callAttributes,
  chatAttributes,
  modelOf,
  resultAttributes,
  toolAttributes,
  turnAttributes,
  usageAttributes,
} from './span-attributes.js'

/** Where spans and figures go, and how much they tell. */
export interface OtelOptions {
  /** Default: whatever is registered globally. */
  readonly tracerProvider?: TracerProvider
  readonly meterProvider?: MeterProvider
  /** Prompts, arguments and answers as attributes. Off: they may hold anything. */
  readonly captureContent?: boolean
  /** The attributes of OpenInference beside those of the conventions. */
  readonly openInference?: boolean
}

/** A subscriber that turns events into spans and figures. */
export interface Telemetry {
  readonly hear: Subscriber
  /** Ends the spans that are still open: runs left to another process. */
  close(): void
}

const scope = 'offshoot'

/**
 * Spans and figures for OpenTelemetry. Undefined when no SDK is there: then nothing is subscribed, and nothing is
 * paid.
 */
export function otelTelemetry(options: OtelOptions = {}): Telemetry | undefined {
  const tracers = options.tracerProvider ?? trace.getTracerProvider()
  const meters = options.meterProvider ?? metrics.getMeterProvider()
  if (isNoTracer(tracers) && meters.getMeter(scope) === createNoopMeter()) return undefined
  const choice = { captureContent: options.captureContent ?? false, openInference: options.openInference ?? false }
  return new RunTelemetry(tracers.getTracer(scope), new RunMetrics(meters.getMeter(scope)), choice)
}

const isNoTracer = (provider: TracerProvider): boolean =>
  provider instanceof ProxyTracerProvider && provider.getDelegate() === new ProxyTracerProvider().getDelegate()

interface OpenRun {
  readonly span: Span
  readonly context: Context
  readonly startedAt: number
  brief: StoredBrief | undefined
  chat?: { readonly span: Span; readonly startedAt: number; hasSpoken: boolean }
  readonly calls: Map<CallId, { readonly span: Span; readonly startedAt: number }>
  chats: number
  callCount: number
}

class RunTelemetry implements Telemetry {
  readonly #tracer: Tracer
  readonly #metrics: RunMetrics
  readonly #choice: ContentChoice
  readonly #open = new Map<RunId, OpenRun>()
  /** The call a child answers, until the child has begun. */
  readonly #starting = new Map<
    RunId,
    { readonly span: Span; readonly isBackground: boolean; readonly context: Context }
  >()
  /** The last span of a run that has ended and may be resumed: bounded, it is only for a link. */
  readonly #ended = new Map<RunId, { readonly span: Span; readonly brief: StoredBrief | undefined }>()

  constructor(tracer: Tracer, runMetrics: RunMetrics, choice: ContentChoice) {
    this.#tracer = tracer
    this.#metrics = runMetrics
    this.#choice = choice
  }

  readonly hear = (envelope: Envelope): void => {
    const { event } = envelope
    if (event.type === 'run.queued') this.#begin(envelope, event.brief, {})
    else if (event.type === 'run.resumed')
      this.#begin(envelope, event.brief ?? this.#ended.get(envelope.runId)?.brief, { [own.attempt]: event.attempt })
    else if (event.type === 'run.claimed' && !this.#open.has(envelope.runId))
      this.#begin(envelope, undefined, { [own.attempt]: event.attempt, [own.isRecovered]: true })
    const run = this.#open.get(envelope.runId)
    if (run) this.#heard(run, envelope)
  }

  close(): void {
    for (const { span, calls, chat } of this.#open.values()) {
      for (const each of [chat, ...calls.values()]) each?.span.end()
      span.end()
    }
    this.#open.clear()
  }

  #begin(envelope: Envelope, brief: StoredBrief | undefined, extra: Attributes): void {
    const { runId, agent, at } = envelope
    const caller = this.#starting.get(runId)
    this.#starting.delete(runId)
    const above = extra[own.isRecovered] && envelope.parentId ? this.#open.get(envelope.parentId) : undefined
    const parent = caller?.context ?? above?.context ?? context.active()
    const links: Link[] = []
    if (caller?.isBackground) links.push({ context: caller.span.spanContext() })
    const before = this.#ended.get(runId)
    if (before) links.push({ context: before.span.spanContext() })
    const span = this.#tracer.startSpan(
      `${operation.invokeAgent} ${agent}`,
      {
        kind: SpanKind.INTERNAL,
        startTime: new Date(at),
        root: caller?.isBackground ?? false,
        links,
        attributes: { ...baggageOf(parent), ...agentAttributes(envelope, brief, this.#choice), ...extra },
      },
      caller && !caller.isBackground ? trace.setSpan(parent, caller.span) : parent,
    )
    const inside = trace.setSpan(parent, span)
    this.#open.set(runId, { span, context: inside, startedAt: at, brief, calls: new Map(), chats: 0, callCount: 0 })
  }

  #heard(run: OpenRun, envelope: Envelope): void {
    const { event, at } = envelope
    switch (event.type) {
      case 'turn.started':
        this.#chatStarted(run, envelope, event)
        break
      case 'text.delta':
      case 'thought.delta':
        this.#chatSpoke(run, at)
        break
      case 'turn.ended':
      case 'turn.failed':
        this.#chatEnded(run, envelope, event)
        break
      case 'tool.started':
        this.#callStarted(run, at, event.callId, event.name, event.input)
        break
      case 'tool.ended':
        this.#callEnded(run, at, event)
        break
      case 'child.started':
        this.#childStarted(run, event)
        break
      case 'run.ended':
        this.#end(run, envelope, event)
        break
      case 'model.retrying':
        run.chat?.span.addEvent(event.type, { reason: event.reason, wait_ms: event.waitMs }, new Date(at))
        break
      default:
        if (noted.has(event.type)) run.span.addEvent(event.type, factsOf(event), new Date(at))
    }
  }

  #chatStarted(run: OpenRun, { at, rootId }: Envelope, { purpose }: EventOf<'turn.started'>): void {
    const model = run.brief?.model ?? 'unknown/unknown'
    const attributes = { ...baggageOf(run.context), ...chatAttributes(model, purpose, rootId, this.#choice) }
    const options = { kind: SpanKind.CLIENT, startTime: new Date(at), attributes }
    run.chat?.span.end(new Date(at))
    const span = this.#tracer.startSpan(`${operation.chat} ${modelOf(model)}`, options, run.context)
    run.chat = { span, startedAt: at, hasSpoken: false }
  }

  #chatSpoke(run: OpenRun, at: number): void {
    if (!run.chat || run.chat.hasSpoken) return
    run.chat.hasSpoken = true
    this.#metrics.firstChunk(run.brief?.model ?? 'unknown/unknown', at - run.chat.startedAt)
  }

  #chatEnded(run: OpenRun, envelope: Envelope, event: EventOf<'turn.ended'> | EventOf<'turn.failed'>): void {
    const { at, agent } = envelope
    // Lost with the process that had asked: nobody saw it begin or end.
    if (!run.chat && event.type === 'turn.failed' && event.error.kind === 'aborted') return
    if (!run.chat) this.#chatStarted(run, envelope, { type: 'turn.started', turn: event.turn, purpose: event.purpose })
    const { span, startedAt } = run.chat!
    run.chat = undefined
    run.chats += 1
    const error = event.type === 'turn.failed' ? event.error : undefined
    // A run taken over from a dead process: only now it is known which model that was.
    if (!run.brief) {
      span.updateName(`${operation.chat} ${modelOf(event.model)}`)
      span.setAttributes(chatAttributes(event.model, event.purpose, envelope.rootId, this.#choice))
    }
    if (event.type === 'turn.ended') span.setAttributes(turnAttributes(event, this.#choice))
    else if (event.usage) span.setAttributes(usageAttributes(event.usage, this.#choice))
    if (error) fail(span, error.kind, error.message)
    if (event.usage) this.#metrics.tokensUsed(event.model, agent, event.usage)
    this.#metrics.chatEnded(event.model, at - startedAt, error?.kind)
    span.end(new Date(at))
  }

  #callStarted(run: OpenRun, at: number, callId: CallId, name: string, input: unknown): void {
    const attributes = { ...baggageOf(run.context), ...toolAttributes(name, callId, input, this.#choice) }
    const options = { kind: SpanKind.INTERNAL, startTime: new Date(at), attributes }
    // A read that was under way when a process died is started again.
    run.calls.get(callId)?.span.end(new Date(at))
    run.calls.set(callId, {
      span: this.#tracer.startSpan(`${operation.executeTool} ${name}`, options, run.context),
      startedAt: at,
    })
  }

  #callEnded(run: OpenRun, at: number, event: EventOf<'tool.ended'>): void {
    const { callId, name, status } = event
    if (status === 'not-run') return
    if (!run.calls.has(callId)) this.#callStarted(run, at, callId, name, undefined)
    const { span, startedAt } = run.calls.get(callId)!
    run.calls.delete(callId)
    run.callCount += 1
    const isGood = status === 'ok' || status === 'detached'
    span.setAttributes(callAttributes(event, this.#choice))
    if (!isGood) fail(span, status, this.#choice.captureContent ? event.summary : status)
    this.#metrics.toolEnded(name, at - startedAt, isGood ? undefined : status)
    span.end(new Date(at))
  }

  #childStarted(run: OpenRun, { callId, runId, isBackground }: EventOf<'child.started'>): void {
    const call = run.calls.get(callId)
    if (call) this.#starting.set(runId, { span: call.span, isBackground, context: run.context })
  }

  #end(run: OpenRun, { runId, agent, at }: Envelope, event: EventOf<'run.ended'>): void {
    const { result } = event
    for (const each of [run.chat, ...run.calls.values()]) each?.span.end(new Date(at))
    run.span.setAttributes(resultAttributes(event, this.#choice))
    const { error } = result
    if (error) fail(run.span, error.rule, this.#choice.captureContent ? error.message : error.rule)
    this.#metrics.runEnded(agent, at - run.startedAt, result, { chats: run.chats, calls: run.callCount })
    run.span.end(new Date(at))
    this.#open.delete(runId)
    this.#ended.set(runId, { span: run.span, brief: run.brief })
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > maxEnded && oldest) this.#ended.delete(oldest)
  }
}

const maxEnded = 200
const noted: ReadonlySet<string> = new Set<DurableEvent['type']>([
  'run.started',
  'approval.requested',
  'approval.resolved',
  'grace.started',
  'hook.ended',
  'message.heard',
  'run.backgrounded',
  'context.compacted',
  'stop.requested',
])

/** Short words of an event, never its texts. */
function factsOf(event: RunEvent): Attributes {
  const facts = event as Readonly<Record<string, unknown>>
  const shown = ['cause', 'name', 'verdict', 'point', 'rule', 'by'].filter(key => typeof facts[key] === 'string')
  return Object.fromEntries(shown.map(key => [key, facts[key] as string]))
}

function fail(span: Span, type: string, message: string): void {
  span.setAttribute(names.errorType, type)
  span.setStatus({ code: SpanStatusCode.ERROR, message: message.slice(0, 500) })
}

const maxBaggage = 20

function baggageOf(from: Context): Attributes {
  const entries = propagation.getBaggage(from)?.getAllEntries().slice(0, maxBaggage) ?? []
  return Object.fromEntries(entries.map(([key, { value }]) => [key, value.slice(0, 256)]))
}
