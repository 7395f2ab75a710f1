/** A proxy that opens tunnels on this machine, wherever they are asked to lead, and keeps what it was asked. */
import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface TestProxy {
  readonly url: string
  readonly port: number
  /** `CONNECT host:port`, or the method of anything else. */
  readonly asked: string[]
  readonly logins: (string | undefined)[]
  /** All that went through, as it was seen here. */
  seen(): string
  /** How many connections it has. */
  open(): number
  close(): void
}

/** `answer`: the status it gives in place of a tunnel; 0 gives none. */
export async function startProxy(leadsTo: number, answer?: number): Promise<TestProxy> {
  const asked: string[] = []
  const logins: (string | undefined)[] = []
  const pieces: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = http.createServer((request, response) => {
    asked.push(request.method ?? '')
    response.writeHead(500).end()
  })
  server.on('connection', socket => sockets.add(socket))
  server.on('connect', (request, socket, head) => {
    asked.push(`CONNECT ${request.url}`)
    logins.push(request.headers['proxy-authorization'])
    socket.on('error', () => {})
    if (answer === 0) return void socket.on('end', () => socket.destroy()).resume()
    if (answer !== undefined) return void socket.end(`HTTP/1.1 ${answer} No\r\nx-echo: ${logins.at(-1)}\r\n\r\n`)
    const target = connect(leadsTo, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      socket.on('data', (piece: Buffer) => pieces.push(piece))
      socket.pipe(target).pipe(socket)
    })
    target.on('error', () => socket.destroy())
    sockets.add(target)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    logins,
    seen: () => Buffer.concat(pieces).toString('latin1'),
    open: () => [...sockets].filter(socket => !socket.destroyed).length,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
