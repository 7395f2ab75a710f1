/**
 * How long the program takes to begin, as ratios to an empty Node process of the same run: the version, and from the
 * start of `-p` to the first request that reaches a model's server. By the clock, and by the processor: on a busy machine
 * a longer process waits more often, so there only the second one means something.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { row, table } from './report.js'

const bin = join(process.cwd(), 'dist/bin/offshoot.cjs')
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
  const cases = { empty: ['-e', '0'], version: [bin, '--version'], request: [bin, '-p', 'hello', '-q'] }
  const figures = { empty: [] as Figure[], version: [] as Figure[], request: [] as Figure[] }
  for (let round = 0; round < rounds; round++) {
    figures.empty.push(await untilExit(cases.empty, env))
    figures.version.push(await untilExit(cases.version, env))
    figures.request.push(await server.untilRequest(cases.request, env))
  }
  server.close()
  rmSync(home, { recursive: true, force: true })
  const of = (name: keyof typeof figures, by: keyof Figure) => median(figures[name].map(figure => figure[by]))
  const ratio = (name: keyof typeof figures, by: keyof Figure) => (of(name, by) / of('empty', by)).toFixed(2)
  table('Start-up (ratios to `node -e 0`, medians)', [
    row(
      'node -e 0',
      `${of('empty', 'wallMs').toFixed(0)} ms`,
      `${of('empty', 'cpuMs').toFixed(0)} ms of processor time`,
    ),
    row('offshoot --version, by the clock', ratio('version', 'wallMs'), 'bound 1.6'),
    row('offshoot --version, by the processor', ratio('version', 'cpuMs')),
    row('offshoot -p, first model request, by the clock', ratio('request', 'wallMs'), 'bound 5'),
    row('offshoot -p, to its very end, by the processor', ratio('request', 'cpuMs')),
  ])
}

interface Figure {
  readonly wallMs: number
  readonly cpuMs: number
}

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The shell counts what its child used, from its first instruction to its last. */
const counting = ['-c', '"$@" > /dev/null 2>&1 < /dev/null; times', 'bash', process.execPath]

function begin(args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn('bash', [...counting, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  child.stdout.on('data', chunk => {
    said += String(chunk)
  })
  return { child, cpuMs: () => childTime(said) }
}

/** The second line of `times`: user and system time of children, as `0m0.062s 0m0.010s`. */
function childTime(said: string): number {
  const parts = [...(said.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0)
}

async function untilExit(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Figure> {
  const start = performance.now()
  const { child, cpuMs } = begin(args, env)
  await once(child, 'close')
  return { wallMs: performance.now() - start, cpuMs: cpuMs() }
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
    /** The processor's figure holds all of the process, its end included. */
    async untilRequest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Figure> {
      const request = new Promise<void>(resolve => (heard = resolve))
      const start = performance.now()
      const { child, cpuMs } = begin(args, env)
      await request
      const wallMs = performance.now() - start
      await once(child, 'close')
      return { wallMs, cpuMs: cpuMs() }
    },
  }
}

await benchStartup()
