/** The house a library user opens on this machine is the one the program opens: what counts there counts here. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { mcpHub } from '../../src/adapters/mcp/mcp-hub.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { chooseRun } from '../../src/apps/session/choose-run.js'
import type { Hooks } from '../../src/core/hooks/hooks.js'
import type { Json } from '../../src/core/message.js'
import { coversWholeTool } from '../../src/core/permission/approval-rule.js'
import type { RunStore } from '../../src/core/run-store.js'
import { type NodeOffshoot, type NodeOptions, openOffshoot } from '../../src/node.js'
import { createOffshoot } from '../../src/offshoot.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'
import { odd } from '../mcp/servers.js'
import { eventually } from '../support/processes.js'

let home: string
let project: string
let house: NodeOffshoot | undefined
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'offshoot-node-'))
  project = join(home, 'project')
  mkdirSync(project)
})
afterEach(async () => {
  await house?.close()
  house = undefined
  rmSync(home, { recursive: true, force: true })
})

function write(path: string, content: string | object): void {
  const full = join(home, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, typeof content === 'string' ? content : JSON.stringify(content))
}

test('what is opened is closed by `await using`', async () => {
  const refusals: unknown[] = []
  const task = { prompt: 'x', description: 'y' }
  let store: RunStore
  {
    await using hub = mcpHub({ servers: [], env: {}, projectDir: project })
    await using kept = await sqliteStore({ path: join(home, 'runs.db') })
    await using lines = await jsonlStore({ directory: join(home, 'lines') })
    await using memory = memoryStore()
    await using plain = createOffshoot({ model: new ScriptedModel({}), store: memory })
    await using whole = await openOffshoot({ env: { HOME: home, OFFSHOOT_HOME: home }, cwd: project, store: 'memory' })
    store = kept
    refusals.push(
      () => plain.start(task),
      () => whole.start(task),
    )
    expect([hub.tools(), await kept.list({}), await lines.list({})]).toEqual([[], [], []])
  }
  for (const start of refusals as (() => Promise<unknown>)[]) expect(await start()).toMatchObject({ rule: 'closed' })
  await expect(store.list({})).rejects.toMatchObject({ code: 'closed' })
})

test('a misspelt deny of an agent given in code left it the tool', async () => {
  const source = { scope: 'user', isTrusted: true } as const
  const agents = [{ name: 'a', systemPrompt: 'x', tools: 'all', disallowedTools: [{ name: 'Bsh' }], source }] as const
  const offshoot = await open({ agents })
  expect(offshoot.catalog().diagnostics.map(({ message }) => message)).toEqual([
    'agent "a" is quarantined: disallowedTools[0] names "Bsh", and there is no such tool (did you mean Bash?)',
  ])
})

async function open(options: NodeOptions = {}): Promise<NodeOffshoot> {
  house = await openOffshoot({
    env: { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH },
    cwd: project,
    store: 'memory',
    ...options,
  })
  return house
}

/** How a call ends that the agent makes. */
async function call(name: string, input: { readonly [key: string]: Json }, agent = 'main', options: NodeOptions = {}) {
  const model = new ScriptedModel({ [agent]: [{ calls: [{ name, input }] }, 'Done.'] })
  const offshoot = await open({ model, policy: { mode: 'acceptEdits' }, ...options })
  const ended: { status: string; rule?: string; content?: unknown }[] = []
  offshoot.subscribe({}, ({ event }) => void (event.type === 'tool.ended' && ended.push(event)))
  const run = await offshoot.start({ agent, prompt: 'Go.', description: 'a call' })
  if ('refused' in run) return run
  await run.result
  return ended[0]
}

const agentFile = (name: string, more = '') => `---\nname: ${name}\ndescription: Says hello.\n${more}---\nSay hello.\n`
const madeFile = { file_path: 'made.txt', content: 'x' }

test('openOffshoot without agents has the built-in ones and those of files, a project’s only once trusted', async () => {
  write('.claude/agents/mine.md', agentFile('mine'))
  write('project/.claude/agents/theirs.md', agentFile('theirs'))
  const catalog = (await open()).catalog()
  expect(catalog.offered().map(({ name }) => name)).toEqual(expect.arrayContaining(['Explore', 'mine']))
  expect(catalog.lookup('theirs')?.state).toBe('untrusted')
})

test('agents given in code took the place of all files and built-in ones; a function still does', async () => {
  write('.claude/agents/mine.md', agentFile('mine'))
  const given = { name: 'given', systemPrompt: 'x', tools: [], source: { scope: 'user', isTrusted: true } } as const
  const catalog = (await open({ agents: [given] })).catalog()
  for (const name of ['given', 'mine', 'Explore']) expect(catalog.find(name)?.name).toBe(name)
  await house?.close()
  expect((await open({ agents: () => catalog })).catalog()).toBe(catalog)
})

