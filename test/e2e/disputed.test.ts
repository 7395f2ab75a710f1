/** An answer that a stop hook does not accept, wherever it is printed. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ensureBuilt, run } from './program.js'
import { homesWithServers } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()

vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

test('a script, -q, runs show and an export were told of no objection to the answer', async () => {
  const { home } = await serve({ main: () => 'it is done' })
  const hooks = { Stop: [{ hooks: [{ type: 'command', command: 'echo run the tests >&2; exit 2' }] }] }
  mkdirSync(join(home.env.OFFSHOOT_HOME!, 'config'), { recursive: true })
  writeFileSync(join(home.env.OFFSHOOT_HOME!, 'config/settings.json'), JSON.stringify({ hooks }))
  const asked = await run(home, ['-p', 'go', '-q', '--output-format', 'json'])
  expect(JSON.parse(asked.stdout)).toMatchObject({
    subtype: 'success',
    objection: expect.stringContaining('run the tests'),
  })
  expect(asked.stderr).toMatch(/does not accept this report.*run the tests/)
  const id = JSON.parse(asked.stdout).session_id
  for (const how of [
    ['show', id],
    ['export', id],
  ])
    expect((await run(home, ['runs', ...how])).stdout).toMatch(/does not accept this report.*run the tests/)
})
