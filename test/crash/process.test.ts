/**
 * Real processes killed with SIGKILL, on the real stores. Each time a second process goes on to the end.
 * A few points by default; all of them, and 200 random moments, with OFFSHOOT_CRASH=full (`npm run test:crash`).
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { RunStore } from '../../src/core/run-store.js'
import { assertSound, type Logs, openSideEffects, readLogs } from './soundness.js'

const isFull = process.env.OFFSHOOT_CRASH === 'full'
const here = dirname(fileURLToPath(import.meta.url))
const kinds = ['sqlite', 'jsonl'] as const
type Kind = (typeof kinds)[number]

let build: string
beforeAll(async () => {
  build = mkdtempSync(join(tmpdir(), 'offshoot-crash-'))
  symlinkSync(resolve(here, '../../node_modules'), join(build, 'node_modules'))
  const bundle = await rolldown({
    input: join(here, 'process-worker.ts'),
    platform: 'node',
    external: [/^[^./]/],
    logLevel: 'silent',
  })
  await bundle.write({ file: join(build, 'worker.mjs'), format: 'esm', codeSplitting: false })
})
afterAll(() => rmSync(build, { recursive: true, force: true }))

test.each(kinds)(
  'P22 P23 K01 K02 %s: killed at an append, the tree is finished by the next process',
  { timeout: 1_200_000 },
  async kind => {
    const calm = await undisturbed(kind)
    const appends = countAppends(calm.logs)
    const step = isFull ? 1 : Math.ceil(appends / 4)
    for (let append = 1; append <= appends; append += step) {
      for (const when of isFull ? (['before', 'after'] as const) : (['after'] as const)) {
        await killedAt(kind, `append ${append} ${when}`, calm, world => world.run('begin', [String(append), when]))
      }
    }
  },
)

test.each(kinds)(
  'P23 K01 %s: killed at a random moment, the tree is finished by the next process',
  { timeout: 1_200_000 },
  async kind => {
    const calm = await undisturbed(kind)
    for (let i = 0; i < (isFull ? 100 : 2); i++) {
      const afterMs = Math.floor(Math.random() * 120)
      await killedAt(kind, `${afterMs} ms`, calm, world => world.run('begin', [], afterMs))
    }
  },
)

interface Calm {
  readonly logs: Logs
  readonly text: string
}

const undisturbed = (kind: Kind): Promise<Calm> =>
  inDirectory(kind, async world => {
    await world.run('begin')
    return { logs: await world.logs(), text: await world.rootText() }
  })

async function killedAt(
  kind: Kind,
  where: string,
  calm: Calm,
  kill: (world: World) => Promise<unknown>,
): Promise<void> {
  await inDirectory(kind, async world => {
    await kill(world)
    const openAtCut = openSideEffects(await world.logs())
    await world.run('recover')
    const logs = await world.logs()
    if (logs.size === 0) return
    assertSound({ logs, marks: world.marks(), openAtCut }, `${kind}, killed at ${where}`, calm)
    expect(world.leftovers(), `${kind}, killed at ${where}: nothing but the store is left`).toEqual([])
    if (openAtCut.length === 0) expect(await world.rootText(), where).toBe(calm.text)
  })
}

interface World {
  run(action: 'begin' | 'recover', crash?: readonly string[], killAfterMs?: number): Promise<void>
  logs(): Promise<Logs>
  marks(): ReadonlyMap<string, number>
  rootText(): Promise<string>
  /** Drafts, locks and unread items: files that are no part of a store nobody uses. */
  leftovers(): readonly string[]
}

async function inDirectory<T>(kind: Kind, work: (world: World) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'offshoot-crash-run-'))
  const withStore = async <V>(read: (store: RunStore) => Promise<V>): Promise<V> => {
    const store =
      kind === 'jsonl'
        ? await jsonlStore({ directory: join(directory, 'runs') })
        : await sqliteStore({ path: join(directory, 'runs.db') })
    try {
      return await read(store)
    } finally {
      await store.close()
    }
  }
  try {
    return await work({
      run: (action, crash = [], killAfterMs) => runWorker([kind, directory, action, ...crash], killAfterMs),
      logs: () => withStore(readLogs),
      marks: () => readMarks(directory),
      leftovers: () => leftoversIn(directory),
      rootText: () => withStore(async store => rootTextOf(await readLogs(store))),
    })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function runWorker(args: readonly string[], killAfterMs?: number): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(build, 'worker.mjs'), ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let errors = ''
    child.stderr?.on('data', chunk => (errors += chunk))
    if (killAfterMs !== undefined) child.on('message', () => setTimeout(() => child.kill('SIGKILL'), killAfterMs))
    child.on('exit', (code, signal) =>
      signal === 'SIGKILL' || code === 0
        ? done()
        : fail(new Error(`worker ${args.join(' ')}: ${code ?? signal}\n${errors}`)),
    )
  })
}

function leftoversIn(directory: string): readonly string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const isLeft = (path: string) => /\.tmp$|^runs\/(locks|inbox)\//.test(path)
  return files.map(entry => relative(directory, join(entry.parentPath, entry.name))).filter(isLeft)
}

function readMarks(directory: string): ReadonlyMap<string, number> {
  const marks = new Map<string, number>()
  if (!readdirSync(directory).includes('marks')) return marks
  for (const key of readFileSync(join(directory, 'marks'), 'utf8').split('\n').filter(Boolean))
    marks.set(key, (marks.get(key) ?? 0) + 1)
  return marks
}

/** Runs have other ids each time; what they saw must be the same. */
function rootTextOf(logs: Logs): string {
  for (const log of logs.values()) {
    const end = log.find(({ event }) => event.type === 'run.ended')
    if (end && !end.parentId && end.event.type === 'run.ended') return end.event.result.text
  }
  return ''
}

/** Every append of the undisturbed run; appends of several events count once, so this is an upper bound. */
function countAppends(logs: Logs): number {
  return [...logs.values()].reduce((sum, log) => sum + log.length, 0)
}
