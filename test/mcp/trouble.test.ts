/** What servers do to those who let them in, and what comes of it. */
import { spawn } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { filePins } from '../../src/adapters/mcp/tool-pins.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { agent, house, task, call as wish } from '../scenarios/house.js'
import { bundleTo } from '../support/bundle.js'
import { eventually, processesWith } from '../support/processes.js'
import { textOf } from '../support/tool-workspace.js'
import { mcpPlace, messages, named } from './place.js'
import { everything, hubOf, odd } from './servers.js'

const place = mcpPlace()
const { loaded, call } = place
const clock = systemClock() as never

test('N03: closing does not wait for a server that hangs at its start, and leaves nothing of it', async () => {
  const hub = hubOf({ odd: odd('hang', place.folder.path('mark')) })
  const loading = hub.load()
  await eventually(
    () => processesWith(place.folder.path('mark')),
    found => found.length > 0,
  )
  // The start would be waited for half a minute: far beyond what a test may take.
  await hub.close()
  await loading
  expect(processesWith(place.folder.path('mark'))).toEqual([])
})

test('an answer with `"result": null` was waited for until the call timed out', async () => {
  const hub = await loaded({ odd: odd() })
  const { isError, ...answer } = await call(named(hub, 'mcp__odd__say'), { result: null })
  expect(isError).toBe(true)
  expect(textOf({ isError, ...answer })).toContain('neither a result nor an error')
})

test('N01: a list that changes while the pins cannot be read: no tool of it is offered or called, nothing falls over', async () => {
  const path = place.folder.path('pins.json')
  const hub = await loaded({ odd: odd() }, { pins: filePins(path) })
  const echo = named(hub, 'mcp__odd__echo')
  writeFileSync(path, 'garbage')
  await call(echo, { announce: true })
  await eventually(
    () => hub.tools().length,
    count => count === 0,
  )
  expect(messages(hub)[0]).toContain('pins.json cannot be read')
  expect(textOf(await call(echo))).toContain('was not called')
})

test('credentials of a server are kept out of what it answers and reports; the rest of it is untouched', async () => {
  const env = { ...process.env, MY_TOKEN: 'very-secret-token', MY_PLACE: '/home/me/project' }
  const hub = await loaded({ odd: { ...odd(), env: { T: '${MY_TOKEN}', PLACE: '${MY_PLACE}' } } }, { env })
  const said = textOf(await call(named(hub, 'mcp__odd__env')))
  expect(said).not.toContain('very-secret-token')
  expect(said).toContain('PLACE=/home/me/project')
})

test('N03: what a server prints before it dies is no command to a terminal', async () => {
  const hub = await loaded({ odd: odd('escapes') })
  expect(messages(hub)[0]).toContain('all is well')
  expect(messages(hub)[0]).not.toContain('\u001b')
})

test('N01: words and names of tools cannot pose as the runtime, as another server, or as a tool of ours', async () => {
  const hub = await loaded({ odd: odd('poison') })
  const specs = hub.tools().map(({ spec }) => spec)
  for (const { name } of specs) expect(name).toMatch(/^mcp__odd__[A-Za-z0-9_-]+$/)
  expect(new Set(specs.map(({ name }) => name)).size).toBe(6)
  expect(specs[0]?.description).not.toMatch(/<\/?(offshoot-notice|system-reminder)/)
})

