/**
 * Ports of a host that throw where nothing is asked of a run any more: its result comes all the same, and nothing is
 * unheard. And ports that never answer: a stop ends the run all the same.
 */
import { expect, test } from 'vitest'
import type { AgentTools } from '../../src/core/ports.js'
import type { RunProcesses } from '../../src/core/run-process.js'
import type { EnteredWorkspace } from '../../src/core/workspace.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { unheardIn } from '../support/unheard.js'
import { agent, house, isProcessMode, task } from './house.js'
import { machineWith } from './machine.js'

const throws = (): never => {
  throw new Error('a port of the host broke')
}
const agentTools: AgentTools = {
  open: async () => {},
  of: () => ({ tools: [], reasons: [] }),
  enter: () => {},
  leave: throws,
}
const served = agent('main', { mcpServers: ['own'] } as never)

test.skipIf(isProcessMode)('agent tools that cannot be left ended the host, and the run had no result', async () => {
  const errors: unknown[] = []
  const unheard = await unheardIn('unhandledRejection', async () => {
    const options = { agents: [served], agentTools, onError: (error: unknown) => void errors.push(error) }
    const h = house({ main: ['done'] }, options)
    const run = await h.start()
    const { signal } = new AbortController()
    const second = await h.offshoot.start({ prompt: 'p', description: 'd' }, { signal })
    for (const each of [run, second]) {
      if ('refused' in each) throw new Error(each.refused)
      expect(await each.result).toMatchObject({ outcome: 'completed', text: 'done' })
    }
    await h.offshoot.close()
  })
  expect(unheard).toEqual([])
  expect(errors.map(String).join()).toContain('a port of the host broke')
})

const processes: RunProcesses = { start: throws, close: async () => {} }

test.skipIf(isProcessMode).each([false, true])(
  'a process that cannot be started ended the host, and the run (a child: %s) had no result',
  async isChild => {
    const unheard = await unheardIn('unhandledRejection', async () => {
      const options: Partial<OffshootOptions> = {
        agents: [agent('worker', { executionMode: 'process' })],
        processes,
        onError: () => {},
      }
      const h = house({ main: [{ calls: [task('worker')] }, 'done'], worker: ['never'] }, options)
      if (isChild) {
        expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'done' })
        expect(h.toolTexts('main')[0]).toContain('a port of the host broke')
      } else
        expect(await h.run({ agent: 'worker' })).toMatchObject({
          outcome: 'failed',
          error: { message: expect.stringContaining('a port of the host broke') },
        })
      await h.offshoot.close()
    })
    expect(unheard).toEqual([])
  },
)

test.skipIf(isProcessMode)(
  'a child that could not be taken up again was told as one that did and cost nothing',
  async () => {
    const { boot } = machineWith({ agents: [agent('a', { mcpServers: ['own'] } as never)] })
    const working = { ...agentTools, leave: () => {} }
    const looks = { calls: [{ name: 'read_a', input: { text: 'x' } }] }
    const first = boot(
      { main: [{ calls: [task('a')] }], a: [looks, { text: 'half', hangs: true }] },
      { agentTools: working },
    )
    const { id } = await first.start()
    await first.clock.settle()
    first.kill()
    const h = boot({ main: ['heard'] }, { agentTools: { ...working, open: async () => throws() } })
    const again = await h.offshoot.resume(id)
    if ('refused' in again) throw new Error(again.refused)
    const result = await again.result
    const told = h.toolTexts('main')[0]
    expect(told).toContain('could not be begun')
    expect(told).toMatch(/ · a · failed · 1 turn · 1 tool call · about \d+ tokens · /)
    expect(result.spent).toMatchObject({ isEstimated: true })
  },
)

const never = (): Promise<never> => new Promise(() => {})
const place = { cwd: '/work', roots: ['/work'], leave: async () => undefined }
const silentPorts: readonly (readonly [string, Partial<OffshootOptions>, number, string])[] = [
  ['a price', { estimateCost: never }, 10_000, 'estimateCost gave no answer within 10 s'],
  ['a place that never comes', { sandbox: { enter: never } }, 0, ''],
  [
    'a place that cannot be left',
    { sandbox: { enter: async () => ({ ...place, leave: never }) } },
    60_000,
    'the sandbox gave no answer within 60 s',
  ],
  [
    'what is kept of a place',
    { sandbox: { enter: async () => ({ ...place, keeps: never }) } },
    60_000,
    'the sandbox gave no answer within 60 s',
  ],
]

test.skipIf(isProcessMode).each(silentPorts)(
  'a port that never answers held up the stop of a run that was left, and the end of its house: %s',
  async (_, silent, ms, says) => {
    const errors: unknown[] = []
    const { boot } = machineWith({ estimateCost: (_, { input, output }) => (input + output) / 1e6 })
    const first = boot({ main: [{ text: 'half', hangs: true }] })
    const { id } = await first.start({ budget: { usd: 1 } })
    await first.clock.settle()
    first.kill()
    const h = boot({ main: [{ hangs: true }] }, { ...silent, onError: error => void errors.push(error) })
    const going = h.offshoot.resume(id)
    await h.clock.settle()
    const stopping = h.offshoot.run(id).stop()
    await h.clock.advance(ms)
    expect(await stopping).toBeUndefined()
    await going
    expect(await h.offshoot.run(id).result).toMatchObject({ outcome: 'cancelled' })
    await h.offshoot.close()
    expect(errors.map(String).join()).toContain(says)
  },
)

