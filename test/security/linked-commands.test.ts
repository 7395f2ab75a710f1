/** `.claude/commands` of a project as a link out of it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryTrustStore } from '../../src/adapters/sources/trust.js'
import type { CommandDeps } from '../../src/apps/cli/command-deps.js'
import { trustFolder } from '../../src/apps/cli/commands/trust.js'
import { loadCustomCommands, strayCommands } from '../../src/apps/session/custom-commands.js'
import { paint } from '../../src/apps/session/paint.js'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-linked-'))
  for (const folder of ['project/.git', 'project/.claude', 'home/.claude', 'private', 'project/shared'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'private/diary.md'), 'PRIVATE')
  writeFileSync(join(root, 'project/shared/review.md'), 'Review.')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const names = (place = 'project') =>
  loadCustomCommands({
    ...{ projectDir: join(root, place), home: join(root, 'home'), configDir: join(root, 'config') },
    ...{ trust: memoryTrustStore(), trustsProject: true },
  }).commands.map(({ name }) => name)
const siteIn = (place = 'project') => ({
  cwd: join(root, place),
  env: { HOME: join(root, 'home'), OFFSHOOT_HOME: join(root, 'state') },
})

test('.claude/commands that leads out of the project put the user’s files into prompts', async () => {
  symlinkSync(join(root, 'private'), join(root, 'project/.claude/commands'))
  expect(names()).toEqual([])
  const folder = join(root, 'project/.claude/commands')
  const message = expect.stringContaining(`${join(root, 'private')} lies outside the project`)
  expect(strayCommands(siteIn())).toMatchObject([{ code: 'command-file-outside', file: folder, message }])
  let said = ''
  const write = (text: string) => void (said += text)
  await trustFolder({ list: true }, { ...siteIn(), write, warn: write, look: paint(false) } as unknown as CommandDeps)
  expect(said).toContain('lies outside the project')
  expect(said).not.toContain('diary.md')
})

test('a link to a folder of the project, and the user’s own link, are followed', () => {
  symlinkSync('../shared', join(root, 'project/.claude/commands'))
  symlinkSync(join(root, 'private'), join(root, 'home/.claude/commands'))
  expect(names()).toEqual(['review', 'diary'])
  expect([...strayCommands(siteIn()), ...strayCommands(siteIn('home'))]).toEqual([])
})
