import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { createConnectionPool } from './connection-pool.js'
import { fetchOver } from './pooled-fetch.js'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function serve(handler: http.RequestListener) {
  const sockets = new Set<Socket>()
  const server = http.createServer(handler)
  server.on('connection', socket => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = createConnectionPool()
  closers.push(() => {
    pool.close()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, fetch: fetchOver(pool) }
}

test('sends the body and hands back status, headers and text', async () => {
  const { url, fetch } = await serve(async (request, response) => {
    const chunks = await request.toArray()
    response.writeHead(201, { 'x-length': request.headers['content-length'] }).end(Buffer.concat(chunks))
  })
  const response = await fetch(`${url}/a?b=1`, { method: 'POST', body: 'grüße', headers: { 'x-one': '1' } })
  expect([response.status, response.ok, response.headers.get('x-length')]).toEqual([201, true, '7'])
  expect(await response.text()).toBe('grüße')
})

test('a chunk is handed on before the next one exists', async () => {
  let next: () => void = () => {}
  const { url, fetch } = await serve((_request, response) => {
    response.write('first')
    next = () => response.end('second')
  })
  const reader = (await fetch(url)).body!.getReader()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('first')
  next()
  expect(Buffer.from((await reader.read()).value!).toString()).toBe('second')
  expect((await reader.read()).done).toBe(true)
})

test('requests one after another share a connection', async () => {
  const { url, fetch, sockets } = await serve((_request, response) => response.end('ok'))
  for (let i = 0; i < 5; i++) await (await fetch(url)).text()
  expect(sockets.size).toBe(1)
})

test('an abort before the answer and in the middle of it rejects with the reason', async () => {
  const { url, fetch } = await serve((request, response) => {
    if (request.url === '/body') response.write('some')
  })
  const waiting = new AbortController()
  const pending = fetch(url, { signal: waiting.signal })
  waiting.abort(new DOMException('enough', 'TimeoutError'))
  await expect(pending).rejects.toBe(waiting.signal.reason)

  const reading = new AbortController()
  const reader = (await fetch(`${url}/body`, { signal: reading.signal })).body!.getReader()
  await reader.read()
  reading.abort(new DOMException('enough', 'AbortError'))
  await expect(reader.read()).rejects.toBe(reading.signal.reason)
  await expect(fetch(url, { signal: reading.signal })).rejects.toBe(reading.signal.reason)
})

test('a body that is cut off is an error', async () => {
  const { url, fetch } = await serve((_request, response) => {
    response.write('half', () => response.destroy())
  })
  const response = await fetch(url)
  await expect(response.text()).rejects.toThrow()
})

test('a stream of events that is cut off ends with the events that came', async () => {
  const { url, fetch } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: one\n\n', () => response.destroy())
  })
  expect(await (await fetch(url)).text()).toBe('data: one\n\n')
})

test('a kept connection that the server closed is replaced without anyone noticing', async () => {
  let served = 0
  const { url, fetch, sockets } = await serve((request, response) => {
    served++
    if (served === 2) return void request.socket.destroy()
    response.end(`answer ${served}`)
  })
  await (await fetch(url)).text()
  expect(await (await fetch(url, { method: 'POST', body: 'x' })).text()).toBe('answer 3')
  expect(sockets.size).toBe(2)
})

test('an answer that was compressed unasked is read', async () => {
  const { url, fetch } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('plain again'))
  })
  expect(await (await fetch(url)).text()).toBe('plain again')
})

test('a server that is not there is a network error with its code', async () => {
  const { fetch } = await serve(() => {})
  await expect(fetch('http://127.0.0.1:9/')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

test('a secure URL is asked over TLS, and nothing but http and https is asked', async () => {
  let isHeard = false
  const { url, fetch } = await serve((_request, response) => {
    isHeard = true
    response.end()
  })
  // The server speaks no TLS: what it is greeted with is no request to it.
  await expect(fetch(url.replace('http:', 'https:'))).rejects.toThrow(/SSL|wrong version|EPROTO|hang up|ECONNRESET/i)
  expect(isHeard).toBe(false)
  await expect(fetch('ftp://127.0.0.1/x')).rejects.toThrow('only http and https URLs can be asked, not ftp:')
})

const asksForEvents = { method: 'POST', body: '{"stream":true}' }

test('an abort before the first piece of a stream read as an answer without words', async () => {
  const { url, fetch } = await serve((_request, response) => response.writeHead(200, eventStream).flushHeaders())
  const stop = new AbortController()
  const asking = fetch(url, { ...asksForEvents, signal: stop.signal }).then(response => response.text())
  setTimeout(() => stop.abort(new Error('enough')), 20)
  await expect(asking).rejects.toThrow('enough')
})

test.each([
  ['plain', 'identity', Buffer.from('{"id":"half an ans')],
  ['packed', 'gzip', gzipSync('{"id":"half an answer"}').subarray(0, 20)],
])('a %s answer in one JSON object that broke off read as a whole one', async (_, encoding, half) => {
  const { url, fetch } = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
    response.write(half, () => response.destroy())
  })
  await expect(fetch(url, asksForEvents).then(response => response.text())).rejects.toThrow()
})

test('of a stream of events that breaks off all that came is read', async () => {
  const said = 'data: {"a":"grüße"}\n\n'.repeat(9_000)
  const { url, fetch } = await serve((_request, response) => {
    response.writeHead(200, eventStream).write(said, () => response.destroy())
  })
  expect(await (await fetch(url, asksForEvents)).text()).toBe(said)
})

const eventStream = { 'content-type': 'text/event-stream' }
