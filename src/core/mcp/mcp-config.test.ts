import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandServer, readMcpServers, serverName } from './mcp-config.js'
import { readServerTool } from './mcp-tool.js'

const mine = { origin: 'file', isPersonal: true }

test('stdio and HTTP servers are read; what cannot be read costs one server and is named', () => {
  const { servers, diagnostics } = readMcpServers(
    {
      git: { command: 'git-server', args: ['--stdio'], env: { DEPTH: 3 }, timeout: 5000 },
      web: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${T}' } },
      off: { command: 'x', disabled: true },
      none: {},
      list: [],
      args: { command: 'x', args: 'no list' },
      env: { command: 'x', env: { A: {} } },
      sse: { type: 'sse', url: 'https://example.com/sse' },
      '***': { command: 'x' },
    },
    mine,
  )
  expect(servers.map(({ name }) => name)).toEqual(['git', 'web'])
  expect(servers[0]).toMatchObject({ timeoutMs: 5000, transport: { kind: 'stdio', env: { DEPTH: '3' } } })
  expect(diagnostics.map(({ code }) => code)).toEqual(Array(6).fill('mcp-server-invalid'))
  for (const value of [null, [], 'x', 7]) expect(readMcpServers(value, mine).servers).toEqual([])
})

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'ftp://x', '$(touch CANARY)', "https'; rm -rf /"])(
  'N05: %s is no address of a server',
  url => {
    expect(readMcpServers({ x: { url } }, mine).servers).toEqual([])
  },
)

test('a pattern of tools with its star elsewhere than at the end excluded nothing, in silence', () => {
  const { servers, diagnostics } = readMcpServers({ x: { command: 'x', excludeTools: ['*_write'] } }, mine)
  expect(servers).toEqual([])
  expect(diagnostics[0]?.message).toContain('a * at the end')
})

test('trust is given by the user’s own files, never by a project or an agent', () => {
  const config = { x: { command: 'x', trust: true } }
  expect(readMcpServers(config, mine).servers[0]?.isTrusted).toBe(true)
  expect(readMcpServers(config, { ...mine, isPersonal: false }).servers[0]?.isTrusted).toBe(false)
})

test('names that would become one name are one too many', () => {
  const { servers, diagnostics } = readMcpServers({ 'a.b': { command: 'x' }, a__b: { command: 'y' } }, mine)
  expect(servers.map(({ name }) => name)).toEqual(['a_b'])
  expect(diagnostics[0]?.code).toBe('mcp-name-taken')
})

test('variables are replaced and kept apart as secrets; all that are missing are named', () => {
  const [server] = readMcpServers(
    { x: { command: '${BIN:-node}', args: ['${A}', '$HOME'], cwd: '${A}/in', env: { T: '${T}' } } },
    mine,
  ).servers
  const values: Record<string, string> = { A: 'one', T: 'token' }
  const expanded = expandServer(server!, name => values[name])
  expect(expanded).toMatchObject({
    server: { transport: { command: 'node', args: ['one', '$HOME'], cwd: 'one/in', env: { T: 'token' } } },
    secrets: expect.arrayContaining(['token']),
  })
  expect(expandServer(server!, () => undefined)).toEqual({ missing: ['A', 'T'] })
})

test('N01: whatever servers and tools are called, a tool’s name belongs to one server alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, x, y) => {
      const [one, other] = [serverName(a), serverName(b)]
      fc.pre(one !== '' && other !== '' && one !== other)
      const name = (server: string, tool: string) => {
        const read = readServerTool({ name: server, isTrusted: false }, { name: `t${tool}` })
        return 'spec' in read ? read.spec.name : ''
      }
      expect(name(one, x)).toMatch(/^mcp__[A-Za-z0-9_-]{1,59}$/)
      expect(name(one, x)).not.toBe(name(other, y))
    }),
  )
})

test('N03: a schema full of references is read in no time', () => {
  const defs = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `d${i}`,
      { properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` }, c: { $ref: '#/$defs/d0' } } },
    ]),
  )
  const read = readServerTool(
    { name: 's', isTrusted: false },
    { name: 't', inputSchema: { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs: defs } },
  )
  expect('spec' in read).toBe(true)
  const deep = Array.from({ length: 100 }).reduce<object>(inner => ({ properties: { inner } }), {})
  expect(readServerTool({ name: 's', isTrusted: false }, { name: 't', inputSchema: deep })).toHaveProperty('fault')
})

test.each([{ disabled: 'true' }, { disabled: 'yes' }, { enabled: 'false' }, { Enabled: 'off' }])(
  'a server switched off by a text was started: %j',
  off => {
    const read = readMcpServers({ x: { command: 'x', ...off } }, mine)
    expect(read).toEqual({ servers: [], unused: ['x'], diagnostics: [] })
  },
)

test.each([
  { disabled: 'please' },
  { enabled: 0 },
  { disabeld: true },
  { excludeTools: { a: 1 } },
  { exludeTools: ['a'] },
])('a server with a limit that cannot be read was started: %j', limit => {
  const { servers, unused, diagnostics } = readMcpServers({ x: { command: 'x', ...limit } }, mine)
  expect([servers, unused]).toEqual([[], ['x']])
  expect(diagnostics).toMatchObject([
    { code: 'mcp-server-invalid', message: expect.stringContaining(`"${Object.keys(limit)[0]}"`) },
  ])
})

test.each([
  [{ excludeTools: ['wipe'] }, { withoutTools: ['mcp__x__wipe'] }],
  [{ exclude_tools: 'wipe, drop*' }, { withoutTools: ['mcp__x__wipe', 'mcp__x__drop*'] }],
  [{ disabledTools: ['wipe'] }, { withoutTools: ['mcp__x__wipe'] }],
  [{ disabled_tools: ['wipe'] }, { withoutTools: ['mcp__x__wipe'] }],
  [{ tools: { wipe: { enabled: false } } }, { withoutTools: ['mcp__x__wipe'] }],
  [{ includeTools: ['read'] }, { onlyTools: ['mcp__x__read'] }],
  [{ enabledTools: ['read'] }, { onlyTools: ['mcp__x__read'] }],
  [{ enabled_tools: [] }, { onlyTools: [] }],
  [{ tools: [] }, { onlyTools: [] }],
  [{ tools: ['*'] }, {}],
])('a list of tools on a configured server was ignored: %j', (limit, lists) => {
  const { servers, diagnostics } = readMcpServers({ x: { command: 'x', ...limit } }, mine)
  const { onlyTools, withoutTools } = servers[0]!
  expect({ ...(onlyTools && { onlyTools }), ...(withoutTools && { withoutTools }) }).toEqual(lists)
  expect(diagnostics).toEqual([])
})

test('a key on a server that nobody reads was passed over in silence', () => {
  const config = { command: 'x', alwaysAllow: ['a'], default_tools_approval_mode: 'prompt', description: 'mine' }
  const { servers, diagnostics } = readMcpServers({ x: config }, mine)
  expect(servers).toHaveLength(1)
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['mcp-key-unknown', expect.stringContaining('"alwaysAllow"')],
    ['mcp-ask-ignored', expect.stringContaining('permissions.ask')],
  ])
})
