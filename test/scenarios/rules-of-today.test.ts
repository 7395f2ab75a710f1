/** A run that was left without an end goes on by the rules of today, whoever takes it up: P13, P40. */
import { expect, test } from 'vitest'
import { commandHooks } from '../../src/adapters/hooks/command-hooks.js'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Sandbox } from '../../src/core/workspace.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task, tool } from './house.js'

const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })

/** What `a` does with the tool that was taken from it, in whichever house. */
function orders() {
  const ran: string[] = []
  const order = tool('Order', 'write', (_, { agent: who }) => {
    ran.push(who)
    return 'ordered'
  })
  return { ran, order }
}

interface Left {
  readonly store: RunStore
  readonly root: RunId
  readonly child: RunId
}

/** A root that waits for its child `a`, whose turn is under way when the process goes. */
async function leave(options: Partial<OffshootOptions> = {}): Promise<Left> {
  const store = memoryStore({ isAlive: ({ id }) => id !== 'first' })
  const first = house(
    { main: [{ calls: [task('a')] }], a: [{ text: 'hm', hangs: true }] },
    {
      agents: [agent('a')],
      tools: [orders().order],
      owner: owner('first'),
      ...options,
      store: storeWith(store, { close: async () => {} }),
    },
  )
  const { id } = await first.start()
  await first.clock.settle()
  const [child] = await first.offshoot.list({ agent: 'a' })
  await first.offshoot.close('leave')
  return { store, root: id, child: child!.runId }
}

function takeUp({ store }: Left, options: Partial<OffshootOptions>): House {
  const script = { main: ['main is done'], a: [call('Order'), 'a is done'] }
  return house(script, { ...options, store: storeWith(store, { close: async () => {} }), owner: owner('second') })
}

const ways = {
  recover: async (h: House, { root }: Left) => {
    await h.offshoot.recover()
    await h.offshoot.run(root).result
  },
  'resume of the root': async (h: House, { root }: Left) => {
    const run = await h.offshoot.resume(root)
    if (!('refused' in run)) await run.result
  },
  'resume of the child': async (h: House, { child }: Left) => {
    const run = await h.offshoot.resume(child, 'go on')
    if (!('refused' in run)) await run.result
  },
}
const wayNames = Object.keys(ways) as (keyof typeof ways)[]

async function eventsOf(store: RunStore, runId: RunId) {
  const events = []
  for await (const { event } of store.read(runId)) events.push(event)
  return events
}

test.each(wayNames)(
  'P13 %s: a tool that was taken from the agent meanwhile is denied, by the rule of today',
  async way => {
    const left = await leave()
    const { ran, order } = orders()
    const h = takeUp(left, { tools: [order], agents: [agent('a', { tools: [] })] })
    await ways[way](h, left)
    expect(ran).toEqual([])
    const events = await eventsOf(left.store, left.child)
    const narrowed = events.find(({ type }) => type === 'brief.narrowed')
    expect(narrowed).toMatchObject({ changes: { allowed: [] } })
    expect(events.find(event => event.type === 'tool.ended' && event.name === 'Order')).toMatchObject({
      status: 'denied',
      rule: 'not-in-definition',
      content: [{ text: expect.stringContaining('Order is not available to you (not-in-definition)') }],
    })
    expect(await h.offshoot.run(left.child).result).toMatchObject({ outcome: 'completed', text: 'a is done' })
  },
)

const refusals: readonly (readonly [string, string, Partial<OffshootOptions>])[] = [
  ['is gone', 'unknown-agent', {}],
  ['is switched off', 'agent-disabled', { agents: [agent('a', { isDisabled: true })] }],
  [
    'is not trusted any more',
    'agent-untrusted',
    { agents: [agent('a', { source: { scope: 'project', isTrusted: false } })] },
  ],
  [
    'may not be called any more',
    'spawn-not-listed',
    { agents: [agent('main', { canSpawn: ['b'] }), agent('a'), agent('b')] },
  ],
  ['lies too deep', 'depth-limit', { agents: [agent('a')], policy: { maxDepth: 0 } }],
]

test.each(refusals.flatMap(([what, rule, options]) => wayNames.map(way => [way, what, rule, options] as const)))(
  'P13 P40 %s: the agent of an unfinished run %s: it does not go on, and says why',
  async (way, _, rule, options) => {
    const left = await leave()
    const { ran, order } = orders()
    const h = takeUp(left, { tools: [order], ...options })
    await ways[way](h, left)
    expect(ran).toEqual([])
    expect(h.model.requestsOf('a')).toEqual([])
    if (way === 'resume of the child') {
      // Whoever asked is told; the run stays as it was.
      expect(await h.offshoot.resume(left.child)).toMatchObject({ rule })
      expect((await left.store.summary(left.child))?.status).not.toBe('ended')
    } else {
      const events = await eventsOf(left.store, left.child)
      expect(events.filter(({ type }) => type === 'run.barred')).toMatchObject([{ rule }])
      expect(events.at(-1)).toMatchObject({ type: 'run.ended', result: { outcome: 'failed', error: { rule } } })
      expect(h.toolTexts('main').join()).toContain('failed')
    }
  },
)

