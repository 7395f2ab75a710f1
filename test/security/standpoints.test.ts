/** Relative rules mean the files they meant for whom they were given to: a child's `baseDir` moves none of them. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import type { Json } from '../../src/core/message.js'
import { parsePermissionRules } from '../../src/core/permission/permission-rule.js'
import { type NodeOffshoot, type NodeOptions, openOffshoot } from '../../src/node.js'
import { type Script, ScriptedModel } from '../../src/testing/scripted-model.js'

let home: string
let project: string
let house: NodeOffshoot | undefined
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-standpoints-')))
  project = join(home, 'project')
  vi.stubEnv('HOME', home)
  for (const name of ['docs/a.md', 'src/docs/b.md', 'src/gen/x.md', 'src/lib/y.md', 'out/keep.txt']) {
    mkdirSync(dirname(join(project, name)), { recursive: true })
    writeFileSync(join(project, name), 'text\n')
  }
})
afterEach(async () => {
  await house?.close()
  house = undefined
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

type Scripts = Readonly<Record<string, Script>>
type Call = { readonly name: string; readonly input: { readonly [key: string]: Json } }
const agent = (name: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  ...{ name, description: name, systemPrompt: 'Work.', tools: 'all', canSpawn: true },
  source: { scope: 'user', isTrusted: true },
  ...more,
})
const task = (subagent_type: string): Call => ({
  name: 'Task',
  input: { subagent_type, prompt: 'Go.', description: 'some work' },
})
const writing = (path: string): Call => ({ name: 'Write', input: { file_path: join(project, path), content: 'x' } })
const reading = (path: string): Call => ({ name: 'Read', input: { file_path: join(project, path) } })
const bash = (command: string): Call => ({ name: 'Bash', input: { command } })
const turns = (...calls: readonly Call[]) => [...calls.map(call => ({ calls: [call] })), 'Done.']

/** How the calls of each agent ended, but for its delegations. */
async function open(script: Scripts, options: NodeOptions): Promise<Record<string, string[]>> {
  const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH }
  house = await openOffshoot({ env, cwd: project, store: 'memory', model: new ScriptedModel(script), ...options })
  const ended: Record<string, string[]> = {}
  house.subscribe({}, ({ agent: who, event }) => {
    if (event.type !== 'tool.ended' || event.name === 'Task') return
    ended[who] ??= []
    ended[who].push(event.status)
  })
  return ended
}

async function play(script: Scripts, options: NodeOptions, root = 'main'): Promise<Record<string, string[]>> {
  const ended = await open(script, options)
  const run = await house!.start({ agent: root, prompt: 'Go.', description: 'a test' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  return ended
}

describe('a child with a baseDir could do what its caller could not', () => {
  const settings = { permissions: { allow: ['Edit(docs/**)', 'Bash(rm -rf ../out)'] } }

  test('a relative allow of the settings moved to its directory', async () => {
    const script = {
      main: turns(
        writing('src/docs/m.md'),
        bash('cd src && rm -rf ../out'),
        bash('cd src'),
        bash('rm -rf ../out'),
        task('worker'),
      ),
      worker: turns(writing('src/docs/new.md'), bash('rm -rf ../out'), writing('docs/new.md')),
    }
    const { main, worker } = await play(script, { settings, agents: [agent('worker', { baseDir: 'src' })] })
    expect([main, worker]).toEqual([
      ['denied', 'denied', 'ok', 'denied'],
      ['denied', 'denied', 'ok'],
    ])
    expect(existsSync(join(project, 'out/keep.txt'))).toBe(true)
  })

  test('and so for a root with a baseDir: settings count from the directory it was begun in', async () => {
    const script = { worker: turns(writing('src/docs/new.md'), writing('docs/new.md')) }
    const options = { settings, agents: [agent('worker', { baseDir: 'src' })] }
    expect(await play(script, options, 'worker')).toEqual({ worker: ['denied', 'ok'] })
  })

  test('a relative grant of its caller moved there', async () => {
    const agents = [
      agent('boss', { tools: [{ name: 'Read' }, { name: 'Write', pattern: 'docs/**' }] }),
      agent('worker', { baseDir: 'src' }),
    ]
    const script = {
      boss: turns(writing('src/docs/new.md'), task('worker')),
      worker: turns(writing('src/docs/new.md'), writing('docs/new.md')),
    }
    expect(await play(script, { agents, policy: { mode: 'acceptEdits' } }, 'boss')).toEqual({
      boss: ['denied'],
      worker: ['denied', 'ok'],
    })
  })

  const boss = agent('boss', {
    baseDir: 'src',
    disallowedTools: [{ name: 'Read', pattern: './gen/**' }],
    permissions: parsePermissionRules({ deny: ['Edit(./gen/**)'] }).rules,
  })
  const forbidden = () => turns(reading('src/gen/x.md'), writing('src/gen/new.md'), bash('cat ../gen/x.md'))

  test('a relative deny of its caller was left behind', async () => {
    const agents = [boss, agent('worker', { baseDir: 'lib' }), agent('inner')]
    const script = {
      main: turns(task('boss')),
      boss: turns(task('worker')),
      worker: [{ calls: [task('inner')] }, ...forbidden()],
      inner: forbidden(),
    }
    const denied = ['denied', 'denied', 'denied']
    expect(await play(script, { agents, policy: { mode: 'acceptEdits' } })).toEqual({ worker: denied, inner: denied })
  })

  test('also when it is resumed by a later session', async () => {
    const agents = [boss, agent('worker', { baseDir: 'lib' })]
    const options: NodeOptions = { agents, policy: { mode: 'acceptEdits' }, settings, store: 'sqlite' }
    await play({ main: turns(task('boss')), boss: turns(task('worker')), worker: ['First.'] }, options)
    await house?.close()
    const ended = await open({ worker: [...forbidden().slice(0, -1), ...turns(writing('src/lib/docs/n.md'))] }, options)
    const [child] = await house!.list({ agent: 'worker' })
    const again = await house!.resume(child!.runId, 'More.')
    if ('refused' in again) throw new Error(again.refused)
    await again.result
    expect(ended).toEqual({ worker: ['denied', 'denied', 'denied', 'ok'] })
  })
})
