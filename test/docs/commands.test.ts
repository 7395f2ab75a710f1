/**
 * The commands of the pages. Blocks are run by bash: `offshoot` is the built program, without a key, in a home of its own
 * and a small project; what begins with npm runs in this repository, where `npm install` and `npm test` have nothing to do
 * any more. Names in capitals are filled in. Commands within a sentence are held against the commands and options that
 * there are.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { program } from '../../src/apps/cli/program.js'
import { bin, ensureBuilt } from '../e2e/program.js'
import { blocks, root, textOf, userPages } from './pages.js'

vi.setConfig({ testTimeout: 90_000 })
const home = mkdtempSync(join(tmpdir(), 'offshoot-docs-'))
const project = join(home, 'project')
beforeAll(async () => {
  await ensureBuilt()
  mkdirSync(join(project, 'src'), { recursive: true })
  writeFileSync(join(project, 'src/slots.js'), 'export function releaseSlot(slots) {\n  slots.pop()\n}\n')
  execFileSync('git', ['init', '-q'], { cwd: project })
  execFileSync('git', ['add', '.'], { cwd: project })
  writeFileSync(join(project, 'src/slots.js'), 'export function releaseSlot(slots) {\n  return slots.pop()\n}\n')
  mkdirSync(join(home, 'bin'))
  command('offshoot', `exec '${process.execPath}' '${bin}' "$@"`)
  const npm = execFileSync('bash', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  bash('offshoot -p "Where are slots released?" -q')
  command('npm', `case "$1" in install|test) ;; *) exec '${npm}' "$@" ;; esac`)
}, 120_000)
afterAll(() => rmSync(home, { recursive: true, force: true }))

function command(name: string, body: string): void {
  writeFileSync(join(home, 'bin', name), `#!/usr/bin/env bash\n${body}\n`)
  chmodSync(join(home, 'bin', name), 0o755)
}

function bash(script: string, options: { readonly cwd?: string; readonly input?: string } = {}) {
  const env = {
    PATH: `${join(home, 'bin')}:${process.env.PATH}`,
    HOME: home,
    OFFSHOOT_HOME: join(home, 'state'),
    npm_config_update_notifier: 'false',
  }
  return spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd: project,
    env,
    encoding: 'utf8',
    ...options,
  })
}

const shellBlocks = blocks('sh', 'bash', 'console')
const lines = shellBlocks
  .filter(({ notRun, text }) => !notRun && !text.startsWith('#!'))
  .flatMap(({ place, text }) =>
    text
      .trim()
      .split('\n')
      .map((line): [string, string] => [place, line]),
  )
const scripts = shellBlocks.filter(({ text }) => text.startsWith('#!'))

describe('blocks', () => {
  test.each(lines)('%s: %s', (_, line) => {
    const end = bash(withIds(line), line.startsWith('npm') ? { cwd: root } : {})
    lastWord = end.stdout.trim().split(/\s+/).at(-1) ?? ''
    expect(end.stderr).not.toMatch(/^offshoot:/m)
    expect(end.status).toBe(0)
    if (line.includes('offshoot -p')) expect(end.stdout.length).toBeGreaterThan(50)
    // The first thing anybody tries: the answer has to be right.
    if (line.includes('npm start')) expect(end.stdout).toMatch(/Most likely src\/core\/brief\/tool-filter\.ts:\d+/)
  })

  test.each(scripts.map(({ place, text }): [string, string] => [place, text]))(
    '%s is a script that guards',
    (_, text) => {
      const hears = (shell: string) =>
        bash(text, { input: JSON.stringify({ depth: 1, tool_input: { command: shell } }) })
      expect(bash(`bash -n <<'END'\n${text}\nEND`).status).toBe(0)
      if (spawnSync('jq', ['--version']).status !== 0) return
      expect(hears('git push origin')).toMatchObject({ status: 2, stderr: expect.stringContaining('do not push') })
      expect(hears('git status').status).toBe(0)
    },
  )

  test('docs/offline.md showed an answer that the program does not give', () => {
    const [, question, shown] = /^\$ (offshoot -p .*)\n([\s\S]*?)\.\.\.\n```/m.exec(textOf('docs/offline.md'))!
    const { stdout } = bash(`${question} -q`)
    expect(shown).toContain('Most likely')
    expect(stdout.slice(0, shown!.length)).toBe(shown)
  })

  test('a block that is not run says why', () => {
    expect(shellBlocks.filter(({ notRun }) => notRun !== undefined && notRun.length < 10)).toEqual([])
    expect(lines.length).toBeGreaterThan(4)
  })
})

/** What a line before it has printed. */
let lastWord = ''

/** Names in capitals stand for ids: of a run there is, of files a line before it has written, of what it has printed. */
function withIds(line: string): string {
  const anyRun = () =>
    bash(`offshoot runs list --json | grep -m 1 -o '"runId": "[^"]*"' | cut -d '"' -f 4`).stdout.trim()
  return line
    .replace('out/SESSION/subagents/agent-ID.jsonl', '"$(ls out/*/subagents/agent-*.jsonl | head -n 1)"')
    .replace('NEW-ID', lastWord)
    .replace(/\bID\b/, anyRun)
}

/** `offshoot runs send ID "…"` anywhere, and `runs list [--all]` in a table of docs/cli.md. */
const written = userPages.flatMap(page => {
  const text = textOf(page)
  const spans = [...text.matchAll(/`offshoot ((?!\[|runs\|)[^`]+)`/g)].map(match => match[1]!)
  const rows = page === 'docs/cli.md' ? commandRows(text) : []
  return [...spans, ...rows].map((span): [string, string] => [page, span])
})

function commandRows(text: string): readonly string[] {
  const table = text.slice(text.indexOf('## Commands'), text.indexOf('## Environment'))
  const cells = [...table.matchAll(/^\| (`.*?`) \|(?! what)/gm)].map(match => match[1]!)
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(match => match[1]!.replaceAll('\\|', '|')))
}

describe('commands within sentences', () => {
  test.each([...new Set(written.map(each => each.join(': ')))])('%s', async line => {
    const words = line.slice(line.indexOf(': ') + 2).split(/\s+/)
    const never = () => () => {}
    const streams = { stdout: () => {}, stderr: { write: () => {} }, env: {}, onInterrupt: never, onTerminate: never }
    const whole = await program({ ...streams, onBrokenPipe: () => {}, lost: async () => undefined }, ['--help'])
    const alternatives = words[1]?.includes('|') && !words[1].startsWith('[') ? words[1].split('|') : [words[1]]
    for (const second of alternatives) {
      const found = commandOf(whole, [words[0]!, ...(second ? [second] : [])])
      const options = [...line.matchAll(/(?<![\w-])--?[a-z][\w-]*/g)].map(([option]) => option)
      const known = found.options.flatMap(option => [option.long, option.short])
      // One line may stand for several commands: an option then belongs to one of them.
      if (alternatives.length === 1) expect(known).toEqual(expect.arrayContaining(options))
    }
  })
})

function commandOf(whole: Command, [first, second]: readonly string[]): Command {
  if (first!.startsWith('-')) return whole
  const command = whole.commands.find(each => each.name() === first)
  expect(command, `there is a command ${first}`).toBeDefined()
  const below = command!.commands.find(each => each.name() === second)
  const isOwnWord = command!.commands.length === 0 || second === undefined || /^[[<…A-Z]/.test(second)
  expect(below ?? isOwnWord, `${first} has ${second}`).toBeTruthy()
  return below ?? command!
}
