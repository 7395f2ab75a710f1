/** A small server on 127.0.0.1 that answers from a script, in whatever wire format its answers are written. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface WireAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Written one after another, each in its own chunk. */
  readonly chunks: readonly string[]
  /** Cuts the connection after that many chunks. */
  readonly cutAfter?: number
  /** Waits for `release()` before that chunk. */
  readonly holdBefore?: number
}
export interface WireRequest {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  /** As it came over the wire. */
  readonly text: string
  readonly body: Record<string, unknown>
}
export interface WireServer {
  readonly url: string
  readonly requests: readonly WireRequest[]
  /** Connections ever made, and those open now. */
  readonly connections: number
  readonly openConnections: number
  /** Lets every held answer go on. */
  release(): void
  close(): Promise<void>
}

/** Answers in turn; the last one answers for ever. A function decides by the request. */
export async function startWireServer(
  script: readonly WireAnswer[] | ((request: WireRequest, index: number) => WireAnswer),
): Promise<WireServer> {
  const requests: WireRequest[] = []
  const sockets = new Set<Socket>()
  const held = new Set<() => void>()
  let opened = 0
  const server = http.createServer(async (incoming, outgoing) => {
    const text = Buffer.concat(await incoming.toArray()).toString()
    const request = { path: incoming.url ?? '', headers: incoming.headers, text, body: text ? JSON.parse(text) : {} }
    requests.push(request)
    const answer =
      typeof script === 'function'
        ? script(request, requests.length - 1)
        : script[Math.min(requests.length, script.length) - 1]!
    await write(answer, outgoing, () => new Promise(go => held.add(go)))
  })
  server.on('connection', socket => {
    opened++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get connections() {
      return opened
    },
    get openConnections() {
      return sockets.size
    },
    release() {
      for (const go of held) go()
      held.clear()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function write(answer: WireAnswer, outgoing: http.ServerResponse, hold: () => Promise<void>): Promise<void> {
  outgoing.writeHead(answer.status ?? 200, { 'content-type': 'text/event-stream', ...answer.headers })
  outgoing.flushHeaders()
  for (const [index, chunk] of answer.chunks.entries()) {
    if (index === answer.cutAfter) return void outgoing.destroy()
    if (index === answer.holdBefore) await hold()
    if (outgoing.destroyed) return
    await new Promise(resolve => outgoing.write(chunk, resolve))
  }
  if (answer.cutAfter === answer.chunks.length) return void outgoing.destroy()
  if (answer.holdBefore === answer.chunks.length) await hold()
  outgoing.end()
}

export const jsonAnswer = (status: number, body: unknown, headers: Record<string, string> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  chunks: [JSON.stringify(body)],
})

export const htmlAnswer = (status = 200): WireAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  chunks: ['<!doctype html><title>Welcome</title><p>Nothing to see here.'],
})

export const event = (data: unknown, name?: string): string =>
  `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