test.each(wayNames)('%s: a run that might not go on is not lost: it does once its agent is back', async way => {
  const left = await leave()
  const h = takeUp(left, {})
  await ways[way](h, left)
  await h.offshoot.close('leave')
  const back = house(
    { main: ['main is done'], a: ['a is done after all'] },
    { agents: [agent('a')], tools: [orders().order], store: left.store, owner: owner('third') },
  )
  const again = await back.offshoot.resume(left.child, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'a is done after all' })
})

const given = { scope: 'command-line', isTrusted: true } as const

test.each(wayNames)('%s: an agent that only the first process was given goes on by its brief', async way => {
  const limits = { maxTurns: 150, timeoutMs: 3_600_000 }
  const left = await leave({ agents: [agent('a', { source: given, limits })] })
  const { ran, order } = orders()
  const h = takeUp(left, { tools: [order] })
  await ways[way](h, left)
  expect(ran).toEqual(['a'])
  const types = (await eventsOf(left.store, left.child)).map(({ type }) => type)
  expect(types).not.toContain('brief.narrowed')
  expect(types).not.toContain('run.barred')
})

test('a root of such an agent goes on unchanged', async () => {
  const store = memoryStore({ isAlive: ({ id }) => id !== 'first' })
  const first = house(
    { boss: [{ text: 'hm', hangs: true }] },
    {
      agents: [agent('boss', { source: given })],
      tools: [orders().order],
      owner: owner('first'),
      store: storeWith(store, { close: async () => {} }),
    },
  )
  const { id } = await first.start({ agent: 'boss' })
  await first.clock.settle()
  await first.offshoot.close('leave')
  const second = house({ boss: ['done'] }, { tools: [orders().order], store, owner: owner('second') })
  const again = await second.offshoot.resume(id)
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'done' })
  expect((await eventsOf(store, id)).map(({ type }) => type)).not.toContain('brief.narrowed')
})

test.each(wayNames)('P13 %s: under the caller and the house of today', async way => {
  const left = await leave({ agents: [agent('a', { source: given })], policy: { mode: 'bypassPermissions' } })
  const { ran, order } = orders()
  const h = takeUp(left, {
    tools: [order],
    agents: [agent('main', { tools: [], canSpawn: true })],
    policy: { mode: 'plan' },
  })
  await ways[way](h, left)
  expect(ran).toEqual([])
  const brief = await h.offshoot.run(left.child).brief()
  expect(brief).toMatchObject({ allowed: [] })
  expect(brief?.chain.at(-1)?.mode).toBe('plan')
})

test('a run that may not go on can still be stopped', async () => {
  const left = await leave()
  const h = takeUp(left, {})
  await left.store.post(left.child, { id: 'stop/1', kind: 'stop', reason: 'enough', by: 'user' })
  const taken = await h.offshoot.resume(left.child)
  if ('refused' in taken) throw new Error(taken.refused)
  expect(await taken.result).toMatchObject({ outcome: 'cancelled', error: { message: 'enough' } })
})

test('P13 recover: the agent of a root is gone: it ends with the rule, and what it had started ends with it', async () => {
  const store = memoryStore({ isAlive: ({ id }) => id !== 'first' })
  const first = house(
    { boss: [{ calls: [task('a')] }], a: [{ text: 'hm', hangs: true }] },
    {
      agents: [agent('boss', { canSpawn: true }), agent('a')],
      owner: owner('first'),
      store: storeWith(store, { close: async () => {} }),
    },
  )
  const { id } = await first.start({ agent: 'boss' })
  await first.clock.settle()
  const [child] = await first.offshoot.list({ agent: 'a' })
  await first.offshoot.close('leave')
  const second = house({}, { agents: [agent('a')], store, owner: owner('second') })
  expect(await second.offshoot.resume(id)).toMatchObject({ rule: 'unknown-agent' })
  const refusal = await second.offshoot.resume(child!.runId)
  expect(refusal).toMatchObject({ rule: 'unknown-agent', refused: expect.stringContaining('boss') })
  await second.offshoot.recover()
  expect(await second.offshoot.run(id).result).toMatchObject({ outcome: 'failed', error: { rule: 'unknown-agent' } })
  expect(await second.offshoot.run(child!.runId).result).toMatchObject({ outcome: 'cancelled' })
  expect(second.model.requests).toEqual([])
})

test.each(wayNames)(
  'P13 %s: a stricter mode of the house and a deny of the agent bind what is left of a run',
  async way => {
    const left = await leave({ policy: { mode: 'bypassPermissions' } })
    const { order } = orders()
    const rules = { allow: [], ask: [], deny: [{ tool: 'Order', text: 'Order' }] }
    const h = takeUp(left, {
      tools: [order],
      agents: [agent('a', { permissions: rules })],
      policy: { mode: 'plan' },
    })
    await ways[way](h, left)
    const brief = await h.offshoot.run(left.child).brief()
    expect(brief?.chain.at(-1)?.mode).toBe('plan')
    expect(brief?.chain.some(link => link.rules.deny.length > 0)).toBe(true)
  },
)

