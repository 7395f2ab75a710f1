import { expect, test } from 'vitest'
import type { ApprovalRequest, Approver, ModelRequest } from '../../src/core/ports.js'
import type { EstimateCost } from '../../src/runtime/children/purse.js'
import { agent, call, house, task, tool } from './house.js'

const look = tool('Look', 'read', ({ n }: { n?: number }) => `seen ${n ?? ''}`)
/** Looks on and on; asked for its last report, it gives one. */
const looks = (count: number, usage = {}) =>
  Array.from(
    { length: count },
    (_, n) => (request: ModelRequest) =>
      request.purpose === 'work' ? { ...call('Look', { n }), usage } : { text: 'what I have', usage },
  )
const texts = (h: ReturnType<typeof house>, name: string) => JSON.stringify(h.model.requestsOf(name).at(-1)!.messages)
/** A dollar for a million tokens, in or out. */
const flat: EstimateCost = (model, { input, output }) =>
  model === 'test/model' ? (input + output) / 1_000_000 : undefined

test('P44 a budget of tokens refuses the next request, and what was kept back pays for a final report', async () => {
  const h = house(
    { main: [...looks(5, { input: 2_000, output: 100 }), 'what I have'] },
    { agents: [agent('main', { budget: { tokens: 14_000 }, canSpawn: false })], tools: [look] },
  )
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'completed', recoveredFrom: 'budget', text: 'what I have' })
  expect(result.spent!.tokens).toBeLessThanOrEqual(14_000)
  const reached = h.events.find(({ event }) => event.type === 'budget.reached')?.event
  expect(reached).toMatchObject({ dimension: 'tokens', granted: 14_000 })
  expect(h.model.requests.at(-1)).toMatchObject({ purpose: 'grace' })
})