test('the guard of an agent file did not run in a house that was opened by the library', async () => {
  const guard =
    'hooks:\n  PreToolUse:\n    - matcher: "*"\n      hooks: [{ type: command, command: "echo GUARD >&2; exit 2" }]\n'
  write('.claude/agents/guarded.md', agentFile('guarded', `tools: Read, Write\n${guard}`))
  for (const isBare of [false, true]) {
    expect(await call('Write', madeFile, 'guarded', { isBare })).toMatchObject({ status: 'denied' })
    expect(existsSync(join(project, 'made.txt'))).toBe(false)
    await house?.close()
  }
})

test('a further directory written with ~, or one that is not there, failed every run', async () => {
  write('notes/a.txt', 'a note')
  write('state/config/settings.json', { permissions: { additionalDirectories: ['~/notes', '~/gone'] } })
  expect(await call('Read', { file_path: join(home, 'notes/a.txt') })).toMatchObject({ status: 'ok' })
  const said = house!.diagnostics.filter(({ code }) => code === 'directory-missing')
  expect(said.map(({ message }) => message)).toEqual([expect.stringContaining('"~/gone" is left out')])
})

test('a folder of agents written with ~ was looked for in the working directory, and one that is not there went unsaid', async () => {
  write('mine/helper.md', agentFile('helper', 'tools: Read\n'))
  write('state/config/settings.json', { subagents: { agentsDirs: ['~/mine', '~/gone'] } })
  expect(await call('Write', madeFile, 'helper')).toMatchObject({ status: 'denied' })
  const said = house!.diagnostics.filter(({ code }) => code === 'directory-missing')
  expect(said.map(({ message }) => message)).toEqual([
    'subagents.agentsDirs: "~/gone" is left out: there is no such directory',
  ])
})

test('a project’s ~ in its further directories is no home', async () => {
  write('notes/a.txt', 'a note')
  write('project/.offshoot/settings.json', { permissions: { additionalDirectories: ['~/notes'] } })
  const read = await call('Read', { file_path: join(home, 'notes/a.txt') }, 'main', { trustsProject: true })
  expect(read).toMatchObject({ status: 'denied' })
  expect(house!.diagnostics.map(({ code }) => code)).toContain('directory-missing')
})

test('the rules of the user’s settings did not count in a house that was opened by the library', async () => {
  write('project/secret.txt', 'TOPSECRET')
  write('state/config/settings.json', { permissions: { deny: ['Read(./secret.txt)'] } })
  expect(await call('Read', { file_path: 'secret.txt' })).toMatchObject({ status: 'denied' })
  expect(house?.rules().flatMap(({ rules }) => rules.deny.map(({ text }) => text))).toEqual(['Read(./secret.txt)'])
  await house?.close()
  expect(await call('Read', { file_path: 'secret.txt' }, 'main', { isBare: true })).toMatchObject({ status: 'ok' })
})

test('settings given in code count above those of files, also in a bare house', async () => {
  const settings = { permissions: { deny: ['Write'] } }
  for (const isBare of [false, true])
    expect(await call('Write', madeFile, 'main', { settings, isBare })).toMatchObject({ status: 'denied' })
})

test('instructions of the project reach the prompt, and not that of a bare house', async () => {
  write('project/CLAUDE.md', 'Speak of herons.')
  for (const isBare of [false, true]) {
    const model = new ScriptedModel({ main: ['Done.'] })
    const run = await (await open({ model, isBare })).start({ prompt: 'Go.', description: 'x' })
    if ('refused' in run) throw new Error(run.refused)
    await run.result
    expect(JSON.stringify(model.requests).includes('Speak of herons.')).toBe(!isBare)
    await house?.close()
  }
})