test.skipIf(isProcessMode)('a price that is not told in time is unknown, until it is told in time again', async () => {
  let tell = (_: number): void => {}
  const late = new Promise<number>(resolve => {
    tell = resolve
  })
  let isLate = true
  const estimateCost = () => (isLate ? late : Promise.resolve(0.01))
  const h = house({ main: ['one', 'two'] }, { estimateCost, onError: () => {} })
  const money = { prompt: 'p', description: 'd', budget: { usd: 1 } }
  const starting = h.offshoot.start(money)
  await h.clock.advance(10_000)
  expect(await starting).toMatchObject({ rule: 'budget-unpriced' })
  expect(await h.offshoot.start(money)).toMatchObject({ rule: 'budget-unpriced' })
  tell(0.01)
  await h.clock.settle()
  isLate = false
  expect(await h.run({ budget: { usd: 1 } })).toMatchObject({ outcome: 'completed' })
  expect(h.clock.pending).toBe(0)
})

test.skipIf(isProcessMode)('one price that was never told left every later one unknown', async () => {
  let asked = 0
  const estimateCost = () => {
    asked += 1
    return asked <= 2 ? never() : new Promise<number>(resolve => void h.clock.after(100, () => resolve(0.01)))
  }
  const h = house({ main: ['one'] }, { estimateCost, onError: () => {} })
  const money = { prompt: 'p', description: 'd', budget: { usd: 1 } }
  const lost = h.offshoot.start(money)
  await h.clock.advance(10_000)
  expect(await lost).toMatchObject({ rule: 'budget-unpriced' })
  expect(await h.offshoot.start(money)).toMatchObject({ rule: 'budget-unpriced' })
  await h.clock.advance(60_000)
  const priced = h.offshoot.start(money)
  await h.clock.advance(100)
  expect(await priced).not.toHaveProperty('refused')
  await h.clock.advance(1_000)
  await h.offshoot.close()
})

test.skipIf(isProcessMode)('a place that came after the end was cleared away under the next attempt', async () => {
  const left: unknown[] = []
  const waiting: ((place: EnteredWorkspace) => void)[] = []
  const placeOf = (entry: number): EnteredWorkspace => ({
    ...place,
    leave: async result => void left.push([entry, result?.outcome]),
  })
  const sandbox = {
    enter: () =>
      waiting.length > 0
        ? Promise.resolve(placeOf(2))
        : new Promise<EnteredWorkspace>(resolve => void waiting.push(resolve)),
  }
  const h = house({ main: [{ hangs: true }] }, { sandbox })
  const run = await h.start()
  await h.clock.settle()
  await run.stop()
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  expect(await h.offshoot.resume(run.id, 'go on')).not.toHaveProperty('refused')
  await h.clock.settle()
  waiting[0]!(placeOf(1))
  await h.clock.settle()
  expect(left).toEqual([[1, undefined]])
  await h.offshoot.close()
  expect(left).toEqual([
    [1, undefined],
    [2, 'cancelled'],
  ])
})

test.skipIf(isProcessMode).each([false, true])(
  'a worktree that did not come held up whoever took up a run that had worked there (it comes later: %s)',
  async isLate => {
    const errors: unknown[] = []
    const { boot } = machineWith({ agents: [agent('main', { isolation: 'worktree' })] })
    const script = { main: [{ calls: [{ name: 'Nothing', input: {} }] }, { text: 'half', hangs: true }] }
    const first = boot(script, { sandbox: { enter: async () => place } })
    const { id } = await first.start()
    await first.clock.settle()
    first.kill()
    let come = (_: EnteredWorkspace): void => {}
    const enter = () =>
      new Promise<EnteredWorkspace>(resolve => {
        come = resolve
      })
    const h = boot({ main: ['not yet', 'heard'] }, { sandbox: { enter }, onError: error => void errors.push(error) })
    const going = h.offshoot.resume(id)
    await h.clock.advance(60_000)
    expect(await going).not.toHaveProperty('refused')
    expect(errors.map(String).join()).toContain('the sandbox gave no answer within 60 s')
    if (isLate) {
      come({ ...place, news: 'the place was made anew' })
      expect(await h.offshoot.run(id).result).toMatchObject({ outcome: 'completed', text: 'heard' })
      expect(JSON.stringify(h.model.requests.at(-1)?.messages)).toContain('the place was made anew')
    } else {
      const stopping = h.offshoot.run(id).stop()
      await h.clock.advance(60_000)
      await stopping
      expect(await h.offshoot.run(id).result).toMatchObject({ outcome: 'cancelled' })
    }
    await h.offshoot.close()
  },
)
