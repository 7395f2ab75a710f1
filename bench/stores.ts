/**
 * What storing costs: the appends of a turn, opening a long run from its log and with a snapshot, a tree of 200 children,
 * and another process that holds the database.
 * Prints a table. Figures of one machine mean little; the ratios to the memory store, and the limits, are what counts.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { jsonlStore } from '../src/adapters/stores/jsonl.js'
import { memoryStore } from '../src/adapters/stores/memory.js'
import { sqliteStore } from '../src/adapters/stores/sqlite.js'
import type { AgentDefinition } from '../src/core/agent-definition.js'
import type { StoredEvent } from '../src/core/events.js'
import type { RunId } from '../src/core/message.js'
import type { Tool } from '../src/core/ports.js'
import { fold } from '../src/core/run/run-apply.js'
import { foldVersion, writeSnapshot } from '../src/core/run/run-snapshot.js'
import type { RunStore } from '../src/core/run-store.js'
import { createOffshoot } from '../src/offshoot.js'
import { readState } from '../src/runtime/logs/run-log.js'
import { runId, type SampleRun, sampleOwner, sampleQueued, sampleTurn } from '../src/testing/sample-log.js'
import { ScriptedModel, type ScriptedReply } from '../src/testing/scripted-model.js'
import { row, table } from './report.js'

const folder = await mkdtemp(join(tmpdir(), 'offshoot-bench-'))
const answer = 'A line of output as tools give it, with some words in it.\n'.repeat(25)

const places: readonly [name: string, open: () => Promise<RunStore>][] = [
  ['memory', once(async () => memoryStore())],
  ['sqlite', () => sqliteStore({ path: join(folder, 'sqlite', 'runs.db') })],
  ['jsonl', () => jsonlStore({ directory: join(folder, 'jsonl') })],
  ['jsonl, no fsync', () => jsonlStore({ directory: join(folder, 'jsonl-fast'), fsync: 'never' })],
]

try {
  const rows = []
  for (const [name, open] of places) rows.push({ name, ...(await measure(open)) })
  const memory = rows[0]!
  table(
    'Stores: the appends of a turn (5 events, ~4 KB), and opening a run of 10,000 events (claim, read, fold)',
    rows.flatMap(({ name, alone, grouped, whole, quick }) => [
      row(`${name}: a turn, one run (median)`, `${rounded(alone)} ms`),
      row(
        `${name}: a turn, 50 runs at once (amortised)`,
        `${rounded(grouped)} ms`,
        `${rounded(grouped / memory.grouped)}× memory${name === 'sqlite' ? ', bound 0.3 ms' : ''}`,
      ),
      row(
        `${name}: open 10,000 events from the log alone`,
        `${rounded(whole.ms)} ms`,
        `${rounded(whole.cpu)} ms CPU${name === 'sqlite' ? ', bound 150 ms' : ''}`,
      ),
      ...(name !== 'sqlite'
        ? []
        : [
            row(
              `${name}: open 10,000 events with a snapshot of the first 9,501`,
              `${rounded(quick.ms)} ms`,
              `${rounded(quick.cpu)} ms CPU, ${rounded(whole.ms / quick.ms)}× as fast`,
            ),
          ]),
    ]),
  )
  const trees: { name: string; seconds: number }[] = []
  for (const [name, open] of places) trees.push({ name, seconds: await measureTree(open) })
  table(
    '200 children × 10 turns with a model of 50 ms',
    trees.map(({ name, seconds }) =>
      row(
        name,
        `${rounded(seconds / trees[0]!.seconds)}× memory`,
        `${rounded(seconds)} s${name === 'sqlite' ? ', bound 1.5×' : ''}`,
      ),
    ),
  )
  const lock = await measureLock()
  table(`Another process holds the database for ${lock.heldMs} ms`, [
    row('longest stall of the event loop', `${rounded(lock.stallMs)} ms`, 'bound 50 ms'),
    row('the append waited', `${rounded(lock.waitedMs)} ms`),
  ])
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(open: () => Promise<RunStore>) {
  const store = await open()
  const alone = await measureAlone(store, { runId: runId('long') }, 2_000)
  const grouped = await measureGrouped(store, 50, 40)
  if (store.constructor.name !== 'MemoryStore') await store.close()
  return { alone, grouped, whole: await laps(open, false), quick: await laps(open, true) }
}

async function laps(open: () => Promise<RunStore>, hasSnapshot: boolean) {
  const times: number[] = []
  const cpu: number[] = []
  for (let lap = 0; lap < 7; lap += 1) {
    const began = process.cpuUsage()
    times.push(await measureOpening(open, hasSnapshot))
    cpu.push(cpuMs(began))
  }
  return { ms: median(times), cpu: median(cpu) }
}

/** One run that does nothing but append its turns. */
async function measureAlone(store: RunStore, run: SampleRun, turns: number): Promise<number> {
  const epoch = await start(store, run)
  const laps: number[] = []
  const log: StoredEvent[] = [sampleQueued(run)]
  for (let turn = 1; turn <= turns; turn += 1) {
    const seq = (turn - 1) * 5 + 2
    const events = sampleTurn(run, seq, turn, answer)
    log.push(...events)
    const began = performance.now()
    await store.append(run.runId, epoch, seq - 1, events)
    laps.push(performance.now() - began)
    if (turn !== 1_900) continue
    await store.saveSnapshot?.(run.runId, { seq: seq + 4, version: foldVersion, text: writeSnapshot(fold(log)!) })
  }
  return median(laps)
}

