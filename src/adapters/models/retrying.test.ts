import { expect, test } from 'vitest'
import { answer, askModel, requestTo } from '../../../test/models/requests.js'
import { SteadyClock } from '../../../test/models/steady-clock.js'
import type { ModelFailure } from '../../core/events.js'
import type { Model, ModelDelta, ModelReply } from '../../core/ports.js'
import { type RetryOptions, retrying } from './retrying.js'

const failed = (kind: ModelFailure['kind'], more: Partial<ModelFailure> = {}): ModelReply => ({
  error: { kind, message: `${kind} happened`, isRetryable: true, ...more },
  partial: '',
})
const limited = (retryAfterMs?: number) => failed('rate-limit', { status: 429, ...(retryAfterMs && { retryAfterMs }) })

/** A model that answers from a list, then with its last entry for ever; keeps the time of every request. */
function scripted(clock: SteadyClock, replies: readonly ModelReply[], stream: readonly ModelDelta[] = []) {
  const sentAt: number[] = []
  const model: Model = {
    async ask(_request, on) {
      sentAt.push(clock.now())
      for (const delta of stream) on(delta)
      return replies[Math.min(sentAt.length, replies.length) - 1]!
    },
  }
  return { model, sentAt }
}

async function run(replies: readonly ModelReply[], more: Partial<RetryOptions> = {}, stream?: readonly ModelDelta[]) {
  const clock = new SteadyClock()
  const { model, sentAt } = scripted(clock, replies, stream)
  const start = clock.now()
  const asked = askModel(retrying(model, { clock, ...more }), requestTo('acme/one'))
  await clock.run()
  const { reply, deltas } = await asked
  return { reply, retries: deltas.filter(delta => delta.type === 'retrying'), waits: sentAt.map(at => at - start) }
}

test('a server error is asked again after a growing wait, and each wait is shown first', async () => {
  const { reply, retries, waits } = await run([failed('provider'), failed('provider'), answer('done')])
  expect(reply).toMatchObject({ finish: 'stop' })
  expect(waits).toEqual([0, 750, 2_250])
  expect(retries).toEqual([
    { type: 'retrying', attempt: 1, waitMs: 750, reason: 'provider happened', isAnnounced: true },
    { type: 'retrying', attempt: 2, waitMs: 1_500, reason: 'provider happened', isAnnounced: true },
  ])
})

test('nothing is asked again before whoever listens has heard that it will be', async () => {
  const clock = new SteadyClock()
  const { model, sentAt } = scripted(clock, [failed('provider'), answer('done')])
  const heard: string[] = []
  let isHeard = () => {}
  const on = ({ type }: ModelDelta) => {
    heard.push(type)
    return type === 'sending' ? new Promise<void>(resolve => (isHeard = resolve)) : undefined
  }
  const asked = retrying(model, { clock }).ask(requestTo('acme/one'), on, new AbortController().signal)
  await clock.run()
  expect([heard, sentAt.length]).toEqual([['retrying', 'sending'], 1])
  isHeard()
  expect(await asked).toMatchObject({ finish: 'stop' })
  expect(sentAt).toHaveLength(2)
})

test('whoever is stopped before that was heard gives way to others', async () => {
  const clock = new SteadyClock()
  const { model } = scripted(clock, [limited(1_000), answer('done')])
  const patient = retrying(model, { clock })
  const stop = new AbortController()
  const deaf = ({ type }: ModelDelta) => (type === 'sending' ? new Promise(() => {}) : undefined)
  const asked = patient.ask(requestTo('acme/one'), deaf, stop.signal)
  const stopped = expect(asked).rejects.toThrow('enough')
  await clock.run()
  stop.abort(new DOMException('enough', 'AbortError'))
  await stopped
  const before = clock.now()
  const next = patient.ask(requestTo('acme/one'), () => {}, new AbortController().signal)
  await clock.run()
  expect(await next).toMatchObject({ finish: 'stop' })
  expect(clock.now() - before).toBeLessThan(5_000)
})

