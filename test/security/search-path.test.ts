import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { delimiter } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import { tryGit } from '../../src/adapters/os/safe-git.js'
import { createBashTool } from '../../src/adapters/tools/bash.js'
import { createShells } from '../../src/adapters/tools/shells.js'
import { callOf, layer, link } from '../support/judging.js'
import { createTestRun, createTestWorkspace, textOf } from '../support/tool-workspace.js'

const workspace = createTestWorkspace()
const canary = workspace.path('CANARY')
const system = process.env.PATH ?? ''
const venv = workspace.path('.venv/bin')
for (const name of ['pip', 'timeout', 'git', 'bash', 'own-tool'])
  workspace.write(`.venv/bin/${name}`, `#!/bin/sh\ntouch ${canary}\n`, 0o755)
workspace.write('sub/bin/cat', `#!/bin/sh\ntouch ${canary}\n`, 0o755)
workspace.write('notes.txt', 'x\n')

beforeEach(() => rmSync(canary, { force: true }))
afterAll(() => workspace.remove())

interface About {
  readonly path?: string
  readonly mode?: 'plan' | 'default' | 'acceptEdits'
  readonly allow?: readonly string[]
  readonly roots?: readonly string[]
}

async function verdictOf(command: string, about: About = {}) {
  const { path = `${venv}${delimiter}${system}`, mode = 'plan', allow = [], roots = [workspace.root] } = about
  const judge = createJudge({ layers: () => [layer({ allow })], stateDirs: [], searchPath: () => path })
  const call = { workspace: { cwd: roots[0]!, roots } }
  return judge.judge(callOf('Bash', { command }, { chain: [link({ mode })], call }))
}

test.each([
  'npm --version; pip --version',
  'pip --version',
  'timeout 5 ls',
  'ls && git status',
  'find . | xargs pip -V',
])('plan mode ran a program of the project that PATH led to: %s', async command => {
  expect(await verdictOf(command)).toMatchObject({ decision: 'deny', rule: 'plan-mode' })
  expect((await verdictOf(command, { mode: 'default' })).decision).toBe('ask')
  expect((await verdictOf(command, { mode: 'acceptEdits' })).decision).toBe('ask')
})

test('the reason names the program', async () => {
  for (const mode of ['plan', 'default'] as const)
    expect(await verdictOf('pip --version', { mode })).toMatchObject({
      reason: expect.stringContaining(`${venv}/pip`),
    })
})

test.each([
  ['a relative entry', 'bin', 'cd sub && cat notes.txt'],
  ['a relative entry', '.venv/bin', 'pip --version'],
  ['a dot', '.', 'cd sub/bin && cat notes.txt'],
  ['an empty entry', '', 'cd sub/bin; cat notes.txt'],
])('%s of PATH did the same', async (_, entry, command) => {
  expect((await verdictOf(command, { path: `${entry}${delimiter}${system}` })).decision).not.toBe('allow')
  expect((await verdictOf(command, { path: system })).decision).toBe('allow')
})

test('what PATH leads elsewhere first stays known', async () => {
  for (const command of ['ls -la', 'cat notes.txt | head -3', 'node --version', 'cd sub && ls'])
    expect([command, await verdictOf(command)]).toEqual([command, expect.objectContaining({ decision: 'allow' })])
  const path = `${system}${delimiter}${venv}`
  expect((await verdictOf('git status; timeout 5 ls', { path })).decision).toBe('allow')
})

test('a workspace that holds the system’s own programs does not ask for each', async () => {
  expect((await verdictOf('ls /w', { path: '/usr/bin:/bin', roots: ['/'] })).decision).toBe('allow')
})

test('an environment’s link to a program of the system is that program', async () => {
  mkdirSync(workspace.path('env'))
  symlinkSync('/bin/sh', workspace.path('env/sh-of-mine'))
  symlinkSync('/bin/cat', workspace.path('env/cat'))
  symlinkSync('/bin/rm', workspace.path('env/head'))
  const path = `${workspace.path('env')}${delimiter}${system}`
  expect((await verdictOf('cat notes.txt', { path })).decision).toBe('allow')
  expect((await verdictOf('head notes.txt', { path })).decision).toBe('deny')
})

test('a rule lets a program of the project run', async () => {
  for (const command of ['own-tool x', 'pip --version'])
    expect((await verdictOf(command, { mode: 'default', allow: ['Bash(own-tool *)', 'Bash(pip *)'] })).decision).toBe(
      'allow',
    )
})

test('every command ran in the bash of a project that PATH led to', async () => {
  const shells = createShells({ source: { ...process.env, PATH: `${venv}${delimiter}.${delimiter}${system}` } })
  try {
    const output = await createTestRun(workspace.root).call(createBashTool(shells), { command: 'echo hello; own-tool' })
    expect(textOf(output)).toContain('hello')
    // What was asked for by name still is what PATH says.
    expect(existsSync(canary)).toBe(true)
    rmSync(canary)
    await createTestRun(workspace.root).call(createBashTool(shells), { command: 'echo hello' })
    expect(existsSync(canary)).toBe(false)
  } finally {
    await shells.close()
  }
})

test('our own git was the one of a project that PATH led to', async () => {
  process.env.PATH = `${venv}${delimiter}${system}`
  try {
    const { stdout } = await tryGit(['--version'], { cwd: workspace.root })
    expect(stdout.toString()).toContain('git version')
    expect(existsSync(canary)).toBe(false)
  } finally {
    process.env.PATH = system
  }
})

test('a link of the project to another program of the system passed for the one it is called like', async () => {
  if (!existsSync('/usr/bin/truncate')) return
  const links = workspace.path('links')
  mkdirSync(links, { recursive: true })
  for (const [name, program] of [
    ['tr', 'truncate'],
    ['wc', 'wc'],
  ] as const)
    symlinkSync(`/usr/bin/${program}`, workspace.path(`links/${name}`))
  const path = `${links}${delimiter}${system}`
  expect((await verdictOf('tr -s 0 notes.txt', { path })).decision).toBe('deny')
  expect((await verdictOf('wc notes.txt', { path })).decision).toBe('allow')
})