const answers: readonly (readonly [what: string, result: unknown, said: string])[] = [
  ['nothing in it', { content: [] }, 'answered with nothing'],
  ['no list', { content: 'deleted it' }, 'deleted it'],
  ['an older form', { toolResult: 'deleted it' }, 'deleted it'],
  ['one block that is odd', { content: [{ type: 'text', text: 'deleted it' }, { type: 'image' }] }, 'deleted it'],
  ['a block that is none', { content: [null, { type: 'text', text: 'deleted it' }] }, 'deleted it'],
  [
    'an image that is none',
    { content: [{ type: 'image', data: '§§', mimeType: 'image/png' }] },
    'that cannot be shown',
  ],
  [
    'words labelled as an image',
    { content: [{ type: 'image', data: 'aGVsbG8gd29ybGQ=', mimeType: 'image/png' }] },
    'labelled image/png that cannot be shown',
  ],
  ['structure beside text', { content: [{ type: 'text', text: 'found 3' }], structuredContent: { n: 3 } }, '"n": 3'],
  [
    'very many blocks',
    { content: Array.from({ length: 250 }, (_, i) => ({ type: 'text', text: `line ${i}` })) },
    '[… cut: 50 more parts of the answer]',
  ],
  ['audio', { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] }, '[audio that cannot be shown]'],
  [
    'a resource',
    { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'inside' } }] },
    '[file:///a]\ninside',
  ],
  [
    'a resource without text',
    { content: [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA' } }] },
    '[resource file:///a, no text]',
  ],
  ['a link', { content: [{ type: 'resource_link', uri: 'https://x/y', name: 'y' }] }, '[resource y https://x/y]'],
  [
    'an image of no kind',
    { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' }] },
    'that cannot be shown',
  ],
  [
    'an image of ten megabytes',
    { content: [{ type: 'image', data: `iVBORw0KGgoA${'A'.repeat(10_000_000)}`, mimeType: 'image/png' }] },
    'too large to be shown',
  ],
  ['structure alone', { content: [], structuredContent: { a: 1 } }, '"a": 1'],
]
test('N03: whatever an answer holds, it is a text the model can read', async () => {
  const hub = await loaded({ odd: odd() })
  const say = named(hub, 'mcp__odd__say')
  for (const [what, result, said] of answers) expect(textOf(await call(say, { result })), what).toContain(said)
})

test('an image under a false label was sent on with it, and the provider refused the conversation for good', async () => {
  const say = named(await loaded({ odd: odd() }), 'mcp__odd__say')
  const data = `${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`
  for (const mimeType of ['image/jpeg', 'image/svg+xml', undefined]) {
    const { content } = await call(say, { result: { content: [{ type: 'image', data, mimeType }] } })
    expect(content).toEqual([{ type: 'image', data, mediaType: 'image/png' }])
  }
})

test('structure that the text says already is not shown twice', async () => {
  const say = named(await loaded({ odd: odd() }), 'mcp__odd__say')
  const result = { content: [{ type: 'text', text: '{"b":2,"a":1}' }], structuredContent: { a: 1, b: 2 } }
  expect(textOf(await call(say, { result }))).toBe('{"b":2,"a":1}')
})

test('H01 a credential in an answer is hidden in an address, in base64 and in JSON, too', async () => {
  const secret = 'very secret "token"/7'
  const hub = await loaded({ odd: { ...odd(), env: { TOKEN: secret } } })
  const texts = [encodeURIComponent(secret), Buffer.from(secret).toString('base64'), JSON.stringify([secret])]
  const result = { content: texts.map(text => ({ type: 'text', text })), structuredContent: { is: secret } }
  const shown = textOf(await call(named(hub, 'mcp__odd__say'), { result }))
  expect(shown.match(/\[key hidden\]/g)).toHaveLength(4)
})

test('N03: an answer of eight megabytes is bounded, and all of it can be read by its address', async () => {
  const hub = await loaded({ odd: odd() })
  const text = `${'line\n'.repeat(1_600_000)}the end`
  const { run, toolTexts, store } = house(
    { main: [wish('mcp__odd__say', { result: { content: [{ type: 'text', text }] } }), 'done'] },
    { tools: hub.tools, clock },
  )
  await run()
  const [shown] = toolTexts('main')
  expect(shown!.length).toBeLessThan(100_000)
  const address = /sha256:[0-9a-f]{64}/.exec(shown!)?.[0]
  expect((await store.fetch(address!))?.length).toBe(text.length)
})

test('N03 J04: a schema cannot keep us busy: patterns are not run, and one that grows without end is left out', async () => {
  const hub = await loaded({ odd: odd('slow-schemas') })
  expect(hub.tools().map(({ spec }) => spec.name)).toEqual(['mcp__odd__slow'])
  expect(messages(hub)[0]).toContain('grows to more than 20000 parts when its references are followed')
  const { run, toolTexts } = house(
    { main: [wish('mcp__odd__slow', { a: `${'a'.repeat(60)}!` }), 'done'] },
    { tools: hub.tools, clock },
  )
  // With the pattern run this would not end within the life of the machine.
  expect(await run()).toMatchObject({ outcome: 'completed' })
  expect(toolTexts('main')[0]).toContain('aaaa')
})

test('N03: a server that changes its list whenever it is read is read less and less often', async () => {
  const hub = await loaded({ odd: odd('restless') })
  const listed = () => Number(/\d+$/.exec(hub.tools()[0]!.spec.name)?.[0])
  await eventually(listed, count => count >= 3)
  const before = listed()
  await new Promise(resolve => setTimeout(resolve, 400))
  expect(listed() - before).toBeLessThan(4)
})

test('a list of tools that is none is a diagnostic', async () => {
  expect(messages(await loaded({ odd: odd('no-list') }))[0]).toContain('its list of tools is no list')
})

test('an agent’s own server ends with it also when it is cancelled in a call, or fails', async () => {
  const mark = place.folder.path('own')
  const hub = await loaded({})
  const mcpServers = [{ name: 'mine', config: odd('count', mark) }]
  const { start, run, events } = house(
    {
      main: ({ messages }) => [
        { calls: [task(JSON.stringify(messages).includes('fail') ? 'failing' : 'worker')] },
        'done',
      ],
      worker: [wish('mcp__mine__hang')],
      failing: [wish('mcp__mine__echo'), { error: { message: 'no', kind: 'auth' as const } }],
    },
    { agents: [agent('worker', { mcpServers }), agent('failing', { mcpServers })], agentTools: hub.agentTools, clock },
  )
  const handle = await start()
  await eventually(
    () => events.some(({ event }) => event.type === 'tool.started' && event.name === 'mcp__mine__hang'),
    isUnderWay => isUnderWay,
  )
  expect(processesWith(mark)).toHaveLength(1)
  await handle.stop()
  expect(await handle.result).toMatchObject({ outcome: 'cancelled' })
  const left = () =>
    eventually(
      () => processesWith(mark),
      found => found.length === 0,
    )
  expect(await left()).toEqual([])
  await run({ prompt: 'fail' })
  expect(readFileSync(mark, 'utf8')).toBe('started\nstarted\n')
  expect(await left()).toEqual([])
})

test('however the host dies, its servers die with it', async () => {
  const mark = place.folder.path('mark')
  const config = JSON.stringify({ odd: odd('count', mark) })
  await bundleTo(
    place.folder.path('host.mjs'),
    `import { mcpHub } from './src/adapters/mcp/mcp-hub.js'
    import { createReaper } from './src/adapters/os/reaper.js'
    import { readMcpServers } from './src/core/mcp/mcp-config.js'
    const { servers } = readMcpServers(${config}, { origin: 'test', isPersonal: true })
    const hub = mcpHub({ servers, env: process.env, projectDir: '/', reaper: createReaper() })
    await hub.load()
    console.log('ready')
    setInterval(() => {}, 1000)`,
  )
  symlinkSync(resolve(import.meta.dirname, '../../node_modules'), place.folder.path('node_modules'))
  const host = spawn(process.execPath, [place.folder.path('host.mjs')], { stdio: 'pipe' })
  await new Promise<void>((ready, failed) => {
    host.stdout.once('data', () => ready())
    host.once('exit', () => failed(new Error('the host ended')))
  })
  host.kill('SIGKILL')
  expect(
    await eventually(
      () => processesWith(mark),
      found => found.length === 0,
    ),
  ).toEqual([])
})

test('the packaged server serves runs with a process of their own: its connection stays with the host', async () => {
  const { openProcessMode } = await import('../support/process-mode.js')
  const { processes } = await openProcessMode()
  const hub = await loaded({ every: everything })
  const { run, events } = house(
    { main: [{ calls: [task('worker')] }, 'done'], worker: [wish('mcp__every__echo', { message: 'hello' }), 'ok'] },
    { agents: [agent('worker', { executionMode: 'process' })], tools: hub.tools, clock, processes },
  )
  expect(await run()).toMatchObject({ outcome: 'completed' })
  const echoed = events.flatMap(({ event }) =>
    event.type === 'tool.ended' && event.name === 'mcp__every__echo' ? [event] : [],
  )
  expect(echoed).toMatchObject([{ status: 'ok' }])
  expect(JSON.stringify(echoed)).toContain('hello')
  expect(events.some(({ event }) => event.type === 'run.claimed')).toBe(true)
})
