/** Real MCP servers and an odd one, as configurations. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { type McpHub, type McpHubOptions, mcpHub } from '../../src/adapters/mcp/mcp-hub.js'
import { readMcpServers } from '../../src/core/mcp/mcp-config.js'

const root = resolve(import.meta.dirname, '../..')
const packaged = (name: string) => resolve(root, `node_modules/@modelcontextprotocol/${name}/dist/index.js`)

export const everything = { command: process.execPath, args: [packaged('server-everything'), 'stdio'] }
export const filesystem = (directory: string) => ({
  command: process.execPath,
  args: [packaged('server-filesystem'), directory],
})
export const odd = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [resolve(import.meta.dirname, 'odd-server.mjs'), ...args],
})

export const small = (...tools: readonly string[]) => ({
  command: process.execPath,
  args: [resolve(import.meta.dirname, 'small-server.mjs'), ...tools],
})

export function hubOf(
  servers: Readonly<Record<string, unknown>>,
  more: Partial<McpHubOptions> = {},
  isPersonal = true,
): McpHub {
  const read = readMcpServers(servers, { origin: 'test', isPersonal })
  if (read.diagnostics.length > 0) throw new Error(JSON.stringify(read.diagnostics))
  return mcpHub({ servers: read.servers, env: process.env, projectDir: root, backoffMs: 5, ...more })
}

/** The packaged server over HTTP on this machine; resolves when it listens. */
export async function everythingOverHttp(): Promise<HttpServer> {
  return everythingAt(await freePort())
}

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

export async function everythingAt(port: number): Promise<HttpServer> {
  const child = spawn(process.execPath, [packaged('server-everything'), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>(done => child.once('exit', () => done()))
  await new Promise<void>((ready, failed) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunk.toString().includes('listening') && ready())
    child.once('exit', code => failed(new Error(`the server ended with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close() {
      child.kill('SIGKILL')
      return ended
    },
  }
}

export function freePort(): Promise<number> {
  return new Promise(done => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => done(port))
    })
  })
}
