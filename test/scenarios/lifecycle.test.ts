import { expect, test, vi } from 'vitest'
import { retrying } from '../../src/adapters/models/retrying.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { isDurable } from '../../src/core/events.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'
import { gate } from '../support/gate.js'
import { agent, call, house, isProcessMode, storyClock, task, tool } from './house.js'

const background = (agentName: string, prompt = 'work') => task(agentName, prompt, { run_in_background: true })

test('F4 F5 a background start returns the id at once, and TaskOutput waits for the result', async () => {
  const g = gate()
  const h = house(
    {
      main: [
        { calls: [background('worker')] },
        request => ({
          calls: [
            { name: 'TaskOutput', input: { task_id: /run (a\w+)\./.exec(JSON.stringify(request.messages))![1] } },
          ],
        }),
        'all done',
      ],
      worker: [{ text: 'the result', after: g.opened }],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  expect(h.toolTexts('main')[0]).toMatch(/^worker started in the background as run a\w+\. Go on/)
  g.open()
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'all done' })
  expect(h.toolTexts('main')[1]).toMatch(/^the result\n/)
  // Delivered by TaskOutput: the notice is not sent as well.
  expect(JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)).not.toContain('has ended. Its report follows')
})

test('P22 a run that has nothing left to do waits for its background child and is told once when it ends', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: [background('worker')] }, 'waiting for it', 'now I know'],
      worker: [{ text: 'news', after: g.opened }],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  g.open()
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'now I know', turns: 3 })
  const told = h.model
    .requestsOf('main')
    .at(-1)!
    .messages.filter(message => JSON.stringify(message).includes('Its report follows'))
  expect(told).toHaveLength(1)
})

test('a conversation ends its attempt while a background child goes on, and is woken by its end', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: [background('worker')] }, 'started it', 'it is done'],
      worker: [{ text: 'news', after: g.opened }],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.offshoot.start({ prompt: 'go', description: 'talk' }, { isConversation: true })
  if ('refused' in run) throw new Error(run.refused)
  expect(await run.result).toMatchObject({ text: 'started it' })
  g.open()
  await h.clock.settle()
  expect(await h.offshoot.run(run.id).result).toMatchObject({ text: 'it is done' })
})

test.each([false, true])(
  'a conversation that was stopped went on by itself when its child ended (background: %s)',
  async isBackground => {
    const g = gate()
    const h = house(
      {
        main: [
          { calls: [task('worker', 'work', { run_in_background: isBackground })] },
          ...(isBackground ? [{ text: 'never said', hangs: true }] : []),
          'now I go on',
        ],
        worker: [{ text: 'news', after: g.opened }],
      },
      { agents: [agent('worker')] },
    )
    const run = await h.offshoot.start({ prompt: 'go', description: 'talk' }, { isConversation: true })
    if ('refused' in run) throw new Error(run.refused)
    await h.clock.settle()
    await run.stop('enough')
    g.open()
    await h.clock.settle()
    const asked = isBackground ? 2 : 1
    expect(await run.result).toMatchObject({ outcome: 'cancelled' })
    expect(h.model.requestsOf('main')).toHaveLength(asked)
    // What came of it is told with the next words.
    const again = await h.offshoot.resume(run.id, 'and?')
    if ('refused' in again) throw new Error(again.refused)
    expect(await again.result).toMatchObject({ text: 'now I go on' })
    expect(JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)).toContain('news')
  },
)

test('TaskOutput without blocking, or when the time is up, tells the progress', async () => {
  const g = gate()
  const read = (input: object) => (request: { messages: unknown }) => ({
    calls: [
      { name: 'TaskOutput', input: { task_id: /run (a\w+)\./.exec(JSON.stringify(request.messages))![1], ...input } },
    ],
  })
  const h = house(
    {
      main: [{ calls: [background('worker')] }, read({ block: false }), read({ timeout: 5 }), 'bye', 'ok'],
      worker: [call('Look'), { text: 'x', after: g.opened }],
    },
    { agents: [agent('worker')], tools: [tool('Look', 'read', () => 'seen it')] },
  )
  const run = await h.start()
  await h.clock.advance(5_000)
  g.open()
  await run.result
  expect(h.toolTexts('main')[2]).toMatch(
    /has not ended\.\nworking: thinking\nturns 1\/50, seconds 5\/300, tool calls 1\n- Look {2}→ seen it/,
  )
})

