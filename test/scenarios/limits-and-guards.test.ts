import { expect, test } from 'vitest'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import type { HookEvent, Hooks } from '../../src/core/hooks/hooks.js'
import { agent, call, house, task, tool } from './house.js'

test('C04 a pre-tool hook guards child, grandchild and background child, and is told who calls', async () => {
  const seen: HookEvent[] = []
  let runs = 0
  const hooks: Hooks = {
    wants: point => point === 'pre-tool',
    fire: async event => {
      seen.push(event)
      return event.call?.name === 'Write' ? { verdict: 'refuse', reason: 'nobody writes here' } : { verdict: 'go' }
    },
  }
  const h = house(
    {
      main: [{ calls: [task('lead'), task('worker', 'x', { run_in_background: true })] }, 'waiting', 'ok'],
      lead: [{ calls: [{ name: 'Write' }, task('worker')] }, 'lead done'],
      worker: [call('Write'), 'could not'],
    },
    {
      agents: [agent('lead', { canSpawn: true }), agent('worker')],
      tools: [tool('Write', 'write', () => ((runs += 1), 'x'))],
      hooks,
    },
  )
  await h.run()
  expect(runs).toBe(0)
  const guarded = seen.filter(event => event.call?.name === 'Write')
  expect(guarded.map(event => event.brief.path.join('/')).sort()).toEqual([
    'main/lead',
    'main/lead/worker',
    'main/worker',
  ])
  expect(guarded.every(event => event.parentId !== undefined)).toBe(true)
})

test('J05 calls that alternate for ever are ended by the turn limit, after one last turn', async () => {
  const swap = Array.from({ length: 12 }, (_, n) => call(n % 2 ? 'A' : 'B'))
  const h = house(
    { main: [...swap, 'what I know'] },
    {
      agents: [agent('main', { limits: { maxTurns: 12 } })],
      tools: [tool('A', 'read', () => 'same'), tool('B', 'read', () => 'same too')],
    },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', recoveredFrom: 'max_turns', turns: 12 })
  expect(h.model.requests.filter(({ purpose }) => purpose === 'grace')).toHaveLength(1)
})

test('K11 a run whose agent is gone cannot be resumed, and says so', async () => {
  const both = createCatalog([agent('main', { canSpawn: true }), agent('worker')])
  const one = createCatalog([agent('main', { canSpawn: true })])
  let catalog = both
  const h = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] }, { agents: () => catalog })
  await h.run()
  catalog = one
  const [child] = await h.offshoot.list({ agent: 'worker' })
  expect(await h.offshoot.resume(child!.runId, 'go on')).toMatchObject({ rule: 'unknown-agent' })
  expect(await h.offshoot.run(child!.runId).result).toMatchObject({ outcome: 'completed', text: 'done' })
})

test('J05 turns that say nothing end the run, and it does not count as done', async () => {
  const h = house(
    { main: Array.from({ length: 30 }, () => ({ text: '' })) },
    { agents: [agent('main', { completion: 'explicit', limits: { maxTurns: 20 } })] },
  )
  const { outcome } = await h.run()
  expect(outcome).toBe('no_completion')
  expect(h.model.requests.length).toBeLessThanOrEqual(22)
})

test('K11 a model that cannot be had any more is a refusal; a tool that is gone is gone, and nothing else comes in', async () => {
  const models = [{ id: 'p/small' }, { id: 'p/big' }] as { id: string; unavailable?: string }[]
  let tools = [tool('Look', 'read', () => 'seen'), tool('Write', 'write', () => 'written')]
  const h = house(
    {
      main: [{ calls: [task('pinned'), task('worker')] }, 'ok'],
      pinned: ['done'],
      worker: [call('Write'), 'done', call('Write'), 'again'],
    },
    {
      agents: [
        agent('pinned', { model: ['p/big'] }),
        agent('worker', { tools: [{ name: 'Look' }, { name: 'Write' }] }),
      ],
      models,
      tools: () => tools,
      policy: { defaultModel: 'p/small' },
    },
  )
  await h.run()
  models[1] = { id: 'p/big', unavailable: 'its key is not set' }
  tools = [tool('Look', 'read', () => 'seen'), tool('Delete', 'write', () => 'deleted')]
  const [pinned] = await h.offshoot.list({ agent: 'pinned' })
  expect(await h.offshoot.resume(pinned!.runId, 'go on')).toMatchObject({ refused: expect.stringContaining('p/big') })
  const [worker] = await h.offshoot.list({ agent: 'worker' })
  const again = await h.offshoot.resume(worker!.runId, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'again' })
  expect((await again.brief())!.allowed).toEqual(['Look'])
  expect(h.toolTexts('worker')[1]).not.toContain('written')
})

test('L07 P29 a child is bounded by its caller’s time, and its own end stays readable', async () => {
  const h = house(
    { main: [{ calls: [task('slow')] }, 'my report'], slow: [{ text: 'half of it', hangs: true }] },
    {
      agents: [
        agent('main', { canSpawn: true, limits: { timeoutMs: 10_000 } }),
        agent('slow', { limits: { timeoutMs: 900_000 } }),
      ],
    },
  )
  const run = await h.start()
  await h.clock.advance(10_000)
  expect(await run.result).toMatchObject({ outcome: 'completed', recoveredFrom: 'timeout' })
  await h.clock.settle()
  const [child] = await h.offshoot.list({ agent: 'slow' })
  expect(await h.offshoot.run(child!.runId).result).toMatchObject({ outcome: 'cancelled', text: 'half of it' })
})

test('O5 a background run tells its progress while its caller works on', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker', 'x', { run_in_background: true })] }, call('Look'), 'waiting', 'ok'],
      worker: [call('Look'), 'done'],
    },
    {
      agents: [agent('worker')],
      tools: [tool('Look', 'read', async (_, { progress }) => (progress('halfway'), 'seen'))],
    },
  )
  await h.run()
  const worker = h.events.filter(event => event.agent === 'worker').map(({ event }) => event.type)
  expect(worker).toEqual(
    expect.arrayContaining(['run.started', 'turn.started', 'tool.progress', 'tool.ended', 'run.ended']),
  )
})
