/** A run in its own process behaves as one in the host: the few stories `npm test` tells; `test:process` tells all. */
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import type { PathGuard } from '../../src/adapters/tools/file-access.js'
import { webFetchBy } from '../../src/adapters/tools/judged-fetch.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import type { ApprovalRequest, CallToJudge } from '../../src/core/ports.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'
import { buildChildProgram } from '../support/child-program.js'
import { eventually } from '../support/processes.js'
import { kitTool } from './misbehaving-kit.js'

const keys = { ANTHROPIC_API_KEY: 'sk-secret', OPENAI_API_KEY: 'sk-other', MY_TOKEN: 'hush' }
const processes = createRunProcesses({ program: await buildChildProgram(), source: { ...process.env, ...keys } })
afterAll(() => processes.close())
const carried = (name: string, about = {}) => agent(name, { executionMode: 'process', ...about })

test('a child in its own process has its own pid, no key in its environment, and its tools leave progress', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker')] }, 'ok'],
      worker: [{ calls: [{ name: 'Pid' }, { name: 'Environment' }, { name: 'Count', input: { to: 3 } }] }, 'done'],
    },
    {
      agents: [carried('worker')],
      tools: [kitTool('Pid', 'read'), kitTool('Environment', 'read'), kitTool('Count', 'read')],
      processes,
    },
  )
  await h.run()
  const [pid, environment] = h.toolTexts('worker')
  expect(Number(pid)).not.toBe(process.pid)
  for (const [name, value] of Object.entries(keys)) {
    expect(environment).not.toContain(name)
    expect(environment).not.toContain(value)
  }
  expect(h.events.some(({ event }) => event.type === 'tool.progress' && event.text === '1')).toBe(true)
})

test('steering, approval, a host tool and a nested background child cross the pipe', async () => {
  const asked: ApprovalRequest[] = []
  const ran: string[] = []
  const h = house(
    {
      main: [{ calls: [task('lead')] }, 'ok'],
      lead: [
        { calls: [task('worker', 'dig', { run_in_background: true }), { name: 'Write', input: { text: 'x' } }] },
        'waiting',
        'all in',
      ],
      worker: [call('Pid'), 'dug'],
    },
    {
      agents: [carried('lead', { canSpawn: true }), carried('worker')],
      tools: [
        tool('Write', 'write', ({ text }: { text: string }) => (ran.push(text), 'written')),
        kitTool('Pid', 'read'),
      ],
      judge: {
        judge: ({ spec }: CallToJudge) =>
          spec.name === 'Write'
            ? { decision: 'ask', rule: 'test', reason: 'writes' }
            : { decision: 'allow', rule: 'test' },
      },
      approver: { isListening: () => true, present: request => (asked.push(request), () => {}) },
      processes,
    },
  )
  const run = await h.start()
  await eventually(
    () => asked.length,
    count => count > 0,
  )
  expect(asked[0]).toMatchObject({ path: ['main', 'lead'], name: 'Write', input: { text: 'x' } })
  const [lead] = await h.offshoot.list({ agent: 'lead' })
  await h.offshoot.run(lead!.runId).say('be quick')
  await h.offshoot.approvals.answer(asked[0]!.approvalId, { verdict: 'allow' })
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'ok' })
  expect(ran).toEqual(['x'])
  const seen = JSON.stringify(h.model.requestsOf('lead').at(-1)!.messages)
  for (const text of ['be quick', 'written', 'dug']) expect(seen).toContain(text)
  expect(h.toolTexts('main')[0]).toMatch(/^all in/)
})

