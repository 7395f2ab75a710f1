/** Letting in what a server's tools look like now, wherever the server came from. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { odd } from '../mcp/servers.js'
import { ensureBuilt, type Home, makeHome, run } from './program.js'

vi.setConfig({ testTimeout: 90_000, maxConcurrency: 4 })
beforeAll(() => ensureBuilt(), 120_000)

const changed = 'mcp__own__echo is not what it was'
const asking = ['-p', 'hi', '--model', 'offline/scout']

function agentFile(home: Home, server: object): void {
  const folder = join(home.env.OFFSHOOT_HOME!, 'config/agents')
  mkdirSync(folder, { recursive: true })
  const about = { name: 'lib', description: 'Looks things up.', mcpServers: [{ own: server }] }
  writeFileSync(join(folder, 'lib.md'), `---\n${JSON.stringify(about)}\n---\nLook it up.\n`, { mode: 0o600 })
}

test.concurrent.each(['--mcp-config', '--agents', 'an agent file'])(
  'a changed tool of a server from %s is told in text mode, and can be approved',
  async place => {
    const home = makeHome()
    const flag = join(home.path, 'changed')
    const own = odd('rug', flag)
    const about = { lib: { description: 'x', prompt: 'x', mcpServers: [{ own }] } }
    const option =
      place === '--mcp-config'
        ? [place, JSON.stringify({ own })]
        : place === '--agents'
          ? [place, JSON.stringify(about)]
          : []
    if (place === 'an agent file') agentFile(home, own)
    const ask = () => run(home, [...asking, ...option, ...(place === '--mcp-config' ? [] : ['--agent', 'lib'])])
    expect((await ask()).stderr).not.toContain(changed)
    writeFileSync(flag, '')
    expect((await ask()).stderr).toContain(changed)
    const approved = await run(home, ['mcp', 'approve', 'own', ...option])
    expect(approved.stderr).toContain(`${changed} when the server was let in; it is let in as it is now.`)
    expect(approved.code).toBe(0)
    expect((await ask()).stderr).not.toContain(changed)
  },
)

test.concurrent('approving a server that does not start lets in nothing, and says why', async () => {
  const own = JSON.stringify({ own: { command: '/nowhere/at-all' } })
  const end = await run(makeHome(), ['mcp', 'approve', 'own', '--mcp-config', own])
  expect(end.code).not.toBe(0)
  expect(end.stderr).toContain('the MCP server "own" cannot be used: its program was not found')
})

test.concurrent('a changed tool of a plugin’s server can be approved', async () => {
  const home = makeHome()
  const flag = join(home.path, 'changed')
  const source = join(home.path, 'garden')
  mkdirSync(join(source, '.claude-plugin'), { recursive: true })
  writeFileSync(join(source, '.claude-plugin/plugin.json'), '{ "name": "garden", "version": "1.0.0" }')
  writeFileSync(join(source, '.mcp.json'), JSON.stringify({ mcpServers: { own: odd('rug', flag) } }))
  expect(await run(home, ['plugins', 'add', source, '--yes', '--allow', 'all'])).toMatchObject({ code: 0 })
  const listed = await run(home, ['mcp', 'list'])
  const name = /^(\S*own) /m.exec(listed.stdout)?.[1]
  expect(name, listed.stdout + listed.stderr).toBeDefined()
  // Only how many there were, though the help promised a list.
  expect(listed.stdout).toMatch(/^\S*own +\d+ tools? .*\n {4}.*\becho\b/m)
  writeFileSync(flag, '')
  const approved = await run(home, ['mcp', 'approve', name!])
  expect(approved).toMatchObject({ code: 0, stderr: expect.stringContaining('it is let in as it is now.') })
})
