/** A child that was promised before a crash, and has not begun to work: the rules of today decide over its start, too. */
import { expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import type { StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import { parsePermissionRule } from '../../src/core/permission/permission-rule.js'
import type { Judge } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Script, ScriptStep } from '../../src/testing/scripted-model.js'
import { agent, call, type House, house, task, tool } from './house.js'
import { machineWith } from './machine.js'

const file = '/home/me/.offshoot/settings.json'

/** The house's rules by a file of settings. */
function judgeBy(...deny: readonly string[]): Judge {
  const rules = deny.map(text => {
    const rule = parsePermissionRule(text)
    if ('fault' in rule) throw new Error(rule.fault)
    return rule
  })
  const layer = { scope: 'user', origin: file, rules: { allow: [], ask: [], deny: rules } } as const
  return createJudge({ layers: () => [layer], stateDirs: [] })
}

const machine = () => machineWith({ agents: [agent('a'), agent('b')], judge: judgeBy() })

async function eventsOf(store: RunStore, runId: RunId) {
  const events = []
  for await (const { event } of store.read(runId)) events.push(event)
  return events
}

const ways = {
  recover: async (h: House, root: RunId) => {
    await h.offshoot.recover()
    return h.offshoot.run(root).result
  },
  'resume of the root': async (h: House, root: RunId) => {
    const run = await h.offshoot.resume(root)
    if ('refused' in run) throw new Error(run.refused)
    return run.result
  },
}
const wayNames = Object.keys(ways) as (keyof typeof ways)[]

const beginsChild = (events: readonly StoredEvent[]) =>
  events.some(({ agent: who, event }) => who === 'a' && event.type === 'run.queued')

/** Each child was started once and ended once in its caller's log, and the end names rule and file. */
async function expectDenied(store: RunStore, root: RunId, h: House): Promise<void> {
  expect(h.model.requestsOf('a')).toEqual([])
  const told = JSON.stringify(h.model.requestsOf('main').at(-1)?.messages)
  expect(told).toContain('Agent(a)')
  expect(told).toContain(file)
  const events = await eventsOf(store, root)
  expect(events.filter(({ type }) => type === 'child.ended')).toMatchObject([{ outcome: 'failed' }])
}

test.each(wayNames.flatMap(way => [false, true].map(isBackground => [way, isBackground] as const)))(
  'P13 %s: a child that was promised (in the background: %s) and has no log yet began against a new deny of its agent',
  async (way, isBackground) => {
    const { boot, store } = machine()
    const promise = task('a', 'work', { run_in_background: isBackground })
    const first = boot({ main: [{ calls: [promise] }, 'waiting'] }, {}, beginsChild)
    const { id } = await first.start()
    await first.clock.settle()
    first.kill()
    expect((await eventsOf(store, id)).map(({ type }) => type)).toContain('child.started')
    expect(await store.list({ agent: 'a' })).toEqual([])
    const h = boot({ main: ['heard', 'heard', 'heard'], a: ['worked'] }, { judge: judgeBy('Agent(a)') })
    expect(await ways[way](h, id)).toMatchObject({ outcome: 'completed' })
    await expectDenied(store, id, h)
    expect(await store.list({ agent: 'a' })).toEqual([])
    const answers = (await eventsOf(store, id)).filter(event => event.type === 'tool.ended')
    if (!isBackground) expect(answers).toMatchObject([{ name: 'Task', status: 'error', rule: 'Agent(a)' }])
  },
)

test.each(wayNames)('P13 %s: a child that was in the queue for a slot began against a new deny', async way => {
  const { boot, store } = machine()
  const calls = [task('b', 'first'), task('a', 'second')]
  const first = boot({ main: [{ calls }], b: [{ hangs: true }], a: ['worked'] }, { policy: { concurrency: 1 } })
  const { id } = await first.start()
  await first.clock.settle()
  expect(await store.list({ agent: 'a' })).toMatchObject([{ status: 'queued' }])
  expect(first.model.requestsOf('a')).toEqual([])
  first.kill()
  const h = boot({ main: ['heard'], b: ['b is done'], a: ['worked'] }, { judge: judgeBy('Agent(a)') })
  expect(await ways[way](h, id)).toMatchObject({ outcome: 'completed' })
  expect(h.model.requestsOf('a')).toEqual([])
  expect(h.toolTexts('main')).toEqual([
    expect.stringContaining('b is done'),
    expect.stringMatching(/Agent\(a\).*settings/),
  ])
  const [child] = await store.list({ agent: 'a' })
  const events = await eventsOf(store, child!.runId)
  expect(events.find(({ type }) => type === 'run.barred')).toMatchObject({ rule: 'Agent(a)' })
  expect(events.at(-1)).toMatchObject({ type: 'run.ended', result: { outcome: 'failed', error: { rule: 'Agent(a)' } } })
})

test('P13 a child in the queue that is resumed alone is refused by the new deny, and stays as it is', async () => {
  const { boot, store } = machine()
  const calls = [task('b', 'first'), task('a', 'second')]
  const first = boot({ main: [{ calls }], b: [{ hangs: true }] }, { policy: { concurrency: 1 } })
  await first.start()
  await first.clock.settle()
  first.kill()
  const [child] = await store.list({ agent: 'a' })
  const h = boot({ a: ['worked'] }, { judge: judgeBy('Agent(a)') })
  const refusal = await h.offshoot.resume(child!.runId, 'go on')
  expect(refusal).toMatchObject({ rule: 'Agent(a)', refused: expect.stringContaining(file) })
  expect((await store.summary(child!.runId))?.status).not.toBe('ended')
  const lifted = boot({ a: ['worked'] })
  const again = await lifted.offshoot.resume(child!.runId)
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'worked' })
})