test('a shell in the process moves, and the host judges the next command by where it stands', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-stories-')))
  mkdirSync(join(root, 'sub'))
  const shells = createShells()
  const portable = {
    module: 'offshoot:workspace',
    heard: (report: unknown, at: Parameters<typeof shells.moveTo>[1]) =>
      void shells.moveTo((report as { directory: string }).directory, at),
  }
  const stood: string[] = []
  const h = house(
    { main: [call('Bash', { command: 'cd sub' }), call('Bash', { command: 'pwd' }), 'ok'] },
    {
      agents: [carried('main')],
      tools: createWorkspaceTools({ shells }).map(made => ({ ...made, portable })),
      judge: {
        judge: ({ runId, workspace }: CallToJudge) => (
          stood.push(shells.directoryOf(runId, workspace)), { decision: 'allow', rule: 'test' } as const
        ),
      },
      policy: { cwd: root },
      processes,
    },
  )
  await h.run()
  expect(h.toolTexts('main')[1]).toBe(join(root, 'sub'))
  expect(stood).toEqual([root, join(root, 'sub')])
  await shells.close()
  rmSync(root, { recursive: true, force: true })
})

test('a process of a run fetched by the rules of its start, also when they were others by then', async () => {
  const server = createServer((_, response) => response.end('page')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const network = { allow: ['127.0.0.1'], deny: [] as string[] }
  const portable = {
    module: 'offshoot:workspace',
    get options() {
      return { network: { ...network } }
    },
  }
  const webFetch = webFetchBy(() => network)
  const h = house(
    { main: [call('WebFetch', { url }), call('WebFetch', { url }), 'ok'] },
    {
      agents: [carried('main')],
      tools: createWorkspaceTools({ shells: createShells(), webFetch }).map(made => ({ ...made, portable })),
      processes,
    },
  )
  h.offshoot.subscribe({}, ({ event }) => {
    if (event.type === 'tool.ended') network.allow = []
  })
  await h.run()
  const [first, second] = h.toolTexts('main')
  expect(first).toContain('page')
  expect(second).toMatch(/^Refused to fetch /)
  server.close()
})

test('C01 a search in the process leaves out what the host’s rules forbid, and asks about all it found at once', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-stories-')))
  for (const name of ['a.ts', 'b.ts', 'private.ts', 'plain.ts']) writeFileSync(join(root, name), 'needle\n')
  const shells = createShells()
  const asked: string[] = []
  const guard: PathGuard = Object.assign(
    async (path: string) => {
      asked.push(path)
      return path.endsWith('private.ts') ? 'a rule forbids it' : undefined
    },
    { plainly: () => (path: string) => path.endsWith('plain.ts') },
  )
  const portable = { module: 'offshoot:workspace', guard }
  const h = house(
    { main: [call('Grep', { pattern: 'needle' }), call('Read', { file_path: 'private.ts' }), 'ok'] },
    {
      agents: [carried('main')],
      tools: createWorkspaceTools({ shells, guard }).map(made => ({ ...made, portable })),
      policy: { cwd: root },
      processes,
    },
  )
  await h.run()
  const [found, read] = h.toolTexts('main')
  expect(found).toMatch(/a\.ts[\s\S]*b\.ts[\s\S]*plain\.ts/)
  expect(found).toContain('1 file left out')
  expect(read).toContain('a rule forbids it')
  expect(asked).not.toContain(join(root, 'plain.ts'))
  await shells.close()
  rmSync(root, { recursive: true, force: true })
})

test('a stale write over the pipe told what had changed in a file that the run may not read', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-stale-')))
  const shells = createShells()
  const guard: PathGuard = Object.assign(() => undefined, { sees: async (path: string) => !path.includes('private') })
  const portable = { module: 'offshoot:workspace', guard }
  const write = (file_path: string) => call('Write', { file_path, content: 'one\n' })
  const names = ['private.txt', 'open.txt']
  const touch = tool('Touch', 'read', () => {
    for (const name of names) writeFileSync(join(root, name), 'one\nADDED\n')
    return 'touched'
  })
  const h = house(
    { main: [...names.map(write), call('Touch', {}), ...names.map(write), 'ok'] },
    {
      agents: [carried('main')],
      tools: [...createWorkspaceTools({ shells, guard }).map(made => ({ ...made, portable })), touch],
      policy: { cwd: root },
      processes,
    },
  )
  await h.run()
  const [hidden, shown] = h.toolTexts('main').slice(-2)
  expect(hidden).toContain('Nothing was written')
  expect(hidden).not.toContain('ADDED')
  expect(shown).toContain('ADDED')
  await shells.close()
  rmSync(root, { recursive: true, force: true })
})
