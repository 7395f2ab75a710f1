/** Runs and what is stored of them while processes come and go: begun, died, torn in the middle of a write, taken up. */
import assert from 'node:assert/strict'
import { appendFile, cp, mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { Owner, RunStore } from '../../src/core/run-store.js'
import { sampleOwner } from '../../src/testing/sample-log.js'
import { type Plan, planAgents, planJudge, planModel, planTools } from '../crash/plan.js'
import { readLogs } from '../crash/soundness.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-taking-'))
afterAll(() => rm(root, { recursive: true, force: true }))

const kinds: readonly [string, (place: string) => Promise<RunStore>][] = [
  ['memory', async () => memoryStore()],
  ['sqlite', place => sqliteStore({ path: join(root, place, 'runs.db') })],
  ['jsonl', place => jsonlStore({ directory: join(root, place), onWarning: () => {} })],
]

function gate() {
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  return { opened, open: () => open() }
}

describe.each(kinds)('on a %s store', (kind, open) => {
  test('O1 who called whom, and queued, running, ended are stored as they come', async () => {
    const store = await open(`${kind}-states`)
    const [begun, goOn] = [gate(), gate()]
    const look = tool('Look', 'read', async () => {
      begun.open()
      await goOn.opened
      return 'seen'
    })
    const h = house(
      { main: [{ calls: [task('worker')] }, 'ok'], worker: [call('Look'), 'done'] },
      { store, agents: [agent('worker')], tools: [look] },
    )
    const run = await h.start()
    await begun.opened
    const [child] = await store.list({ parentId: run.id })
    assert.deepEqual([child?.status, child?.rootId, child?.depth, child?.agent], ['running', run.id, 1, 'worker'])
    const first = store.read(child!.runId)[Symbol.asyncIterator]()
    assert.equal((await first.next()).value?.event.type, 'run.queued')
    goOn.open()
    await run.result
    const ended = await store.list({ isEnded: true })
    assert.deepEqual(ended.map(row => [row.agent, row.outcome]).sort(), [
      ['main', 'completed'],
      ['worker', 'completed'],
    ])
    await h.offshoot.close()
    await h.store.close()
  })

  test('recovering while runs begin takes none of them away', async () => {
    const h = house({ main: Array.from({ length: 8 }, () => 'done') }, { store: await open(`${kind}-begin`) })
    let isOver = false
    const recovering = (async () => {
      while (!isOver) await Promise.all([h.offshoot.recover(), new Promise(resolve => setImmediate(resolve))])
    })()
    const runs = await Promise.all(Array.from({ length: 8 }, () => h.start()))
    const results = await Promise.all(runs.map(run => run.result))
    isOver = true
    await recovering
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      Array(8).fill('completed'),
    )
    await h.offshoot.close()
    await h.store.close()
  })
})

test.each(kinds.slice(1))(
  'P25 %s: two resume one run at once: one goes on, the other is told who drives it',
  async (kind, open) => {
    const [begun, goOn] = [gate(), gate()]
    const look = tool('Look', 'read', async () => {
      begun.open()
      await goOn.opened
      return 'seen'
    })
    const place = `${kind}-two`
    const first = house({ main: ['one'] }, { store: await open(place), tools: [look] })
    const run = await first.start()
    await run.result
    await first.offshoot.close()
    await first.store.close()
    const houses = await Promise.all(
      ['one', 'two'].map(async id => {
        const owner = sampleOwner(id, { host: hostname(), pid: process.pid })
        return house({ main: [call('Look'), 'two'] }, { store: await open(place), owner, tools: [look] })
      }),
    )
    const answers = await Promise.all(houses.map(({ offshoot }) => offshoot.resume(run.id, 'again')))
    const refused = answers.filter(answer => 'refused' in answer)
    assert.equal(refused.length, 1)
    assert.match(refused[0]!.refused, new RegExp(`is driven by process ${process.pid} on ${hostname()}`))
    await begun.opened
    goOn.open()
    for (const answer of answers) if ('result' in answer) assert.equal((await answer.result).text, 'two')
    const turns = (await readLogs(houses[0]!.store)).get(run.id)!.filter(({ event }) => event.type === 'run.resumed')
    assert.equal(turns.length, 1)
    await Promise.all(houses.map(({ offshoot, store }) => offshoot.close().then(() => store.close())))
  },
)

