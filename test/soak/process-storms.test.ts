import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { currentOwner } from '../../src/adapters/os/process-owner.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { DurableEvent } from '../../src/core/events.js'
import { buildChildProgram } from '../support/child-program.js'
import { eventually } from '../support/processes.js'
import { type Chance, chanceOf } from './chance.js'
import { buildHost, startDoomed } from './doomed-host.js'
import { livingMarked, processesMarked, zombies } from './leaks.js'
import { assertInOrder, assertNone } from './order.js'
import { faultsOfProcesses } from './process-order.js'
import { databaseIn, kitUrl, openProcessWorld, type ProcessWorld, type StormPlace, Witness } from './process-world.js'
import { finish, type Pace, wave } from './trees-in-storm.js'

const { OFFSHOOT_PROCESS_STORMS: asked, OFFSHOOT_SOAK_SEED: seeded } = process.env
const storms = Number(asked ?? 3)
const firstSeed = Number(seeded ?? (asked === undefined ? 1 : randomInt(2 ** 30)))
const pace: Pace = { waveMs: [100, 300, 600, 1_000], hungMs: 15_000 }

const folder = mkdtempSync(join(tmpdir(), 'offshoot-storms-'))
const zone = process.env.TZ
let program: string
let host: string

beforeAll(async () => {
  program = await buildChildProgram()
  host = await buildHost('process-worker.ts', folder)
})
afterAll(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(process.platform !== 'linux')(
  'whatever befalls runs in processes of their own: all of it settles, nothing is done twice, nothing is left',
  { timeout: 60_000 + storms * 30_000 },
  async () => {
    for (let seed = firstSeed; seed < firstSeed + storms; seed++) {
      try {
        await storm(seed, chanceOf(seed))
      } catch (error) {
        throw new Error(`in the storm of seed ${seed}: ${String(error)}`, { cause: error })
      }
    }
    console.log(`storms from seed ${firstSeed}: ${[...figures].map(pair => pair.join(' ')).join(', ')}`)
  },
)

async function storm(seed: number, chance: Chance): Promise<void> {
  const place: StormPlace = {
    folder: join(folder, String(seed)),
    program,
    kit: kitUrl,
    mark: `STORM${seed}`,
    isAll: chance.is(0.5),
    isSound: chance.is(0.6),
    speed: chance.pick([1, 4]),
  }
  mkdirSync(place.folder)
  // Commands of the host carry it as well.
  process.env.TZ = place.mark
  const witness = new Witness()
  const logs = await (chance.is(0.3) ? onDisk : inMemory)(place, chance, witness)
  assertInOrder(logs, place.isSound)
  assertNone([...witness.faults, ...faultsOfProcesses(logs, place)], logs)
  expect(await eventually(() => processesMarked(place.mark), isEmpty, 8_000), 'no process is left').toEqual([])
  expect(await eventually(zombies, isEmpty), 'no zombie').toEqual([])
  rmSync(place.folder, { recursive: true, force: true })
  for (const log of logs.values()) for (const { event } of log) count(event)
}

/** What there was of it, for whoever reads along. */
const figures = new Map<string, number>()
function count(event: DurableEvent): void {
  const key =
    event.type === 'process.died' ? event.rule : event.type === 'run.ended' ? event.result.outcome : event.type
  if (key !== event.type || /^(run.queued|run.resumed|child.started|approval.requested)$/.test(key))
    figures.set(key, (figures.get(key) ?? 0) + 1)
}

const isEmpty = (all: readonly unknown[]) => all.length === 0

/** One or two hosts at once, all of them here. One that is killed falls silent. */
async function inMemory(place: StormPlace, chance: Chance, witness: Witness) {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  let count = 0
  const open = () => {
    count += 1
    const owner = { id: `process ${count}`, host: 'here', pid: count, startedAt: count }
    return openProcessWorld(store, chance, owner, place, witness)
  }
  for (let waves = chance.between(1, 2); waves > 0; waves--) {
    const worlds = Array.from({ length: chance.between(1, 2) }, open)
    await stormyWave(worlds, chance, ({ owner }) => dead.add(owner.id), place)
  }
  const world = open()
  const logs = await finish(world, store, pace)
  expect(processesMarked(world.mark), 'no process outlives the last close').toEqual([])
  return logs
}

/** A host here and one that is really killed, on one database. */
async function onDisk(place: StormPlace, chance: Chance, witness: Witness) {
  const store = await sqliteStore({ path: databaseIn(place) })
  let count = 0
  const open = () => {
    count += 1
    return openProcessWorld(store, chance, currentOwner(`process-${count}`), place, witness)
  }
  try {
    const doomed = startDoomed(host, place, chance, { trees: 2, withinMs: 900 })
    await stormyWave([{ ...open(), kill: 'not here' }], chance, () => {}, place)
    await doomed
    return await finish(open(), store, pace)
  } finally {
    await store.close()
  }
}

type Either = Omit<ProcessWorld, 'kill'> & { readonly kill: ProcessWorld['kill'] | 'not here' }

async function stormyWave(
  worlds: readonly Either[],
  chance: Chance,
  isOver: (world: Either) => void,
  place: StormPlace,
): Promise<void> {
  const stop = new AbortController()
  const killing = killAtRandom(place, chance, stop.signal)
  try {
    await wave(worlds, chance, pace, world => {
      isOver(world)
      expect(processesMarked(world.mark), 'no process outlives its house').toEqual([])
    })
  } finally {
    stop.abort()
    await killing
  }
}

/** Processes of runs, and none but those of this storm. */
async function killAtRandom({ mark }: StormPlace, chance: Chance, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(chance.between(20, 250))
    const living = livingMarked(mark).filter(({ line }) => line.trimEnd().endsWith(program))
    if (living.length === 0 || signal.aborted) continue
    try {
      process.kill(chance.pick(living).pid, chance.pick(['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGSTOP', 'SIGTERM']))
    } catch {
      // It ended meanwhile.
    }
  }
}