test('P44 a child that shares a budget spent what its caller’s last report would have cost', async () => {
  const costly = { usage: { input: 4_000, output: 1_000 } }
  const greedy = Array.from({ length: 12 }, (_, n) => ({ ...call('Look', { n }), ...costly }))
  const h = house(
    {
      main: [
        { calls: [task('worker')], ...costly },
        { text: 'what it brought', ...costly },
      ],
      worker: () => [...greedy, 'done'],
    },
    { agents: [agent('main'), agent('worker')], tools: [look], policy: { treeBudget: { tokens: 60_000 } } },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', recoveredFrom: 'budget', text: 'what it brought' })
})

test('the model is told at 75 % and at 90 %, once each', async () => {
  const h = house(
    { main: looks(70, { input: 1_000, output: 0 }) },
    { agents: [agent('main', { budget: { tokens: 60_000 }, canSpawn: false })], tools: [look] },
  )
  await h.run()
  const marks = h.events.flatMap(({ event }) => (event.type === 'budget.noticed' ? [event.percent] : []))
  expect(new Set(marks).size).toBe(marks.length)
  expect(marks).toEqual([75, 90])
  expect(texts(h, 'main')).toContain('More than 75 % of your budget is used')
  expect(texts(h, 'main')).toContain('More than 90 %')
})

test('a request asks for no more output than is left', async () => {
  const h = house({ main: ['done'] }, { agents: [agent('main', { budget: { tokens: 4_000 }, canSpawn: false })] })
  await h.run()
  expect(h.model.requests[0]!.maxOutputTokens).toBeLessThan(4_000)
})

test('a budget of tool calls: the call past it is not run, and the run reports what it has', async () => {
  let runs = 0
  const count = tool('Look', 'read', ({ n }: { n: number }) => ((runs += 1), `seen ${n}`))
  const h = house(
    {
      main: [{ calls: [0, 1, 2, 3].map(n => ({ name: 'Look', input: { n } })) }, 'two looks'],
    },
    { agents: [agent('main', { budget: { toolCalls: 2 }, canSpawn: false })], tools: [count] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', recoveredFrom: 'budget', text: 'two looks' })
  expect(runs).toBe(2)
  expect(h.toolTexts('main')[2]).toBe(
    'Not run: the budget of 2 tool calls is used up. Give your report with what you have.',
  )
})

test('P41 calls that an ended run had given back, and its caller had used, were made once more below it', async () => {
  const note = (n: number) => call('Look', { n })
  let leaf: string | undefined
  const goOn = () => call('Task', { description: 'again', prompt: 'more', resume: leaf })
  const h = house(
    {
      main: [{ calls: [task('mid', 'work', { budget: { tool_calls: 8 } })] }, ...[1, 2, 3, 4].map(note), goOn, 'done'],
      mid: [{ calls: [task('leaf')] }, 'mid is done'],
      leaf: [note(5), 'leaf is done', ...[6, 7, 8, 9, 10, 11].map(note), 'all I have'],
    },
    { agents: ['main', 'mid', 'leaf'].map(name => agent(name, { canSpawn: name !== 'leaf' })), tools: [look] },
  )
  h.offshoot.subscribe({}, ({ agent: who, runId }) => {
    if (who === 'leaf') leaf = runId
  })
  expect(await h.run({ budget: { toolCalls: 10 } })).toMatchObject({ spent: { toolCalls: 10 } })
  expect(texts(h, 'leaf')).toContain('the budget of 10 tool calls is used up')
})

test('without grace a spent budget ends the run at once, as such', async () => {
  const h = house(
    { main: looks(3, { input: 3_000 }) },
    { agents: [agent('main', { budget: { tokens: 6_000 }, limits: { graceMs: 0 }, canSpawn: false })], tools: [look] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'budget' })
})

test('a task lowers the definition’s budget and cannot raise it; both are clamped to what the caller has left', async () => {
  const budgets = [{ tokens: 2_000 }, { tokens: 90_000 }, undefined]
  const h = house(
    {
      main: [{ calls: budgets.map(budget => task('worker', 'x', budget && { budget })) }, 'ok'],
      worker: ['done'],
    },
    { agents: [agent('worker', { budget: { tokens: 30_000 } })], policy: { treeBudget: { tokens: 60_000 } } },
  )
  await h.run()
  const reserved = h.events.flatMap(({ event }) => (event.type === 'child.started' ? [event.reserved!.tokens] : []))
  expect(reserved[0]).toBe(2_000)
  expect(reserved[1]).toBe(30_000)
  // Kept for main's own report: its conversation, the reports of two children, and its own. Its first request was spent.
  expect(reserved[2]).toBe(60_000 - (110 + 3 * 1_024) - 110 - 32_000)
})

test('P41 three children racing for one remainder cannot overspend it', async () => {
  const usage = { input: 3_000, output: 200 }
  const h = house(
    {
      main: [{ calls: [0, 1, 2].map(n => task('worker', `x${n}`)) }, 'ok'],
      worker: [...looks(20, usage), 'end', 'end'],
    },
    { agents: [agent('worker')], tools: [look], policy: { treeBudget: { tokens: 60_000 } } },
  )
  const result = await h.run()
  expect(result.spent!.tokens).toBeLessThanOrEqual(60_000)
  expect(result.outcome).toBe('completed')
  const children = await h.offshoot.list({ agent: 'worker' })
  expect(children).toHaveLength(3)
  expect(h.events.filter(({ event }) => event.type === 'budget.reached').length).toBeGreaterThan(0)
})

test('what is carved out comes back when the child ends, less what it spent', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'a', { budget: { tokens: 40_000 } })] },
        { calls: [task('worker', 'b', { budget: { tokens: 40_000 } })] },
        'ok',
      ],
      worker: ['done'],
    },
    { agents: [agent('worker')], policy: { treeBudget: { tokens: 50_000 } } },
  )
  await h.run()
  const reserved = h.events.flatMap(({ event }) => (event.type === 'child.started' ? [event.reserved!.tokens] : []))
  expect(reserved).toEqual([40_000, 40_000])
})