test('P19 runs of others cannot be read, stopped or resumed', async () => {
  const h = house(
    {
      main: [{ calls: [task('a'), task('b')] }, 'ok'],
      a: ['mine'],
      b: request => [
        {
          calls: [
            { name: 'TaskOutput', input: { task_id: 'id-000002' } },
            { name: 'TaskStop', input: { task_id: request.rootId } },
            task('a', 'x', { resume: request.rootId }),
          ],
        },
        'no',
      ],
    },
    { agents: [agent('a'), agent('b', { canSpawn: true })] },
  )
  await h.run()
  expect(h.toolTexts('b')).toEqual([
    expect.stringContaining('There is no run "id-000002" below you'),
    expect.stringContaining('below you'),
    expect.stringContaining('below you'),
  ])
})

test('a run is resumed by id with a new prompt: same identity, new attempt, its conversation kept', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'first')] },
        request => ({
          calls: [task('worker', 'second', { resume: /run (a\w+) ·/.exec(JSON.stringify(request.messages))![1] })],
        }),
        'ok',
      ],
      worker: ['one', 'two'],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  const runs = await h.offshoot.list({ agent: 'worker' })
  expect(runs).toMatchObject([{ attempt: 2, outcome: 'completed' }])
  expect(h.toolTexts('main')[1]).toMatch(/^two\n/)
  expect(h.model.requestsOf('worker')[1]!.messages.map(message => message.role)).toEqual(['user', 'assistant', 'user'])
})

test('F9 L03 cancelling the root reaches every descendant: in a model stream, in a tool, in the queue', async () => {
  let aborted = 0
  const h = house(
    {
      main: [{ calls: [task('lead'), task('streamer')] }],
      lead: [{ calls: [task('worker', 'a'), task('worker', 'b')] }],
      streamer: [{ text: 'partial', hangs: true }],
      worker: [call('Stuck')],
    },
    {
      agents: [agent('lead', { canSpawn: true }), agent('streamer'), agent('worker')],
      tools: [
        tool(
          'Stuck',
          'execute',
          (_, { signal }) => new Promise<string>(() => signal.addEventListener('abort', () => void aborted++)),
        ),
      ],
    },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'cancelled', error: { message: 'enough' } })
  await h.clock.settle()
  expect((await h.offshoot.list()).map(child => child.outcome)).toEqual(Array(5).fill('cancelled'))
  expect(aborted).toBe(2)
})

test('L03 a stop reaches all of a tree: in a stream, a tool, an approval, the queue, grace and a pause before a retry', async () => {
  const clock = storyClock()
  const model = new ScriptedModel({
    main: [{ calls: [task('lead'), task('lead')] }],
    lead: [{ calls: [task('pair', 'a'), task('pair', 'b')] }],
    pair: [{ calls: ['streamer', 'tooler', 'asker', 'grace', 'retrier'].map(name => task(name)) }],
    streamer: [{ text: 'partial', hangs: true }],
    tooler: [call('Stuck')],
    asker: [call('Ask')],
    grace: [call('Look'), { hangs: true }],
    retrier: [{ error: { message: 'busy', kind: 'overloaded', isRetryable: true } }],
  })
  const h = house(
    {},
    {
      clock,
      model: retrying(model, { clock, backoffMs: 60_000, maxBackoffMs: 60_000 }),
      agents: [
        agent('lead', { canSpawn: true }),
        agent('pair', { canSpawn: true }),
        agent('streamer'),
        agent('tooler'),
        agent('asker'),
        agent('grace', { limits: { maxTurns: 1 } }),
        agent('retrier'),
      ],
      tools: [
        tool('Stuck', 'execute', () => new Promise<string>(() => {})),
        tool('Ask', 'write', () => 'never'),
        tool('Look', 'read', () => 'seen'),
      ],
      judge: {
        judge: ({ spec }) =>
          spec.name === 'Ask' ? { decision: 'ask', rule: 'test', reason: 'asks' } : { decision: 'allow', rule: 'test' },
      },
      approver: { isListening: () => true, present: () => () => {} },
      // Some of the twenty at the bottom wait for a slot.
      policy: { concurrency: 14, stallMs: 10_000_000 },
    },
  )
  const run = await h.start()
  await clock.settle()
  const moments = ['approval.requested', 'grace.started', 'model.retrying'] as const
  const isReached = () => moments.every(type => h.events.some(({ event }) => event.type === type))
  // Processes come to it in their own time and order, so that there some kind may wait for a slot as a whole.
  if (isProcessMode) await vi.waitUntil(async () => (await h.offshoot.list()).length === 27, { timeout: 20_000 })
  const before = await h.offshoot.list()
  expect(before).toHaveLength(1 + 2 + 4 + 20)
  expect(before.some(({ status }) => status === 'queued')).toBe(true)
  expect(isProcessMode || isReached()).toBe(true)
  await run.stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  const unfinished = async () => (await h.offshoot.list()).filter(({ status }) => status !== 'ended')
  await clock.settle()
  // Processes leave in their own time.
  if (isProcessMode) await vi.waitUntil(async () => (await unfinished()).length === 0, { timeout: 10_000 })
  const seen = h.events.length
  expect(await unfinished()).toEqual([])
  expect(h.offshoot.approvals.open()).toEqual([])
  await clock.advance(1_000)
  expect(h.events.slice(seen)).toEqual([])
  expect(clock.pending).toBe(0)
})

