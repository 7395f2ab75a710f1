import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type ContextManager,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { type OtelOptions, otelTelemetry } from '../../src/adapters/telemetry/otel.js'
import { messagesText } from '../../src/adapters/telemetry/span-content.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'

afterEach(() => context.disable())

function instruments(options: OtelOptions = {}) {
  const spans = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 })
  const meterProvider = new MeterProvider({ readers: [reader] })
  const telemetry = otelTelemetry({ tracerProvider, meterProvider, ...options })!
  const metricPoints = async (name: string) => {
    await reader.forceFlush()
    const metrics =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(scope => scope.metrics) ?? []
    return (metrics.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []) as unknown as readonly {
      readonly attributes: Record<string, unknown>
      readonly value: { readonly sum?: number; readonly count: number } & number
    }[]
  }
  return { telemetry, spans, metricPoints, tracerProvider }
}

const named = (spans: InMemorySpanExporter, name: string): ReadableSpan => {
  const found = spans.getFinishedSpans().find(span => span.name === name)
  if (!found) throw new Error(`no span ${name} among ${spans.getFinishedSpans().map(span => span.name)}`)
  return found
}
const idOf = (span: ReadableSpan) => span.spanContext().spanId
const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId

const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20 }
const script = {
  main: [
    { calls: [task('worker')], usage },
    { text: 'done', usage },
  ],
  worker: [
    { ...call('Look', { path: 'secret.txt' }), usage },
    { text: 'the secret is 42', usage },
  ],
}
const options = { agents: [agent('worker')], tools: [tool('Look', 'read', () => 'seen')] }

test('a tree in the foreground is one trace: run, request, call, child, in their places', async () => {
  const { telemetry, spans } = instruments()
  const { run, offshoot } = house(script, options)
  offshoot.subscribe({}, telemetry.hear)
  const { runId } = await run()
  const main = named(spans, 'invoke_agent main')
  const worker = named(spans, 'invoke_agent worker')
  const hand = named(spans, 'execute_tool Task')
  const look = named(spans, 'execute_tool Look')
  expect(parentOf(main)).toBeUndefined()
  expect(parentOf(hand)).toBe(idOf(main))
  expect(parentOf(worker)).toBe(idOf(hand))
  expect(parentOf(look)).toBe(idOf(worker))
  const chats = spans.getFinishedSpans().filter(span => span.name === 'chat model')
  expect(chats.map(parentOf).sort()).toEqual([main, main, worker, worker].map(idOf).sort())
  expect(new Set(spans.getFinishedSpans().map(span => span.spanContext().traceId)).size).toBe(1)
  expect(worker.attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'worker',
    'gen_ai.conversation.id': runId,
    'gen_ai.provider.name': 'test',
    'gen_ai.request.model': 'model',
    'offshoot.agent.path': 'main/worker',
    'offshoot.outcome': 'completed',
  })
  expect(look.attributes).toMatchObject({ 'gen_ai.tool.name': 'Look', 'gen_ai.tool.type': 'function' })
})

test('a child in the background begins its own trace, linked to the call that started it', async () => {
  const { telemetry, spans } = instruments()
  const { run, offshoot } = house(
    { main: [{ calls: [task('worker', 'work', { run_in_background: true })] }, 'later', 'done'], worker: ['ok'] },
    options,
  )
  offshoot.subscribe({}, telemetry.hear)
  await run()
  const worker = named(spans, 'invoke_agent worker')
  const hand = named(spans, 'execute_tool Task')
  expect(parentOf(worker)).toBeUndefined()
  expect(worker.spanContext().traceId).not.toBe(hand.spanContext().traceId)
  expect(worker.links.map(link => link.context.spanId)).toEqual([idOf(hand)])
  expect(worker.attributes['offshoot.background']).toBe(true)
})

test('tokens stand on requests alone, cached input included, and are counted once', async () => {
  const { telemetry, spans, metricPoints } = instruments()
  const { run, offshoot } = house(script, options)
  offshoot.subscribe({}, telemetry.hear)
  await run()
  const holders = spans.getFinishedSpans().filter(span => 'gen_ai.usage.input_tokens' in span.attributes)
  expect(holders.map(span => span.name)).toEqual(Array(4).fill('chat model'))
  expect(holders[0]?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 130,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 100,
  })
  const points = await metricPoints('gen_ai.client.token.usage')
  const total = (type: string) =>
    points
      .filter(point => point.attributes['gen_ai.token.type'] === type)
      .reduce((sum, point) => sum + (point.value.sum ?? 0), 0)
  expect([total('input'), total('output')]).toEqual([4 * 130, 4 * 5])
})

