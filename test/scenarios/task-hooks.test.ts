import { expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import type { HookEvent } from '../../src/core/hooks/hooks.js'
import { createOffshoot } from '../../src/offshoot.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { type Script, ScriptedModel } from '../../src/testing/scripted-model.js'
import { createTestWorkspace } from '../support/tool-workspace.js'
import { agent, house, isProcessMode, task } from './house.js'

function postTool(context?: string) {
  const heard: HookEvent[] = []
  const hooks = functionHooks({
    postTool: event => {
      heard.push(event)
      return context === undefined ? undefined : { verdict: 'go', context }
    },
  })
  return { heard, hooks }
}

test('PostToolUse hears the end of a Task call with its report, and what it says reaches the caller', async () => {
  const { heard, hooks } = postTool('Mind the style guide.')
  const { run, toolTexts } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['the report: 42'] },
    { agents: [agent('worker')], hooks },
  )
  await run()
  expect(heard.map(({ call, brief }) => [call?.name, brief.agent])).toEqual([['Task', 'main']])
  expect(heard[0]?.call?.input).toMatchObject({ subagent_type: 'worker' })
  expect(heard[0]?.output).toMatchObject({ isError: false, text: expect.stringContaining('the report: 42') })
  expect(toolTexts('main')).toHaveLength(1)
  expect(toolTexts('main')[0]).toContain('the report: 42')
  expect(toolTexts('main')[0]).toContain('Mind the style guide.')
})

test('PostToolUse hears that a child failed', async () => {
  const { heard, hooks } = postTool()
  const { run } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [{ error: { message: 'down' } }] },
    { agents: [agent('worker')], hooks },
  )
  await run()
  expect(heard.map(({ output }) => output?.isError)).toEqual([true])
})

test('PostToolUse hears a start in the background once, by what the caller reads', async () => {
  const { heard, hooks } = postTool('It is on its way.')
  const { run, model, toolTexts } = house(
    { main: [{ calls: [task('worker', 'work', { run_in_background: true })] }, 'waiting', 'ok'], worker: ['done'] },
    { agents: [agent('worker')], hooks },
  )
  await run()
  expect(heard.map(({ call }) => call?.name)).toEqual(['Task'])
  expect(toolTexts('main')[0]).toContain(heard[0]?.output?.text)
  expect(toolTexts('main')[0]).toContain('It is on its way.')
  expect(model.requestsOf('worker')).toHaveLength(1)
})

test('each of several children is heard on its own', async () => {
  const { heard, hooks } = postTool()
  const { run } = house(
    {
      main: [{ calls: [task('worker', 'a'), task('worker', 'b'), task('worker', 'c')] }, 'ok'],
      worker: ['x', 'y', 'z'],
    },
    { agents: [agent('worker')], hooks },
  )
  await run()
  expect(new Set(heard.map(({ key }) => key)).size).toBe(3)
  expect(heard).toHaveLength(3)
})

test('what a PreToolUse hook adds to a Task call stands beside its answer', async () => {
  const { run, toolTexts } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['the report'] },
    {
      agents: [agent('worker')],
      hooks: functionHooks({ preTool: () => ({ verdict: 'go', context: 'Said before it began.' }) }),
    },
  )
  await run()
  expect(toolTexts('main')[0]).toMatch(/the report[\s\S]*Said before it began\./)
})

test.skipIf(isProcessMode)('PostToolUse hears of a child that ended while nobody drove its caller', async () => {
  const folder = createTestWorkspace()
  const { heard, hooks } = postTool('heard all the same')
  const open = async (id: string, scripts: Readonly<Record<string, Script>>) => {
    const model = new ScriptedModel(scripts)
    const store = await jsonlStore({ directory: folder.path('store') })
    const offshoot = createOffshoot({
      model,
      store,
      clock: new FakeClock(),
      agents: [agent('worker')],
      hooks,
      owner: { id, host: 'here', pid: 1, startedAt: 1 },
      policy: { defaultModel: 'test/model' },
    })
    return { model, offshoot, store }
  }
  const first = await open('first', { main: [{ calls: [task('worker')] }], worker: [{ hangs: true }] })
  const run = await first.offshoot.start({ prompt: 'go', description: 'go' })
  if ('refused' in run) throw new Error(run.refused)
  while (first.model.requestsOf('worker').length === 0) await new Promise(setImmediate)
  await first.offshoot.close('leave')

  const second = await open('second', { worker: ['late, but here'] })
  const [child] = await second.offshoot.list({ agent: 'worker' })
  const alone = await second.offshoot.resume(child!.runId)
  if ('refused' in alone) throw new Error(alone.refused)
  expect(await alone.result).toMatchObject({ outcome: 'completed' })
  expect((await second.store.inbox(run.id)).map(({ kind }) => kind)).toContain('child-ended')
  await second.offshoot.close('leave')
  expect(heard).toEqual([])

  const third = await open('third', { main: ['ok'] })
  await third.offshoot.recover()
  expect(await third.offshoot.run(run.id).result).toMatchObject({ outcome: 'completed' })
  expect(heard.map(({ call }) => call?.name)).toEqual(['Task'])
  expect(JSON.stringify(third.model.requestsOf('main')[0]?.messages)).toContain('heard all the same')
  await third.offshoot.close()
  folder.remove()
})