test('a provider that wanted no request for an hour was handed back without a word about when to come back', async () => {
  const { reply, waits } = await run([limited(3_600_000)])
  expect(waits).toHaveLength(1)
  const message = expect.stringMatching(
    /^rate-limit happened It wants no request for 60 min, until \d{4}-\d\d-\d\dT\d\d:\d\dZ\.$/,
  )
  expect(reply).toMatchObject({ error: { kind: 'rate-limit', retryAfterMs: 3_600_000, message } })
})

test('Retry-After is honoured to the millisecond', async () => {
  const { waits, retries } = await run([limited(7_000), answer('done')])
  expect(waits).toEqual([0, 7_000])
  expect(retries).toHaveLength(1)
})

test('a provider that says “at once” is not hammered', async () => {
  const { waits } = await run([
    failed('rate-limit', { retryAfterMs: 0 }),
    failed('provider', { retryAfterMs: 0 }),
    answer('done'),
  ])
  expect(waits).toEqual([0, 750, 2_250])
})

test.each([
  ['bad request', failed('bad-request', { isRetryable: false })],
  ['wrong key', failed('auth', { isRetryable: false })],
  ['context overflow', failed('context-overflow', { isRetryable: false })],
  ['an exhausted account', failed('rate-limit', { isRetryable: false })],
])('never asked again: %s', async (_title, reply) => {
  const result = await run([reply])
  expect(result.waits).toHaveLength(1)
  expect(result.reply).toEqual(reply)
})

test.each([['provider'], ['network'], ['overloaded'], ['rate-limit']] as const)('bounded: %s', async kind => {
  const { reply, waits } = await run([failed(kind)], { maxAttempts: 4 })
  expect(waits).toHaveLength(4)
  expect(reply).toMatchObject({ error: { kind } })
})

test('text already shown: one more try, no second one, and what it cost is counted', async () => {
  const cut: ModelReply = {
    ...failed('network'),
    partial: 'half',
    usage: { input: 7, output: 1, cacheRead: 0, cacheWrite: 0, isEstimated: true },
  } as ModelReply
  const shown: ModelDelta[] = [{ type: 'text', text: 'half' }]
  const saved = await run([cut, answer('whole')], {}, shown)
  expect(saved.waits).toHaveLength(2)
  expect(saved.reply).toMatchObject({ usage: { input: 17, output: 6, isEstimated: true } })

  const refused = await run([cut, failed('auth', { isRetryable: false })], {}, shown)
  expect(refused.reply, 'what was written is not lost').toMatchObject({ error: { kind: 'auth' }, partial: 'half' })

  const lost = await run([cut], {}, shown)
  expect(lost.waits).toHaveLength(2)
  expect(lost.reply).toMatchObject({ partial: 'half', usage: { input: 14 } })
})

test('an answer without usage after a broken attempt was taken for a mistake of the adapter; NaN was added up', async () => {
  const usage = { input: Number.NaN, output: 1, cacheRead: 0, cacheWrite: 0 }
  const { reply } = await run([
    { ...failed('network'), usage } as ModelReply,
    { ...answer('whole'), usage: undefined } as never,
  ])
  if (!('content' in reply)) throw new Error(reply.error.message)
  expect(reply.usage).toMatchObject({ cacheRead: 0, cacheWrite: 0, isEstimated: true })
  expect(reply.usage.input).toBeGreaterThan(0)
  expect(reply.usage.output).toBeGreaterThan(1)
})