test('K11 a run whose tool or model is gone: resumed without the tool, refused without the model, each by name', async () => {
  const store = memoryStore({ isAlive: () => false })
  const first = house(
    { main: ['one'] },
    { store, models: [{ id: 'test/model' }], tools: [tool('Look', 'read', () => 'seen')] },
  )
  const run = await first.start()
  await run.result
  const without = house({ main: [call('Look'), 'two'] }, { store, models: [{ id: 'test/model' }] })
  const resumed = await without.offshoot.resume(run.id, 'look again')
  assert.ok('result' in resumed)
  assert.equal((await resumed.result).text, 'two')
  assert.match(without.toolTexts('main').at(-1) ?? '', /Look/)
  const other = house({}, { store, models: [{ id: 'other/model' }], policy: { defaultModel: 'other/model' } })
  const refused = await other.offshoot.resume(run.id, 'go on')
  assert.ok('refused' in refused)
  assert.match(`${refused.rule}: ${refused.refused}`, /model.*test\/model/)
})

test('K12 P22 a background child that ends while its caller’s process is dead: read by TaskOutput, and told once', async () => {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: owner => !dead.has(owner.id) })
  const owner = (id: string): Owner => sampleOwner(id)
  const options = { store, agents: [agent('worker')] }
  const begun = gate()
  const first = house(
    {
      main: [{ calls: [task('worker', 'work', { run_in_background: true })] }, { hangs: true }],
      worker: [() => (begun.open(), { hangs: true })],
    },
    { ...options, owner: owner('first') },
  )
  const run = await first.start()
  await begun.opened
  await first.clock.settle()
  dead.add('first')

  // Another process takes up the child alone.
  const second = house({ worker: ['the news'] }, { ...options, owner: owner('second') })
  const [child] = await store.list({ parentId: run.id })
  const taken = await second.offshoot.resume(child!.runId)
  assert.ok('result' in taken)
  assert.equal((await taken.result).text, 'the news')
  dead.add('second')

  const third = house(
    { main: [{ calls: [{ name: 'TaskOutput', input: { task_id: child!.runId } }] }, 'now I know'] },
    { ...options, owner: owner('third') },
  )
  await third.offshoot.recover()
  assert.equal((await third.offshoot.run(run.id).result).text, 'now I know')
  assert.match(third.toolTexts('main').at(-1) ?? '', /^the news/)
  const ends = (await readLogs(store)).get(run.id)!.filter(({ event }) => event.type === 'child.ended')
  assert.equal(ends.length, 1)
  await third.offshoot.close()
  await third.store.close()
})

test('P22 the end of a background child nobody told of is told before the attempt that a message began', async () => {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: owner => !dead.has(owner.id) })
  const options = { store, agents: [agent('worker')] }
  const begun = gate()
  const first = house(
    {
      main: [{ calls: [task('worker', 'work', { run_in_background: true })] }, { hangs: true }],
      worker: [() => (begun.open(), { hangs: true })],
    },
    { ...options, owner: sampleOwner('first') },
  )
  const run = await first.start()
  await begun.opened
  await first.clock.settle()
  dead.add('first')

  // Another process takes up the child alone, and dies before the caller hears of its end.
  const [child] = await store.list({ parentId: run.id })
  const silent = wrapped(store, { post: async () => {} })
  const second = house({ worker: ['the news'] }, { ...options, store: silent, owner: sampleOwner('second') })
  const taken = await second.offshoot.resume(child!.runId)
  assert.ok('result' in taken)
  assert.equal((await taken.result).text, 'the news')
  dead.add('second')

  const third = house({ main: ['heard of both'], worker: ['more news'] }, { ...options, owner: sampleOwner('third') })
  await third.offshoot.run(child!.runId).say('and then?')
  await third.offshoot.recover()
  assert.equal((await third.offshoot.run(run.id).result).text, 'heard of both')
  const told = (await readLogs(store))
    .get(run.id)!
    .flatMap(({ event }) => (event.type === 'child.ended' && !event.isRefused ? [event] : []))
  assert.deepEqual(
    told.map(({ attempt }) => attempt),
    [1, 2],
  )
  // The first process still lives, and says that it may not drive the second attempt: that is not its end.
  assert.match(told[1]!.report!, /^more news/)
  await third.offshoot.close()
  await third.store.close()
})