test('attempts are counted by agent and outcome, with durations, requests and calls', async () => {
  const { telemetry, metricPoints } = instruments()
  const { run, offshoot } = house(
    {
      main: [{ calls: [task('worker'), task('broken')] }, 'done'],
      worker: ['ok'],
      broken: [{ error: { message: 'down' } }],
    },
    { agents: [agent('worker'), agent('broken')] },
  )
  offshoot.subscribe({}, telemetry.hear)
  await run()
  const points = await metricPoints('offshoot.agent.invocations')
  expect(
    Object.fromEntries(
      points.map(({ attributes, value }) => [
        `${attributes['gen_ai.agent.name']} ${attributes['offshoot.outcome']}`,
        value,
      ]),
    ),
  ).toEqual({ 'worker completed': 1, 'broken failed': 1, 'main completed': 1 })
  expect(await metricPoints('gen_ai.invoke_agent.duration')).not.toEqual([])
  expect(
    (await metricPoints('gen_ai.invoke_agent.inference_calls')).find(
      point => point.attributes['gen_ai.agent.name'] === 'main',
    )?.value.sum,
  ).toBe(2)
  expect((await metricPoints('gen_ai.client.operation.duration')).some(point => point.attributes['error.type'])).toBe(
    true,
  )
})

test('what fails is an error on its own span: the request, the call, the run', async () => {
  const { telemetry, spans } = instruments()
  const { run, offshoot } = house(
    {
      main: [
        { calls: [{ name: 'Break' }, { name: 'Nowhere' }] },
        { error: { message: 'overloaded', kind: 'overloaded' } },
      ],
    },
    {
      tools: [
        tool('Break', 'execute', () => {
          throw new Error('broke')
        }),
      ],
    },
  )
  offshoot.subscribe({}, telemetry.hear)
  await run()
  expect(named(spans, 'execute_tool Break').status.code).toBe(SpanStatusCode.ERROR)
  expect(named(spans, 'execute_tool Nowhere').attributes['error.type']).toBe('error')
  const chats = spans.getFinishedSpans().filter(span => span.name === 'chat model')
  expect(chats.map(span => span.status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.ERROR])
  expect(named(spans, 'invoke_agent main')).toMatchObject({ status: { code: SpanStatusCode.ERROR } })
})

test('no prompt, argument or answer is in a span unless it was asked for', async () => {
  const plain = instruments()
  const rich = instruments({ captureContent: true, openInference: true })
  const { run, offshoot } = house(script, options)
  offshoot.subscribe({}, plain.telemetry.hear)
  offshoot.subscribe({}, rich.telemetry.hear)
  await run()
  const attributes = (spans: InMemorySpanExporter) =>
    JSON.stringify(spans.getFinishedSpans().map(span => span.attributes))
  expect(attributes(plain.spans)).not.toContain('secret')
  expect(attributes(plain.spans)).not.toContain('openinference')
  expect(attributes(rich.spans)).toContain('the secret is 42')
  expect(named(rich.spans, 'execute_tool Look').attributes).toMatchObject({
    'gen_ai.tool.call.arguments': '{"path":"secret.txt"}',
    'openinference.span.kind': 'TOOL',
  })
  expect(named(rich.spans, 'chat model').attributes).toMatchObject({
    'openinference.span.kind': 'LLM',
    'llm.token_count.total': 135,
  })
})

test('messages have the form of the conventions: no thought, no bytes of an image, and what went wrong is content too', async () => {
  const plain = instruments()
  const rich = instruments({ captureContent: true })
  const { run, offshoot } = house(
    { main: [{ thought: 'hidden reasoning', text: 'I look.', calls: [{ name: 'Break', input: { a: 1 } }] }, 'done'] },
    {
      tools: [
        tool('Break', 'execute', () => {
          throw new Error('the secret is 42')
        }),
      ],
      policy: { defaultModel: 'google/gemini' },
    },
  )
  offshoot.subscribe({}, plain.telemetry.hear)
  offshoot.subscribe({}, rich.telemetry.hear)
  await run()
  expect(named(plain.spans, 'execute_tool Break').status.message).toBe('error')
  expect(named(rich.spans, 'execute_tool Break').attributes['gen_ai.tool.call.result']).toContain('the secret is 42')
  const [chat] = rich.spans.getFinishedSpans().filter(span => span.name === 'chat gemini')
  expect(chat?.attributes['gen_ai.provider.name']).toBe('gcp.gemini')
  expect(JSON.parse(String(chat?.attributes['gen_ai.output.messages']))).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'I look.' },
        { type: 'tool_call', id: expect.any(String), name: 'Break', arguments: { a: 1 } },
      ],
      finish_reason: expect.any(String),
    },
  ])
  const opening = messagesText([{ role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: 'QUJD' }] }])
  expect(opening).toContain('image/png')
  expect(opening).not.toContain('QUJD')
})

