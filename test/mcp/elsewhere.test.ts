/** What servers over HTTP do to those who let them in, and what comes of it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/processes.js'
import { textOf } from '../support/tool-workspace.js'
import { mcpPlace, messages, named } from './place.js'
import { everythingAt, freePort } from './servers.js'

const place = mcpPlace()
const { loaded, call } = place

async function web(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  place.closeLater(() => new Promise(done => server.closeAllConnections() ?? server.close(done)))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`
}

describe('a server elsewhere', () => {
  test('that was restarted lost our session: that call is an error, the next one begins a new session', async () => {
    const port = await freePort()
    const first = await everythingAt(port)
    const hub = await loaded({ far: { url: first.url } })
    const echo = named(hub, 'mcp__far__echo')
    expect(textOf(await call(echo, { message: 'one' }))).toContain('one')
    await first.close()
    expect(textOf(await call(echo, { message: 'two' }))).toContain('cannot be reached')
    const second = await everythingAt(port)
    place.closeLater(() => second.close())
    expect(textOf(await call(echo, { message: 'three' }))).toContain('three')
  })

  test.each([
    [401, 'it wants a login (401), which is not offered; give it a token in "headers"'],
    [403, 'status 403'],
    [500, 'status 500'],
  ])('that answers with %i: the diagnostic says what to do, without a key or a terminal code', async (status, said) => {
    const url = await web((_, response) => {
      response.writeHead(status, { 'www-authenticate': 'Bearer resource_metadata="http://evil/$(touch CANARY)"' })
      response.end('your key is very-secret-token \u001b]0;owned\u0007')
    })
    const hub = await loaded({ far: { url, headers: { 'X-Api-Key': 'very-secret-token' } } })
    expect(messages(hub)[0]).toContain(said)
    for (const hidden of ['very-secret-token', 'evil', '\u001b']) expect(messages(hub)[0]).not.toContain(hidden)
  })

  test('that wants a token serves with one from the environment, and says what is missing without it', async () => {
    const url = await web((request, response) => {
      if (request.headers.authorization !== 'Bearer very-secret-token') return void response.writeHead(401).end()
      let body = ''
      request.on('data', chunk => (body += chunk))
      request.on('end', () => {
        const { id, method, params } = body ? JSON.parse(body) : { id: undefined, method: 'none', params: {} }
        if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
        const echo = { name: 'echo', inputSchema: { type: 'object' } }
        const results: Record<string, unknown> = {
          initialize: {
            protocolVersion: params?.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'far', version: '1' },
          },
          'tools/list': { tools: [echo] },
          'tools/call': { content: [{ type: 'text', text: `you are ${request.headers.authorization}` }] },
        }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
      })
    })
    const far = { far: { url, headers: { Authorization: 'Bearer ${TRACKER_TOKEN}' } } }
    const hub = await loaded(far, { env: { ...process.env, TRACKER_TOKEN: 'very-secret-token' } })
    expect(messages(hub)).toEqual([])
    expect(textOf(await call(named(hub, 'mcp__far__echo')))).toBe('you are Bearer [key hidden]')
    const wrong = await loaded(far, { env: { ...process.env, TRACKER_TOKEN: 'another-token' } })
    expect(messages(wrong)[0]).toContain('give it a token in "headers"')
    expect(messages(wrong)[0]).not.toContain('another-token')
    const none = await loaded(far, { env: { PATH: process.env.PATH } })
    expect(messages(none)[0]).toContain('it needs TRACKER_TOKEN')
  })

  /** One that speaks properly until one of its tools is called, with a session of its own. */
  const speaking = (
    tools: readonly string[],
    onCall: (name: string, answer: (result: unknown) => void, response: ServerResponse) => void,
    heard: string[] = [],
  ) =>
    web((request, response) => {
      let body = ''
      request.on('data', chunk => (body += chunk))
      request.on('end', () => {
        const { id, method = request.method, params } = body ? JSON.parse(body) : ({} as Record<string, undefined>)
        heard.push(method)
        if (id === undefined) return void response.writeHead(request.method === 'POST' ? 202 : 405).end()
        const answer = (result: unknown) => {
          response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' })
          response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
        }
        const serverInfo = { name: 'far', version: '1' }
        if (method === 'initialize')
          answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
        else if (method === 'tools/list')
          answer({ tools: tools.map(name => ({ name, inputSchema: { type: 'object' } })) })
        else onCall(params.name, answer, response)
      })
    })

  test.each([422, 400, 500])(
    'that answers one call with %i: that call is an error, what others asked is answered, and it stays in use',
    async status => {
      const heard: string[] = []
      let endSlow = () => {}
      const url = await speaking(
        ['slow', 'bad', 'quick'],
        (name, answer, response) => {
          const well = () => answer({ content: [{ type: 'text', text: `${name} answer` }] })
          if (name === 'bad') response.writeHead(status).end('no such thing')
          else if (name === 'slow') endSlow = well
          else well()
        },
        heard,
      )
      const hub = await loaded({ far: { url } })
      const slow = call(named(hub, 'mcp__far__slow'))
      await eventually(
        () => heard.filter(method => method === 'tools/call').length,
        count => count === 1,
      )
      for (let i = 0; i < 3; i++)
        expect(textOf(await call(named(hub, 'mcp__far__bad')))).toContain(`it answered with status ${status}`)
      endSlow()
      expect(textOf(await slow)).toBe('slow answer')
      expect(textOf(await call(named(hub, 'mcp__far__quick')))).toBe('quick answer')
      expect(heard.filter(method => method === 'initialize')).toHaveLength(1)
    },
  )

  test.each([
    [404, 'gone'],
    [400, 'Bad Request: No valid session ID provided'],
  ])('that says with %i that our session is unknown is asked for a new one', async (status, words) => {
    const heard: string[] = []
    let calls = 0
    const url = await speaking(
      ['a'],
      (_, answer, response) => {
        if (++calls === 1) response.writeHead(status).end(words)
        else answer({ content: [{ type: 'text', text: 'well' }] })
      },
      heard,
    )
    const hub = await loaded({ far: { url } })
    // The protocol's own word for it is known to mean that nothing was done: that call goes on in the new session.
    if (status !== 404) expect(await call(named(hub, 'mcp__far__a'))).toMatchObject({ isError: true })
    expect(textOf(await call(named(hub, 'mcp__far__a')))).toBe('well')
    expect(heard.filter(method => method === 'initialize')).toHaveLength(2)
  })

  const events = { 'content-type': 'text/event-stream' }
  test.each([
    ['breaks off', (response: ServerResponse) => response.writeHead(200, events).write('data: {"jsonrpc":"2.0","resu')],
    ['ends without an answer', (response: ServerResponse) => response.writeHead(200, events).end(': bye\n\n')],
    [
      'breaks off and cannot be taken up again',
      (response: ServerResponse) => response.writeHead(200, events).write('id: 1\ndata: \n\n'),
    ],
  ])('whose answer %s was waited for until the call’s whole time was over', async (_, begin) => {
    const url = await speaking(['gone', 'quick'], (name, answer, response) => {
      if (name === 'quick') return answer({ content: [{ type: 'text', text: 'quick answer' }] })
      begin(response)
      setTimeout(() => response.destroy(), 50)
    })
    // Ten minutes by default: far beyond what a test may take.
    const hub = await loaded({ far: { url } })
    const lost = await call(named(hub, 'mcp__far__gone'))
    expect(lost).toMatchObject({ isError: true })
    expect(textOf(lost)).toContain('the connection ended before the answer came; whether it was done is not known')
    expect(textOf(await call(named(hub, 'mcp__far__quick')))).toBe('quick answer')
  })

  test('that dropped two connections was off for good, with a word about a start it never had', async () => {
    let drops = 3
    const url = await speaking(['a'], (_, answer, response) => {
      if (drops-- > 0) response.destroy()
      else answer({ content: [{ type: 'text', text: 'well' }] })
    })
    const hub = await loaded({ far: { url } })
    for (let i = 0; i < 3; i++) expect(textOf(await call(named(hub, 'mcp__far__a')))).toContain('it cannot be reached')
    expect(textOf(await call(named(hub, 'mcp__far__a')))).toBe('well')
  })

  test('hears that our session is over when we leave, and is not waited for', async () => {
    const heard: string[] = []
    const url = await speaking(['a'], () => {}, heard)
    const hub = await loaded({ far: { url } })
    await hub.close()
    expect(heard).toContain('DELETE')
  })

  test.each([302, 307, 308])('N05: that sends us on with %i never gets our headers to another place', async status => {
    let visits = 0
    const thief = await web((_, response) => {
      visits++
      response.end()
    })
    const url = await web((_, response) => void response.writeHead(status, { location: thief }).end())
    const hub = await loaded({ far: { url, headers: { 'X-Api-Key': 'very-secret-token' } } })
    expect(messages(hub)).toHaveLength(1)
    expect(visits).toBe(0)
  })

  test.each([
    [200, 'application/json'],
    [200, 'application/json; a=text/event-stream'],
    [500, 'text/event-stream'],
    [401, 'text/event-stream'],
  ])('N03: that answers without end is cut off: %i, %s', async (status, type) => {
    let most = 0
    const url = await web((_, response) => {
      response.writeHead(status, { 'content-type': type })
      const piece = '\n'.repeat(1024 * 1024)
      let poured = 0
      const pour = () => {
        do poured++
        while (!response.destroyed && poured < 100 && response.write(piece))
        most = Math.max(most, poured)
        if (!response.destroyed && poured < 100) response.once('drain', pour)
      }
      pour()
    })
    const hub = await loaded({ far: { url, startupTimeout: 20_000 } })
    expect(messages(hub)[0]).toContain('cannot be used')
    expect(most).toBeLessThan(100)
  })
})
