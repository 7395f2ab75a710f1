import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CommandDeps } from '../command-deps.js'
import { runChecks } from './doctor-checks.js'

test('doctor called settings ok in one line and wrong in the next', async () => {
  const home = mkdtempSync(join(tmpdir(), 'offshoot-doctor-'))
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
