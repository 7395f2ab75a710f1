/** How a process can end under a run, and that each way is an outcome of that run and of nobody else. */
import { afterAll, expect, test } from 'vitest'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import type { HookEvent, Hooks } from '../../src/core/hooks/hooks.js'
import type { RunProcesses } from '../../src/core/run-process.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'
import { buildChildProgram } from '../support/child-program.js'
import { gate } from '../support/gate.js'
import { eventually } from '../support/processes.js'
import { kitTool } from './misbehaving-kit.js'

const program = await buildChildProgram()
const processes = createRunProcesses({ program, blockedMs: 1_000 })
const patient = createRunProcesses({ program, blockedMs: 60_000 })
afterAll(async () => void (await Promise.all([processes.close(), patient.close()])))

const carried = (name: string, about = {}) => agent(name, { executionMode: 'process', ...about })

test('J04 a tool that spins for ever ends its run as blocked, named, while the others go on', async () => {
  const h = house(
    {
      main: [{ calls: [task('spinner'), task('worker')] }, 'ok'],
      spinner: [call('Spin')],
      worker: [call('Look'), 'done'],
    },
    {
      agents: [carried('spinner'), agent('worker')],
      tools: [kitTool('Spin'), tool('Look', 'read', () => 'x')],
      processes,
    },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
  expect(h.toolTexts('main')[0]).toContain(
    'The run failed: its process stopped answering: a tool blocks it, during Spin',
  )
  expect(h.toolTexts('main')[1]).toMatch(/^done/)
  const [spinner] = await h.offshoot.list({ agent: 'spinner' })
  expect(await h.offshoot.run(spinner!.runId).result).toMatchObject({
    outcome: 'failed',
    error: { rule: 'blocked' },
    failedTool: 'Spin',
  })
})

test('a process that crashes: every fact up to then is in the log, open calls are answered, the stop hook fires once', async () => {
  const fired: HookEvent[] = []
  const hooks: Hooks = {
    wants: point => point === 'stop',
    fire: async event => (fired.push(event), { verdict: 'go' }),
  }
  const h = house(
    { main: [call('Look'), { text: 'now I exit', ...call('Exit') }] },
    {
      agents: [carried('main')],
      tools: [kitTool('Exit'), tool('Look', 'read', () => 'seen')],
      processes,
      hooks,
    },
  )
  const run = await h.start()
  const result = await run.result
  expect(result).toMatchObject({
    outcome: 'failed',
    turns: 2,
    text: 'now I exit',
    error: { rule: 'process-died', message: 'its process ended with exit code 7, during Exit' },
    toolLog: [{ name: 'Look', isSuccess: true }, { name: 'Exit' }],
  })
  const events = []
  for await (const { event } of run.events()) events.push(event)
  expect(events.filter(({ type }) => type === 'process.died')).toHaveLength(1)
  expect(events.filter(({ type }) => type === 'run.ended')).toHaveLength(1)
  expect(events.find(event => event.type === 'tool.ended' && event.name === 'Exit')).toMatchObject({
    status: 'interrupted',
  })
  expect(fired).toHaveLength(1)
})

test('a run whose process died is resumed in a new one, with its conversation', async () => {
  const h = house(
    { main: [call('Exit'), 'better now'] },
    { agents: [carried('main')], tools: [kitTool('Exit')], processes },
  )
  const run = await h.start()
  expect(await run.result).toMatchObject({ outcome: 'failed' })
  const again = await h.offshoot.resume(run.id, 'try again')
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'better now' })
  expect(h.toolTexts('main')[0]).toContain('its outcome is unknown')
})

test('an error nobody catches names itself in the outcome', async () => {
  const h = house(
    { main: [call('ThrowLater')] },
    { agents: [carried('main')], tools: [kitTool('ThrowLater')], processes },
  )
  expect(await h.run()).toMatchObject({
    outcome: 'failed',
    error: {
      rule: 'process-died',
      message: 'its process ended with exit code 1 (TypeError: nobody catches this), during ThrowLater',
    },
  })
})

test('a heap past the memory of the definition is out-of-memory; buffers past it are an error of the tool', async () => {
  const h = house(
    { main: [call('FillBuffers'), call('FillHeap')] },
    {
      agents: [carried('main', { resources: { memoryMb: 64 } })],
      tools: [kitTool('FillHeap'), kitTool('FillBuffers')],
      processes: patient,
    },
  )
  expect(await h.run()).toMatchObject({ outcome: 'failed', error: { rule: 'out-of-memory' } })
  if (process.platform === 'linux')
    expect(h.toolTexts('main')[0]).toMatch(
      /^FillBuffers failed: (Array buffer allocation failed|Failed to allocate memory)$/,
    )
})

test.skipIf(process.platform === 'win32')('processor time past the definition is cpu-limit', async () => {
  const h = house(
    { main: [call('Spin')] },
    { agents: [carried('main', { resources: { cpuSeconds: 1 } })], tools: [kitTool('Spin')], processes: patient },
  )
  expect(await h.run()).toMatchObject({ outcome: 'failed', error: { rule: 'cpu-limit' } })
})

test('a stop reaches a blocked process too, and the outcome is cancelled', async () => {
  const h = house(
    { main: [{ text: 'going in', ...call('Spin') }] },
    { agents: [carried('main')], tools: [kitTool('Spin')], processes: patient },
  )
  const run = await h.start()
  await eventually(
    () => h.events.some(({ event }) => event.type === 'tool.started'),
    isStarted => isStarted,
    30_000,
  )
  await run.stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'cancelled', text: 'going in', error: { message: 'enough' } })
})

test('a run that was stopped before its process was up told of a process that had died', async () => {
  const started = gate()
  const watched: RunProcesses = {
    close: async () => {},
    start: order => {
      started.open()
      return processes.start(order)
    },
  }
  const h = house({ main: ['never asked'] }, { agents: [carried('main')], processes: watched })
  const run = await h.start()
  await started.opened
  await run.stop('enough')
  expect(await run.result).toMatchObject({ outcome: 'cancelled', error: { message: 'enough' } })
  expect(h.events.map(({ event }) => event.type)).not.toContain('process.died')
})

test('what a tool needs and cannot be had is a failure with the reason', async () => {
  const h = house(
    { main: ['never asked'] },
    { agents: [carried('main')], tools: [kitTool('Spin', 'execute', 'file:///nowhere/kit.mjs')], processes },
  )
  expect(await h.run()).toMatchObject({
    outcome: 'failed',
    error: { rule: 'process-start', message: expect.stringContaining('nowhere/kit.mjs') },
  })
  expect(h.model.requests).toHaveLength(0)
})

test('without the program there is no process, and the run says so', async () => {
  const none = createRunProcesses({ program: '/nowhere/child.js' })
  const h = house({ main: ['x'] }, { agents: [carried('main')], processes: none })
  expect(await h.run()).toMatchObject({ outcome: 'failed', error: { rule: 'process-start' } })
  await none.close()
})
