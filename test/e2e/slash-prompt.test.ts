/** Commands of one's own without a terminal. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ensureBuilt, run } from './program.js'
import { homesWithServers } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()

vi.setConfig({ testTimeout: 60_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

test('-p with a command of one’s own sent its name as the prompt', async () => {
  const { home, server } = await serve({ main: () => 'done' })
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  put(join(home.path, '.offshoot/commands/pc.md'), 'Compare $1 with $2.')
  put(join(home.project, '.offshoot/commands/theirs.md'), 'Of the project: $ARGUMENTS')
  const ask = async (...args: string[]) => {
    const { stderr } = await run(home, ['-q', '-p', ...args])
    return { stderr, asked: server.requestsOf('main').at(-1)!.text }
  }
  const own = await ask('/pc aa bb')
  expect([own.asked.includes('Compare aa with bb.'), own.stderr]).toEqual([true, ''])
  const foreign = await ask('/theirs x')
  expect(foreign.asked).toContain('/theirs x')
  expect(foreign.stderr).toMatch(/there is no command \/theirs, so it is sent as text\..*offshoot trust/)
  expect((await ask('/theirs x', '--trust-project')).asked).toContain('Of the project: x')
  expect((await ask('/cost')).stderr).toContain('/cost is a command of the terminal UI, so it is sent as text.')
  expect((await ask('/etc/hosts is what?')).stderr).toBe('')
})

test('--input-format stream-json sent commands of one’s own and mentions as they were typed', async () => {
  const { home, server } = await serve({ main: () => 'done' })
  mkdirSync(join(home.path, '.offshoot/commands'), { recursive: true })
  writeFileSync(join(home.path, '.offshoot/commands/pc.md'), 'Compare $1 with $2.')
  writeFileSync(join(home.project, 'notes.txt'), 'a line of the notes')
  const lines = ['/pc aa bb', 'What does @notes.txt say?', 'And @nothing.txt?']
  const format = ['-p', '-q', '--input-format', 'stream-json', '--output-format', 'stream-json']
  const { stderr } = await run(home, format, {
    input: lines.map(content => JSON.stringify({ type: 'user', message: { role: 'user', content } })).join('\n'),
  })
  const asked = server.requestsOf('main').at(-1)!.text
  expect([asked.includes('Compare aa with bb.'), asked.includes('a line of the notes')]).toEqual([true, true])
  expect(stderr).toContain('@nothing.txt')
})
