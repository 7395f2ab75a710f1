import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { AnswerStream } from '../../src/adapters/mcp/answer-stream.js'
import { eventually } from '../support/processes.js'

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
})

async function listening(answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.closeAllConnections() ?? server.close())
  const stop = new AbortController()
  closing.push(() => stop.abort())
  const heard: string[] = []
  const stream = new AnswerStream({ signal: stop.signal, onMessage: text => heard.push(text), onGone: () => {} })
  void stream.open({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, headers: new Headers() })
  return heard
}

test('a server that ended its stream with every empty event, and asked for haste, was asked twenty times a second for good', async () => {
  const at: number[] = []
  await listening((_request, response) => {
    at.push(performance.now())
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 0\nid: 1\ndata: \n\n')
  })
  await eventually(
    () => at.length,
    count => count >= 5,
  )
  const pauses = at.slice(1, 5).map((time, index) => time - at[index]!)
  expect(pauses.at(-1)).toBeGreaterThan(700)
})

test('a server that ends its stream with every message is asked as often as it wants', async () => {
  let count = 0
  const heard = await listening((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`retry: 0\nid: ${++count}\ndata: ${count}\n\n`)
  })
  await eventually(
    () => heard.length,
    come => come >= 8,
  )
  expect(heard.slice(0, 8)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8'])
})
