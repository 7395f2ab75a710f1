/** What settings files say while a session runs: a deny binds the next call, and nothing that happens to a file lifts one. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openGround } from '../../src/adapters/ground/ground.js'
import { type NodeOffshoot, type NodeOptions, openOffshoot } from '../../src/node.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'

let home: string
let project: string
let house: NodeOffshoot | undefined
let said: string[]
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-live-')))
  project = join(home, 'project')
  mkdirSync(join(project, '.git'), { recursive: true })
  said = []
})
afterEach(async () => {
  await house?.close()
  house = undefined
  rmSync(home, { recursive: true, force: true })
})

const env = () => ({ HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH })
const write = (path: string, content: object | string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}
const own = () => join(home, '.claude/settings.json')
const ofProject = () => join(project, '.offshoot/settings.json')
const allow = (...rules: string[]) => ({ permissions: { allow: rules } })
const deny = (...rules: string[]) => ({ permissions: { deny: rules } })

/** A child makes as many files as there are changes; each change is made before its call. */
async function touched(changes: readonly (() => void)[], options: NodeOptions = {}): Promise<void> {
  const calls = changes.map((_, i) => ({ calls: [{ name: 'Bash', input: { command: `touch made-${i}` } }] }))
  let ended = 0
  house = await openOffshoot({
    env: env(),
    cwd: project,
    store: 'memory',
    model: new ScriptedModel({
      main: [{ calls: [{ name: 'Task', input: { subagent_type: 'w', description: 'work', prompt: 'w' } }] }, 'Done.'],
      w: [...calls, 'Done.'],
    }),
    agents: [
      { name: 'w', description: 'w', systemPrompt: 'x', tools: 'all', source: { scope: 'user', isTrusted: true } },
    ],
    onError: error => said.push(String(error)),
    ...options,
  })
  house.subscribe({}, ({ agent, event }) => {
    if (agent === 'w' && event.type === 'tool.ended') changes[++ended]?.()
  })
  const run = await house.start({ agent: 'main', prompt: 'Go.', description: 'work' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
}
const made = (count: number) => Array.from({ length: count }, (_, i) => existsSync(join(project, `made-${i}`)))
const same = () => {}

test('C09: a deny added to a settings file did not bind the next call of a running child', async () => {
  write(own(), allow('Bash(touch *)'))
  await touched([same, () => write(own(), deny('Bash(touch *)')), () => write(own(), allow('Bash(touch *)'))])
  expect(made(3)).toEqual([true, false, true])
  expect(said).toEqual([])
})

test('C09: a settings file that comes into being binds, too', async () => {
  write(own(), allow('Bash(touch *)'))
  await touched([same, () => write(join(home, 'state/config/settings.json'), deny('Bash(touch *)'))])
  expect(made(2)).toEqual([true, false])
})

test.each([
  ['broken', () => write(own(), '{ "permissions": {')],
  ['gone', () => rmSync(own())],
  ['misspelt', () => write(own(), { permissions: { denny: ['Bash(touch *)'] } })],
])('a settings file that is %s lifts no deny, loses its allows and is told of', async (_, change) => {
  write(own(), { permissions: { allow: ['Bash(touch made-0)', 'Bash(touch made-2)'], deny: ['Bash(touch made-1)'] } })
  write(join(home, 'state/config/settings.json'), allow('Bash(touch made-1)'))
  await touched([same, change, same])
  expect(made(3)).toEqual([true, false, false])
  expect(said).toEqual([expect.stringContaining('Its denies and asks bind as before')])
  expect(said[0]).toContain(own())
})

test('a project’s settings that changed count no more than anybody trusts, and lift no deny', async () => {
  write(ofProject(), { permissions: { allow: ['Bash(touch made-0)'], deny: ['Bash(touch made-1)'] } })
  const { settings, trust } = await openGround({ cwd: project, env: env() })
  trust.trust(
    project,
    settings.files.map(({ hash }) => hash),
  )
  await touched([same, () => write(ofProject(), allow('Bash(touch *)')), same])
  expect(made(3)).toEqual([true, false, false])
  expect(said.join()).toContain('not trusted')
})

test('what a project wrote into its settings meanwhile was allowed because a flag trusts the project', async () => {
  write(ofProject(), { permissions: { allow: ['Bash(touch made-0)'] } })
  const change = () => write(ofProject(), { permissions: { allow: ['Bash(touch *)'], deny: ['Bash(rm *)'] } })
  await touched([same, change], { trustsProject: true })
  expect(made(2)).toEqual([true, false])
  expect(house!.rules().flatMap(({ rules }) => rules.deny.map(({ text }) => text))).toEqual(['Bash(rm *)'])
})