/** Many runs that reach the end of their turns together, as the children of one caller do. */
async function measureGrouped(store: RunStore, count: number, rounds: number): Promise<number> {
  const runs = Array.from({ length: count }, (_, index) => ({ runId: runId(`run-${index}`) }))
  const epochs = await Promise.all(runs.map(run => start(store, run)))
  const laps: number[] = []
  for (let turn = 1; turn <= rounds; turn += 1) {
    const seq = (turn - 1) * 5 + 2
    const turns = runs.map(run => sampleTurn(run, seq, turn, answer))
    const began = performance.now()
    await Promise.all(runs.map((run, index) => store.append(run.runId, epochs[index]!, seq - 1, turns[index]!)))
    laps.push((performance.now() - began) / count)
  }
  return median(laps)
}

/** As a run is taken up: claimed, read and folded; with the snapshot it has, and without. Milliseconds. */
async function measureOpening(open: () => Promise<RunStore>, hasSnapshot: boolean): Promise<number> {
  const began = performance.now()
  const store = await open()
  await store.claim(runId('long'), sampleOwner('bench'))
  const plain = { read: (id: RunId, fromSeq?: number) => store.read(id, fromSeq) }
  const state = await readState(hasSnapshot ? store : plain, runId('long'))
  const took = performance.now() - began
  if (state?.seq !== 10_001) throw new Error(`Expected 10001 events, folded ${state?.seq}`)
  if (store.constructor.name !== 'MemoryStore') await store.close()
  return took
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

async function measureTree(open: () => Promise<RunStore>): Promise<number> {
  const slow = (reply: ScriptedReply) => (): ScriptedReply => ({ ...reply, after: sleep(50) })
  const input = { description: 'look at it', prompt: 'look', subagent_type: 'worker' }
  const model = new ScriptedModel({
    main: [{ calls: Array.from({ length: 200 }, () => ({ name: 'Task', input })) }, 'done'],
    worker: [
      ...Array.from({ length: 9 }, (_, index) => slow({ calls: [{ name: 'Look', input: { index } }] })),
      slow({ text: 'seen' }),
    ],
  })
  const look: Tool = {
    spec: { name: 'Look', description: 'Look.', inputSchema: { type: 'object' }, effect: 'read' },
    run: async () => ({ content: answer }),
  }
  const worker: AgentDefinition = {
    name: 'worker',
    description: 'Looks.',
    systemPrompt: 'You look.',
    tools: 'all',
    source: { scope: 'user', isTrusted: true },
  }
  const policy = { defaultModel: 'test/model' }
  const store = await open()
  const offshoot = createOffshoot({ model, agents: [worker], tools: [look], store, policy })
  const began = performance.now()
  const run = await offshoot.start({ prompt: 'look at everything', description: 'a wide tree' })
  if ('refused' in run) throw new Error(run.refused)
  const result = await run.result
  const seconds = (performance.now() - began) / 1_000
  if (result.outcome !== 'completed' || result.toolCalls !== 200) throw new Error(`The tree ended ${result.outcome}`)
  await offshoot.close()
  await store.close()
  return seconds
}

async function measureLock() {
  const path = join(folder, 'locked', 'runs.db')
  const store = await sqliteStore({ path })
  const run = { runId: runId('waiting') }
  const epoch = await start(store, run)
  const heldMs = 2_000
  const holder = await holdLock(path, heldMs)
  let [stallMs, last] = [0, performance.now()]
  const ticking = setInterval(() => {
    const now = performance.now()
    stallMs = Math.max(stallMs, now - last - 1)
    last = now
  }, 1)
  const began = performance.now()
  await store.append(run.runId, epoch, 1, sampleTurn(run, 2, 1, answer))
  const waitedMs = performance.now() - began
  clearInterval(ticking)
  await holder
  await store.close()
  return { heldMs, stallMs, waitedMs }
}

/** Resolves when another process has the write lock; the promise inside, when that process has ended. */
async function holdLock(path: string, heldMs: number): Promise<{ readonly ended: Promise<unknown> }> {
  const script = `
    const Database = require('libsql')
    const database = new Database(process.argv[1])
    database.exec('BEGIN IMMEDIATE')
    console.log('held')
    setTimeout(() => { database.exec('ROLLBACK'); process.exit(0) }, ${heldMs})`
  const child = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise(resolve => child.once('exit', resolve))
  await new Promise(resolve => child.stdout.once('data', resolve))
  return { ended }
}

async function start(store: RunStore, run: SampleRun): Promise<number> {
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, sampleOwner('bench'))
  if (!('epoch' in claim)) throw new Error('The run is held by somebody else')
  return claim.epoch
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