test('a root stands below the span that is active, and its baggage is on every span of the tree', async () => {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, run, self, ...args) => storage.run(active, () => run.call(self as never, ...args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  context.setGlobalContextManager(manager)
  const { telemetry, spans, tracerProvider } = instruments()
  const { run, offshoot } = house(
    { ...script, main: [{ calls: [task('worker', 'work', { run_in_background: true })] }, 'later', 'done'] },
    options,
  )
  offshoot.subscribe({}, telemetry.hear)
  const above = tracerProvider.getTracer('host').startSpan('request')
  const baggage = propagation.createBaggage({ tenant: { value: 'acme' } })
  const active = propagation.setBaggage(trace.setSpan(ROOT_CONTEXT, above), baggage)
  await context.with(active, () => run())
  expect(parentOf(named(spans, 'invoke_agent main'))).toBe(above.spanContext().spanId)
  expect(spans.getFinishedSpans().map(span => span.attributes.tenant)).toEqual(
    spans.getFinishedSpans().map(() => 'acme'),
  )
})

test('another attempt is another span, linked to the one before; what is left open is ended by close', async () => {
  const { telemetry, spans } = instruments()
  const { start, offshoot } = house({ main: ['one', 'two', { hangs: true }] }, options)
  offshoot.subscribe({}, telemetry.hear)
  const run = await start()
  await run.result
  const again = await offshoot.resume(run.id, 'more')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  const attempts = spans.getFinishedSpans().filter(span => span.name === 'invoke_agent main')
  expect(attempts).toHaveLength(2)
  expect(attempts[1]?.links[0]?.context.spanId).toBe(idOf(attempts[0]!))
  expect(attempts[1]?.attributes['offshoot.attempt']).toBe(2)
  await offshoot.resume(run.id, 'hang')
  await new Promise(setImmediate)
  telemetry.close()
  expect(spans.getFinishedSpans().filter(span => span.name === 'invoke_agent main')).toHaveLength(3)
  await offshoot.close()
})

test('a tree taken over from a process that died: its spans say so, are named by the model that answered, and nest', async () => {
  const store = memoryStore({ isAlive: ({ id }) => id !== 'dead' })
  const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })
  const first = house(
    { main: [{ calls: [task('worker')] }], worker: [{ hangs: true }] },
    { ...options, store, owner: owner('dead') },
  )
  const started = await first.start()
  while (first.model.requestsOf('worker').length === 0) await new Promise(setImmediate)

  const { telemetry, spans, metricPoints } = instruments()
  const second = house(
    { main: ['done'], worker: [{ ...call('Look'), usage }, 'seen'] },
    { ...options, store, owner: owner('alive') },
  )
  second.offshoot.subscribe({}, telemetry.hear)
  await second.offshoot.recover()
  expect(await second.offshoot.run(started.id).result).toMatchObject({ outcome: 'completed' })

  const main = named(spans, 'invoke_agent main')
  const worker = named(spans, 'invoke_agent worker')
  for (const span of [main, worker])
    expect(span.attributes).toMatchObject({ 'offshoot.recovered': true, 'offshoot.attempt': 1 })
  expect(parentOf(worker)).toBe(idOf(main))
  const chats = spans.getFinishedSpans().filter(span => span.name.startsWith('chat'))
  expect(chats.map(span => span.name)).toEqual(['chat model', 'chat model', 'chat model'])
  for (const span of chats) expect(span.attributes).toMatchObject({ 'gen_ai.request.model': 'model' })
  expect(parentOf(named(spans, 'execute_tool Look'))).toBe(idOf(worker))
  const counted = await metricPoints('gen_ai.client.token.usage')
  expect(JSON.stringify(counted)).not.toContain('unknown')
  await second.offshoot.close()
})

test('without an SDK there is nothing to subscribe', () => {
  expect(otelTelemetry()).toBeUndefined()
})

test('a request that was lost with its process is no span of the next, and the cost of the run is said to be estimated', async () => {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })
  const estimateCost = () => 0.001
  const first = house({ main: [{ hangs: true }] }, { store, owner: owner('first'), estimateCost })
  const run = await first.start()
  await first.clock.settle()
  dead.add('first')
  const { telemetry, spans, metricPoints } = instruments()
  const second = house({ main: ['done'] }, { store, owner: owner('second'), estimateCost })
  second.offshoot.subscribe({}, telemetry.hear)
  await second.offshoot.recover()
  await second.offshoot.run(run.id).result
  expect(spans.getFinishedSpans().filter(({ name }) => name.startsWith('chat'))).toHaveLength(1)
  expect(named(spans, 'invoke_agent main').attributes).toMatchObject({
    'offshoot.cost.usd': 0.002,
    'offshoot.cost.estimated': true,
  })
  expect(await metricPoints('gen_ai.client.operation.duration')).toMatchObject([{ value: { count: 1 } }])
})