test('what was approved always is kept where the program keeps it', async () => {
  const offshoot = await open({
    model: new ScriptedModel({ main: [{ calls: [{ name: 'Bash', input: { command: 'touch made.txt' } }] }, 'Done.'] }),
    approver: {
      isListening: () => true,
      present({ approvalId }) {
        setImmediate(() => void answer(approvalId))
        return () => {}
      },
    },
  })
  const answer = (id: string) => offshoot.approvals.answer(id, { verdict: 'allow', scope: 'always' })
  const run = await offshoot.start({ prompt: 'Go.', description: 'x' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  await house?.close()
  const { rules } = await open()
  expect(rules().flatMap(each => each.rules.allow.map(({ text }) => text))).toEqual([
    `Bash(in ${realpathSync(project)}: touch made.txt)`,
  ])
})

test('G05: a line approved for the session in src/ reached out of the workspace from the directory above', async () => {
  const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] })
  const task = { subagent_type: 'general-purpose', prompt: 'go', description: 'go on' }
  const asked: string[] = []
  mkdirSync(join(project, 'src'))
  const offshoot = await open({
    model: new ScriptedModel({
      main: [bash('cd src'), bash('touch ../here'), { calls: [{ name: 'Task', input: task }] }, 'Done.'],
      'general-purpose': [bash('touch ../here'), 'Done.'],
    }),
    approver: {
      isListening: () => true,
      present({ approvalId, path }) {
        asked.push(path.join('/'))
        const verdict = asked.length === 1 ? 'allow' : 'deny'
        setImmediate(() => void offshoot.approvals.answer(approvalId, { verdict, scope: 'session' }))
        return () => {}
      },
    },
  })
  const run = await offshoot.start({ prompt: 'Go.', description: 'x' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  expect(asked).toEqual(['main', 'main/general-purpose'])
  expect([join(project, 'here'), join(home, 'here')].map(path => existsSync(path))).toEqual([true, false])
})

test('an agent without Write and Edit wrote a file by a redirection', async () => {
  write('.claude/agents/mine.md', agentFile('mine', 'tools: Read, Bash(echo *)\ndisallowedTools: Write, Edit\n'))
  expect(await call('Bash', { command: 'echo evil > made.txt' }, 'mine')).toMatchObject({
    status: 'denied',
    rule: 'disallowedTools: Edit',
  })
  expect(existsSync(join(project, 'made.txt'))).toBe(false)
  await house?.close()
  expect(await call('Bash', { command: 'echo fine' }, 'mine')).toMatchObject({ status: 'ok' })
})

test('N01: what was approved always of one agent’s server was approved of another agent’s server of that name', async () => {
  const asked: string[] = []
  const kept: string[] = []
  const session = async (name: string, mark: string) => {
    const source = { scope: 'user', isTrusted: true } as const
    const mcpServers = [{ name: 'db', config: odd('count', join(home, mark)) }]
    const agent = { name, description: 'd', systemPrompt: 'p', tools: [{ name: 'mcp__db__echo' }], mcpServers, source }
    const task = { subagent_type: name, prompt: 'go', description: 'go on' }
    const offshoot = await open({
      agents: [agent],
      model: new ScriptedModel({
        main: [{ calls: [{ name: 'Task', input: task }] }, 'Done.'],
        [name]: [{ calls: [{ name: 'mcp__db__echo', input: {} }] }, 'Done.'],
      }),
      approver: {
        isListening: () => true,
        present({ approvalId, path, lasting }) {
          asked.push(path.join('/'))
          kept.push(String(lasting))
          setImmediate(() => void offshoot.approvals.answer(approvalId, { verdict: 'allow', scope: 'always' }))
          return () => {}
        },
      },
    })
    const run = await offshoot.start({ prompt: 'Go.', description: 'x' })
    if ('refused' in run) throw new Error(run.refused)
    await run.result
    await house?.close()
  }
  for (const [name, mark] of ['mine a', 'mine a', 'theirs b', 'theirs b', 'mine c'].map(text => text.split(' ')))
    await session(name!, mark!)
  expect(asked).toEqual(['main/mine', 'main/theirs', 'main/mine'])
  expect(kept[0]).toMatch(/^mcp__db__echo\(server:[0-9a-f]{16}\)$/)
  expect(coversWholeTool(kept[0]!)).toBe(true)
})

test('settings that cannot be read open no house', async () => {
  write('state/config/settings.json', '{ "permissions": { "deny": ["Bash"], } }')
  await expect(open()).rejects.toThrow(/settings\.json/)
  await expect(open({ isBare: true, settings: { permissions: { denny: ['Bash'] } } })).rejects.toThrow(/denny/)
})

test('a store nobody knows, or a directory that is none, opened without a word', async () => {
  // @ts-expect-error the types say so, too
  await expect(open({ store: 'postgres' })).rejects.toThrow(
    'there is no store "postgres". Known: sqlite, jsonl, memory',
  )
  await expect(open({ cwd: join(home, 'nowhere') })).rejects.toThrow(/there is no directory .*nowhere/)
})

test('what is wrong in files is told', async () => {
  write('.claude/agents/broken.md', agentFile('broken', 'tols: Read\n'))
  const { diagnostics } = await open()
  expect(diagnostics).toMatchObject([{ code: 'security-key-damaged' }])
  expect(readFileSync(diagnostics[0]!.file!, 'utf8')).toContain('tols')
})

test('a policy with a key that is there and undefined wiped out what settings said', async () => {
  write('state/config/settings.json', { permissions: { defaultMode: 'plan' } })
  expect(await call('Write', madeFile, 'main', { policy: { mode: undefined } as never })).toMatchObject({
    status: 'denied',
  })
})

test('a guard of the host that used another word for no was a yes beside other hooks', async () => {
  for (const answer of [{ verdict: 'deny' }, { verdict: 'Refuse' }, { decision: 'deny' }, null, 'no']) {
    const hooks: Hooks = { wants: point => point === 'pre-tool', fire: async () => answer as never }
    expect(await call('Write', madeFile, 'main', { hooks }), JSON.stringify(answer)).toMatchObject({ status: 'denied' })
    await house?.close()
  }
})

test('an "always" for a call of an earlier process was kept for the input that a hook gave it since', async () => {
  const store = memoryStore()
  const approver = { isListening: () => true, present: () => () => {} }
  const bash = { calls: [{ name: 'Bash', input: { command: 'touch a' } }] }
  const first = await open({ store, approver, model: new ScriptedModel({ main: [bash, 'Done.'] }) })
  const run = await first.start({ prompt: 'Go.', description: 'x' })
  if ('refused' in run) throw new Error(run.refused)
  let id = ''
  for await (const { event } of run.events())
    if (event.type === 'approval.requested') {
      id = event.approvalId
      break
    }
  await first.close('leave')
  const hooks = functionHooks({ preTool: () => ({ verdict: 'go', input: { command: 'touch b' } }) })
  const second = await open({ store, approver, hooks, model: new ScriptedModel({ main: ['Done.'] }) })
  const asked: unknown[] = []
  second.subscribe({}, ({ event }) => void (event.type === 'approval.requested' && asked.push(event.input)))
  await second.approvals.answer(id, { verdict: 'allow', scope: 'always' })
  await second.resume(run.id)
  await eventually(
    () => asked.length,
    count => count > 0,
  )
  expect(second.rules().flatMap(each => each.rules.allow.map(({ text }) => text))).toEqual([])
})

test('what was approved always counted in a bare house', async () => {
  const { savedRules } = await import('../../src/adapters/ground/saved-rules.js')
  const saved = savedRules({ cwd: project, env: { HOME: home, OFFSHOOT_HOME: join(home, 'state') } })
  saved.save({ tool: 'Bash', pattern: 'touch x', text: 'Bash(touch x)' })
  expect((await open()).rules()).not.toEqual([])
  await house?.close()
  expect((await open({ isBare: true })).rules().flatMap(each => each.rules.allow)).toEqual([])
})

test('a deny about `~` in the settings of another home was lost', async () => {
  write('notes/diary.md', 'secret')
  write('.claude/settings.json', { permissions: { deny: ['Read(~/notes/**)'] } })
  const notes = join(home, 'notes')
  const input = { file_path: join(notes, 'diary.md') }
  const offshoot = await open({
    addedDirectories: [notes],
    model: new ScriptedModel({ main: [{ calls: [{ name: 'Read', input }] }, 'Done.'] }),
  })
  const rules: unknown[] = []
  offshoot.subscribe({}, ({ event }) => void (event.type === 'tool.ended' && rules.push(event.rule)))
  const run = await offshoot.start({ prompt: 'Go.', description: 'x' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  expect(rules).toEqual(['Read(~/notes/**)'])
})

test('C02: a copy of a conversation that plans was not planning any more', async () => {
  const file_path = join(project, 'made.txt')
  const options = { store: 'sqlite', askUser: async () => undefined, policy: { mode: 'acceptEdits' } } as const
  const first = await open({
    ...options,
    model: new ScriptedModel({ main: [{ calls: [{ name: 'EnterPlanMode', input: {} }] }, 'Planning.'] }),
  })
  const run = await first.start({ prompt: 'Go.', description: 'x' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  await first.close()
  const second = await open({
    ...options,
    model: new ScriptedModel({ main: [{ calls: [{ name: 'Write', input: { file_path, content: 'x' } }] }, 'Done.'] }),
  })
  const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state') }
  const fork = await chooseRun(second.store, { resume: run.id, forkSession: true }, project, env)
  if ('fault' in fork) throw new Error(fork.fault)
  const again = await second.resume(fork.runId, 'Do it.')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  expect(fork.runId).not.toBe(run.id)
  expect(existsSync(file_path)).toBe(false)
})
