/** What befalls a few trees in one storm, whoever carries their runs: everything that may be asked of them, at any time. */
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises'
import { expect } from 'vitest'
import type { RunStore } from '../../src/core/run-store.js'
import type { Offshoot } from '../../src/offshoot.js'
import { type Logs, readLogs } from '../crash/soundness.js'
import { within } from '../support/gate.js'
import type { Chance } from './chance.js'
import type { MemoryWorld } from './memory-world.js'

/** How long a wave lasts, and after how long what is asked counts as hung. */
export interface Pace {
  readonly waveMs: readonly number[]
  readonly hungMs: number
}

/** `not here`: it cannot be killed apart from us. */
export type StormWorld = Omit<MemoryWorld, 'kill'> & { readonly kill: MemoryWorld['kill'] | 'not here' }

/** Each is closed in the middle of its work, or killed. */
export async function wave<W extends StormWorld>(
  worlds: readonly W[],
  chance: Chance,
  { waveMs, hungMs }: Pace,
  isOver: (world: W) => void,
): Promise<void> {
  const stop = new AbortController()
  const unsettled = worlds.map(() => new Set<string>())
  const meddling = worlds.map((world, i) => meddle(world, chance, stop.signal, unsettled[i]!))
  for (const [i, { offshoot }] of worlds.entries()) if (chance.is(0.3)) void hostAgent(offshoot, chance, unsettled[i]!)
  for (const { offshoot } of worlds)
    for (let i = chance.between(1, 3); i > 0; i--)
      void offshoot
        .start({ prompt: 'Do the whole of it.', description: `tree ${i}` }, { isConversation: chance.is(0.3) })
        .catch(() => {})
  await sleep(chance.pick(waveMs))
  stop.abort()
  for (const [i, world] of worlds.entries()) {
    if (world.kill !== 'not here' && chance.is(0.3)) {
      await world.kill()
      isOver(world)
      continue
    }
    const how = chance.pick(['stop', 'leave', 'leave'] as const)
    expect(
      await within(
        world.close(how).then(() => 'closed'),
        hungMs,
      ),
      `close('${how}')`,
    ).toBe('closed')
    isOver(world)
    await meddling[i]
    await tick()
    // Whoever waits for a run of another process looks twice a second.
    for (let n = 0; n < 20 && unsettled[i]!.size > 0; n++) await sleep(100)
    expect([...unsettled[i]!], `asked before close('${how}'), and never answered`).toEqual([])
  }
}

/** A loop that is not ours, whose model delegates now and then, and whose person loses patience. */
async function hostAgent(house: Offshoot, chance: Chance, unsettled: Set<string>): Promise<void> {
  const host = await house.host().catch(() => undefined)
  for (let n = chance.between(1, 5); host && n > 0; n--) {
    const children = await house.list({ parentId: host.id }).catch(() => [])
    const [name, input] = chance.pick(callsOf(chance, children.length > 0 ? chance.pick(children).runId : 'nobody'))
    const tool = house.tools().find(({ spec }) => spec.name === name)!
    const asked = `a host's ${name}`
    const patience = new AbortController()
    if (chance.is(0.2)) setTimeout(() => patience.abort(), chance.between(0, 30))
    unsettled.add(asked)
    await host.call(tool, input, { callId: `c${n}`, signal: patience.signal }).catch(() => {})
    unsettled.delete(asked)
  }
}

function callsOf(chance: Chance, task_id: string): readonly (readonly [string, object])[] {
  const subagent_type = chance.pick(['worker', 'apart', 'reporter'])
  const task = { description: 'd', prompt: 'Do a part of it.', subagent_type, run_in_background: chance.is(0.5) }
  return [
    ['Task', task],
    ['Task', task],
    ['TaskList', {}],
    ['TaskOutput', { task_id, block: chance.is(0.5), timeout: 0.5 }],
    ['TaskSend', { task_id, message: 'And more.' }],
    ['TaskStop', { task_id }],
  ]
}

const deeds: Readonly<Record<string, (house: Offshoot, runId: never, isRoot: boolean) => unknown>> = {
  stop: (house, runId) => house.run(runId).stop('the storm'),
  say: (house, runId) => house.run(runId).say('And more.'),
  toBackground: (house, runId) => house.toBackground(runId),
  resume: (house, runId) => house.resume(runId, 'Once more.'),
  recover: house => house.recover(),
  result: (house, runId, isRoot) => (isRoot ? house.run(runId).result : undefined),
}

/** What is asked may be refused, and may hit a store that fails; neither is a fault. That it is never answered is one. */
async function meddle(
  world: Pick<MemoryWorld, 'offshoot'>,
  chance: Chance,
  signal: AbortSignal,
  unsettled: Set<string>,
): Promise<void> {
  const { offshoot } = world
  for (let n = 0; !signal.aborted; n++) {
    for (let i = chance.between(1, 12); i > 0; i--) await tick()
    if (chance.is(0.1)) await sleep(chance.between(1, 15))
    const all = await within(
      offshoot.list({ limit: 40 }).catch(() => []),
      500,
    )
    if (all === 'hung' || all.length === 0 || signal.aborted) continue
    const { runId, depth } = chance.pick(all)
    const deed = chance.pick(Object.keys(deeds))
    const asked = `${n}: ${deed} of ${runId}`
    unsettled.add(asked)
    const answered = Promise.resolve()
      .then(() => deeds[deed]!(offshoot, runId as never, depth === 0))
      .catch(() => {})
      .then(() => void unsettled.delete(asked))
    if (chance.is(0.5)) await Promise.race([answered, sleep(20)])
  }
}

/** The storm is over: whatever is unfinished goes on to its end. */
export async function finish(world: MemoryWorld, store: RunStore, { hungMs }: Pace): Promise<Logs> {
  const { offshoot } = world
  world.calm()
  const recovered = offshoot.recover().then(() => offshoot.list({ isEnded: false }))
  const open = await within(recovered, hungMs)
  if (open === 'hung') throw new Error(`recover() never came to an end: ${await standing(store)}`)
  const ends = Promise.all(open.map(({ runId }) => offshoot.run(runId).result)).then(() => 'ended')
  if ((await within(ends, hungMs)) === 'hung')
    throw new Error(`after the storm these did not end: ${await standing(store)}`)
  expect(
    await within(
      world.close('stop').then(() => 'closed'),
      hungMs,
    ),
    'the last close',
  ).toBe('closed')
  return readLogs(store)
}

/** What has not ended, in short. */
async function standing(store: RunStore): Promise<string> {
  const logs = await readLogs(store)
  const lines = (await store.list({ isEnded: false })).map(async ({ runId, agent, parentId }) => {
    const last = logs.get(runId)!.slice(-12)
    const inbox = (await store.inbox(runId)).map(({ kind }) => kind)
    const words = last.map(({ event }) =>
      'runId' in event ? `${event.type}(${event.runId}#${event.attempt})` : event.type,
    )
    return `\n${agent} ${runId} of ${parentId ?? 'nobody'}: ${words.join(' ')}; inbox ${inbox.join() || 'empty'}`
  })
  return (await Promise.all(lines)).join('')
}
