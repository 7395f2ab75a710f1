import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { CommandDeps } from '../command-deps.js'
import { runChecks } from './doctor-checks.js'

const home = mkdtempSync(join(tmpdir(), 'offshoot-doctor-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('a hook whose script is not there was fine to doctor', async () => {
  const entry = (command: string) => ({ hooks: [{ command }] })
  const hooks = {
    PreToolUse: [entry('node gaurd.mjs'), entry('./gaurd.sh'), entry('node guard.mjs')],
    PostToolUse: [entry('python3 gone.py')],
  }
  writeFileSync(join(home, 'guard.mjs'), '')
  const config = join(home, 'state/config')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, 'settings.json'), JSON.stringify({ hooks }), { mode: 0o600 })
  const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH }
  const found = (await runChecks({ cwd: home, env } as never)).filter(({ about }) => about === 'hook')
  const gone = (name: string, comes: string) => ({
    state: 'missing',
    text: expect.stringContaining(`there is no ${join(home, name)}, so ${comes}`),
    remedy: 'make that file, or correct the command',
  })
  expect(found).toMatchObject([
    gone('gaurd.mjs', 'it denies every call it is for'),
    gone('gaurd.sh', 'it denies every call it is for'),
    gone('gone.py', 'it does nothing'),
    { state: 'fine', text: expect.stringContaining('node guard.mjs') },
  ])
})

test('doctor called settings ok in one line and wrong in the next', async () => {
  const home = mkdtempSync(join(tmpdir(), 'offshoot-doctor-settings-'))
  const config = join(home, 'state/config')
  mkdirSync(config, { recursive: true, mode: 0o700 })
  mkdirSync(join(home, 'project/.git'), { recursive: true })
  const env = { HOME: home, OFFSHOOT_HOME: join(home, 'state'), PATH: process.env.PATH }
  const settings = async (text: string) => {
    writeFileSync(join(config, 'settings.json'), text, { mode: 0o600 })
    const found = await runChecks({ cwd: join(home, 'project'), env } as unknown as CommandDeps)
    return found.filter(({ about }) => about === 'settings').map(({ state }) => state)
  }
  expect(await settings('{ "permissions": { "deny": [')).toEqual(['wrong'])
  expect(await settings('{}')).toEqual(['fine'])
  rmSync(home, { recursive: true })
})
