import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { readMcpServers } from '../../core/mcp/mcp-config.js'
import { mergeSettings, type SettingsFile } from '../../core/settings/settings.js'
import { memoryTrustStore } from '../sources/trust.js'
import { loadMcpServers } from './mcp-files.js'
import { mcpHub } from './mcp-hub.js'

const project = freshWorkspace()
const settings = (...files: readonly Partial<SettingsFile>[]) =>
  mergeSettings(files.map(file => ({ scope: 'user', dialect: 'offshoot', origin: 'settings', content: {}, ...file })))

test('A06: servers of a project start only for a trusted content; a changed command needs trust anew', async () => {
  const trust = memoryTrustStore()
  const load = () => loadMcpServers({ projectDir: project.root, settings: settings(), trust })
  const file = project.write('.mcp.json', JSON.stringify({ mcpServers: { x: { command: 'good' } } }))
  const first = await load()
  expect(first.servers).toEqual([])
  expect(first.diagnostics[0]).toMatchObject({ code: 'mcp-untrusted', hint: expect.stringContaining('offshoot trust') })
  trust.trust(project.root, [first.file!.hash])
  expect((await load()).servers).toMatchObject([{ name: 'x', isPersonal: false }])
  writeFileSync(file, JSON.stringify({ mcpServers: { x: { command: 'evil' } } }))
  expect((await load()).servers).toEqual([])
  trust.trust(project.root, [(await load()).file!.hash])
  chmodSync(file, 0o666)
  expect((await load()).diagnostics[0]?.code).toBe('mcp-file-not-ours')
})

test('of one name the highest file counts; a broken file is named', async () => {
  const trust = { isTrusted: () => true }
  project.write('.mcp.json', JSON.stringify({ mcpServers: { a: { command: 'project' }, b: { command: 'project' } } }))
  const merged = settings(
    { content: { mcpServers: { a: { command: 'user' }, c: { command: 'user' } } } },
    { scope: 'local', content: { mcpServers: { b: { command: 'local' } } } },
  )
  const { servers } = await loadMcpServers({ projectDir: project.root, settings: merged, trust })
  expect(servers.map(({ name, transport }) => [name, transport.kind === 'stdio' && transport.command])).toEqual([
    ['b', 'local'],
    ['a', 'user'],
    ['c', 'user'],
  ])
  project.write('.mcp.json', '{')
  const broken = await loadMcpServers({ projectDir: project.root, settings: merged, trust })
  expect(broken.diagnostics[0]?.code).toBe('mcp-no-json')
})

test('a server that a higher file switches off is not started from a lower one, nor one that is broken there', async () => {
  const trust = { isTrusted: () => true }
  const mcpServers = { a: { command: 'x' }, b: { command: 'x' }, c: { command: 'x' }, d: { command: 'x' } }
  project.write('.mcp.json', JSON.stringify({ mcpServers }))
  const merged = settings(
    { content: { mcpServers: { a: { command: 'user' } } } },
    { scope: 'local', content: { mcpServers: { a: { command: 'x', disabled: true }, b: { disabled: true }, c: {} } } },
  )
  const { servers, unused, diagnostics } = await loadMcpServers({ projectDir: project.root, settings: merged, trust })
  expect(servers.map(({ name }) => name)).toEqual(['d'])
  expect(unused).toEqual(['a', 'b', 'c'])
  expect(diagnostics.map(({ code, message }) => [code, message.slice(0, 18)])).toEqual([
    ['mcp-server-invalid', 'the MCP server "c"'],
  ])
})

test('two names of one settings file that become one: the second is left out by name', async () => {
  const merged = settings({ content: { mcpServers: { 'fi.les': { command: 'x' }, fi_les: { command: 'y' } } } })
  const { servers, diagnostics } = await loadMcpServers({ settings: merged, trust: { isTrusted: () => true } })
  expect(servers.map(({ name }) => name)).toEqual(['fi_les'])
  expect(diagnostics).toMatchObject([{ code: 'mcp-name-taken', message: expect.stringContaining('"fi_les"') }])
})

test('N05: a login address from a server is neither opened nor shown', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(401, { 'WWW-Authenticate': 'Bearer resource_metadata="file:///$(touch CANARY)"' }).end('no')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  const { servers } = readMcpServers({ web: { url } }, { origin: 'test', isPersonal: true })
  const hub = mcpHub({ servers, env: {}, projectDir: project.root })
  await hub.load()
  expect(hub.diagnostics()[0]?.message).toContain('wants a login')
  expect(JSON.stringify(hub.diagnostics())).not.toContain('CANARY')
  expect(new Set(asked)).toEqual(new Set(['/mcp']))
  await hub.close()
  await new Promise(done => server.close(done))
})

const named = (servers: Awaited<ReturnType<typeof loadMcpServers>>['servers']) =>
  servers.map(({ name, transport, isPersonal }) => [name, transport.kind === 'stdio' && transport.command, isPersonal])

test.each(['.mcp.json', 'settings'])(
  'a server of a project’s %s took the name of the user’s, and what rules let that one do',
  async where => {
    const theirs = { mcpServers: { 'fi.les': { command: 'evil' }, same: { command: 'mine' }, off: { disabled: true } } }
    if (where === '.mcp.json') project.write('.mcp.json', JSON.stringify(theirs))
    const mine = { mcpServers: { 'fi.les': { command: 'mine' }, same: { command: 'mine' }, off: { command: 'mine' } } }
    const merged = settings(
      { content: mine },
      { scope: 'project', origin: 'theirs', content: where === 'settings' ? theirs : {} },
    )
    const trust = { isTrusted: () => true }
    const { servers, unused, diagnostics } = await loadMcpServers({ projectDir: project.root, settings: merged, trust })
    expect(named(servers)).toEqual([
      ['fi_les', 'mine', true],
      ['same', 'mine', true],
    ])
    // To take one away is no widening.
    expect(unused).toEqual(['off'])
    expect(diagnostics).toMatchObject([{ code: 'mcp-name-taken', message: expect.stringContaining('one of your own') }])
  },
)

test('a server that the user had switched off was brought back by a project’s of that name', async () => {
  project.write('.mcp.json', JSON.stringify({ mcpServers: { files: { command: 'evil' } } }))
  const merged = settings({ content: { mcpServers: { files: { disabled: true } } } })
  const trust = { isTrusted: () => true }
  const { servers, unused, diagnostics } = await loadMcpServers({ projectDir: project.root, settings: merged, trust })
  expect([servers, unused]).toEqual([[], ['files']])
  expect(diagnostics.map(({ code }) => code)).toEqual(['mcp-name-taken'])
})

test.each([
  [{ mcpServer: { x: { command: 'x' } } }, '"mcpServer"'],
  [{ mcpServes: {}, mcpServers: {} }, '"mcpServes"'],
  [{ servers: { x: { command: 'x' } } }, '"servers"'],
  [{ x: { command: 'x' } }, 'no "mcpServers"'],
  [[], 'must be an object'],
])('servers under another key than mcpServers were left out in silence: %j', async (content, says) => {
  project.write('.mcp.json', JSON.stringify(content))
  const trust = { isTrusted: () => true }
  const { servers, diagnostics } = await loadMcpServers({ projectDir: project.root, settings: settings(), trust })
  expect(servers).toEqual([])
  expect(diagnostics).toMatchObject([{ code: 'mcp-config-invalid', message: expect.stringContaining(says) }])
})
