/** A work tree that a model asks for is a copy of what its caller could reach, and rules about the original hold in it. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import type { Json } from '../../src/core/message.js'
import { copyOf, originalsOf } from '../../src/core/permission/copied-paths.js'
import { type NodeOptions, openOffshoot } from '../../src/node.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'

let home: string
let project: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-trees-')))
  project = join(home, 'project')
  vi.stubEnv('HOME', home)
  const files = { 'top.txt': 'TOP', 'sub/a.txt': 'INNER', 'locked/x.txt': 'LOCKED', 'sub/deep/b.txt': 'DEEP' }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), `${text}\n`)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

type Input = { readonly [key: string]: Json }
const task = (subagent_type: string, more: Input = {}) => ({
  name: 'Task',
  input: { subagent_type, prompt: 'Go.', description: 'look at it', ...more },
})
const isolated = { isolation: 'worktree' }

/** How the calls of a general-purpose child end: `denied` or what they show. */
async function childCalls(calls: readonly (readonly [string, Input])[], how: Input, options: NodeOptions = {}) {
  const model = new ScriptedModel({
    main: [{ calls: [task('general-purpose', how)] }, 'Done.'],
    'general-purpose': [...calls.map(([name, input]) => ({ calls: [{ name, input }] })), 'Done.'],
  })
  return ends(model, options)
}

async function ends(model: ScriptedModel, options: NodeOptions, agent = 'general-purpose'): Promise<string[]> {
  const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH }
  const house = await openOffshoot({ env, cwd: project, store: 'memory', model, ...options })
  try {
    const ended: string[] = []
    house.subscribe({}, ({ agent: who, event }) => {
      if (event.type !== 'tool.ended' || who !== agent) return
      const text = event.content.map(part => (part.type === 'text' ? part.text : '')).join('')
      ended.push(event.status === 'ok' ? text : event.status)
    })
    const run = await house.start({ prompt: 'Go.', description: 'a test' })
    if ('refused' in run) throw new Error(run.refused)
    await run.result
    return ended
  } finally {
    await house.close()
  }
}

const reading = (path: string) =>
  [
    ['Read', { file_path: path }],
    ['Bash', { command: `cat ${path}` }],
  ] as const

describe('a work tree asked for by a model widened the workspace', () => {
  test('what lies beside the session’s directory is as closed in the copy as it is in place', async () => {
    const options = { cwd: join(project, 'sub') }
    expect(await childCalls(reading('../top.txt'), {}, options)).toEqual(['denied', 'denied'])
    expect(await childCalls(reading('../top.txt'), isolated, options)).toEqual(['denied', 'denied'])
    const inside = await childCalls(reading('a.txt'), isolated, options)
    expect(inside.map(text => text.includes('INNER'))).toEqual([true, true])
  })

  test('a work tree of a work tree is no wider either', async () => {
    const coordinator = {
      name: 'coordinator',
      tools: 'all',
      canSpawn: true,
      systemPrompt: 'Hand on.',
      description: 'hands on',
      source: { scope: 'command-line', isTrusted: true },
    } as const
    const model = new ScriptedModel({
      main: [{ calls: [task('coordinator', isolated)] }, 'Done.'],
      coordinator: [{ calls: [task('general-purpose', isolated)] }, { calls: [task('general-purpose')] }, 'Done.'],
      'general-purpose': [
        ...[...reading('../top.txt'), ...reading('deep/b.txt')].map(([name, input]) => ({ calls: [{ name, input }] })),
        'Done.',
      ],
    })
    const deny = [`Read(/${project}/sub/deep/**)`]
    const options: NodeOptions = {
      cwd: join(project, 'sub'),
      agents: [coordinator],
      settings: { permissions: { deny } },
    }
    expect(await ends(model, options)).toEqual(Array(8).fill('denied'))
  })
})

describe('a deny with an absolute path was passed in a work tree', () => {
  const locked = [...reading('locked/x.txt'), ['Grep', { pattern: 'LOCKED', output_mode: 'content' }]] as const
  const shown = (texts: readonly string[]) => texts.filter(text => text.includes('LOCKED'))

  test.each([
    ['absolute', () => `Read(/${project}/locked/**)`],
    ['below home', () => 'Read(~/project/locked/**)'],
    ['with a wildcard before the project', () => `Read(/${home}/*/locked/x.txt)`],
  ])('%s', async (_, rule) => {
    const options = { settings: { permissions: { deny: [rule()] } } }
    for (const how of [{}, isolated]) {
      const texts = await childCalls([...locked, ['Bash', { command: 'cat locked/*' }]], how, options)
      expect([texts.length, shown(texts)]).toEqual([4, []])
    }
  })

  test('an ask counts for the copy as well, and so does what an agent’s file refuses', async () => {
    const ask = { settings: { permissions: { ask: [`Read(/${project}/locked/**)`] } } }
    expect(shown(await childCalls(locked, isolated, ask))).toEqual([])
    const edit = { settings: { permissions: { deny: [`Edit(/${project}/locked/**)`], defaultMode: 'acceptEdits' } } }
    const write = ['Write', { file_path: 'locked/new.txt', content: 'x' }] as const
    expect(await childCalls([write], isolated, edit)).toEqual(['denied'])
  })

  test('what no rule forbids stays open there', async () => {
    const options = { settings: { permissions: { deny: [`Read(/${project}/locked/**)`] } } }
    expect((await childCalls(reading('sub/a.txt'), isolated, options)).every(text => text.includes('INNER'))).toBe(true)
  })
})

