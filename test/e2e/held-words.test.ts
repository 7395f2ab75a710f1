/** Words from another terminal, and the hooks of the session that drives the run. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from '../support/processes.js'
import { ensureBuilt, run, start } from './program.js'
import { homesWithServers } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()
vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

test('runs send from another process does not pass a UserPromptSubmit hook that refuses it', async () => {
  const { home, server } = await serve({
    main: ({ turn, last }) => (turn === 0 ? { hold: { text: ['first'] } } : `heard: ${last}`),
  })
  const heard = join(home.path, 'heard.txt')
  const guard = `input=$(cat); echo x >> '${heard}'; case "$input" in *password*) echo 'no secrets' >&2; exit 2;; esac`
  mkdirSync(join(home.path, 'state/config'), { recursive: true })
  writeFileSync(
    join(home.path, 'state/config/settings.json'),
    JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: guard }] }] } }),
  )
  const first = start(home, ['-p', 'go'])
  await eventually(
    () => server.requests.length,
    count => count > 0,
  )
  const listed = JSON.parse((await run(home, ['runs', 'list', '--json'])).stdout) as { runId: string }[]
  for (const words of ['the password is x', 'be brief'])
    expect((await run(home, ['runs', 'send', listed[0]!.runId, words])).stderr).toContain('Sent to run')
  // The prompt itself, and both words.
  await eventually(
    () => readFileSync(heard, 'utf8').length,
    length => length === 6,
  )
  server.release()
  const { stdout, stderr } = await first.ended
  expect(stdout).toContain('heard:')
  expect(stdout).toContain('be brief')
  expect(stderr).toContain('A hook refused a message: no secrets')
  expect(server.requests.map(({ text }) => text).join()).not.toContain('password')
})

test('a hook that failed at the end of a session was not told anybody', async () => {
  const { home } = await serve({ main: () => 'done' })
  mkdirSync(join(home.path, 'state/config'), { recursive: true })
  writeFileSync(
    join(home.path, 'state/config/settings.json'),
    JSON.stringify({ hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: 'echo sad >&2; exit 1' }] }] } }),
  )
  const { code, stderr } = await run(home, ['-p', 'go'])
  expect(stderr).toMatch(/^offshoot: the SessionEnd hook .* ended with 1: sad$/m)
  expect(code).toBe(0)
})