test.each([
  ['TaskSend', { name: 'TaskSend', input: { task_id: 'ada', message: 'more' } }],
  ['Task with resume', undefined],
])('P13 recover: another attempt that %s had promised began against a new deny', async (_, send) => {
  const { boot, store } = machine()
  const goesOn = (events: readonly StoredEvent[]) => events.some(({ event }) => event.type === 'run.resumed')
  const script: Script = [
    { calls: [task('a', 'begin', { name: 'ada' })] },
    ({ messages }) => {
      const resume = /run (\S+) · a/.exec(JSON.stringify(messages))?.[1]
      return { calls: [send ?? { name: 'Task', input: { description: 'd', prompt: 'more', resume } }] }
    },
    'waiting',
  ]
  const first = boot({ main: script, a: ['the first half', 'the rest'] }, {}, goesOn)
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  const [child] = await store.list({ agent: 'a' })
  expect(child).toMatchObject({ status: 'ended', attempt: 1 })
  const h = boot({ main: ['heard', 'heard', 'heard'], a: ['the rest'] }, { judge: judgeBy('Agent(a)') })
  expect(await ways.recover(h, id)).toMatchObject({ outcome: 'completed' })
  await h.clock.settle()
  expect(h.model.requestsOf('a')).toEqual([])
  expect(JSON.stringify(h.model.requestsOf('main').at(-1)?.messages)).toContain(file)
  // What was sent still lies there; nobody goes on for it while the rule stands.
  const third = boot({ main: ['heard'], a: ['the rest'] }, { judge: judgeBy('Agent(a)') })
  await third.offshoot.recover()
  await third.clock.settle()
  expect(third.model.requestsOf('a')).toEqual([])
})

/** The second attempt of a child, promised to its caller before a crash, and refused by a rule that came in between. */
async function refusedAttempt(isBackground: boolean) {
  const { boot, store } = machine()
  const goesOn = (events: readonly StoredEvent[]) => events.some(({ event }) => event.type === 'run.resumed')
  const resume = (messages: unknown) => /run (\S+) · a/.exec(JSON.stringify(messages))?.[1]
  const again: ScriptStep = ({ messages }) =>
    call('Task', { description: 'd', prompt: 'more', resume: resume(messages), run_in_background: isBackground })
  const first = boot({ main: [{ calls: [task('a', 'begin')] }, again, 'waiting'], a: ['the first half'] }, {}, goesOn)
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  const h = boot({ main: ['heard', 'heard', 'heard'] }, { judge: judgeBy('Agent(a)') })
  const result = await ways.recover(h, id)
  await h.clock.settle()
  const [child] = await store.list({ agent: 'a' })
  expect(child).toMatchObject({ status: 'ended', attempt: 1 })
  const told = async () =>
    (await eventsOf(store, id)).flatMap(event => {
      if (event.type === 'child.started') return [`started ${event.attempt}`]
      return event.type === 'child.ended' ? [`${event.outcome} ${event.attempt}`] : []
    })
  expect(await told()).toEqual(['started 1', 'completed 1', 'started 2', 'failed 2'])
  return { boot, root: id, child: child!.runId, again, told, result }
}