test('nothing left: no further run is started, and the text says so', async () => {
  const h = house(
    {
      main: [
        {
          calls: [
            task('worker', 'a', { budget: { tool_calls: 1 } }),
            task('worker', 'b', { budget: { tool_calls: 5 } }),
          ],
        },
        'ok',
      ],
      worker: ['done'],
    },
    { agents: [agent('worker')], policy: { treeBudget: { toolCalls: 3 } } },
  )
  await h.run()
  expect(h.toolTexts('main')[1]).toMatch(/Nothing is left of the budget for tool calls/)
})

test('P43 resuming does not grant afresh', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'first', { name: 'ada', budget: { tokens: 9_000 } })] },
        { calls: [task('worker', 'more', { resume: 'ada', budget: { tokens: 900_000 } })] },
        'ok',
      ],
      worker: [...looks(2, { input: 2_500 }), 'report', 'again', 'again'],
    },
    { agents: [agent('worker')], tools: [look] },
  )
  await h.run()
  const [worker] = await h.offshoot.list({ agent: 'worker' })
  expect((await h.offshoot.run(worker!.runId).brief())!.budget).toEqual({ tokens: 9_000 })
  expect(worker!.usage.input + worker!.usage.output).toBeLessThanOrEqual(9_000)
})

test('money: each request is priced before it is sent, and the tree stays under five cents', async () => {
  const h = house(
    { main: [...looks(30, { input: 4_000, output: 100 }), 'done'] },
    {
      agents: [agent('main', { canSpawn: false })],
      tools: [look],
      policy: { treeBudget: { usd: 0.05 } },
      estimateCost: flat,
    },
  )
  const result = await h.run()
  expect(result).toMatchObject({ recoveredFrom: 'budget' })
  expect(result.cost).toBeLessThanOrEqual(0.05)
  expect(result.cost).toBeGreaterThan(0.02)
})

test('P45 a budget in money with an unknown price is refused before anything is spent', async () => {
  const h = house({}, { policy: { treeBudget: { usd: 1 }, defaultModel: 'odd/model' }, estimateCost: flat })
  expect(await h.offshoot.start({ prompt: 'x', description: 'd' })).toMatchObject({ rule: 'budget-unpriced' })
  const child = house(
    { main: [{ calls: [task('worker', 'x', { budget: { usd: 1 }, model: 'odd/model' })] }, 'ok'] },
    { agents: [agent('worker')], estimateCost: flat },
  )
  await child.run()
  expect(child.toolTexts('main')[0]).toContain('the price of odd/model is not known')
  expect(await child.offshoot.list()).toHaveLength(1)
})

test('P45 a model that lost its price meanwhile is not resumed under a budget in money', async () => {
  let isKnown = true
  const h = house(
    {
      main: [
        { calls: [task('worker', 'x', { name: 'ada', budget: { usd: 1 } })] },
        { calls: [task('worker', 'more', { resume: 'ada' })] },
        'ok',
        'never reached',
      ],
      worker: ['report'],
    },
    { agents: [agent('worker')], estimateCost: async (...given) => (isKnown ? flat(...given) : undefined) },
  )
  h.offshoot.subscribe({}, ({ agent: who, event }) => {
    if (who === 'worker' && event.type === 'run.ended') isKnown = false
  })
  await h.run()
  expect(h.toolTexts('main')[1]).toContain('the price of test/model is not known')
  const [worker] = await h.offshoot.list({ agent: 'worker' })
  expect(await h.offshoot.resume(worker!.runId, 'go on')).toMatchObject({ rule: 'budget-unpriced' })
  expect(h.model.requestsOf('worker')).toHaveLength(1)
})