test('L08 stopping one of three children leaves the other two alone', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: ['a', 'b', 'c'].map(name => task('worker', name)) }, 'ok'],
      worker: [{ text: 'done', after: g.opened }],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  const [one] = await h.offshoot.list({ agent: 'worker' })
  await h.offshoot.run(one!.runId).stop()
  await h.clock.settle()
  g.open()
  await run.result
  expect((await h.offshoot.list({ agent: 'worker' })).map(({ outcome }) => outcome).sort()).toEqual([
    'cancelled',
    'completed',
    'completed',
  ])
  const told = h.toolTexts('main')
  expect(told.filter(text => text.startsWith('done\n'))).toHaveLength(2)
  expect(told.filter(text => /^\[run \w+ · cancelled|cancelled/.test(text))).toHaveLength(1)
})

test('L04 stopping twice, and stopping a run that has ended, changes nothing', async () => {
  const h = house({ main: [{ hangs: true }] })
  const run = await h.start()
  await h.clock.settle()
  await Promise.all([run.stop('one'), run.stop('two')])
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  await run.stop('three')
  await h.clock.settle()
  expect(h.events.filter(({ event }) => event.type === 'run.ended')).toHaveLength(1)
})

test('L04 a stop in the very tick of the end: one ending, whichever came first', async () => {
  for (let ticks = 0; ticks < 40; ticks++) {
    const g = gate()
    const h = house({ main: [{ text: 'done', after: g.opened }] })
    const run = await h.start()
    await h.clock.settle()
    g.open()
    for (let i = 0; i < ticks; i++) await Promise.resolve()
    await Promise.all([run.stop('now'), run.stop('and now')])
    const { outcome } = await run.result
    expect(['completed', 'cancelled']).toContain(outcome)
    await h.clock.settle()
    const ends = h.events.flatMap(({ event }) => (event.type === 'run.ended' ? [event.result.outcome] : []))
    expect(ends, `a stop after ${ticks} ticks`).toEqual([outcome])
  }
})

test('O1 who called whom, and queued, running, ended are stored as they happen', async () => {
  const g = gate()
  const h = house(
    { main: [{ calls: [task('a'), task('b')] }, 'ok'], a: [{ text: 'x', after: g.opened }], b: ['y'] },
    { agents: [agent('a'), agent('b')], policy: { concurrency: 1, stallMs: 10_000_000 } },
  )
  const run = await h.start()
  await h.clock.settle()
  const stored = async () =>
    (await h.store.list({ rootId: run.id }))
      .map(({ agent: name, status, parentId, outcome }) => [name, status, parentId === run.id, outcome])
      .sort()
  expect(await stored()).toEqual([
    ['a', 'running', true, undefined],
    ['b', 'queued', true, undefined],
    ['main', 'running', false, undefined],
  ])
  g.open()
  await run.result
  expect(await stored()).toEqual([
    ['a', 'ended', true, 'completed'],
    ['b', 'ended', true, 'completed'],
    ['main', 'ended', false, 'completed'],
  ])
})

