/** Starts the program as a person would, and notes when it is done, or when its first request reaches a model's server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** By the clock, and by the processor: on a busy machine only the second one means something. */
export interface Figure {
  readonly wallMs: number
  readonly cpuMs: number
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

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

export async function untilExit(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Figure> {
  const start = performance.now()
  const { child, cpuMs } = begin(args, env)
  await once(child, 'close')
  return { wallMs: performance.now() - start, cpuMs: cpuMs() }
}

/** A server that only notes when it is asked. */
export async function firstRequests() {
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
