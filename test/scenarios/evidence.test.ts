import { expect, test } from 'vitest'
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
