/** Guards and the fan-out bound hold for what a loop that is not ours calls: kept on every path. */
import { expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import type { HookEvent } from '../../src/core/hooks/hooks.js'
import type { Tool } from '../../src/core/ports.js'
import { aiSdkTools } from '../../src/hosts/ai-sdk.js'
import type { OffshootOptions } from '../../src/offshoot.js'
import { agent, house, tool } from './house.js'

const input = (more: object = {}) => ({ description: 'some work', prompt: 'work', subagent_type: 'worker', ...more })
const reader = tool('Read', 'read', given => `shown ${JSON.stringify(given)}`)
const agents = [agent('worker')]

async function hosted(options: Partial<OffshootOptions>) {
  const h = house({ worker: ['done'] }, { agents, tools: [reader], ...options })
  const host = await h.offshoot.host()
  const named = (name: string): Tool => h.offshoot.tools().find(({ spec }) => spec.name === name)!
  const started = async () => (await h.offshoot.list({ agent: 'worker' })).length
  return { h, host, named, started }
}

test('C04 C05 a guard’s no was not heard where a host calls: nothing is started, nothing is shown', async () => {
  const heard: HookEvent[] = []
  const hooks = functionHooks({
    preTool: event => {
      heard.push(event)
      return { verdict: 'refuse', reason: 'not today' }
    },
  })
  const { h, host, named, started } = await hosted({ hooks })
  const denied = { content: 'not today', isError: true, summary: 'denied' }
  expect(await host.call(named('Task'), input(), { callId: '1' })).toEqual(denied)
  expect(await host.call(named('Read'), { path: 'a' }, { callId: '2' })).toEqual(denied)
  expect(await started()).toBe(0)
  expect(heard.map(({ runId, call }) => [runId, call?.name])).toEqual([
    [host.id, 'Task'],
    [host.id, 'Read'],
  ])
  const sdk = (await aiSdkTools(h.offshoot, { host })) as unknown as Record<
    string,
    { execute(input: unknown, options: object): Promise<string> }
  >
  expect(await sdk.Task!.execute(input(), { toolCallId: '3' })).toBe('Error: not today')
})

test('what a guard makes of the input of a host’s call is what runs, and is checked; what it adds is read', async () => {
  const hooks = functionHooks({
    preTool: ({ call }) =>
      call?.name === 'Read'
        ? { verdict: 'go', input: { path: 'instead' }, context: 'mind the gap' }
        : { verdict: 'go', input: { prompt: 7 } },
    postTool: ({ call }) => ({ verdict: 'go', context: `after ${JSON.stringify(call?.input)}` }),
  })
  const { host, named, started } = await hosted({ hooks })
  const shown = JSON.stringify((await host.call(named('Read'), { path: 'secret' }, { callId: '1' })).content)
  for (const part of ['instead', 'mind the gap', 'after ']) expect(shown).toContain(part)
  expect(shown).not.toContain('secret')
  expect(await host.call(named('Task'), input(), { callId: '2' })).toMatchObject({ isError: true, summary: 'denied' })
  expect(await started()).toBe(0)
})

test('a hook that wants to ask denies a host’s call, and a yes of one answers in a person’s place', async () => {
  const asking = await hosted({ hooks: functionHooks({ preTool: () => ({ verdict: 'ask', reason: 'look first' }) }) })
  expect(await asking.host.call(asking.named('Read'), {}, { callId: '1' })).toMatchObject({
    content: expect.stringMatching(/look first.*nobody can be asked from here/s),
    isError: true,
  })
  const judge = { judge: () => ({ decision: 'ask', rule: 'asks', reason: 'it asks' }) as const }
  const hooks = functionHooks({ permission: () => ({ verdict: 'go', approves: true }) })
  const approving = await hosted({ judge, hooks })
  expect(await approving.host.call(approving.named('Read'), {}, { callId: '1' })).not.toHaveProperty('isError', true)
})

test('many runs at once that a host starts ran unasked: past the bound none of them does', async () => {
  const { host, named, started } = await hosted({ policy: { fanOutApproval: 2 } })
  const together = (ids: readonly number[], more: object) =>
    Promise.all(ids.map(id => host.call(named('Task'), input(more), { callId: `${id}` })))
  const denied = await together([1, 2, 3, 4, 5, 6], {})
  expect(denied.map(({ isError }) => isError)).toEqual(Array(6).fill(true))
  expect(denied[0]!.content).toContain('6 runs at once (worker ×6)')
  expect((await together([7, 8, 9], { run_in_background: true })).every(({ isError }) => isError)).toBe(true)
  expect(await started()).toBe(0)
  expect((await together([10, 11], {})).map(({ isError }) => isError)).toEqual([false, false])
  expect((await together([12], {})).map(({ isError }) => isError)).toEqual([false])
  expect(await started()).toBe(3)
})

test('a hook that approves lets a host’s fan-out go', async () => {
  const hooks = functionHooks({ permission: () => ({ verdict: 'go', approves: true }) })
  const { host, named, started } = await hosted({ policy: { fanOutApproval: 2 }, hooks })
  await Promise.all([1, 2, 3].map(id => host.call(named('Task'), input(), { callId: `${id}` })))
  expect(await started()).toBe(3)
})
