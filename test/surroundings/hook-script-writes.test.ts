/** Whole houses: what hooks of settings and agents run is not changed unasked, by no run and no child. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inspectPlugin } from '../../src/adapters/plugins/inspect-plugin.js'
import { trustPlugin } from '../../src/adapters/plugins/load-plugins.js'
import { fileTrustStore } from '../../src/adapters/sources/trust.js'
import type { AgentDefinition, PermissionMode } from '../../src/core/agent-definition.js'
import { type NodeOptions, openOffshoot } from '../../src/node.js'
import { type ScriptedCall, ScriptedModel } from '../../src/testing/scripted-model.js'
import { createTestWorkspace, type TestWorkspace } from '../support/tool-workspace.js'

let home: TestWorkspace
let project: TestWorkspace
beforeEach(() => {
  home = createTestWorkspace()
  project = createTestWorkspace()
  project.write('.git/HEAD', 'ref: refs/heads/main\n')
  for (const name of ['guard.sh', 'own.sh']) project.write(`scripts/${name}`, 'exit 0\n')
})
afterEach(() => {
  home.remove()
  project.remove()
})

const guardedBy = (command: string, matcher = 'WebFetch') => ({
  PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }],
})
const source = { scope: 'user', isTrusted: true } as const
const worker: AgentDefinition = { name: 'worker', description: 'x', systemPrompt: 'x', tools: 'all', source }
const careful: AgentDefinition = {
  ...worker,
  name: 'careful',
  hooks: guardedBy('sh "$CLAUDE_PROJECT_DIR"/scripts/own.sh'),
}

async function rulesOf(mode: PermissionMode, calls: readonly ScriptedCall[], agent = 'main', more: NodeOptions = {}) {
  const turns = [...calls.map(call => ({ calls: [call] })), 'Done.']
  const handOn = { name: 'Task', input: { subagent_type: agent, prompt: 'go', description: 'a task' } }
  const model = new ScriptedModel(
    agent === 'main' ? { main: turns } : { main: [{ calls: [handOn] }, 'Done.'], [agent]: turns },
  )
  await using house = await openOffshoot({
    env: { HOME: home.root, OFFSHOOT_HOME: home.path('state'), PATH: process.env.PATH },
    cwd: project.root,
    store: 'memory',
    model,
    agents: [worker, careful],
    settings: { permissions: { allow: ['Write', 'Bash(echo *)'] }, hooks: guardedBy('sh scripts/guard.sh') },
    policy: { mode },
    ...more,
  })
  const ended: string[] = []
  house.subscribe({}, ({ event }) => {
    if (event.type === 'tool.ended' && event.name !== 'Task')
      ended.push(`${event.status} ${event.rule} ${JSON.stringify(event.content)}`)
  })
  const run = await house.start({ prompt: 'go', description: 'a test' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  return ended
}

/** Nobody is there to be asked. */
const heldBack = /^denied no-approver .*hook, a plugin or your shell runs it later/
const write = (file_path: string): ScriptedCall => ({ name: 'Write', input: { file_path, content: 'evil' } })
const bash = (command: string): ScriptedCall => ({ name: 'Bash', input: { command } })
const redirect = (path: string): ScriptedCall => bash(`echo evil > ${path}`)

test('hooks that git finds in the workspace were free, and ran with the user’s next commit', async () => {
  project.write('.git/config', '[core]\n\thooksPath = githooks\n[include]\n\tpath = ../.gitconfig\n')
  for (const name of ['githooks/pre-commit', '.gitconfig', 'ordinary/pre-commit']) project.write(name, 'x\n')
  for (const agent of ['main', 'worker']) {
    const wishes = ['githooks/pre-commit', 'githooks/new', '.gitconfig'].flatMap(name => [write(name), redirect(name)])
    const ended = await rulesOf('bypassPermissions', [...wishes, redirect('ordinary/pre-commit')], agent)
    expect(ended.slice(0, -1)).toEqual(wishes.map(() => expect.stringMatching(heldBack)))
    expect(ended.at(-1)).toMatch(/^ok /)
  }
  expect(project.text('githooks/pre-commit')).toBe('x\n')
})