async function goOn({ offshoot }: House, runId: RunId, prompt: string) {
  const run = await offshoot.resume(runId, prompt)
  if ('refused' in run) throw new Error(run.refused)
  return run.result
}

test.each([false, true])(
  'P22 once the rule is gone, the end of the attempt that a person has go on was never told (in the background: %s)',
  async isBackground => {
    const { boot, root, child, told } = await refusedAttempt(isBackground)
    const h = boot({ main: ['heard', 'heard'], a: ['the real rest'] })
    expect(await goOn(h, child, 'go on')).toMatchObject({ outcome: 'completed' })
    await h.clock.settle()
    await goOn(h, root, 'and?')
    expect((await told()).slice(4)).toEqual(['started 2', 'completed 2'])
    expect(JSON.stringify(h.model.requestsOf('main').at(-1)?.messages).split('the real rest')).toHaveLength(2)
  },
)

test.each([false, true])(
  'once the rule is gone, its caller was told for ever that the child had not ended (in the background: %s)',
  async isBackground => {
    const { boot, root, again, told } = await refusedAttempt(isBackground)
    const h = boot({ main: [again, 'heard', 'heard'], a: ['the real rest'] })
    await goOn(h, root, 'try again')
    expect((await told()).slice(4)).toEqual(['started 2', 'completed 2'])
    expect(JSON.stringify(h.model.requestsOf('main').at(-1)?.messages).split('the real rest')).toHaveLength(2)
  },
)

test('as long as the rule stands, the attempt that was refused is told of once, however often runs are recovered', async () => {
  const { boot, store } = machine()
  const goesOn = (events: readonly StoredEvent[]) => events.some(({ event }) => event.type === 'run.resumed')
  const send = call('TaskSend', { task_id: 'ada', message: 'more' })
  const main: Script = [{ calls: [task('a', 'begin', { name: 'ada' })] }, send, 'waiting']
  const first = boot({ main, a: ['the first half'] }, {}, goesOn)
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  for (let i = 0; i < 3; i++) {
    const h = boot({ main: ['heard', 'heard', 'heard'] }, { judge: judgeBy('Agent(a)') })
    await h.offshoot.recover()
    await h.clock.settle()
    await goOn(h, id, 'go on')
    await h.clock.settle()
    h.kill()
  }
  const ends = (await eventsOf(store, id)).filter(({ type }) => type === 'child.ended')
  expect(ends).toMatchObject([{ attempt: 1 }, { attempt: 2, outcome: 'failed', isRefused: true }])
})

test('P41 what a child had spent before an attempt that was refused was no more in the sum of its caller', async () => {
  const { result } = await refusedAttempt(false)
  const calm = house(
    { main: [{ calls: [task('a', 'begin')] }, 'heard'], a: ['the first half'] },
    { agents: [agent('a')] },
  )
  const { spent, usage } = await calm.run()
  const below = spent!.tokens - usage.input - usage.output
  expect(below).toBeGreaterThan(0)
  expect(result.spent!.tokens - result.usage.input - result.usage.output).toBe(below)
})

test.each(wayNames)('P13 %s: a child that was at work goes on under the rules of today, call by call', async way => {
  const { boot, store } = machine()
  const ran: string[] = []
  const order = tool('Order', 'write', () => (ran.push('ordered'), 'ordered'))
  const first = boot({ main: [{ calls: [task('a')] }], a: [{ hangs: true }] }, { tools: [order] })
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  const script = { main: ['heard'], a: [call('Order'), 'a is done'] }
  const h = boot(script, { tools: [order], judge: judgeBy('Order') })
  expect(await ways[way](h, id)).toMatchObject({ outcome: 'completed' })
  expect(ran).toEqual([])
  expect(h.toolTexts('a')).toEqual([expect.stringContaining(file)])
  const [child] = await store.list({ agent: 'a' })
  expect(child).toMatchObject({ outcome: 'completed' })
})

