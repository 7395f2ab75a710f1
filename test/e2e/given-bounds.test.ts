/** What `--settings` forbids at the first start binds the run wherever it goes on, without being said again. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findBubblewrap } from '../../src/adapters/sandboxes/bubblewrap-test.js'
import { ensureBuilt, type Home, run } from './program.js'
import { agents, call, homesWithServers, task } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()
vi.setConfig({ testTimeout: 90_000, maxConcurrency: 3 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

/** Tries to make the file in each attempt, in a child as well. */
async function openTree() {
  const { home, server } = await serve({
    main: ({ last }) => (last.includes('go') ? task('worker', 'please go') : 'done'),
    worker: ({ last }) =>
      last.includes('go') ? call('Bash', { command: `touch ${home.path}/made`, description: 'it' }) : `said: ${last}`,
  })
  mkdirSync(join(home.env.OFFSHOOT_HOME!, 'config'), { recursive: true })
  const open = { permissions: { allow: ['Bash'], defaultMode: 'bypassPermissions' } }
  writeFileSync(join(home.env.OFFSHOOT_HOME!, 'config/settings.json'), JSON.stringify(open))
  return { home, server }
}
const made = ({ path }: Home) => existsSync(join(path, 'made'))
const withAgents = ['--agents', agents('worker')]

async function begin(home: Home, settings: object): Promise<string> {
  const end = await run(home, [
    ...['-p', 'go', '--output-format', 'json', ...withAgents],
    ...['--settings', JSON.stringify(settings)],
  ])
  expect([end.code, made(home)]).toEqual([0, false])
  return (JSON.parse(end.stdout) as { session_id: string }).session_id
}

const guarded = (home: Home): object => {
  const guard = join(home.path, 'guard.sh')
  writeFileSync(guard, '#!/bin/sh\necho NOT BY ME >&2; exit 2\n', { mode: 0o755 })
  return { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: guard }] }] } }
}

describe.concurrent('a resume that does not repeat --settings lifts nothing', () => {
  test.each<[string, (home: Home) => object, RegExp]>([
    ['a deny', () => ({ permissions: { deny: ['Bash(touch *)'] } }), /Bash\(touch \*\) \(--settings, when it began\)/],
    ['a guard', guarded, /NOT BY ME/],
  ])('%s', async (_, settings, words) => {
    const { home, server } = await openTree()
    const id = await begin(home, settings(home))
    for (const again of [
      ['runs', 'resume', id, 'go'],
      ['-r', id, '-p', 'go', ...withAgents],
      ['-c', '-p', 'go', ...withAgents],
    ]) {
      const before = server.requestsOf('worker').length
      await run(home, again)
      const heard = server.requestsOf('worker').slice(before)
      if (again.includes('--agents')) expect(JSON.stringify(heard.at(-1)?.body.messages)).toMatch(words)
      expect([again[0], made(home)]).toEqual([again[0], false])
    }
  })

  test.skipIf(findBubblewrap() === undefined)('a sandbox', async () => {
    const { home } = await openTree()
    const id = await begin(home, { sandbox: 'bubblewrap' })
    await run(home, ['-r', id, '-p', 'go', ...withAgents])
    expect(made(home)).toBe(false)
  })
})

test('runs resume takes settings of its own, and what they forbid stays forbidden', async () => {
  const { home } = await openTree()
  const first = await run(home, ['-p', 'hello', '--output-format', 'json', ...withAgents])
  const id = (JSON.parse(first.stdout) as { session_id: string }).session_id
  const deny = JSON.stringify({ permissions: { deny: ['Bash(touch *)'] } })
  expect((await run(home, ['runs', 'resume', id, 'hello', '--settings', deny])).code).toBe(0)
  await run(home, ['-r', id, '-p', 'go', ...withAgents])
  expect(made(home)).toBe(false)
  const other = await run(home, ['-p', 'go', ...withAgents])
  expect([other.code, made(home)]).toEqual([0, true])
})
