/** A yes is for what a call meant when it was asked about: its directory, where its paths lead, its server. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import type { EventOf } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import type { ApprovalRequest, Approver } from '../../src/core/ports.js'
import { type NodeOffshoot, type NodeOptions, openOffshoot } from '../../src/node.js'
import { type Script, ScriptedModel } from '../../src/testing/scripted-model.js'
import { odd } from '../mcp/servers.js'
import { eventually } from '../support/processes.js'

let home: string
let project: string
let house: NodeOffshoot | undefined
let shown: ApprovalRequest[]
/** What happens while a person decides. */
let meanwhile: (request: ApprovalRequest) => void
const approver: Approver = {
  isListening: () => true,
  present(request) {
    shown.push(request)
    meanwhile(request)
    return () => {}
  },
}

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-place-')))
  project = join(home, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  mkdirSync(join(project, 'src'))
  mkdirSync(join(project, 'out'))
  mkdirSync(join(home, 'outside'))
  shown = []
  meanwhile = () => {}
})
afterEach(async () => {
  await house?.close()
  house = undefined
  rmSync(home, { recursive: true, force: true })
})

const call = (name: string, input: object = {}) => ({ calls: [{ name, input }] })
const yes = (request: ApprovalRequest | undefined) => {
  if (!request) throw new Error('nothing is asked')
  return house!.approvals.answer(request.approvalId, { verdict: 'allow', scope: 'once' })
}

async function open(
  script: Readonly<Record<string, Script>>,
  options: NodeOptions = {},
): Promise<EventOf<'tool.ended'>[]> {
  house = await openOffshoot({
    env: { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH },
    cwd: project,
    store: 'sqlite',
    model: new ScriptedModel(script),
    approver,
    ...options,
  })
  const ended: EventOf<'tool.ended'>[] = []
  house.subscribe({}, ({ event }) => void (event.type === 'tool.ended' && ended.push(event)))
  return ended
}
async function start() {
  const run = await house!.start({ agent: 'main', prompt: 'Go.', description: 'some work' })
  if ('refused' in run) throw new Error(run.refused)
  return run
}
async function goOn(runId: RunId) {
  const run = await house!.resume(runId)
  if ('refused' in run) throw new Error(run.refused)
  return run
}
const request = async (index: number) => (await eventually(() => shown[index], Boolean))!
const leadOutside = () => {
  renameSync(join(project, 'out'), join(project, 'out-old'))
  symlinkSync(join(home, 'outside'), join(project, 'out'))
}

test('E04: a file was written outside the workspace by a yes for one inside, through a link laid meanwhile', async () => {
  const ended = await open({
    main: [call('Write', { file_path: join(project, 'out/data.txt'), content: 'hi' }), 'done'],
  })
  meanwhile = () => void (existsSync(join(project, 'out-old')) || leadOutside())
  const run = await start()
  await yes(await request(0))
  const again = await request(1)
  expect(readdirSync(join(home, 'outside'))).toEqual([])
  expect(again.approvalId.startsWith(shown[0]!.approvalId)).toBe(false)
  expect(shown.map(({ rule }) => rule)).toEqual(['write-asks', 'outside-roots'])
  expect(again.reason).toContain(
    `The yes given before is void: ${join(project, 'out/data.txt')} leads to ${join(home, 'outside/data.txt')} now`,
  )
  expect(await house!.approvals.answer(shown[0]!.approvalId, { verdict: 'allow' })).toBe(false)
  await house!.approvals.answer(again.approvalId, { verdict: 'deny' })
  await run.result
  expect(ended.map(({ status }) => status)).toEqual(['denied'])
})

test('E04: a command deleted outside the workspace by a yes for what lay inside', async () => {
  writeFileSync(join(home, 'outside/keep.txt'), 'x')
  await open({ main: [call('Bash', { command: 'rm -rf out/keep.txt' }), 'done'] })
  meanwhile = () => void (existsSync(join(project, 'out-old')) || leadOutside())
  const run = await start()
  await yes(await request(0))
  await house!.approvals.answer((await request(1)).approvalId, { verdict: 'deny' })
  await run.result
  expect(readdirSync(join(home, 'outside'))).toEqual(['keep.txt'])
})

