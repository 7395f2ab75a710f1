import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFileLocks } from '../../src/adapters/os/file-lock.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { type Logs, readLogs } from '../crash/soundness.js'
import { buildChildProgram } from '../support/child-program.js'
import { eventually } from '../support/processes.js'
import { type Chance, chanceOf } from './chance.js'
import { buildHost, startDoomed } from './doomed-host.js'
import { activeResources, heapAfterCollection, openFiles, processesMarked, zombies } from './leaks.js'
import { assertInOrder } from './order.js'
import { meddle } from './storm.js'
import { databaseOf, openWorld, type Place, type World } from './world.js'

const seconds = Number(process.env.OFFSHOOT_SOAK_SECONDS ?? 5)
const seed = Number(process.env.OFFSHOOT_SOAK_SEED ?? randomInt(2 ** 31))
const widthOfWave = 8
// What a heap may grow by between a third of the way and the end, for each tree and once.
const allowedPerTree = 24 * 1024
const allowedOnce = 6 * 1024 * 1024

const folder = mkdtempSync(join(tmpdir(), 'offshoot-soak-'))
const temporary = join(folder, 'tmp')
const mark = `SOAK${seed}`
const before = { TMPDIR: process.env.TMPDIR, TZ: process.env.TZ }
let place: Place
let host: string

beforeAll(async () => {
  const program = await buildChildProgram()
  const server = resolve(import.meta.dirname, '../mcp/odd-server.mjs')
  place = { directory: join(folder, 'house'), program, server }
  for (const made of [place.directory, temporary]) mkdirSync(made)
  host = await buildHost('soak-worker.ts', folder)
  // Everything below us makes its temporary files here and carries the mark: the environment of commands passes both on.
  process.env.TMPDIR = temporary
  process.env.TZ = mark
}, 60_000)
afterAll(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(process.platform !== 'linux')(
  'J10 a storm of faults: nothing is lost, doubled or left running, and memory is flat',
  { timeout: (seconds * 2 + 180) * 1000 },
  async () => {
    console.log(`soak: seed ${seed}, ${seconds} s`)
    const chance = chanceOf(seed)
    const end = Date.now() + seconds * 1000
    await wave(chance, 2)
    const start = { files: openFiles(), resources: activeResources() }
    let trees = 2
    let third: { readonly heap: number; readonly trees: number } | undefined
    // At least one, however slow the machine.
    do {
      trees += await wave(chance, widthOfWave)
      if (!third && Date.now() > end - (seconds * 2000) / 3) third = { heap: await heapAfterCollection(), trees }
    } while (Date.now() < end)
    console.log(`soak: ${trees} trees, ${await finish(chance)}`)

    expect(await eventually(() => processesMarked(mark), isEmpty, 8_000), 'no process is left').toEqual([])
    expect(await eventually(zombies, isEmpty), 'no zombie').toEqual([])
    // A host that was killed with a lock in its hands leaves it to whoever takes one next.
    await createFileLocks().withLock(folder, async () => {})
    expect(temporaryFiles(), 'no temporary file is left').toEqual([])
    const heap = await heapAfterCollection()
    expect(await eventually(() => beyond(activeResources(), start.resources), isEmpty), 'no handle').toEqual([])
    expect(await eventually(() => beyond(openFiles(), start.files), isEmpty), 'no open file').toEqual([])
    const grown = heap - third!.heap
    console.log(`soak: heap ${(third!.heap / 2 ** 20).toFixed(1)} MB at a third, ${signed(grown)} MB at the end`)
    expect(grown, 'memory is flat').toBeLessThan(allowedOnce + (trees - third!.trees) * allowedPerTree)
  },
)

/** The folder for locks is the user's and stays, with a file for each holder until the next holder looks; no lock may. */
const temporaryFiles = () =>
  readdirSync(temporary, { recursive: true })
    .map(String)
    .filter(name => !/^offshoot-locks-\d+(\/.*\.owner)?$/.test(name))
/** What there is more of than there was. */
function beyond(now: readonly string[], before: readonly string[]): readonly string[] {
  const left = [...before]
  return now.filter(one => {
    const at = left.indexOf(one)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
const isEmpty = (all: readonly unknown[]) => all.length === 0
const signed = (bytes: number) => `${bytes < 0 ? '-' : '+'}${(Math.abs(bytes) / 2 ** 20).toFixed(1)}`

/** Some trees here, some in a host that is killed; then the house is closed in the middle, or at the end. */
async function wave(chance: Chance, width: number): Promise<number> {
  const world = await openWorld(place, chance)
  const doomed = chance.is(0.5) ? startDoomed(host, place, chance, { trees: 3, withinMs: 2_500 }) : undefined
  const stop = new AbortController()
  const storm = meddle(world.offshoot, place, chance, stop.signal)
  const results = await startTrees(world, width)
  await world.offshoot.recover().catch(() => [])
  await Promise.race([Promise.all(results), sleep(chance.pick([500, 2_500, 10_000]))])
  stop.abort()
  await Promise.all([storm, doomed])
  await world.close(chance.pick(['stop', 'leave', 'leave']))
  return width + (doomed ? 3 : 0)
}

async function startTrees({ offshoot }: World, count: number): Promise<readonly Promise<unknown>[]> {
  const results: Promise<unknown>[] = []
  for (let i = 0; i < count; i++) {
    // A store that fails at the first event is an error of the start: nothing is there to be lost.
    const run = await offshoot.start({ prompt: 'Do the whole of it.', description: `tree ${i}` }).catch(() => undefined)
    if (run && !('refused' in run)) results.push(run.result)
  }
  return results
}

/** The storm is over: whatever is unfinished goes on to its end, and then all must be in order. */
async function finish(chance: Chance): Promise<string> {
  const world = await openWorld(place, chance)
  world.calm()
  await world.offshoot.recover()
  const open = await world.offshoot.list({ isEnded: false })
  await Promise.all(open.map(({ runId }) => world.offshoot.run(runId).result))
  await world.close('stop')
  const store = await sqliteStore({ path: databaseOf(place) })
  try {
    expect(await store.checkIntegrity()).toEqual([])
    const logs = await readLogs(store)
    assertInOrder(logs)
    return figures(logs)
  } finally {
    await store.close()
  }
}

/** How the runs ended, for whoever reads along. */
function figures(logs: Logs): string {
  const outcomes = new Map<string, number>()
  for (const log of logs.values())
    for (const { event } of log)
      if (event.type === 'run.ended') outcomes.set(event.result.outcome, (outcomes.get(event.result.outcome) ?? 0) + 1)
  return `${logs.size} runs: ${[...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`
}
