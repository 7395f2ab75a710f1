/**
 * Denied files that are reached over links: one that leads to another, one that a wildcard picks, one that a search starts
 * at.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import { callOf, layer, link } from '../support/judging.js'

let root: string
let elsewhere: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-names-')))
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-beyond-')))
  for (const file of ['data/real.txt', 'data/env', 'data/open.txt', 'src/a/x.ts', 'src/b/x.ts', 'src/x.ts', 'in/x'])
    write(join(root, file))
  for (const file of ['secret.txt', 'deep/k.txt', 'open.txt']) write(join(elsewhere, file))
  for (const [from, to] of [
    ['secret.txt', 'data/real.txt'],
    ['other.txt', 'secret.txt'],
    ['third.txt', './other.txt'],
    ['sub/.env', '../data/env'],
    ['sub/settings', '.env'],
    ['lib', 'sub'],
    ['beyond', elsewhere],
    ['in/out', join(elsewhere, 'deep')],
    ['hook', '.git/hooks/pre-commit'],
    ['g', '/usr/bin/git'],
    ['in/git2', '../g'],
    ['s', '/bin/bash'],
    ['e', '/usr/bin/env'],
    ['t', '/bin/tar'],
    ['run', 'src/x.ts'],
    ['.git/hooks/pre-commit', '../../data/hook.sh'],
  ] as const) {
    mkdirSync(dirname(join(root, from)), { recursive: true })
    symlinkSync(to, join(root, from))
  }
})
afterAll(() => {
  for (const folder of [root, elsewhere]) rmSync(folder, { recursive: true })
})

function write(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'SECRET=1\n')
}

const decide = async (
  tool: string,
  input: unknown,
  deny: readonly string[],
  mode: PermissionMode = 'bypassPermissions',
) => {
  const rules = deny.map(rule => rule.replace('ELSEWHERE', elsewhere))
  const judge = createJudge({ layers: () => [layer({ deny: rules })], stateDirs: [] })
  const call = callOf(tool, input, { chain: [link({ mode })], call: { workspace: { cwd: root, roots: [root] } } })
  return (await judge.judge(call)).decision
}
const bash = (command: string, deny: readonly string[], mode?: PermissionMode) =>
  decide('Bash', { command }, deny, mode)

describe('a deny of a bare name did not hold for a link of another name that leads to it', () => {
  test.each([
    ['Read(secret.txt)', 'secret.txt'],
    ['Read(secret.txt)', 'other.txt'],
    ['Read(secret.txt)', 'third.txt'],
    ['Read(secret.txt)', 'data/real.txt'],
    ['Read(other.txt)', 'third.txt'],
    ['Read(.env)', 'sub/settings'],
    ['Read(.env)', 'lib/settings'],
    ['Read(sub/.env)', 'lib/settings'],
    ['Read(**/.env)', 'lib/settings'],
  ])('%s: %s', async (rule, path) => {
    expect(await decide('Read', { file_path: path }, [rule])).toBe('deny')
    expect(await decide('Grep', { pattern: 'x', path }, [rule])).toBe('deny')
    for (const line of [`cat ${path}`, `head -1 < ${path}`, `cp ${path} y`, `python3 ${path}`])
      expect(await bash(line, [rule]), line).toBe('deny')
  })

  test('and it holds for nothing else', async () => {
    for (const path of ['data/open.txt', 'data/env', 'src/x.ts'])
      expect(await decide('Read', { file_path: path }, ['Read(secret.txt)', 'Read(.env)'])).toBe('allow')
  })

  test('a link that leads over a protected file is that file', async () => {
    expect(await decide('Write', { file_path: 'hook' }, [])).toBe('deny')
    expect(await bash('echo x > hook', [])).toBe('deny')
    expect(await decide('Read', { file_path: 'sub/settings' }, [], 'default')).toBe('ask')
  })
})

describe('a program that a link of the workspace leads to was not known for what it does', () => {
  test.each([
    './g config core.pager x',
    './g -C . config core.hooksPath x',
    'in/git2 config alias.x !sh',
    'cd in && ./git2 config core.pager x',
    './g init --template=t',
    "./s -c 'echo x > .git/config'",
    './e GIT_TEMPLATE_DIR=t make',
    "./e sh -c 'echo x > .git/hooks/pre-commit'",
    "./s <<< 'echo x > .git/config'",
  ])('what is always denied: %s', async line => expect(await bash(line, [])).toBe('deny'))

  test.each([
    ['Bash(curl:*)', "./s -c 'curl x'"],
    ['Bash(curl:*)', './e A=1 curl x'],
    ['Bash(git push:*)', './e A=1 git push'],
    ['Bash(git push:*)', './g -c alias.p=push p'],
  ])('%s: %s', async (rule, line) => expect(await bash(line, [rule])).toBe('deny'))

  test.each(['./g log -p', './g show', './g diff main', './t cf x.tar .', './g commit -F sub/.env'])(
    'what it shows of a denied file: %s',
    async line => expect(await bash(line, ['Read(.env)'])).not.toBe('allow'),
  )

  test.each([
    './g status',
    './g config user.name x',
    './g commit -m x',
    "./s -c 'npm test'",
    './e A=1 make',
    './run x',
  ])('and what it is for goes on: %s', async line => {
    expect(await bash(line, ['Bash(curl:*)'])).toBe('allow')
    expect(await bash(line, [], 'default')).toBe('ask')
  })
})

describe('a wildcard that picks a link to a denied place was not followed, where it is not the last name', () => {
  test.each([
    'cat */secret.txt',
    'cat be*/secret.txt',
    'cat ./b?yond/*.txt',
    'cat */*.txt',
    'head -1 */*',
    'cat *yond/deep/k.txt',
  ])('%s', async line => expect(await bash(line, ['Read(//ELSEWHERE/**)'])).not.toBe('allow'))

  test.each([
    'cat i*/out/k.txt',
    'cat i*/o*/k.txt',
    'cat */out/*',
    'cat in/o*/k.txt',
    'for f in */*/k.txt; do cat "$f"; done',
  ])('%s', async line => expect(await bash(line, ['Read(//ELSEWHERE/deep/**)'])).not.toBe('allow'))

  test.each(['cat src/*/x.ts', 'ls src/*/*.ts', 'wc -l ./src/*/*.ts', 'grep -n x src/*/x.ts'])(
    'what stays in the workspace asks nobody: %s',
    async line => {
      for (const mode of ['default', 'plan', 'bypassPermissions'] as const)
        expect(await bash(line, ['Read(//ELSEWHERE/**)'], mode), mode).toBe('allow')
    },
  )

  test.each(['cat nowhere/*/x', 'cat src/x.ts/*/x', 'ls src/*/nowhere/*/x'])(
    'where nothing is, no wildcard picks a denied file, and nobody is asked: %s',
    async line => {
      for (const mode of ['default', 'plan', 'bypassPermissions'] as const)
        expect(await bash(line, ['Read(.env)'], mode), mode).toBe('allow')
    },
  )

  test.each(['cat */*.txt', 'ls in/*/k.txt', 'cat src/*/../../../x'])('what may lead out of it asks: %s', async line =>
    expect(await bash(line, [], 'default')).toBe('ask'),
  )

  test('a line of very many wildcards is not followed for ever', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `src/*/*${at}.ts`).join(' ')
    expect(await bash(`cat ${words(50)}`, [], 'default')).toBe('allow')
    expect(await bash(`cat ${words(900)}`, [], 'default')).toBe('ask')
  })
})
