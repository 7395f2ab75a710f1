/** A run whose store fails it: the claim is taken by somebody else, or the disk takes no more. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { StoreError } from '../../src/adapters/stores/store-error.js'
import type { RunStore } from '../../src/core/run-store.js'
import { sampleOwner } from '../../src/testing/sample-log.js'
import { type Plan, planAgents, planJudge, planModel, planTools } from '../crash/plan.js'
import { assertSound, openSideEffects, readLogs } from '../crash/soundness.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-lost-'))
afterAll(() => rm(root, { recursive: true, force: true }))

interface Times {
  readonly now?: () => number
  readonly heartbeatMs?: number
}
const kinds: readonly [string, (place: string, times?: Times) => Promise<RunStore>][] = [
  ['sqlite', (place, times) => sqliteStore({ path: join(root, place, 'runs.db'), ...times })],
  ['jsonl', (place, times) => jsonlStore({ directory: join(root, place, 'store'), ...times })],
]

describe.each(kinds)('a run on a %s store', (kind, open) => {
  test('loses its claim during a long call, as after a sleep: the call is stopped, and nothing more is written', async () => {
    const store = await open(`${kind}-lost`, { heartbeatMs: 5 })
    // To this one the other's heartbeat is a minute old.
    const other = await open(`${kind}-lost`, { now: () => Date.now() + 60_000 })
    let isUnderWay = () => {}
    const underWay = new Promise<void>(resolve => (isUnderWay = resolve))
    let wasStopped = () => {}
    const stopped = new Promise<void>(resolve => (wasStopped = resolve))
    const long = tool('Build', 'execute', (_, { signal }) => {
      signal.addEventListener('abort', wasStopped)
      isUnderWay()
      return new Promise<string>(() => {})
    })
    const owner = sampleOwner('sleeper', { host: 'laptop' })
    const h = house({ main: [call('Build')] }, { store, owner, tools: [long] })
    const run = await h.start()
    await underWay
    const taken = await other.claim(run.id, sampleOwner('desktop', { host: 'desktop' }))
    assert.ok('epoch' in taken)
    const before = (await other.summary(run.id))?.lastSeq
    await stopped
    assert.equal((await run.result).outcome, 'interrupted')
    assert.equal((await other.summary(run.id))?.lastSeq, before)
    await Promise.all([other.close(), h.offshoot.close('leave')])
    await store.close()
  })
})

/** Throws at the `at`th append and after it, as a full disk does, until `heal`. */
function filling(
  inner: RunStore,
  at: number,
  { isWhole = false } = {},
): { readonly store: RunStore; fill(): void; heal(): void; readonly appends: number } {
  let [appends, isFull, from] = [0, true, at]
  const store = new Proxy(inner, {
    get(target, name: keyof RunStore) {
      const value = target[name]
      if (isWhole && isFull && appends >= from && writing.has(name))
        return async () => Promise.reject(new StoreError('full', 'no space left'))
      const count = (events: readonly unknown[]) => {
        if (events.length > 0) appends += 1
        if (isFull && appends >= from) throw new StoreError('full', 'no space left')
      }
      if (name === 'begin')
        return async (...args: Parameters<NonNullable<RunStore['begin']>>) => (count(args[2]), target.begin!(...args))
      if (name === 'append')
        return async (...args: Parameters<RunStore['append']>) => (count(args[3]), target.append(...args))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    store,
    fill: () => void (from = 0),
    heal: () => void (isFull = false),
    get appends() {
      return appends
    },
  }
}

const writing: ReadonlySet<keyof RunStore> = new Set([
  'create',
  'begin',
  'append',
  'claim',
  'release',
  'post',
  'keep',
] as const)

describe('the disk fills up in the middle of a turn', () => {
  const plan: Plan = [[{ write: 1 }, { child: [[{ write: 2 }]] }], [{ write: 3 }]]
  async function play(at: number) {
    const marks = new Map<string, number>()
    const mark = (key: string) => void marks.set(key, (marks.get(key) ?? 0) + 1)
    const disk = filling(memoryStore(), at)
    const h = house(
      {},
      {
        store: disk.store,
        model: planModel,
        agents: planAgents,
        judge: planJudge,
        tools: planTools({ isDead: () => false, mark }),
      },
    )
    const run = await h.start({ prompt: JSON.stringify(plan) })
    const first = await run.result
    const openAtCut = openSideEffects(await readLogs(h.store))
    disk.heal()
    const again = first.outcome === 'interrupted' ? await h.offshoot.resume(run.id) : run
    if ('refused' in again) throw new Error(again.refused)
    return { first, last: await again.result, marks, openAtCut, appends: disk.appends, logs: await readLogs(h.store) }
  }

  test('K06 a resume then is refused with the reason, leaves no half attempt, and works when there is space', async () => {
    const disk = filling(memoryStore(), Number.POSITIVE_INFINITY)
    const h = house({ main: ['one', 'two'] }, { store: disk.store })
    const run = await h.start()
    await run.result
    disk.fill()
    const refused = await h.offshoot.resume(run.id, 'go on')
    assert.ok('refused' in refused)
    assert.match(refused.refused, /could not be begun: .*no space left/)
    assert.equal((await h.store.summary(run.id))?.attempt, 1)
    disk.heal()
    const again = await h.offshoot.resume(run.id)
    assert.ok('result' in again)
    assert.equal((await again.result).text, 'two')
  })

  test('K06 a disk that takes nothing at all: results do not reject, resuming and starting are refused, closing ends', async () => {
    for (const at of [2, 3, 4, 5, 6, 7]) {
      const disk = filling(memoryStore(), at, { isWhole: true })
      const script = { main: [{ calls: [task('worker')] }, 'done'], worker: ['seen'] }
      const h = house(script, { store: disk.store, agents: [agent('worker')] })
      const run = await h.start()
      for (const result of [await run.result, await h.offshoot.run(run.id).result]) {
        assert.equal(result.outcome, 'interrupted', `append ${at}`)
        assert.match(result.error?.message ?? '', /no space left/, `append ${at}`)
      }
      for (const prompt of [undefined, 'go on']) {
        const refused = await h.offshoot.resume(run.id, prompt)
        assert.ok('refused' in refused && /no space left/.test(refused.refused), `append ${at}`)
      }
      const started = await h.offshoot.start({ prompt: 'x', description: 'x' })
      assert.ok('refused' in started && /no space left/.test(started.refused), `append ${at}`)
      await h.offshoot.close('leave')
      await h.store.close()
    }
  })

  test('K06 the log of a child cannot be made: its caller is left to be resumed, and has not failed', async () => {
    const inner = memoryStore()
    let isFull = false
    const store = new Proxy(inner, {
      get(target, name: keyof RunStore) {
        if (isFull && ['create', 'begin', 'claim', 'keep'].includes(name))
          return async () => Promise.reject(new StoreError('full', 'no space left'))
        const value = target[name]
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const tools = [tool('Fill', 'execute', () => ((isFull = true), 'filled'))]
    const script = { main: [call('Fill'), { calls: [task('worker')] }, 'done'], worker: ['seen'] }
    const h = house(script, { store, tools, agents: [agent('worker')] })
    const run = await h.start()
    const first = await run.result
    assert.equal(first.outcome, 'interrupted')
    assert.match(first.error?.message ?? '', /no space left/)
    isFull = false
    const again = await h.offshoot.resume(run.id)
    assert.ok('result' in again)
    assert.equal((await again.result).text, 'done')
    assert.equal(h.model.requestsOf('worker').length, 1)
  })

  test('K06 at whatever append: no success is told of, and with space again the run goes on, no step twice', async () => {
    const calm = await play(Number.POSITIVE_INFINITY)
    assert.deepEqual([calm.last.outcome, calm.marks.size, calm.logs.size], ['completed', 3, 2])
    for (let at = 1; at <= calm.appends; at += 1) {
      const cut = await play(at)
      assert.equal(cut.first.outcome, 'interrupted', `append ${at}`)
      assert.match(cut.first.error?.message ?? '', /no space left/, `append ${at}`)
      assert.equal(cut.last.outcome, 'completed', `append ${at}`)
      assertSound(cut, `append ${at}`, calm)
    }
  })
})
