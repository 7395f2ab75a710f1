/** A host that lives long: runs come and go, and nothing of them stays behind but what is stored. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { pruneRuns } from '../../src/adapters/stores/prune.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { createOffshoot } from '../../src/offshoot.js'
import { modelOf } from '../../src/testing/scripted-model.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'
import { buildChildProgram } from '../support/child-program.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-long-life-'))
afterAll(() => rm(root, { recursive: true, force: true }))
const program = await buildChildProgram()
process.env.TMPDIR = join(root, 'tmp')
await mkdir(process.env.TMPDIR)

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

async function heapBytes(): Promise<number> {
  // What timers and finished promises still hold goes a moment later.
  for (let i = 0; i < 5; i += 1) {
    await new Promise(resolve => setTimeout(resolve, 20))
    collect()
  }
  return process.memoryUsage().heapUsed
}

const look = tool('Look', 'read', () => 'seen '.repeat(100))
const brief = modelOf(({ messages }) => (messages.length < 2 ? call('Look') : 'done'))

test('P39 a thousand runs in one process: all end, and memory is as it was', async () => {
  const play = async (count: number) => {
    const store = memoryStore()
    const h = house({}, { store, model: brief, tools: [look], policy: { queue: 10_000 } })
    const runs = await Promise.all(Array.from({ length: count }, () => h.start()))
    for (const run of runs) assert.equal((await run.result).outcome, 'completed')
    assert.deepEqual(await store.list({ isEnded: false }), [])
    await h.offshoot.close()
    await h.store.close()
  }
  await play(200)
  const before = await heapBytes()
  await play(1_000)
  const perRun = ((await heapBytes()) - before) / 1_000
  // A run that is kept has some 20 KB.
  expect(perRun).toBeLessThan(4_000)
})

test.skipIf(process.platform !== 'linux')(
  'P39 runs in processes of their own leave no process, descriptor or folder',
  async () => {
    const folders = async () => (await readdir(join(root, 'tmp'), { recursive: true })).length
    const processes = createRunProcesses({ program })
    const offshoot = createOffshoot({
      model: brief,
      tools: [look],
      processes: { start: order => processes.start(order), close: async () => {} },
      policy: { defaultModel: 'm/m', executionMode: 'process', concurrency: 4 },
    })
    const play = async () => {
      const one = await offshoot.start({ prompt: 'go', description: 'one of many' })
      if ('refused' in one) throw new Error(one.refused)
      assert.equal((await one.result).outcome, 'completed')
    }
    await play()
    const before = { ...(await held()), folders: await folders() }
    await Promise.all(Array.from({ length: 8 }, play))
    await processes.quiet()
    expect({ ...(await held()), folders: await folders() }).toEqual(before)
    await offshoot.close()
    await processes.close()
    expect(await folders()).toBe(0)
  },
)

test('J10 short runs on one store, pruned now and then: descriptors, listeners and the file stay as they are', async () => {
  const path = join(root, 'soak', 'runs.db')
  const rounds = async (count: number) => {
    const store = await sqliteStore({ path })
    const h = house({}, { store, model: brief, tools: [look] })
    const seen = []
    for (let i = 0; i < count; i += 1) {
      const runs = await Promise.all(Array.from({ length: 30 }, () => h.start()))
      for (const run of runs) assert.equal((await run.result).outcome, 'completed')
      const { removed } = await pruneRuns(store, { maxAgeMs: 0, maxBytes: 0 }, h.clock.now() + 1)
      assert.equal(removed.length, 30)
      seen.push(await held())
    }
    await h.offshoot.close()
    await h.store.close()
    return { first: seen[0], last: seen.at(-1), bytes: (await stat(path)).size }
  }
  const short = await rounds(1)
  const long = await rounds(6)
  expect(long.last).toEqual(long.first)
  expect(long.bytes).toBeLessThanOrEqual(short.bytes + 65_536)
})

test('O6 closing frees what failed and cancelled runs held; their records stay', async () => {
  const path = join(root, 'closing', 'runs.db')
  const h = house(
    {
      main: [{ calls: [task('broken'), task('slow', 'work', { run_in_background: true })] }, { hangs: true }],
      broken: [{ error: { message: 'no such model', isRetryable: false } }],
      slow: [{ hangs: true }],
    },
    { store: await sqliteStore({ path }), agents: [agent('broken'), agent('slow')] },
  )
  const run = await h.start()
  await h.clock.settle()
  await h.offshoot.close()
  await h.store.close()
  assert.equal((await run.result).outcome, 'cancelled')
  const store = await sqliteStore({ path })
  const rows = await store.list({})
  assert.deepEqual(rows.map(row => [row.agent, row.status, row.outcome]).sort(), [
    ['broken', 'ended', 'failed'],
    ['main', 'ended', 'cancelled'],
    ['slow', 'ended', 'cancelled'],
  ])
  assert.equal(await store.isHeld(run.id), false)
  await store.close()
})

/** What this process holds of the system, and who listens to it. */
async function held() {
  const descriptors = process.platform === 'linux' ? (await readdir('/proc/self/fd')).length : 0
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  return { descriptors, listeners }
}
