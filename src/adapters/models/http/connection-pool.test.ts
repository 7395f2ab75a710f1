import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createConnectionPool } from './connection-pool.js'

/** What ends a program unless somebody listens. In place of vitest's own listeners, which would fail the whole file. */
async function uncaughtIn(work: () => Promise<void>): Promise<readonly unknown[]> {
  const before = process.listeners('uncaughtException')
  const heard: unknown[] = []
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', error => void heard.push(error))
  try {
    await work()
    // An error is told a few steps later.
    for (let i = 0; i < 5; i++) await new Promise(resolve => setImmediate(resolve))
  } finally {
    process.removeAllListeners('uncaughtException')
    for (const listener of before) process.on('uncaughtException', listener)
  }
  return heard
}

test('an abort by whoever takes the last piece of an answer, all of which had come, ended the host', async () => {
  const server = http.createServer((_, response) => response.end('all of it'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = createConnectionPool()
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const controller = new AbortController()
  const heard = await uncaughtIn(async () => {
    const incoming = await pool.exchange({ url, method: 'GET', headers: {}, signal: controller.signal })
    while (!incoming.complete) await new Promise(resolve => setImmediate(resolve))
    incoming.on('error', () => {})
    incoming.on('data', () => controller.abort(new DOMException('enough', 'AbortError')))
    await once(incoming, 'close')
  })
  pool.close()
  server.closeAllConnections()
  server.close()
  expect(heard).toEqual([])
})