test('twenty children that meet a limit together come back one, two, four…, not twenty at once', async () => {
  const clock = new SteadyClock()
  const sentAt: number[] = []
  let isLimited = true
  const inner: Model = {
    async ask(_request, on) {
      sentAt.push(clock.now())
      if (isLimited) return limited(5_000)
      await clock.sleep(100)
      on({ type: 'text', text: 'ok' })
      return answer('ok')
    },
  }
  const model = retrying(inner, { clock })
  const start = clock.now()
  const all = Promise.all(Array.from({ length: 20 }, () => askModel(model, requestTo('acme/one'))))
  await clock.advance(4_000)
  expect(sentAt).toHaveLength(20)
  isLimited = false
  const late = askModel(model, requestTo('acme/two'))
  await clock.advance(500)
  expect(sentAt, 'a newcomer waits like the rest').toHaveLength(20)
  await clock.run()
  for (const { reply } of [...(await all), await late]) expect(reply).toMatchObject({ finish: 'stop' })
  const bursts = new Map<number, number>()
  for (const at of sentAt.slice(20)) bursts.set(at - start, (bursts.get(at - start) ?? 0) + 1)
  expect([...bursts]).toEqual([
    [5_000, 1],
    [5_100, 2],
    [5_200, 4],
    [5_300, 8],
    [5_400, 6],
  ])
})

test('a provider that stays limited: everybody gives up after the same few rounds', async () => {
  const clock = new SteadyClock()
  const { model: inner, sentAt } = scripted(clock, [limited(1_000)])
  const model = retrying(inner, { clock, maxAttempts: 3 })
  const all = Promise.all(Array.from({ length: 10 }, () => askModel(model, requestTo('acme/one'))))
  await clock.advance(3_000)
  for (const { reply } of await all) expect(reply).toMatchObject({ error: { kind: 'rate-limit' } })
  expect(sentAt.length).toBeLessThanOrEqual(10 + 2)
})

test('one provider’s limit is no business of another', async () => {
  const clock = new SteadyClock()
  const inner: Model = {
    ask: async request => (request.model.startsWith('acme/') ? limited(9_000) : answer('free')),
  }
  const model = retrying(inner, { clock, maxAttempts: 2 })
  const held = askModel(model, requestTo('acme/one'))
  const free = askModel(model, requestTo('other/one'))
  await clock.advance(0)
  expect((await free).reply).toMatchObject({ finish: 'stop' })
  await clock.run()
  await held
})

test('a long wait is said again now and then, so that nobody takes it for silence', async () => {
  const { retries, waits } = await run([limited(50_000), answer('done')])
  expect(waits).toEqual([0, 50_000])
  expect(retries.map(retry => retry.waitMs)).toEqual([50_000, 30_000, 10_000])
  const unshared = await run([failed('provider', { retryAfterMs: 50_000 }), answer('done')])
  expect(unshared.retries.map(retry => retry.waitMs)).toEqual([50_000, 30_000, 10_000])
})

test('an abort during a wait rejects with its reason', async () => {
  const clock = new SteadyClock()
  const { model } = scripted(clock, [limited(9_000)])
  const stop = new AbortController()
  const asked = askModel(retrying(model, { clock }), requestTo('acme/one'), stop.signal)
  const outcome = expect(asked).rejects.toThrow('enough')
  await clock.advance(1_000)
  stop.abort(new DOMException('enough', 'AbortError'))
  await outcome
})

test('stopped in the moment in which its wait was over, a request waited for a listener that was gone', async () => {
  const clock = new SteadyClock()
  const { model, sentAt } = scripted(clock, [failed('provider'), answer('done')])
  const stop = new AbortController()
  let isOver = false
  // The gate looks at the time after it has looked for a stop.
  const now = () => {
    if (isOver) stop.abort(new DOMException('enough', 'AbortError'))
    return clock.now()
  }
  const sleep: SteadyClock['sleep'] = (ms, signal) => clock.sleep(ms, signal).then(() => void (isOver = true))
  const gone = ({ type }: ModelDelta) => (type === 'sending' ? new Promise<void>(() => {}) : undefined)
  const patient = retrying(model, { clock: { now, sleep, random: () => clock.random() } })
  const asked = patient.ask(requestTo('acme/one'), gone, stop.signal).catch((error: Error) => error.message)
  await clock.run()
  expect(await Promise.race([asked, new Promise(resolve => setImmediate(resolve, 'still waiting'))])).toBe('enough')
  expect(sentAt).toHaveLength(1)
})
