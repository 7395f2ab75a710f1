import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import { callOf, layer, link } from '../support/judging.js'

/** A workspace with a secret at its top, a key in one folder and none in another. */
let root: string
let elsewhere: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-below-'))
  elsewhere = mkdtempSync(join(tmpdir(), 'offshoot-elsewhere-'))
  for (const folder of ['src/deep', 'keys', 'private', 'many', 'node_modules/x', '.git', 'linked', 'inward', 'mixed'])
    mkdirSync(join(root, folder), { recursive: true })
  const files = ['.env', 'src/deep/a.ts', 'keys/server.pem', 'private/notes.md', 'node_modules/x/test.pem']
  for (const file of [...files, 'mixed/.env', 'mixed/a.ts', 'mixed/x.pem'])
    writeFileSync(join(root, file), 'SECRET=1\n')
  symlinkSync(elsewhere, join(root, 'linked/out'))
  symlinkSync(join(root, 'private'), join(root, 'inward/in'))
  for (let index = 0; index < 5_001; index++) writeFileSync(join(root, 'many', `${index}`), '')
})
afterAll(() => {
  for (const folder of [root, elsewhere]) rmSync(folder, { recursive: true })
})

const decide = async (
  command: string,
  deny: readonly string[] = [],
  mode: 'default' | 'bypassPermissions' = 'default',
) => {
  const judge = createJudge({ layers: () => [layer({ deny })], stateDirs: [] })
  const call = callOf(
    'Bash',
    { command },
    { chain: [link({ mode })], call: { workspace: { cwd: root, roots: [root] } } },
  )
  return judge.judge(call)
}

test.each([
  ['grep -rn SECRET src', 'allow'],
  ['grep -rn SECRET src/deep keys/../src', 'allow'],
  ['grep -n SECRET src/deep/a.ts', 'allow'],
  ['rg SECRET src', 'allow'],
  ['rg --files', 'allow'],
  ['grep -rn SECRET .', 'ask'],
  ['grep -rn SECRET', 'ask'],
  ['grep --recursive SECRET ./', 'ask'],
  ['grep -rn SECRET keys', 'ask'],
  ['cd keys && grep -rn SECRET', 'ask'],
  ['rg SECRET keys', 'ask'],
  ['grep -rn SECRET k*', 'ask'],
  ['rg SECRET', 'ask'],
  ["rg SECRET -g '.env'", 'ask'],
  ["rg . -g '*.pem' src keys", 'ask'],
  ['diff -r src keys', 'ask'],
  ['grep -rn SECRET many', 'ask'],
  // Names that it keeps to, where no other option brings more.
  ["grep -rn SECRET --include='*.ts' mixed", 'allow'],
  ['grep -rn SECRET --include=*.{ts,tsx} --exclude-dir=many mixed', 'allow'],
  ["rg SECRET -g '*.ts' -g '!*.test.ts' mixed", 'allow'],
  ['rg SECRET -t ts mixed', 'allow'],
  ["grep -rn SECRET --include='*.ts' mixed/.env mixed", 'ask'],
  ["grep -rn SECRET --include='*.ts' --include='.e*' mixed", 'ask'],
  ["grep -rn SECRET --include='*' mixed", 'ask'],
  ["grep -rn SECRET --include='*.pem' mixed", 'ask'],
  ["grep -rn SECRET --exclude=x --include='*.ts' mixed", 'ask'],
  ["rg SECRET -g '!*.ts' mixed", 'ask'],
  ["rg SECRET -g '*.ts' --iglob '.ENV' mixed", 'ask'],
  ["rg SECRET -g '*.ts' -g .env mixed", 'ask'],
  ["rg SECRET -t ts -g '.env' mixed", 'ask'],
  ['rg SECRET -t ts -t all mixed', 'ask'],
])('a recursive search shows no secret unasked: %s → %s', async (command, expected) => {
  expect((await decide(command)).decision).toBe(expected)
})

test('ripgrep showed a hidden file that an ignore file brings back', async () => {
  for (const command of ['rg -i x .', 'rg x'])
    expect(await decide(command, ['Read(.env)'])).toMatchObject({ decision: 'ask', isFirm: true })
})

test('the answer names the file and the tool that leaves it out', async () => {
  expect(await decide('grep -rn SECRET keys')).toMatchObject({
    rule: 'secret-file',
    reason: expect.stringMatching(/server\.pem as well\. Grep searches/),
  })
})

test('a recursive search over a file that may not be read asks, also in bypassPermissions', async () => {
  const deny = ['Read(./private/**)']
  for (const command of ['grep -rn x .', 'rg x .', 'diff -r . src']) {
    expect(await decide(command, deny, 'bypassPermissions')).toMatchObject({
      decision: 'ask',
      isFirm: true,
      rule: deny[0],
    })
  }
  expect((await decide('grep -rn x private', deny, 'bypassPermissions')).decision).toBe('deny')
  expect((await decide('cd private && ls', deny, 'bypassPermissions')).decision).toBe('deny')
  expect((await decide('grep -rn x src', deny)).decision).toBe('allow')
})

test('a recursive search read .git or node_modules although a rule denied just that', async () => {
  for (const deny of ['Read(./.git/**)', 'Read(.git/config)', 'Read(//**/.git/config)'])
    expect(await decide('grep -rn url src .', [deny], 'bypassPermissions')).toMatchObject({ isFirm: true, rule: deny })
  for (const command of ['grep -rn x .', 'rg x', 'rg x node_modules/..'])
    expect(await decide(command, ['Read(./node_modules/x/**)'], 'bypassPermissions')).toMatchObject({ isFirm: true })
  // A rule about names anywhere is not one about what others wrote.
  expect((await decide('rg x src', ['Read(**/*.pem)'])).decision).toBe('allow')
  expect((await decide('grep -rn x private', ['Read(./node_modules/**)'])).decision).toBe('allow')
})

test('diff -r followed a link out of the workspace unasked, and to what a rule denies', async () => {
  expect(await decide('diff -r linked src')).toMatchObject({ decision: 'ask', rule: 'outside-roots' })
  expect((await decide('grep -rn x linked')).decision).toBe('allow')
  const deny = `Read(/${elsewhere}/**)`
  expect(await decide('diff -r linked src', [deny], 'bypassPermissions')).toMatchObject({ isFirm: true, rule: deny })
  expect(await decide('diff -r inward src', ['Read(./private/**)'], 'bypassPermissions')).toMatchObject({
    isFirm: true,
  })
  expect((await decide('diff -r inward src')).decision).toBe('allow')
})

test('what follows links saw the name of a linked folder, and not the secret in it', async () => {
  symlinkSync(join(root, 'keys'), join(root, 'inward/further'))
  for (const command of ['diff -r inward src', 'grep -R x inward', "grep -R x --include='*.ts' inward"])
    expect(await decide(command), command).toMatchObject({ decision: 'ask', rule: 'secret-file' })
  for (const command of ['grep -R x linked', "grep --dereference-recursive --include='*.ts' x linked"])
    expect(await decide(command), command).toMatchObject({ decision: 'ask', rule: 'outside-roots' })
  for (const command of ['grep -r x inward', 'grep -R x src'])
    expect((await decide(command)).decision, command).toBe('allow')
})