test('a run in bypassPermissions wrote what the user’s next shell or login runs', async () => {
  for (const agent of ['main', 'worker']) {
    const files = ['.bashrc', '.zshrc', '.config/fish/config.fish', '.config/autostart/x.desktop', '.ssh/config']
    const wishes = files
      .flatMap(name => [write(home.path(name)), redirect(`~/${name}`)])
      .concat(write('.vscode/tasks.json'), redirect('~/.profile'))
    const others = [
      redirect('~/notes.txt'),
      redirect('.bashrc'),
      bash('. ~/.profile; true'),
      bash('cp ~/.profile kept'),
    ]
    home.write('.profile', 'true\n')
    const ended = await rulesOf('bypassPermissions', [...wishes, ...others], agent)
    expect(ended.slice(0, wishes.length)).toEqual(wishes.map(() => expect.stringMatching(heldBack)))
    expect(ended.slice(wishes.length)).toEqual(others.map(() => expect.stringMatching(/^ok /)))
  }
  expect(home.text('.profile')).toBe('true\n')
})

test('the script of a guard that only the start of its tree has given was free when the tree went on', async () => {
  project.write('scripts/stored.sh', 'exit 0\n')
  const given = { origin: '--settings', deny: [], ask: [], guards: guardedBy('sh scripts/stored.sh') }
  for (const agent of ['main', 'worker']) {
    const calls = [write('scripts/stored.sh'), redirect('scripts/stored.sh')]
    const ended = await rulesOf('bypassPermissions', calls, agent, { policy: { mode: 'bypassPermissions', given } })
    expect(ended).toEqual(calls.map(() => expect.stringMatching(heldBack)))
  }
})

test('a run that may edit files took over the script of its guard, and the next session ran it', async () => {
  for (const mode of ['acceptEdits', 'bypassPermissions'] as const)
    for (const agent of ['main', 'worker']) {
      const ended = await rulesOf(
        mode,
        [write('scripts/guard.sh'), redirect('scripts/guard.sh'), write(`made-${mode}-${agent}.txt`)],
        agent,
      )
      expect(ended.slice(0, 2)).toEqual([expect.stringMatching(heldBack), expect.stringMatching(heldBack)])
      expect(ended[2]).toMatch(/^ok /)
    }
  expect(project.text('scripts/guard.sh')).toBe('exit 0\n')
})

test('the script of an agent’s own guard is held against that agent, and against every other', async () => {
  for (const agent of ['main', 'worker', 'careful'])
    expect(await rulesOf('acceptEdits', [write('scripts/own.sh')], agent)).toEqual([expect.stringMatching(heldBack)])
  expect(project.text('scripts/own.sh')).toBe('exit 0\n')
})

test('a hook that names no script of its own, or the project itself, closes nothing', async () => {
  const settings = {
    hooks: {
      Stop: [{ hooks: ['node .', 'echo bye', 'git --version'].map(command => ({ type: 'command', command })) }],
    },
  }
  expect(await rulesOf('acceptEdits', [write('made.txt')], 'main', { settings })).toEqual([
    expect.stringMatching(/^ok edits-accepted/),
  ])
})

test('a run that may edit files switched the guard of a plugin off by changing any file of it', async () => {
  const garden = project.path('tools/garden')
  project.write('tools/garden/.claude-plugin/plugin.json', '{ "name": "garden" }')
  project.write('tools/garden/README.md', 'Grows things.\n')
  project.write('tools/garden/hooks/run.sh', 'grep -q FORBIDDEN && { echo guard says no >&2; exit 2; }; exit 0\n')
  const command = 'sh ${CLAUDE_PLUGIN_ROOT}/hooks/run.sh'
  project.write('tools/garden/hooks/hooks.json', JSON.stringify({ hooks: guardedBy(command, '*') }))
  const settings = { plugins: [garden] }
  const calls = ['hooks/run.sh', 'README.md', 'new.txt'].map(name => write(`tools/garden/${name}`))
  expect(await rulesOf('acceptEdits', [write('tools/garden/off.txt')], 'main', { settings })).toEqual([
    expect.stringMatching(/^ok/),
  ])
  const inventory = await inspectPlugin(garden)
  if ('refused' in inventory) throw new Error(inventory.refused)
  trustPlugin(inventory, inventory.items, fileTrustStore(home.path('state/config/trust.json')))
  for (const agent of ['main', 'worker']) {
    const ended = await rulesOf('bypassPermissions', [...calls, write('FORBIDDEN.txt')], agent, { settings })
    expect(ended).toEqual([
      ...calls.map(() => expect.stringMatching(heldBack)),
      expect.stringContaining('guard says no'),
    ])
  }
})
