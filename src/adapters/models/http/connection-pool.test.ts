import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { unheardIn } from '../../../../test/support/unheard.js'
import { createConnectionPool } from './connection-pool.js'

test('an abort by whoever takes the last piece of an answer, all of which had come, ended the host', async () => {
  const server = http.createServer((_, response) => response.end('all of it'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = createConnectionPool()
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const controller = new AbortController()
  const heard = await unheardIn('uncaughtException', async () => {
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
