/** Servers over HTTP that take a request (202) and answer on the stream of their own, and those that forget a session. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { eventually } from '../support/processes.js'
import { textOf } from '../support/tool-workspace.js'
import { mcpPlace, named } from './place.js'
import { everythingAt, freePort } from './servers.js'

const { loaded, call, closeLater } = mcpPlace()

/** Takes every request and answers on its stream, as far as it is let. */
async function taking(
  { streams = true, takesAll = true }: { streams?: boolean; takesAll?: boolean } = {},
  onCall: (server: Taking, name: string, id: number) => void = (server, name, id) => server.say(id, name),
): Promise<Taking> {
  const server = new Taking({ streams, takesAll }, onCall)
  closeLater(() => server.close())
  await server.listen()
  return server
}

class Taking {
  private readonly how: { readonly streams: boolean; readonly takesAll: boolean }
  private readonly onCall: (server: Taking, name: string, id: number) => void
  readonly heard: string[] = []
  /** With what each stream was opened. */
  readonly from: (string | undefined)[] = []
  session = 'session-1'
  stream: ServerResponse | undefined
  url = ''
  #said = 0
  #unsaid: string[] = []
  readonly #server = createServer((request, response) => void this.#take(request, response))

  constructor(how: { streams: boolean; takesAll: boolean }, onCall: Taking['onCall']) {
    this.how = how
    this.onCall = onCall
  }

  async listen(): Promise<void> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(this.#server.address() as { port: number }).port}/mcp`
  }

  say(id: number, text: string): void {
    this.answer(id, { content: [{ type: 'text', text }] })
  }

  answer(id: number, result: unknown): void {
    const event = `id: ${++this.#said}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`
    if (this.stream) this.stream.write(event)
    else this.#unsaid.push(event)
  }

  endStream(): void {
    this.stream?.end()
    this.stream = undefined
  }

  close(): Promise<unknown> {
    return new Promise(done => this.#server.closeAllConnections() ?? this.#server.close(done))
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += chunk
    const { id, method = request.method, params } = body ? JSON.parse(body) : ({} as Record<string, undefined>)
    this.heard.push(method)
    const isKnown = method === 'initialize' || request.headers['mcp-session-id'] === this.session
    if (!isKnown) return void response.writeHead(404).end('session not found')
    if (method === 'GET') return this.#open(request, response)
    if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
    const headers = { 'mcp-session-id': this.session }
    const result = this.#ownAnswer(method, params)
    if (result !== undefined && (method === 'initialize' || !this.how.takesAll)) {
      response.writeHead(200, { 'content-type': 'application/json', ...headers })
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    }
    response.writeHead(202, headers).end()
    if (result !== undefined) this.answer(id, result)
    else this.onCall(this, params.name, id)
  }

  #ownAnswer(method: string, params: { protocolVersion?: string }): unknown {
    const { protocolVersion } = params ?? {}
    if (method === 'initialize')
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } }
    if (method === 'tools/list') return { tools: ['a', 'b'].map(name => ({ name, inputSchema: { type: 'object' } })) }
    return undefined
  }

  #open(request: IncomingMessage, response: ServerResponse): void {
    if (!this.how.streams) return void response.writeHead(405).end()
    this.from.push(request.headers['last-event-id'] as string | undefined)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('retry: 60\n: hello\n\n')
    for (const event of this.#unsaid.splice(0)) response.write(event)
    this.stream = response
  }
}

test('a server that takes requests (202) and answers on its stream is listed and called', async () => {
  const server = await taking()
  const hub = await loaded({ far: { url: server.url } })
  expect(hub.diagnostics()).toEqual([])
  expect(textOf(await call(named(hub, 'mcp__far__a')))).toBe('a')
  expect(textOf(await call(named(hub, 'mcp__far__b')))).toBe('b')
  expect(server.from).toEqual([undefined])
})

test('a stream that ended after an answer had come over it was never opened again: later answers were lost', async () => {
  const server = await taking()
  const hub = await loaded({ far: { url: server.url } })
  for (const round of [1, 2, 3]) {
    expect(textOf(await call(named(hub, 'mcp__far__a'))), String(round)).toBe('a')
    server.endStream()
  }
  // Each from where it broke off: the answer to the list, then one for each call.
  expect(server.from.slice(0, 3)).toEqual([undefined, '2', '3'])
})