test('O6 closing frees the slots and timers of failed and cancelled runs; their records stay', async () => {
  const store = memoryStore()
  const h = house(
    {
      main: [{ calls: [task('failing'), background('stuck')] }, { hangs: true }],
      failing: [{ error: { message: 'broken' } }],
      stuck: [{ hangs: true }],
    },
    { agents: [agent('failing'), agent('stuck')], store: Object.assign(store, { close: async () => {} }) },
  )
  await h.start()
  await h.clock.settle()
  await h.offshoot.close()
  expect(h.clock.pending).toBe(0)
  const records = (await store.list({})).map(({ agent: name, outcome }) => [name, outcome]).sort()
  expect(records).toEqual([
    ['failing', 'failed'],
    ['main', 'cancelled'],
    ['stuck', 'cancelled'],
  ])
})

test('K14 a tool that throws something odd, and a model that throws, end at their own run; siblings and caller go on', async () => {
  const h = house(
    {
      main: [{ calls: [task('thrower'), task('breaker'), task('sound')] }, 'went on'],
      thrower: [call('Odd'), 'told of it'],
      breaker: [{ throws: new TypeError('parser: unexpected byte') }],
      sound: ['fine'],
    },
    {
      agents: [agent('thrower'), agent('breaker'), agent('sound')],
      tools: [
        tool('Odd', 'read', () => {
          throw null
        }),
      ],
    },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'went on' })
  const outcomes = Object.fromEntries((await h.offshoot.list()).map(({ agent: name, outcome }) => [name, outcome]))
  expect(outcomes).toEqual({ main: 'completed', thrower: 'completed', breaker: 'failed', sound: 'completed' })
  expect(h.toolTexts('main')[1]).toContain('parser: unexpected byte')
})

test('S6 a caller that was already cancelled: outcome cancelled, no model call', async () => {
  const h = house({})
  const run = await h.offshoot.start({ prompt: 'x', description: 'd' }, { signal: AbortSignal.abort() })
  if ('refused' in run) throw new Error(run.refused)
  expect(await run.result).toMatchObject({ outcome: 'cancelled', turns: 0 })
  expect(h.model.requests).toHaveLength(0)
})

test('S1 a child’s events carry their own run id and depth, and the caller’s log has only its start and end', async () => {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [call('Look'), 'done'] },
    { agents: [agent('worker')], tools: [tool('Look', 'read', () => 'x')] },
  )
  const run = await h.start()
  await run.result
  const main = h.events.filter(envelope => envelope.runId === run.id)
  const child = h.events.filter(envelope => envelope.agent === 'worker')
  expect(
    child.every(envelope => envelope.depth === 1 && envelope.parentId === run.id && envelope.rootId === run.id),
  ).toBe(true)
  expect(main.map(({ event }) => event.type).filter(type => type.startsWith('child.'))).toEqual([
    'child.started',
    'child.ended',
  ])
  expect(main.filter(isDurable).map(({ seq }) => seq)).toEqual(main.filter(isDurable).map((_, i) => i + 1))
})

test('S3 E4 K14 a subscriber that throws does not fail the run', async () => {
  const errors: unknown[] = []
  const h = house({ main: ['fine'] }, { onError: error => errors.push(error) })
  h.offshoot.subscribe({}, () => {
    throw new Error('listener')
  })
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  expect(errors.length).toBeGreaterThan(0)
})

test('S10 J02 at the concurrency bound runs queue; past the queue’s bound they are refused with the reason', async () => {
  const g = gate()
  let running = 0
  let peak = 0
  const h = house(
    {
      main: [{ calls: Array.from({ length: 6 }, (_, i) => task('worker', String(i))) }, 'ok'],
      worker: [{ ...call('Count'), after: g.opened }, 'done'],
    },
    {
      agents: [agent('worker')],
      policy: { concurrency: 2, queue: 3 },
      tools: [
        tool('Count', 'read', async () => {
          peak = Math.max(peak, ++running)
          await new Promise(resolve => setImmediate(resolve))
          running -= 1
          return 'x'
        }),
      ],
    },
  )
  const run = await h.start()
  await h.clock.settle()
  g.open()
  await run.result
  const texts = h.toolTexts('main')
  expect(texts.filter(text => text.startsWith('The queue for runs is full')).length).toBe(1)
  expect(texts.filter(text => text.startsWith('done')).length).toBe(5)
  expect(peak).toBeLessThanOrEqual(2)
  expect(h.events.some(({ event }) => event.type === 'slot.waiting' && event.position > 0)).toBe(true)
})