test('bad budgets are refused clearly: negative, huge, fractional, no number', async () => {
  const bad = [
    [{ tokens: -1 }, /budget\.tokens must be a whole number from 1/],
    [{ tokens: 1.5 }, /not 1\.5/],
    [{ tokens: 1e300 }, /at most 1000000000000/],
    [{ usd: 0 }, /budget\.usd must be an amount above 0/],
    [{ usd: Number.NaN }, /not NaN/],
    [{ toolCalls: Number.POSITIVE_INFINITY }, /not Infinity/],
    [{ tokens: 'many' }, /not many/],
  ] as const
  const h = house({ main: ['x'] })
  for (const [budget, expected] of bad) {
    const answer = await h.offshoot.start({ prompt: 'x', description: 'd', budget: budget as never })
    expect(answer).toMatchObject({ rule: 'invalid-budget', refused: expect.stringMatching(expected) })
  }
})

test('a turn that is cut off under a budget counts by estimate', async () => {
  const h = house(
    { main: [{ text: 'half a sentence', hangs: true }] },
    { agents: [agent('main', { budget: { tokens: 50_000 }, canSpawn: false })] },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop()
  const result = await run.result
  expect(result.usage).toMatchObject({ isEstimated: true })
  expect(result.usage.input).toBeGreaterThan(0)
})

test('explain shows where the spending of a task would count, and by which rule', () => {
  const h = house({}, { agents: [agent('main', { budget: { tokens: 5_000 } })], policy: { treeBudget: { usd: 2 } } })
  const brief = h.offshoot.explain({ prompt: 'x', description: 'd' })
  if ('refused' in brief) throw new Error(brief.refused)
  expect(brief.reasons.filter(({ about }) => about === 'budget')).toEqual([
    { about: 'budget', subject: 'tokens', verdict: '5000', rule: 'definition' },
    { about: 'budget', subject: 'usd', verdict: '2', rule: 'tree' },
  ])
})

const fan = (count: number) => ({ calls: Array.from({ length: count }, (_, n) => task('worker', `x${n}`)) })

test('a fan-out past the threshold asks once, shows what it may cost, and one answer holds for all', async () => {
  const shown: ApprovalRequest[] = []
  const approver: Approver = { isListening: () => true, present: request => (shown.push(request), () => {}) }
  const h = house(
    { main: [{ calls: [task('worker', 'first')] }, fan(4), 'ok'], worker: [{ text: 'done', cost: 0.01 }] },
    { agents: [agent('worker')], approver, policy: { fanOutApproval: 3 } },
  )
  const run = await h.start()
  await h.clock.settle()
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatchObject({
    rule: 'fan-out',
    reason: '4 runs at once (worker ×4): about 440 tokens, about $0.0400',
  })
  expect(await h.offshoot.list({ agent: 'worker' })).toHaveLength(1)
  await h.offshoot.approvals.answer(shown[0]!.approvalId, { verdict: 'allow' })
  await run.result
  expect(await h.offshoot.list({ agent: 'worker' })).toHaveLength(5)
})

test('a fan-out that is refused, or that nobody can approve, starts nothing; a small one goes without asking', async () => {
  const none = house(
    { main: [fan(4), fan(3), 'ok'], worker: ['done'] },
    { agents: [agent('worker')], policy: { fanOutApproval: 3 } },
  )
  await none.run()
  expect(
    none
      .toolTexts('main')
      .slice(0, 4)
      .map(text => text.slice(0, 24)),
  ).toEqual(['This call needs an appro', ...Array(3).fill('Not run: starting so man')])
  expect(await none.offshoot.list({ agent: 'worker' })).toHaveLength(3)

  const approver: Approver = {
    isListening: () => true,
    present: ({ approvalId }) => {
      setImmediate(() => void said.offshoot.approvals.answer(approvalId, { verdict: 'deny', reason: 'too many' }))
      return () => {}
    },
  }
  const said = house({ main: [fan(4), 'ok'] }, { agents: [agent('worker')], approver, policy: { fanOutApproval: 3 } })
  await said.run()
  expect(said.toolTexts('main')).toEqual(Array(4).fill(expect.stringContaining('too many')))
})

test('J01 a tree that spawns for ever is stopped by depth, by the number of its runs, and by its budget', async () => {
  const again = () => ({ calls: [task('worker', 'more'), task('worker', 'more')] })
  const h = house(
    {
      main: [again(), again(), again(), 'ok'],
      worker: request => (request.declared.tools.length > 0 ? [again(), 'x'] : ['x']),
    },
    { agents: [agent('worker', { canSpawn: true })], policy: { maxDescendants: 7, maxDepth: 2 } },
  )
  await h.run()
  const runs = await h.offshoot.list()
  expect(runs).toHaveLength(8)
  expect(Math.max(...runs.map(({ depth }) => depth))).toBe(2)
  expect(h.toolTexts('main').at(-1)).toMatch(/has already started 7 runs/)
})

test('J01 every word to a conversation gave it as many runs again as it may start in all', async () => {
  const two = { calls: [task('worker'), task('worker')] }
  const h = house(
    { main: [two, 'first', two, 'second'], worker: () => ['done'] },
    { agents: [agent('worker')], policy: { maxDescendants: 3 } },
  )
  const run = await h.start()
  await run.result
  await run.say('more')
  expect(await run.result).toMatchObject({ text: 'second' })
  expect(await h.offshoot.list({ agent: 'worker' })).toHaveLength(3)
  expect(h.toolTexts('main').at(-1)).toMatch(/has already started 3 runs/)
})

test('J01 tasks that were refused counted as runs that a conversation had started', async () => {
  const more = (prompt: string) => ({ calls: [task('worker', prompt)] })
  const h = house(
    {
      main: [{ calls: [task('nobody')] }, { calls: [task('no-one')] }, ...['1', '2', '3'].map(more), 'done'],
      worker: ['worked'],
    },
    { agents: ['main', 'worker'].map(name => agent(name, { canSpawn: true })), policy: { maxDescendants: 2 } },
  )
  await h.run()
  expect(h.toolTexts('main').slice(2)).toEqual([
    ...[expect.stringMatching(/^worked/), expect.stringMatching(/^worked/)],
    expect.stringContaining('has already started 2 runs'),
  ])
})

test('J01 runs that are asked for in one turn are bounded as those that come one by one', async () => {
  const h = house(
    { main: [{ calls: ['1', '2', '3', '4'].map(prompt => task('worker', prompt)) }, 'done'], worker: ['worked'] },
    { agents: ['main', 'worker'].map(name => agent(name, { canSpawn: true })), policy: { maxDescendants: 3 } },
  )
  await h.run()
  const texts = h.toolTexts('main')
  expect(texts.filter(text => text.startsWith('worked'))).toHaveLength(3)
  expect(texts.filter(text => text.includes('has already started 3 runs'))).toHaveLength(1)
})

test('J01 a tree that spawns for ever under a budget of tokens ends for want of it, and no request goes past it', async () => {
  const usage = { input: 500, output: 500 }
  const again = { calls: [task('worker', 'more')], usage }
  const h = house(
    {
      main: Array.from({ length: 50 }, () => again),
      worker: request =>
        request.declared.tools.length > 0 ? Array.from({ length: 50 }, () => again) : [{ text: 'x', usage }],
    },
    { agents: [agent('worker', { canSpawn: true })], policy: { treeBudget: { tokens: 20_000 } } },
  )
  expect(await h.run()).toMatchObject({ outcome: 'budget' })
  const spent = h.events.reduce((all, { event }) => all + (event.type === 'turn.ended' ? 1_000 : 0), 0)
  expect(spent).toBeLessThanOrEqual(20_000)
  expect(spent).toBeGreaterThan(5_000)
  expect((await h.offshoot.list()).every(({ status }) => status === 'ended')).toBe(true)
})

test('a budget of fewer tokens than one request takes was said to be used up, with nothing spent', async () => {
  const h = house(
    { main: [{ calls: [task('worker', 'look', { budget: { tokens: 3 } })] }, 'ok'], worker: ['never'] },
    { agents: [agent('worker')] },
  )
  await h.run()
  expect(h.model.requestsOf('worker')).toEqual([])
  expect(h.toolTexts('main')[0]).toMatch(/the first request alone would take about \d+ tokens, and the budget is 3\b/)
})
