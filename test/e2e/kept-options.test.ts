/** Options that a conversation which goes on cannot have: told, where they were passed over in silence. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureBuilt, run } from './program.js'
import { call, homesWithServers } from './scripted-server.js'

const { serve, closeAll } = homesWithServers()

vi.setConfig({ testTimeout: 90_000 })
beforeAll(ensureBuilt, 120_000)
afterAll(closeAll)

const schemaOf = (type: string) => JSON.stringify({ type: 'object', properties: { a: { type } }, required: ['a'] })

const servers = JSON.stringify({
  odd: { command: process.execPath, args: [resolve(import.meta.dirname, '../mcp/odd-server.mjs')] },
})

describe.concurrent('a conversation goes on as it was begun', () => {
  test.each([
    ['--agent', 'Explore', /goes on as main: a run keeps its agent/],
    ['--json-schema', schemaOf('integer'), /goes on without a schema for its answer/],
    ['--append-system-prompt', 'Never push.', /goes on with its system prompt as it was/],
    ['--mcp-config', servers, /goes on without tools of the server "odd": a run keeps its tools/],
    ['--max-turns', '1', /goes on without a limit of turns: a run keeps its limits/],
  ])('%s was ignored with -c: the answer came as if nothing had been asked for', async (option, value, words) => {
    const { server, home } = await serve({ main: () => 'ok' })
    await run(home, ['-p', 'hello', '-q'])
    const other = await run(home, ['-c', '-p', '-q', option, value, 'go on'])
    expect(other).toMatchObject({ code: 2, stdout: '' })
    expect(other.stderr).toMatch(words)
    expect(server.requests).toHaveLength(1)
  })

  test('the same words as at its beginning are no conflict', async () => {
    const { server, home } = await serve({ main: () => call('complete_task', { result: { a: 1 } }) })
    const same = [
      '--agent',
      'main',
      '--max-turns',
      '5',
      '--append-system-prompt',
      'Never push.',
      '--mcp-config',
      servers,
      '-q',
    ]
    const schema = ['--json-schema', schemaOf('integer')]
    await run(home, ['-p', ...same, ...schema, 'hello'])
    const again = await run(home, ['-c', '-p', ...same, ...schema, 'go on'])
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(again.stdout)).toEqual({ a: 1 })
    expect(server.requests).toHaveLength(2)
    const otherSchema = await run(home, ['-c', '-p', '-q', '--json-schema', schemaOf('string'), 'go on'])
    expect(otherSchema.stderr).toMatch(/goes on with another schema for its answer/)
  })

  test.each([
    ['servers whose tools its agent does not have', ['--agent', 'Explore', '--mcp-config', servers]],
    ['a system prompt with a place for a value in it', ['--append-system-prompt', 'You are in ${cwd}.']],
  ])('%s: the very command line it was begun with was refused', async (_, same) => {
    const { home } = await serve({ main: () => 'ok' })
    expect(await run(home, ['-p', '-q', ...same, 'hello'])).toMatchObject({ code: 0 })
    expect(await run(home, ['-c', '-p', '-q', ...same, 'go on'])).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' })
  })

  test('more turns than it was begun with: it goes on with those it has, and that is said', async () => {
    const { home } = await serve({ main: () => 'ok' })
    await run(home, ['-p', '--max-turns', '2', '-q', 'hello'])
    const more = await run(home, ['-c', '-p', '--max-turns', '9', '-q', 'go on'])
    expect(more).toMatchObject({ code: 0, stdout: 'ok\n' })
    expect(more.stderr).toMatch(/--max-turns 9 is not had: run \S+ was begun with at most 2 turns/)
  })
})