test('P13 the same, resumed alone', async () => {
  const { boot, store } = machine()
  const ran: string[] = []
  const order = tool('Order', 'write', () => (ran.push('ordered'), 'ordered'))
  const first = boot({ main: [{ calls: [task('a')] }], a: [{ hangs: true }] }, { tools: [order] })
  await first.start()
  await first.clock.settle()
  first.kill()
  const [child] = await store.list({ agent: 'a' })
  const h = boot({ a: [call('Order'), 'a is done'] }, { tools: [order], judge: judgeBy('Order') })
  const again = await h.offshoot.resume(child!.runId)
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed' })
  expect(ran).toEqual([])
})

test('P13 a new deny of its agent ends a child that was at work, as any caller that may not call it any more', async () => {
  const { boot, store } = machine()
  const first = boot({ main: [{ calls: [task('a')] }], a: [{ text: 'half', hangs: true }] })
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  const h = boot({ main: ['heard'], a: ['worked'] }, { judge: judgeBy('Agent(a)') })
  const [child] = await store.list({ agent: 'a' })
  expect(await h.offshoot.resume(child!.runId)).toMatchObject({ rule: 'Agent(a)' })
  expect(await ways.recover(h, id)).toMatchObject({ outcome: 'completed' })
  await expectDenied(store, id, h)
})

test('a rule that only asks about an agent by now leaves a child that was promised as it was granted', async () => {
  const { boot, store } = machine()
  const first = boot({ main: [{ calls: [task('a')] }] }, {}, beginsChild)
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  const asking: Judge = {
    judge: ({ spec }) =>
      spec.name === 'Task' ? { decision: 'ask', rule: 'Agent(a)', reason: 'asks' } : { decision: 'allow', rule: 'x' },
  }
  const h = boot({ main: ['heard'], a: ['worked'] }, { judge: asking })
  expect(await ways.recover(h, id)).toMatchObject({ outcome: 'completed' })
  expect(await store.list({ agent: 'a' })).toMatchObject([{ outcome: 'completed' }])
})

test.each([
  ['less by now', { tokens: 2_500 }, 2_500],
  ['none of its own any more', undefined, 9_000],
])(
  'P13 P43 a promised child whose agent is granted %s got all that was carved out before, or more',
  async (_, budget, most) => {
    const { boot, store } = machine()
    const policy = { treeBudget: { tokens: 60_000 } }
    const granted = (today?: { readonly tokens: number }) => [agent('a', today && { budget: today }), agent('b')]
    const first = boot({ main: [{ calls: [task('a')] }] }, { agents: granted({ tokens: 9_000 }), policy }, beginsChild)
    const { id } = await first.start()
    await first.clock.settle()
    first.kill()
    const h = boot({ main: ['heard'], a: ['worked'] }, { agents: granted(budget), policy })
    expect(await ways.recover(h, id)).toMatchObject({ outcome: 'completed' })
    const [child] = await store.list({ agent: 'a' })
    const brief = await h.offshoot.run(child!.runId).brief()
    expect(brief).toMatchObject({ budget: { tokens: most }, purses: { tokens: 'own' } })
  },
)

test.each(wayNames)(
  'P13 %s: a promised child starts in the mode, at the depth and with the tools of today',
  async way => {
    const { boot, store } = machine()
    const order = tool('Order', 'write', () => 'ordered')
    const options = { tools: [order], policy: { mode: 'bypassPermissions' } } as const
    const first = boot({ main: [{ calls: [task('a')] }] }, options, beginsChild)
    const { id } = await first.start()
    await first.clock.settle()
    first.kill()
    const today = { tools: [order], agents: [agent('a', { tools: [] }), agent('b')], policy: { mode: 'plan' } } as const
    const h = boot({ main: ['heard'], a: ['worked'] }, today)
    await ways[way](h, id)
    const [child] = await store.list({ agent: 'a' })
    const brief = await h.offshoot.run(child!.runId).brief()
    expect(brief).toMatchObject({ allowed: [] })
    expect(brief?.chain.at(-1)?.mode).toBe('plan')
  },
)

test('P40 a promised child that lies too deep by now is not started', async () => {
  const { boot, store } = machine()
  const first = boot({ main: [{ calls: [task('a')] }] }, {}, beginsChild)
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  const h = boot({ main: ['heard'], a: ['worked'] }, { policy: { maxDepth: 0 } })
  expect(await ways.recover(h, id)).toMatchObject({ outcome: 'completed' })
  expect(await store.list({ agent: 'a' })).toEqual([])
})
