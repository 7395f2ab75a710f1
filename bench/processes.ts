/**
 * What a run in its own process costs: from the start of the process to its hello against `node -e 0` and the load of
 * the bundle; one message over the pipe; and many runs, each in its own process, under one host (P39): lag and memory.
 * Needs the built program (`npm run build`). OFFSHOOT_BENCH_RUNS sets how many runs; 1,000 take some minutes.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import { Channel } from '../src/adapters/processes/channel.js'
import { createRunProcesses } from '../src/adapters/processes/run-processes.js'
import { ajvCheck } from '../src/adapters/schema/ajv.js'
import { memoryStore } from '../src/adapters/stores/memory.js'
import { createOffshoot } from '../src/offshoot.js'
import { modelOf } from '../src/testing/scripted-model.js'
import { row, table } from './report.js'

const program = resolve('dist/bin/child.js')
const runs = Number(process.env.OFFSHOOT_BENCH_RUNS ?? 60)

const bare = median(15, () => timed(['-e', '0']))
// Its pipe is missing, so it says so and goes: what is left is Node and the load.
const load = median(15, () => timed([program]))
const hello = await medianOf(15, untilHello)
const perMessage = await messageMs(5_000)
const crowd = await manyRuns(runs)
table('Processes', [
  row('node -e 0', `${bare.toFixed(1)} ms`),
  row('node with the bundle loaded', `${load.toFixed(1)} ms`),
  row('start of a process to its hello', `${hello.toFixed(1)} ms`),
  row('  ÷ node and the load', (hello / load).toFixed(2), 'bound 1.50'),
  row('one message over the pipe', `${perMessage.toFixed(3)} ms`, 'bound 0.2 ms'),
  row(
    `${runs} runs, each in its own process, wall`,
    `${crowd.wallMs.toFixed(0)} ms`,
    `${(crowd.wallMs / runs).toFixed(0)} ms a run`,
  ),
  row('  event-loop lag of the host p99', `${crowd.lagMs.toFixed(1)} ms`, 'bound 250 ms'),
  row('  memory of the host after ÷ before', crowd.memoryRatio.toFixed(2), 'bound 1.20'),
])

function timed(args: readonly string[]): number {
  const start = performance.now()
  try {
    execFileSync(process.execPath, args, { stdio: 'ignore' })
  } catch {
    // The program without its pipe ends with an error; the time is what counts.
  }
  return performance.now() - start
}

async function untilHello(): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const ms = await new Promise<number>(done => {
    new Channel(child.stdio[3] as Duplex, {
      answer: () => void done(performance.now() - start),
      onFault: () => {},
      onClose: () => {},
    })
  })
  child.kill()
  await once(child, 'exit')
  return ms
}

/** A question and its answer are two messages, one after the other: nothing is hidden by doing many at once. */
async function messageMs(count: number): Promise<number> {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  let isUp = () => {}
  const up = new Promise<void>(done => (isUp = done))
  const channel = new Channel(child.stdio[3] as Duplex, { answer: () => isUp(), onFault: () => {}, onClose: () => {} })
  await up
  for (let i = 0; i < 200; i++) await channel.ping()
  const start = performance.now()
  for (let i = 0; i < count; i++) await channel.ping()
  const ms = (performance.now() - start) / (2 * count)
  child.kill()
  await once(child, 'exit')
  return ms
}

async function manyRuns(count: number) {
  await play(40)
  const before = heap()
  const lag = monitorEventLoopDelay({ resolution: 5 })
  lag.enable()
  const start = performance.now()
  await play(count)
  const wallMs = performance.now() - start
  lag.disable()
  return { wallMs, lagMs: lag.percentile(99) / 1e6, memoryRatio: heap() / before }
}

async function play(count: number): Promise<void> {
  const offshoot = createOffshoot({
    model: modelOf(({ messages }) =>
      messages.length < 4
        ? { calls: [{ name: 'Look', input: { n: messages.length }, id: `c${messages.length}` }] }
        : 'done',
    ),
    tools: [
      {
        spec: { name: 'Look', description: 'Looks.', inputSchema: { type: 'object' }, effect: 'read' },
        run: async () => ({ content: 'seen' }),
      },
    ],
    check: ajvCheck(),
    store: memoryStore(),
    processes: createRunProcesses({ program }),
    policy: { defaultModel: 'm/m', concurrency: 4, queue: 10_000, executionMode: 'process' },
  })
  const started = await Promise.all(
    Array.from({ length: count }, () => offshoot.start({ prompt: 'go', description: 'bench' })),
  )
  for (const run of started) {
    if ('refused' in run) throw new Error(run.refused)
    const { outcome } = await run.result
    if (outcome !== 'completed') throw new Error(outcome)
  }
  await offshoot.close()
}

function heap(): number {
  for (let i = 0; i < 3; i++) (globalThis as { gc?: () => void }).gc?.()
  return process.memoryUsage().heapUsed
}

function median(count: number, measure: () => number): number {
  return Array.from({ length: count }, measure).sort((a, b) => a - b)[Math.floor(count / 2)]!
}

async function medianOf(count: number, measure: () => Promise<number>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < count; i++) all.push(await measure())
  return all.sort((a, b) => a - b)[Math.floor(count / 2)]!
}