test('a hook asked about a write, and the yes counted after its path led elsewhere', async () => {
  const hooks = functionHooks({ preTool: () => ({ verdict: 'ask', reason: 'look at it' }) })
  await open(
    { main: [call('Write', { file_path: 'out/data.txt', content: 'hi' }), 'done'] },
    {
      hooks,
      policy: { mode: 'bypassPermissions' },
    },
  )
  meanwhile = () => void (existsSync(join(project, 'out-old')) || leadOutside())
  const run = await start()
  await yes(await request(0))
  await house!.approvals.answer((await request(1)).approvalId, { verdict: 'deny' })
  await run.result
  expect(readdirSync(join(home, 'outside'))).toEqual([])
})

test('a yes is asked for once where nothing has changed, also of another process', async () => {
  const ended = await open({ main: [call('Write', { file_path: 'out/data.txt', content: 'hi' }), 'done'] })
  const { id } = await start()
  await request(0)
  await house!.close('leave')
  await open({ main: ['done'] })
  const run = await goOn(id)
  await yes(await request(1))
  await run.result
  expect(shown.map(({ approvalId }) => approvalId)).toEqual([shown[0]!.approvalId, shown[0]!.approvalId])
  expect(ended).toEqual([])
  expect(readdirSync(join(project, 'out'))).toEqual(['data.txt'])
})

test('after a restart the shell stood elsewhere, and a yes for `../out` deleted another directory', async () => {
  mkdirSync(join(home, 'out'))
  await open({ main: [call('Bash', { command: 'cd src' }), call('Bash', { command: 'rm -rf ../out' })] })
  const { id } = await start()
  await request(0)
  await house!.close('leave')
  const ended = await open({ main: [call('Bash', { command: 'pwd' }), 'done'] })
  const run = await goOn(id)
  await yes(await request(1))
  await run.result
  expect([existsSync(join(project, 'out')), existsSync(join(home, 'out'))]).toEqual([false, true])
  expect(ended.at(-1)!.content).toEqual([{ type: 'text', text: join(project, 'src') }])
})

test('the directory was replaced while nobody drove the run: it asks again, and says where the shell stands', async () => {
  mkdirSync(join(home, 'out'))
  await open({ main: [call('Bash', { command: 'cd src' }), call('Bash', { command: 'rm -rf ../out' })] })
  const { id } = await start()
  await request(0)
  await house!.close('leave')
  rmSync(join(project, 'src'), { recursive: true })
  symlinkSync(project, join(project, 'src'))
  const ended = await open({ main: ['done'] })
  const run = await goOn(id)
  await yes(await request(1))
  const again = await request(2)
  expect(again.reason).toContain('The yes given before is void: ')
  await yes(again)
  await run.result
  expect(ended.map(({ content }) => content)).toMatchObject([[{ text: expect.stringContaining('Nothing was run') }]])
  expect([existsSync(join(project, 'out')), existsSync(join(home, 'out'))]).toEqual([true, true])
})

test('a yes for a call of one server ran at another of the same name', async () => {
  const at = (...args: string[]) => ({ settings: { mcpServers: { db: odd(...args) } } })
  await open({ main: [call('mcp__db__echo'), 'done'] }, at())
  const { id } = await start()
  await request(0)
  await house!.close('leave')
  const ended = await open({ main: ['done'] }, at('plain', '--another'))
  const run = await goOn(id)
  await yes(await request(1))
  const again = await request(2)
  expect(ended).toEqual([])
  expect(again.reason).toContain('the server of that name is started or reached in another way now')
  expect(again.lasting).not.toBe(shown[0]!.lasting)
  await house!.approvals.answer(again.approvalId, { verdict: 'deny' })
  await run.result
})
