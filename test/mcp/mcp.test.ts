import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { McpHub } from '../../src/adapters/mcp/mcp-hub.js'
import { filePins, memoryPins } from '../../src/adapters/mcp/tool-pins.js'
import { eventually, processesWith } from '../support/processes.js'
import { textOf } from '../support/tool-workspace.js'
import { mcpPlace, named } from './place.js'
import { everything, everythingOverHttp, filesystem, hubOf, odd } from './servers.js'

const place = mcpPlace()
const { loaded, call } = place
const codes = (hub: McpHub) => hub.diagnostics().map(({ code }) => code)

test('a packaged server over stdio: names, schemas, text, images, progress', async () => {
  const hub = await loaded({ every: everything })
  expect(hub.diagnostics()).toEqual([])
  const names = hub.tools().map(({ spec }) => spec.name)
  expect(names).toContain('mcp__every__echo')
  expect(names.every(name => name.startsWith('mcp__every__'))).toBe(true)
  const echo = named(hub, 'mcp__every__echo')
  expect(echo.spec).toMatchObject({ origin: 'mcp', effect: 'execute', inputSchema: { type: 'object' } })
  expect(textOf(await call(echo, { message: 'hello' }))).toContain('hello')
  const image = hub.tools().find(({ spec }) => /image/i.test(spec.name) && /tiny/i.test(spec.name))
  expect(JSON.stringify((await call(image!, {})).content)).toContain('"type":"image"')
  const long = hub.tools().find(({ spec }) => /long/i.test(spec.name))!
  const seen: string[] = []
  // News that come with the answer in one piece are of no use to anybody, and are dropped: on a busy machine a short call has no others.
  await call(long, { duration: 1, steps: 5 }, { progress: text => void seen.push(text) })
  expect(seen.length).toBeGreaterThan(0)
})

test('a call is cancelled with its run, and the server serves the next one', async () => {
  const hub = await loaded({ odd: odd() })
  const abort = new AbortController()
  const hanging = call(named(hub, 'mcp__odd__hang'), {}, { signal: abort.signal })
  setTimeout(() => abort.abort(new DOMException('stopped', 'AbortError')), 20)
  await expect(hanging).rejects.toThrow('stopped')
  expect(textOf(await call(named(hub, 'mcp__odd__echo'), { a: 1 }))).toBe('{"a":1}')
})

test('the file server works inside its folder and answers an error outside of it', async () => {
  place.folder.write('a.txt', 'found me')
  const hub = await loaded({ files: filesystem(place.folder.root) })
  const read = named(hub, 'mcp__files__read_text_file')
  expect(textOf(await call(read, { path: place.folder.path('a.txt') }))).toContain('found me')
  expect(await call(read, { path: '/etc/passwd' })).toMatchObject({ isError: true })
})

test('a server over HTTP on this machine; a wrong address and a wrong path are diagnostics', async () => {
  const server = await everythingOverHttp()
  try {
    const hub = await loaded({ web: { type: 'http', url: server.url } })
    expect(textOf(await call(named(hub, 'mcp__web__echo'), { message: 'over http' }))).toContain('over http')
    const wrong = await loaded({ gone: { url: 'http://127.0.0.1:9/mcp' }, lost: { url: `${server.url}/nowhere` } })
    expect(wrong.tools()).toEqual([])
    expect(codes(wrong)).toEqual(['mcp-server-down', 'mcp-server-down'])
    await hub.close()
  } finally {
    await server.close()
  }
})

test.each([
  ['exits at once', ['exit'], {}, 'cannot find my configuration'],
  ['hangs at its start', ['hang'], { startupTimeout: 300 }, 'did not answer within 0.3 s'],
] as const)('N03: a server that %s is a named diagnostic', async (_, args, more, says) => {
  const hub = await loaded({ bad: { ...odd(...args), ...more } })
  expect(hub.tools()).toEqual([])
  expect(hub.diagnostics()).toMatchObject([{ code: 'mcp-server-down', file: 'test' }])
  expect(hub.diagnostics()[0]?.message).toContain(says)
})

test.each([
  [
    'at once, before it was spoken to',
    'echo "no license" >&2; exit 7',
    'it ended with exit code 7; it said: no license',
  ],
  [
    'with its input closed',
    'exec 0<&-; echo "no license" >&2; exit 7',
    'it ended with exit code 7; it said: no license',
  ],
  ['by a signal', 'kill -9 $$', 'it was ended by SIGKILL'],
  ['without a word, leaving something behind that holds its streams', 'sleep 5 & exit 4', 'it ended with exit code 4'],
])('a server that ends %s is told by its exit code and its last words, not by a broken pipe', async (_, line, says) => {
  const hub = await loaded({ bad: { command: '/bin/sh', args: ['-c', line] } })
  expect(hub.diagnostics()[0]?.message).toContain(says)
  expect(hub.diagnostics()[0]?.message).not.toContain('EPIPE')
})