test('J03 one slot and three levels of waiting callers do not deadlock', async () => {
  const down = [{ calls: [task('digger')] }, 'up'] as const
  const h = house(
    { main: down, digger: first => (first.declared.tools.some(({ name }) => name === 'Task') ? down : ['bottom']) },
    { agents: [agent('digger', { canSpawn: true })], policy: { concurrency: 1 } },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'up' })
})

test('P38 a spawn has a deadline: a run that gets no slot in time ends and says so; queueing is not working time', async () => {
  const g = gate()
  const h = house(
    { main: [{ calls: [task('hog'), task('worker')] }, 'ok'], hog: [{ text: 'x', after: g.opened }] },
    {
      agents: [agent('hog', { limits: { timeoutMs: 10_000_000 } }), agent('worker')],
      policy: { concurrency: 1, spawnDeadlineMs: 60_000, stallMs: 10_000_000 },
    },
  )
  const run = await h.start()
  await h.clock.advance(60_000)
  g.open()
  await run.result
  expect(h.toolTexts('main')[1]).toContain('no slot became free within 60 s')
})

test('time in the queue does not count against a run that comes back for a slot', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: [task('lead'), task('hog')] }, 'ok'],
      lead: [{ calls: [task('quick')] }, 'lead done'],
      quick: ['q'],
      hog: [{ text: 'x', after: g.opened }],
    },
    {
      agents: [
        agent('lead', { canSpawn: true, limits: { timeoutMs: 30_000 } }),
        agent('hog', { limits: { timeoutMs: 1_000_000 } }),
        agent('quick'),
      ],
      policy: { concurrency: 1, stallMs: 10_000_000 },
    },
  )
  const run = await h.start()
  await h.clock.advance(100_000)
  g.open()
  await run.result
  expect(h.toolTexts('main')[0]).toContain('lead done')
})

test('a message to a running run is read at the next safe point; one to an ended run wakes it', async () => {
  const g = gate()
  const h = house({ main: [{ text: 'first', after: g.opened }, 'second', 'third'] })
  const run = await h.start()
  await h.clock.settle()
  await run.say('also do this')
  g.open()
  expect(await run.result).toMatchObject({ text: 'second' })
  await run.say('and that')
  expect(await run.result).toMatchObject({ text: 'third', turns: 3 })
  expect(h.model.requests[2]!.messages.map(message => message.role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
  ])
})

test('P27 a foreground child moved to the background is not restarted', async () => {
  const g = gate()
  const h = house(
    { main: [{ calls: [task('worker')] }, 'free again', 'and done'], worker: [{ text: 'late news', after: g.opened }] },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  const started = h.events.find(({ event }) => event.type === 'child.started')!.event as {
    callId: string
    runId: string
  }
  await h.offshoot.toBackground(started.runId)
  await h.clock.settle()
  expect(h.toolTexts('main')[0]).toContain(`Moved to the background. It goes on as run ${started.runId}`)
  g.open()
  expect(await run.result).toMatchObject({ text: 'and done' })
  expect(h.model.requestsOf('worker')).toHaveLength(1)
})

test('close stops what runs and leaves nothing behind', async () => {
  const h = house({ main: [{ calls: [task('worker')] }], worker: [{ hangs: true }] }, { agents: [agent('worker')] })
  const run = await h.start()
  await h.clock.settle()
  await h.offshoot.close()
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  expect(h.clock.pending).toBe(0)
})

test('a resumed run was cancelled at once: a stop that came after the end does not hit the next attempt', async () => {
  const h = house({ main: ['one', 'two'] })
  const run = await h.start()
  await run.result
  await run.stop('too late')
  const again = await h.offshoot.resume(run.id, 'once more')
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'two' })
})

test('a root that failed at a provider’s limit goes on by itself when the limit is lifted', async () => {
  const h = house(
    {
      main: [
        () => ({ error: { message: 'limit', kind: 'rate-limit', resetsAt: h.clock.now() + 60_000 } }),
        'after the limit',
      ],
    },
    { policy: { resumeAfterLimitMs: 3_600_000 } },
  )
  const run = await h.start()
  expect(await run.result).toMatchObject({ outcome: 'failed', error: { rule: 'rate-limit' } })
  await h.clock.advance(60_000)
  expect(await h.offshoot.run(run.id).result).toMatchObject({ outcome: 'completed', text: 'after the limit' })
})