describe('a child in a work tree did to the original what a relative deny forbids', () => {
  const bypass: NodeOptions['policy'] = { mode: 'bypassPermissions' }
  const deny = ['Read(./locked/**)', 'Edit(/sub/**)', 'Read(top.txt)']
  const original = () =>
    [
      ...reading(join(project, 'locked/x.txt')),
      ...reading(join(project, 'top.txt')),
      ['Write', { file_path: join(project, 'sub/new.txt'), content: 'x' }],
      ['Bash', { command: `echo x > ${join(project, 'sub/new.txt')}` }],
    ] as const
  const copied = [...reading('locked/x.txt'), ['Write', { file_path: 'sub/new.txt', content: 'x' }]] as const
  const write = (file: string, permissions: Json) => {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), JSON.stringify({ permissions }))
  }

  test.each([
    ['given', (): NodeOptions => ({ settings: { permissions: { deny } } })],
    [
      'in the user’s settings',
      (): NodeOptions => {
        write('.claude/settings.json', { deny })
        return {}
      },
    ],
  ])('%s', async (_, options) => {
    const calls = [...original(), ...copied]
    const texts = await childCalls(calls, isolated, { policy: bypass, ...options() })
    expect(texts).toEqual(Array(calls.length).fill('denied'))
    expect(existsSync(join(project, 'sub/new.txt'))).toBe(false)
  })

  test('in the file of its caller, and through a work tree of a work tree', async () => {
    const boss = (name: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
      name,
      tools: 'all',
      canSpawn: true,
      systemPrompt: 'Hand on.',
      description: 'hands on',
      source: { scope: 'command-line', isTrusted: true },
      ...more,
    })
    const agents = [boss('first', { disallowedTools: [{ name: 'Read', pattern: './locked/**' }] }), boss('second')]
    const model = new ScriptedModel({
      main: [{ calls: [task('first')] }, 'Done.'],
      first: [{ calls: [task('second', isolated)] }, 'Done.'],
      second: [{ calls: [task('general-purpose', isolated)] }, 'Done.'],
      'general-purpose': [
        ...reading(join(project, 'locked/x.txt')).map(([name, input]) => ({ calls: [{ name, input }] })),
        'Done.',
      ],
    })
    expect(await ends(model, { agents, policy: bypass })).toEqual(['denied', 'denied'])
  })

  test('an absolute deny holds in every copy on the way, too', () => {
    const first = copyOf('/w/app', '/trees/one')
    const second = copyOf('/trees/one', '/trees/two', first)
    expect(originalsOf(['/trees/one/locked'], second)).toEqual(['/w/app/locked'])
    expect(originalsOf(['/trees/two/locked'], second)).toEqual(['/trees/one/locked', '/w/app/locked'])
  })

  test('a relative allow means the copied files there, and no longer those of the original', async () => {
    const options = { settings: { permissions: { allow: ['Edit(sub/**)'] } } }
    const writing = (path: string) => ['Write', { file_path: path, content: 'x' }] as const
    const [inCopy, beside, inOriginal] = await childCalls(
      [writing('sub/new.txt'), writing('locked/new.txt'), writing(join(project, 'sub/new.txt'))],
      isolated,
      options,
    )
    expect([inCopy, beside, inOriginal]).toEqual([expect.stringContaining('Created'), 'denied', 'denied'])
  })
})

test('nobody was told where an isolated run had left its work: its end says so, and its caller’s model reads it', async () => {
  const write = { name: 'Write', input: { file_path: 'new.txt', content: 'x' } }
  const model = new ScriptedModel({
    main: [{ calls: [task('general-purpose', isolated)] }, 'Done.'],
    'general-purpose': [{ calls: [write] }, 'Done.'],
  })
  const settings = { permissions: { defaultMode: 'acceptEdits' } }
  const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH }
  const house = await openOffshoot({ env, cwd: project, store: 'memory', model, settings })
  const stored: (string | undefined)[] = []
  house.subscribe({}, ({ depth, event }) => {
    if (event.type === 'run.ended' && depth === 1) stored.push(event.result.kept)
  })
  const run = await house.start({ prompt: 'Go.', description: 'a test' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  const [child] = await house.list({ rootId: run.id }).then(all => all.filter(({ depth }) => depth === 1))
  await house.close()
  const where = `are in ${join(home, 'state/worktrees', child!.runId)}, on branch offshoot/${child!.runId}, and not in ${project}`
  expect(stored).toEqual([expect.stringContaining(where)])
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(where)
})

test('a run that went on after its work tree was gone took an empty checkout for what it had left', async () => {
  const write = { name: 'Write', input: { file_path: 'new.txt', content: 'x' } }
  const worker = {
    name: 'worker',
    tools: 'all',
    isolation: 'worktree',
    systemPrompt: 'Work.',
    description: 'works',
    source: { scope: 'command-line', isTrusted: true },
  } as const
  const model = new ScriptedModel({ worker: [{ calls: [write] }, 'Done.', 'Done again.'] })
  const settings = { permissions: { defaultMode: 'acceptEdits' } }
  const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH }
  const faults: string[] = []
  const onError = (error: unknown) => faults.push(String(error))
  const house = await openOffshoot({ env, cwd: project, store: 'memory', model, settings, agents: [worker], onError })
  const run = await house.start({ agent: 'worker', prompt: 'Go.', description: 'a test' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  rmSync(join(home, 'state/worktrees', run.id), { recursive: true })
  const again = await house.resume(run.id, 'Go on.')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  await house.close()
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('was gone and was made anew')
  expect(faults.join()).toContain('was gone and was made anew')
})