/** The store with some of its doors replaced. */
function wrapped(store: RunStore, doors: Partial<RunStore>): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const given = name === 'post' ? doors.post : undefined
      if (given) return given
      const value = target[name as keyof RunStore]
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

describe('P24 a write that was cut off', () => {
  const plan: Plan = [[{ write: 1 }, { read: 2 }], [{ child: [[{ write: 3 }]] }], [{ read: 4 }]]
  /** A process that is gone as soon as anybody asks for it. */
  const gone = sampleOwner('gone', { host: hostname(), pid: 2 ** 31 - 2 })
  const begin = (store: RunStore, marks: string[], owner?: Owner) =>
    house(
      {},
      {
        store,
        ...(owner && { owner }),
        model: planModel,
        agents: planAgents,
        judge: planJudge,
        tools: planTools({ isDead: () => false, mark: key => marks.push(key) }),
      },
    )

  /** A whole run, and what lies on the disk while its process still has it open. */
  async function written(open: (place: string) => Promise<RunStore>, place: string) {
    const marks: string[] = []
    const store = await open(place)
    const h = begin(store, marks, gone)
    const run = await h.start({ prompt: JSON.stringify(plan) })
    const { text } = await run.result
    await cp(join(root, place), join(root, `${place}-left`), { recursive: true })
    await h.offshoot.close()
    await h.store.close()
    return { id: run.id, text, marks }
  }

  async function goesOn(store: RunStore, whole: Awaited<ReturnType<typeof written>>, where: string) {
    const marks: string[] = []
    const h = begin(store, marks)
    const [unfinished] = (await h.offshoot.recover()).filter(({ runId }) => runId === whole.id)
    const { outcome, text } = await h.offshoot.run(whole.id).result
    assert.deepEqual([outcome, text], ['completed', whole.text], where)
    assert.deepEqual(marks, [], `${where}: what was stored is not done again`)
    await h.offshoot.close()
    await h.store.close()
    return unfinished !== undefined
  }

  test('a line of a JSONL log, at any byte of its last lines: what is whole is kept, and the run goes on to its end', async () => {
    const open = kinds[2]![1]
    const whole = await written(open, 'torn-jsonl')
    const log = join('runs', `${whole.id}.jsonl`)
    const bytes = await readFile(join(root, 'torn-jsonl-left', log))
    const lastLines = bytes.toString('latin1').trimEnd().split('\n').slice(-3).join('\n').length
    let taken = 0
    for (let cut = 1; cut < lastLines; cut += Math.ceil(lastLines / 9)) {
      const place = `torn-jsonl-${cut}`
      await cp(join(root, 'torn-jsonl-left'), join(root, place), { recursive: true })
      await truncate(join(root, place, log), bytes.length - cut)
      if (await goesOn(await open(place), whole, `${cut} bytes short`)) taken += 1
    }
    assert.ok(taken > 5, `${taken} were unfinished`)
  })

  test('a record in SQLite’s own log, cut or overwritten: what was committed before it is kept, and the run goes on', async () => {
    const open = kinds[1]![1]
    const whole = await written(open, 'torn-sqlite')
    const wal = 'runs.db-wal'
    const { size } = await stat(join(root, 'torn-sqlite-left', wal))
    assert.ok(size > 20_000, `${size} bytes`)
    let taken = 0
    for (const cut of [1, 4_200, 9_000, 20_000, 30_000, 45_000]) {
      for (const how of ['cut', 'overwritten'] as const) {
        const place = `torn-sqlite-${cut}-${how}`
        await cp(join(root, 'torn-sqlite-left'), join(root, place), { recursive: true })
        await truncate(join(root, place, wal), size - cut)
        if (how === 'overwritten') await appendFile(join(root, place, wal), Buffer.alloc(cut, 0xa5))
        const store = await sqliteStore({ path: join(root, place, 'runs.db') })
        assert.deepEqual(await store.checkIntegrity(), [], `${how} ${cut}`)
        if (await goesOn(store, whole, `${how} ${cut}`)) taken += 1
      }
    }
    assert.ok(taken > 5, `${taken} were unfinished`)
  })
})
