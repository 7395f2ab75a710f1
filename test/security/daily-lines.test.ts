// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are shell expansions
/**
 * Lines that agents write every day, each judged in every mode in a real repository. Before each in daily-lines.txt stands
 * what becomes of it in default, acceptEdits, plan, dontAsk and bypassPermissions: allowed, asked (?), denied. `⏎` ends a
 * line.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import { callOf, layer, link } from '../support/judging.js'

let root: string
const git = (...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words], { cwd: root })

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-daily-')))
  const files =
    'src/a.ts src/b.ts test/t.ts package.json a.txt b.txt .mcp.json .claude/settings.json .env.example README.md packages/a/x node_modules/x/y script.sh .env'
  for (const file of [...files.split(' '), '.gitignore']) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), file === '.gitignore' ? '.env\nnode_modules\n' : 'x\n')
  }
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'all')
})
afterAll(() => rmSync(root, { recursive: true }))

const judged = (command: string, mode: PermissionMode, deny: readonly string[] = []) => {
  const judge = createJudge({
    layers: () => [layer({ deny })],
    stateDirs: ['/nowhere/state'],
    home: '/home/u',
    searchPath: () => '/usr/local/bin:/usr/bin:/bin',
  })
  const workspace = { cwd: root, roots: [root] }
  return judge.judge(callOf('Bash', { command }, { chain: [link({ mode })], call: { workspace } }))
}

const modes = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'] as const
const letters = { allow: 'A', ask: '?', deny: 'D' } as const

/** One letter for each mode. */
const verdictsOn = async (line: string) => {
  const verdicts = await Promise.all(modes.map(mode => judged(line, mode)))
  return verdicts.map(({ decision }) => letters[decision]).join('')
}

const table = readFileSync(new URL('daily-lines.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(row => ({ expected: row.slice(0, 5), line: row.slice(6).replaceAll('⏎', '\n') }))

test.each([
  ['AAAAA', 'what only looks at the workspace asks nobody, in any mode'],
  ['??DDA', 'what may change something asks, and plan mode does without it'],
  ['???DA', 'what looks at more than it may unasked asks, in plan mode as well'],
  ['?ADDA', 'an edit in the workspace is one, also by a redirection'],
  ['DDDDD', 'what decides over what runs later is closed'],
])('every day: %s, %s', async kind => {
  const wrong: string[] = []
  for (const { expected, line } of table.filter(one => one.expected === kind)) {
    const found = await verdictsOn(line)
    if (found !== expected) wrong.push(`${found} ${line}`)
  }
  expect(wrong).toEqual([])
})

test('each of them is one of these kinds, and there are hundreds', () => {
  expect(table.length).toBeGreaterThan(300)
  expect(table.filter(({ expected }) => !/^(AAAAA|\?{2}[?D]DA|\?ADDA|DDDDD)$/.test(expected))).toEqual([])
})

test.each([
  [
    'git restore .mcp.json',
    'name .mcp.json: a command that names it could change it, and it decides what runs later or what is allowed.',
  ],
  ['git config core.hooksPath .husky', 'write .git/config: it decides what runs later or what is allowed.'],
])('a denial says why: %s', async (line, reason) => {
  expect(await judged(line, 'bypassPermissions')).toMatchObject({ decision: 'deny', reason })
})

test.each([
  ['git log $(git describe --tags)..HEAD', /only shows when it runs.*Run that by itself/],
  ['git show "$SHA" --stat', /only shows when it runs/],
  ['cd src && git status', /git obeys the settings of the repository it finds/],
  ['GIT_DIR=.git git log', /^GIT_DIR=.git git log: it only looks, but GIT_DIR may change what it does/],
  ['GIT_EDITOR=vi git rebase --continue', /GIT_EDITOR may change what it does/],
  ['find . -name x | xargs wc -l', /which files xargs gives it/],
  ['rg --hidden foo', /its option --hidden is not known to only look/],
])('an ask says why: %s', async (line, reason) => {
  expect(await judged(line, 'default')).toMatchObject({ decision: 'ask', reason: expect.stringMatching(reason) })
})

test.each([
  'git status',
  'git commit -m x',
  'npm test',
  'GIT_PAGER=cat git log',
  'NODE_OPTIONS=--max-old-space-size=4096 npm test',
  'GIT_EDITOR=true git rebase --continue',
  'git lfs pull',
])('a deny of one command of git leaves the others alone: %s', async line =>
  expect((await judged(line, 'bypassPermissions', ['Bash(git push:*)'])).decision).toBe('allow'),
)