test('a program that does not exist is a named diagnostic, and the other servers serve', async () => {
  const hub = await loaded({ none: { command: '/nowhere/server' }, odd: odd() })
  expect(hub.diagnostics()[0]?.message).toContain('not found')
  expect(textOf(await call(named(hub, 'mcp__odd__echo'), {}))).toBe('{}')
})

test('N03: endless and circular lists are cut, broken schemas cost one tool, circles in a schema are opened', async () => {
  const hub = await loaded({ endless: odd('endless'), circle: odd('circle'), schemas: odd('schemas') })
  const of = (server: string) => hub.tools().filter(({ spec }) => spec.name.startsWith(`mcp__${server}__`))
  expect(of('endless')).toHaveLength(50)
  expect(of('circle').length).toBeGreaterThan(0)
  expect(codes(hub).filter(code => code === 'mcp-list-cut')).toHaveLength(2)
  expect(
    of('schemas').map(({ spec }) => spec.name.slice('mcp__schemas__'.length, 'mcp__schemas__'.length + 8)),
  ).toEqual(['good', 'old', 'round', 'longxxxx', 'Bash', 'Task'])
  expect(codes(hub).filter(code => code === 'mcp-tool-invalid')).toHaveLength(5)
  expect(codes(hub)).toContain('mcp-tool-twice')
  expect(of('schemas').every(({ spec }) => spec.name.length <= 64)).toBe(true)
  const round = JSON.stringify(of('schemas')[2]?.spec.inputSchema)
  expect(round).toContain('"$ref":"#/$defs/node"')
  expect(round).not.toContain('"$ref":"#"')
  expect(round).not.toContain('example.com')
})

