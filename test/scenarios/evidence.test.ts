import { expect, test } from 'vitest'
import { hearRun, openRun } from '../../src/apps/tui/model/run-view.js'
import { agent, call, house, task, tool } from './house.js'

const bash = tool('Bash', 'execute', ({ command }: { command: string }) => ({
  content: 'out',
  isError: command.includes('broken'),
}))
const read = tool('Read', 'read', ({ path }: { path: string }) => ({
  content: 'text',
  files: [{ path, change: 'read' as const, hash: 'h' }],
}))
const tools = [bash, read]
const demanding = agent('worker', { evidence: { commands: ['npm test*'], citedFiles: true } })
const fileExists = async (path: string) => path === '/work/src/a.ts'

async function reportOf(steps: readonly object[], text: string) {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [...steps, text] },
    { agents: [demanding], tools, fileExists },
  )
  await h.run()
  const ended = h.events.find(({ event, agent: name }) => event.type === 'run.ended' && name === 'worker')!
  return { h, result: (ended.event as { result: { verified?: boolean; unverified?: readonly string[] } }).result }
}

test('P8 a result names the files and commands behind it', async () => {
  const { h } = await reportOf(
    [call('Read', { path: 'src/a.ts' }), call('Bash', { command: 'npm test' })],
    'src/a.ts:1',
  )
  expect(h.toolTexts('main')[0]).toContain('[behind it: files src/a.ts · commands `npm test`]')
  expect(h.model.requestsOf('worker')[0]!.declared.system).toContain(
    'Your report will be checked for what stands behind it: a successful command like `npm test*`; files cited as path:line that exist.',
  )
})

test('P8 a report with no tool behind it was not marked where the agent hands it over with complete_task', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const handOver = (result: unknown) => ({ name: 'complete_task', input: { result } })
  const h = house(
    {
      main: [{ calls: [task('typed'), task('busy')] }, 'ok'],
      typed: [{ calls: [handOver({ n: 'none' })] }, { calls: [handOver({ n: 1 })] }],
      busy: [call('Read', { path: 'a.ts' }), { calls: [handOver('all of it')] }],
    },
    {
      agents: [agent('typed', { output: { name: 'result', schema } }), agent('busy', { completion: 'explicit' })],
      tools,
    },
  )
  await h.run()
  const [typed, busy] = h.toolTexts('main')
  expect(typed).toContain('2 turns · no tool used: nothing here was checked · ')
  expect(busy).toContain('2 turns · 1 tool call · ')
  const listed = await h.offshoot.list()
  expect(listed.map(({ agent, toolCalls }) => `${agent} ${toolCalls}`).sort()).toEqual(['busy 1', 'main 2', 'typed 0'])
  const view = openRun(h.events.find(({ agent }) => agent === 'typed')!)
  for (const envelope of h.events) if (envelope.agent === 'typed') hearRun(view, envelope)
  expect(view).toMatchObject({
    toolCalls: 0,
    result: { toolCalls: 0, spent: { toolCalls: 0 }, evidence: { calls: 0 } },
  })
})

test('a report backed as demanded is verified, in result, footer and events', async () => {
  const { h, result } = await reportOf([call('Bash', { command: 'npm test' })], 'It is in src/a.ts:12.')
  expect(result).toMatchObject({ outcome: 'completed', verified: true })
  expect(h.toolTexts('main')[0]).toContain('\n[verified]')
  expect(h.events.map(({ event }) => event)).toContainEqual({ type: 'evidence.checked', isVerified: true, faults: [] })
})

test('a report that is not backed is completed and says what is missing', async () => {
  const steps = [call('Bash', { command: 'npm test broken' }), call('Bash', { command: 'npm test || true' })]
  const { h, result } = await reportOf(steps, 'See src/b.ts:1 and /etc/hosts.txt.')
  expect(result).toMatchObject({
    outcome: 'completed',
    verified: false,
    unverified: ['no successful command matches "npm test*"', 'cited and not there: src/b.ts, /etc/hosts.txt'],
  })
  expect(h.toolTexts('main')[0]).toContain('[NOT verified: no successful command matches')
})

test('a demand nobody understands refuses the agent instead of demanding nothing', async () => {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'] },
    { agents: [agent('worker', { evidence: { vibes: true } })] },
  )
  await h.run()
  expect(h.toolTexts('main')[0]).toMatch(/demands evidence nobody can check: evidence\.vibes is not understood/)
})

test('an unverified answer does not win a race', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'x', { run_in_background: true })] },
        { calls: [{ name: 'TaskWait', input: { until: 'success' } }] },
        'ok',
      ],
      worker: ['trust me'],
    },
    { agents: [demanding], tools, fileExists },
  )
  await h.run()
  expect(h.toolTexts('main')[1]).toMatch(/^Only 0 of the 1 wanted succeeded/)
})

test('a failing command that was only started in the background verified the report', async () => {
  const started = tool('Bash', 'execute', () => ({
    content: 'Started in the background as bash_1.',
    leftRunning: { id: 'bash_1', isOver: false },
  }))
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [call('Bash', { command: 'npm test' }), 'All tests pass.'] },
    { agents: [agent('worker', { evidence: { commands: ['npm test*'] } })], tools: [started] },
  )
  await h.run()
  expect(h.toolTexts('main')[0]).toContain('[NOT verified: no successful command matches "npm test*"]')
})

/** Both reports of a worker that is resumed by its caller. */
async function twice(worker: readonly (object | string)[]): Promise<readonly string[]> {
  const again = () => {
    const resume = h.events.find(({ agent: name }) => name === 'worker')!.runId
    return call('Task', { description: 'again', prompt: 'and now?', resume })
  }
  const h = house(
    { main: [{ calls: [task('worker')] }, again, 'ok'], worker },
    { agents: [agent('worker', { evidence: { commands: ['npm test*'] } })], tools },
  )
  await h.run()
  return h.toolTexts('main')
}

test('what an attempt had proven verified the report of the next, which proved nothing', async () => {
  const tests = call('Bash', { command: 'npm test' })
  const [first, second] = await twice([tests, 'all pass', call('Read', { path: 'a.ts' }), 'they still pass'])
  expect(first).toContain('[verified]')
  expect(second).toContain('[behind it: files a.ts]\n[NOT verified: no successful command matches "npm test*"]')
  const [, proven] = await twice([tests, 'all pass', tests, 'they still pass'])
  expect(proven).toContain('[verified]')
})

test('P8 the report of a later attempt without a single tool call was not marked', async () => {
  const [first, second] = await twice([call('Read', { path: 'a.ts' }), 'seen', 'I looked again'])
  expect(first).toContain(' · 1 tool call · ')
  expect(second).toContain(' · 1 tool call before, no tool used since: nothing new was checked · ')
})
