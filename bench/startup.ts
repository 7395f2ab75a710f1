/**
 * How long the program takes to begin, as ratios to an empty Node process of the same run: the version, and from the
 * start of `-p` to the first request that reaches a model's server. Takes turns, so that a busy machine is busy for all.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { row, table } from './report.js'

const bin = join(process.cwd(), 'dist/bin/offshoot.js')
const rounds = 15

export async function benchStartup(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'offshoot-startup-'))
  const server = await firstRequests()
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    OFFSHOOT_HOME: join(home, 'state'),
    ANTHROPIC_API_KEY: 'sk-bench',
    ANTHROPIC_BASE_URL: server.url,
  }
  const figures = { empty: [] as number[], version: [] as number[], request: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    figures.empty.push(await untilExit(['-e', '0'], env))
    figures.version.push(await untilExit([bin, '--version'], env))
    figures.request.push(await server.untilRequest([bin, '-p', 'hello', '-q'], env))
  }
  server.close()
  rmSync(home, { recursive: true, force: true })
  const empty = median(figures.empty)
  const ratio = (values: number[]) => (median(values) / empty).toFixed(2)
  table('Start-up (ratios to `node -e 0`, medians)', [
    row('node -e 0', `${empty.toFixed(0)} ms`),
    row('offshoot --version', ratio(figures.version), 'bound 1.6'),
    row('offshoot -p, first model request', ratio(figures.request), 'bound 5'),
  ])
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

async function untilExit(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const start = performance.now()
  await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit')
  return performance.now() - start
}

/** A server that only notes when it is asked. */
async function firstRequests() {
  let heard: () => void = () => {}
  const server = http.createServer((_, response) => {
    heard()
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"type":"error","error":{"type":"x","message":"bench"}}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
    async untilRequest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
      const request = new Promise<void>(resolve => (heard = resolve))
      const start = performance.now()
      const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
      await request
      const elapsed = performance.now() - start
      await once(child, 'exit')
      return elapsed
    },
  }
}

await benchStartup()