test('N01: a tool named like one of ours keeps to its own name space', async () => {
  const hub = await loaded({ schemas: odd('schemas'), Task: odd() })
  const names = hub.tools().map(({ spec }) => spec.name)
  expect(names).toContain('mcp__schemas__Bash')
  expect(names.filter(name => !name.startsWith('mcp__'))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})

test('N01: a tool that changed after it was let in is not offered until a person approves it', async () => {
  const flag = place.folder.path('changed')
  const pins = filePins(place.folder.path('data/mcp-tools.json'))
  const servers = { rug: odd('rug', flag) }
  const before = await loaded(servers, { pins })
  const echo = named(before, 'mcp__rug__echo')
  writeFileSync(flag, '')
  // The change is announced in the middle of a run: new runs do not get the tool, and the old run cannot call it.
  await call(echo, { announce: true })
  await eventually(
    () => before.tools().some(tool => tool.spec.name === 'mcp__rug__echo'),
    isThere => !isThere,
  )
  expect(before.tools().map(({ spec }) => spec.name)).not.toContain('mcp__rug__echo')
  expect(textOf(await call(echo, {}))).toContain('has changed')
  const after = await loaded(servers, { pins })
  expect(after.tools().map(({ spec }) => spec.name)).not.toContain('mcp__rug__echo')
  expect(after.tools().map(({ spec }) => spec.name)).toContain('mcp__rug__env')
  expect(after.diagnostics()[0]).toMatchObject({
    code: 'mcp-tool-changed',
    hint: expect.stringContaining('approve rug'),
  })
  expect(await after.approve('rug')).toBe(true)
  expect(textOf(await call(named(after, 'mcp__rug__echo'), { a: 1 }))).toBe('{"a":1}')
  expect(await after.approve('nobody')).toBe(false)
})

test('N02: without a trusted server every tool counts as changing things, whatever it says of itself', async () => {
  const hub = await loaded({ plain: odd('annotated'), good: { ...odd('annotated'), trust: true } })
  const effects = Object.fromEntries(hub.tools().map(({ spec }) => [spec.name, spec.effect]))
  expect(effects).toEqual({
    mcp__plain__look: 'execute',
    mcp__plain__lie: 'execute',
    mcp__plain__plain: 'execute',
    mcp__good__look: 'read',
    mcp__good__lie: 'read',
    mcp__good__plain: 'execute',
  })
  const projects = await loaded({ good: { ...odd('annotated'), trust: true } }, {}, false)
  expect(projects.tools().every(({ spec }) => spec.effect === 'execute')).toBe(true)
})

test('N03: a server that dies in a call is an error result, is started again once, and earns the next chance', async () => {
  const log = place.folder.path('starts')
  const hub = await loaded({ odd: odd('count', log) })
  const starts = () => readFileSync(log, 'utf8').split('\n').length - 1
  const [die, echo] = [named(hub, 'mcp__odd__die'), named(hub, 'mcp__odd__echo')]
  expect(textOf(await call(die, {}))).toContain('it ended with exit code 1; it said: I cannot go on')
  expect(textOf(await call(echo, { a: 1 }))).toBe('{"a":1}')
  expect(starts()).toBe(2)
  expect(await call(die, {})).toMatchObject({ isError: true })
  expect(await call(die, {})).toMatchObject({ isError: true })
  expect(textOf(await call(echo, {}))).toContain('is not running')
  expect(starts()).toBe(3)
})

test('a server that answers with an error has answered: it earns the next chance', async () => {
  const hub = await loaded({ odd: odd() })
  const [die, refuse] = [named(hub, 'mcp__odd__die'), named(hub, 'mcp__odd__refuse')]
  for (let i = 0; i < 3; i++) {
    expect(await call(die, {})).toMatchObject({ isError: true })
    expect(textOf(await call(refuse, {}))).toContain('bad params')
  }
})

test('N03: a hundred megabytes in one message end the server, not us; wrong ids are nobody’s answer', async () => {
  const hub = await loaded({ odd: odd() })
  expect(textOf(await call(named(hub, 'mcp__odd__echo'), { wrongId: true }))).toContain('wrongId')
  expect(await call(named(hub, 'mcp__odd__flood'), {})).toMatchObject({ isError: true })
  expect(textOf(await call(named(hub, 'mcp__odd__echo'), { a: 1 }))).toBe('{"a":1}')
})

test('N06: a server can ask neither our model nor the user', async () => {
  const hub = await loaded({ odd: odd() })
  expect(textOf(await call(named(hub, 'mcp__odd__ask'), {}))).toBe('[-32601,-32601]')
})

test('H01 a server sees no key of ours but what its configuration gives it; errors show no secret', async () => {
  const env = { ...process.env, ANTHROPIC_API_KEY: 'sk-ant-provider-key', MY_TOKEN: 'very-secret-token' }
  const hub = await loaded({ odd: { ...odd(), env: { TOKEN: '${MY_TOKEN}', KIND: '${KIND:-plain}' } } }, { env })
  const seen = textOf(await call(named(hub, 'mcp__odd__env'), {}))
  // It has it, and what it says of it is not kept.
  expect(seen).toContain('TOKEN=[key hidden]')
  expect(seen).toContain('KIND=plain')
  expect(seen).not.toContain('provider-key')
  const broken = await loaded({ bad: { ...odd('exit'), env: { TOKEN: '${MY_TOKEN}' } } }, { env })
  expect(broken.diagnostics()[0]?.message).toContain('cannot find my configuration')
  expect(broken.diagnostics()[0]?.message).not.toContain('very-secret-token')
  const missing = await loaded({ odd: { ...odd(), env: { A: '${NOT_SET_ANYWHERE}' } } }, { env })
  expect(missing.diagnostics()[0]?.message).toContain('NOT_SET_ANYWHERE')
  const projects = await loaded({ odd: { ...odd(), env: { A: '${ANTHROPIC_API_KEY}' } } }, { env }, false)
  expect(projects.tools()).toEqual([])
  expect(JSON.stringify(projects.diagnostics())).not.toContain('provider-key')
})

test('what a server runs trusted folders in the user’s name: a server has the mark of a run, whatever its configuration says', async () => {
  const hub = await loaded({ plain: odd(), odd: { ...odd(), env: { OFFSHOOT_RUN: '' } } })
  for (const name of ['plain', 'odd'])
    expect(textOf(await call(named(hub, `mcp__${name}__env`), {}))).toContain(`OFFSHOOT_RUN=mcp:${name}`)
})

test('H06 a key of a model provider is sent to no server elsewhere, whoever configured it', async () => {
  const seen: (string | undefined)[] = []
  const stranger = createServer((request, response) => {
    seen.push(`${request.url} ${request.headers.authorization} ${request.headers['x-key']}`)
    response.writeHead(404).end()
  })
  await new Promise<void>(resolve => stranger.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/mcp`
  const env = { ...process.env, ANTHROPIC_API_KEY: 'sk-ant-canary-key', OPENAI_API_KEY: 'sk-other-canary' }
  try {
    for (const config of [
      { url, headers: { Authorization: 'Bearer ${ANTHROPIC_API_KEY}' } },
      { url, headers: { 'x-key': 'sk-other-canary' } },
      { url: `${url}?key=\${ANTHROPIC_API_KEY}` },
      { url: '${PLACE:-x}', headers: {} },
    ]) {
      const hub = await loaded({ stranger: config }, { env: { ...env, PLACE: `${url}?k=sk-ant-canary-key` } })
      expect(hub.tools()).toEqual([])
      expect(hub.diagnostics()[0]?.message).toMatch(/would send (ANTHROPIC|OPENAI)_API_KEY/)
      expect(JSON.stringify(hub.diagnostics())).not.toContain('canary')
    }
    expect(seen).toEqual([])
    await loaded({ stranger: { url, headers: { Authorization: 'Bearer other-token' } } }, { env })
    expect(seen.join()).toContain('other-token')
  } finally {
    await new Promise(resolve => stranger.close(resolve))
  }
})

test('closing ends the server and whatever it started', async () => {
  const mark = place.folder.path('mark')
  const hub = hubOf({ odd: odd('plain', mark) })
  await hub.load()
  expect(processesWith(mark)).toHaveLength(1)
  await hub.close()
  expect(
    await eventually(
      () => processesWith(mark),
      found => found.length === 0,
    ),
  ).toEqual([])
})

test('where nothing is configured nothing is loaded', async () => {
  const hub = await loaded({}, { pins: memoryPins() })
  expect(hub.tools()).toEqual([])
  expect(hub.tools()).toBe(hub.tools())
})