test('a call that was taken is answered although the stream ends before', async () => {
  const server = await taking({}, (far, name, id) => {
    far.endStream()
    far.say(id, name)
  })
  const hub = await loaded({ far: { url: server.url } })
  expect(textOf(await call(named(hub, 'mcp__far__a')))).toBe('a')
})

test('a call that is taken and never answered ends at its time limit, with the reason, and the server stays in use', async () => {
  const server = await taking({}, (far, name, id) => (name === 'a' ? undefined : far.say(id, name)))
  const hub = await loaded({ far: { url: server.url, timeout: 300 } })
  const lost = await call(named(hub, 'mcp__far__a'))
  expect(lost).toMatchObject({ isError: true })
  expect(textOf(lost)).toContain('it did not answer within 0.3 s')
  await eventually(
    () => server.heard.includes('notifications/cancelled'),
    is => is,
  )
  expect(textOf(await call(named(hub, 'mcp__far__b')))).toBe('b')
})

test('a call that is taken by a server without a stream was waited for until its whole time was over', async () => {
  const server = await taking({ streams: false, takesAll: false }, () => {})
  // Ten minutes by default: far beyond what a test may take.
  const hub = await loaded({ far: { url: server.url } })
  for (const _ of [1, 2]) {
    const lost = await call(named(hub, 'mcp__far__a'))
    expect(lost).toMatchObject({ isError: true })
    expect(textOf(lost)).toContain(
      'it took the request (202), but it has no stream to answer on (status 405); whether it was done is not known',
    )
  }
})

test('a call that was taken hears of it when the session and its stream are gone', async () => {
  const server = await taking({}, far => {
    far.session = 'session-2'
    far.endStream()
  })
  const hub = await loaded({ far: { url: server.url } })
  expect(textOf(await call(named(hub, 'mcp__far__a')))).toContain('(status 404); whether it was done is not known')
})

test('a session that the server forgot (404) is opened anew by the call that finds out; what others wait for goes on', async () => {
  let slow = 0
  const server = await taking({ takesAll: false }, (far, name, id) => {
    if (name === 'a') slow = id
    else far.say(id, name)
  })
  const hub = await loaded({ far: { url: server.url } })
  const waiting = call(named(hub, 'mcp__far__a'))
  await eventually(
    () => slow > 0 && server.stream !== undefined,
    is => is,
  )
  const old = server.stream!
  server.session = 'session-2'
  const both = await Promise.all([call(named(hub, 'mcp__far__b')), call(named(hub, 'mcp__far__b'))])
  expect(both.map(textOf)).toEqual(['b', 'b'])
  expect(server.heard.filter(method => method === 'initialize')).toHaveLength(2)
  old.write(
    `data: ${JSON.stringify({ jsonrpc: '2.0', id: slow, result: { content: [{ type: 'text', text: 'late' }] } })}\n\n`,
  )
  expect(textOf(await waiting)).toBe('late')
})

test('a server that forgets every session is asked twice, and no more', async () => {
  const server = await taking({ takesAll: false }, () => {})
  const hub = await loaded({ far: { url: server.url } })
  let count = 1
  Object.defineProperty(server, 'session', { get: () => `session-${++count}` })
  expect(await call(named(hub, 'mcp__far__a'))).toMatchObject({ isError: true })
  expect(server.heard.filter(method => method === 'initialize')).toHaveLength(2)
})

test('a real server that was started anew calls our session a bad request: the next call is answered', async () => {
  const port = await freePort()
  const first = await everythingAt(port)
  const hub = await loaded({ far: { url: first.url } })
  const echo = named(hub, 'mcp__far__echo')
  expect(textOf(await call(echo, { message: 'one' }))).toContain('one')
  await first.close()
  const second = await everythingAt(port)
  closeLater(() => second.close())
  expect(textOf(await call(echo, { message: 'two' }))).toContain('No valid session ID')
  expect(textOf(await call(echo, { message: 'three' }))).toContain('three')
})