test('a run that is taken up under the same rules says nothing of them', async () => {
  const left = await leave()
  const { ran, order } = orders()
  const h = takeUp(left, { tools: [order], agents: [agent('a')] })
  await ways.recover(h, left)
  expect(ran).toEqual(['a'])
  for (const runId of [left.root, left.child]) {
    const types = (await eventsOf(left.store, runId)).map(({ type }) => type)
    expect(types).not.toContain('brief.narrowed')
    expect(types).not.toContain('run.barred')
  }
})

test('P35 the stop hook of a run that may not go on is heard, once', async () => {
  const heard: string[] = []
  const hooks = functionHooks({
    start: () => undefined,
    stop: ({ brief, result }) => void heard.push(`${brief.agent} ${result?.outcome}`),
  })
  const left = await leave({ hooks })
  const h = takeUp(left, { hooks })
  await ways.recover(h, left)
  expect(heard.filter(line => line.startsWith('a '))).toEqual(['a failed'])
})

test('time in which nobody drove a run does not count, also where its rules have changed', async () => {
  const left = await leave()
  const { order } = orders()
  const h = takeUp(left, { tools: [order], agents: [agent('a', { tools: [] })] })
  await h.clock.advance(3_600_000)
  await ways.recover(h, left)
  expect((await h.offshoot.run(left.child).result).durationMs).toBeLessThan(60_000)
})

test('a tool that is gone is not offered in its own place', async () => {
  const left = await leave()
  const h = takeUp(left, { tools: [], agents: [agent('a')] })
  await ways.recover(h, left)
  expect(h.toolTexts('a')).toEqual([expect.stringContaining('Order was there when you began, and is not any more')])
})

const guard = { PreToolUse: [{ matcher: 'Order', hooks: [{ type: 'command', command: 'exit 2' }] }] }
const running = () => commandHooks({ settings: [], projectDir: '/', env: { PATH: process.env.PATH ?? '' } })

test.each(wayNames)('P13 %s: a guard that the agent got meanwhile did not bind what was left of its run', async way => {
  const left = await leave({ hooks: running() })
  const { ran, order } = orders()
  const h = takeUp(left, { tools: [order], agents: [agent('a', { hooks: guard })], hooks: running() })
  await ways[way](h, left)
  expect(ran).toEqual([])
  expect(h.toolTexts('a').join()).toContain('hook')
})

test.each([
  ['guards', { hooks: guard }, 'guards-unavailable'],
  ['a place of its own', { isolation: 'worktree' }, 'isolation-unavailable'],
] as const)(
  'P13 a run that began with %s went on without in a house that has nobody to keep it',
  async (_, held, rule) => {
    const sandbox: Sandbox = {
      enter: async () => ({ cwd: '/elsewhere', roots: ['/elsewhere'], leave: async () => undefined }),
    }
    const left = await leave({ agents: [agent('a', held)], hooks: running(), sandbox })
    const { ran, order } = orders()
    const h = takeUp(left, { tools: [order], agents: [agent('a')] })
    expect(await h.offshoot.resume(left.child)).toMatchObject({ rule })
    await ways.recover(h, left)
    expect(ran).toEqual([])
  },
)

test('P13 a run that began elsewhere is not moved into the place its agent is held to by now', async () => {
  const sandbox: Sandbox = {
    enter: async () => ({ cwd: '/here', roots: ['/here'], leave: async () => undefined }),
  }
  const left = await leave({ sandbox })
  const h = takeUp(left, { agents: [agent('a', { isolation: 'worktree' })], sandbox })
  expect(await h.offshoot.resume(left.child)).toMatchObject({ rule: 'place-changed' })
})

test('an untrusted file with the name of an agent that was given took away what was left of its run', async () => {
  const given = (isTrusted: boolean, scope: 'command-line' | 'project') => agent('a', { source: { scope, isTrusted } })
  const left = await leave({ agents: [given(true, 'command-line')] })
  const { ran, order } = orders()
  const h = takeUp(left, { tools: [order], agents: [given(false, 'project')] })
  await ways.recover(h, left)
  expect(ran).toEqual(['a'])
})

test.each(wayNames)('P13 %s: evidence that the agent demands by now is demanded of an unfinished run', async way => {
  const left = await leave()
  const h = takeUp(left, { agents: [agent('a', { evidence: { toolCalls: 3 } })] })
  await ways[way](h, left)
  expect((await h.offshoot.run(left.child).brief())?.evidence).toEqual({ toolCalls: 3 })
  expect((await h.offshoot.run(left.child).result).verified).toBe(false)
})
