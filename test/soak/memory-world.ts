/**
 * A house in memory whose every port waits, by chance, before and after what it does, and whose clock runs fast. Several may
 * share a store, as several processes would; one that is killed never hears from it again.
 */
import { setTimeout as sleep, setImmediate as tick } from 'node:timers/promises'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { ajvCheck } from '../../src/adapters/schema/ajv.js'
import type { ApprovalRequest, Clock, Model } from '../../src/core/ports.js'
import type { Owner, RunStore } from '../../src/core/run-store.js'
import { createOffshoot, type Offshoot, type OffshootOptions } from '../../src/offshoot.js'
import { agentsOf, policy } from './agents.js'
import type { Chance } from './chance.js'
import { faultyModel } from './faulty-model.js'
import { faultyStore, faultyTools } from './faulty-tools.js'

export interface MemoryWorld {
  readonly offshoot: Offshoot
  readonly owner: Owner
  kill(): void | Promise<void>
  calm(): void
  close(how: 'stop' | 'leave'): Promise<void>
}

/** Time limits of seconds are over in a tenth of one. */
export function quickClock(speed = 40): Clock {
  const real = systemClock()
  const from = real.now()
  return {
    ...real,
    now: () => Math.floor(from + (real.now() - from) * speed),
    after: (ms, run) => real.after(ms / speed, run),
    sleep: (ms, signal) => real.sleep(ms / speed, signal),
  }
}

/** The last: what is another in this world. */
export function openMemoryWorld(
  store: RunStore,
  chance: Chance,
  owner: Owner,
  { policy: otherPolicy, model = same, isSound = false, ...others }: Differences = {},
): MemoryWorld {
  let isCalm = false
  let isDead = false
  const pause = async () => {
    if (isCalm) return
    for (let i = chance.pick([0, 0, 1, 1, 2, 5]); i > 0; i--) await tick()
    if (chance.is(0.02)) await sleep(chance.between(1, 10))
    if (isDead) await new Promise(() => {})
  }
  const offshoot: Offshoot = createOffshoot({
    store: slowStore(
      faultyStore(store, chance, () => isCalm || isSound),
      pause,
    ),
    owner,
    clock: quickClock(),
    model: model(faultyModel(chance, () => isCalm)),
    agents: agentsOf({ mcpServers }, { mcpServers }),
    tools: faultyTools().filter(({ spec }) => spec.name !== 'Block' && spec.name !== 'Flood'),
    agentTools: {
      open: async () => {
        await pause()
        if (!isCalm && !isSound && chance.is(0.05)) throw new Error('no server')
      },
      of: () => ({ tools: [], reasons: [] }),
      enter: () => {},
      leave: () => {},
    },
    judge: {
      judge: async () => {
        await pause()
        if (isCalm || chance.is(0.9)) return { decision: 'allow', rule: 'storm' }
        return { decision: 'ask', rule: 'storm', reason: 'there is a storm' }
      },
    },
    approver: {
      isListening: () => !isCalm && chance.is(0.8),
      present: request => answerLater(request, () => offshoot, chance),
    },
    hooks: faultyFunctions(chance, pause, () => isCalm),
    check: ajvCheck(),
    policy: { ...policy, approvalExpiryMs: 2_000, concurrency: 4, ...otherPolicy },
    onError: () => {},
    ...others,
  })
  return {
    offshoot,
    owner,
    kill: () => {
      isDead = true
    },
    calm: () => {
      isCalm = true
    },
    close: how => offshoot.close(how),
  }
}

export type Differences = Partial<Pick<OffshootOptions, 'clock' | 'tools' | 'processes' | 'agents' | 'policy'>> & {
  readonly model?: (faulty: Model) => Model
  /** What is begun can be stored and equipped: neither its store nor servers fail. */
  readonly isSound?: boolean
}
const same = (model: Model) => model

/** A person who takes their time, says the same thing twice, or nothing. */
function answerLater({ approvalId }: ApprovalRequest, house: () => Offshoot, chance: Chance): () => void {
  const say = () =>
    void house()
      .approvals.answer(approvalId, { verdict: chance.pick(['allow', 'deny'] as const) })
      .catch(() => {})
  const timers = Array.from({ length: chance.between(0, 2) }, () => setTimeout(say, chance.between(0, 20)))
  return () => timers.forEach(clearTimeout)
}

function faultyFunctions(chance: Chance, pause: () => Promise<void>, isCalm: () => boolean) {
  const odd = async () => {
    await pause()
    if (isCalm() || !chance.is(0.03)) return undefined
    if (chance.is(0.5)) throw new Error('the hook broke')
    return { verdict: 'refuse', reason: 'not now' } as const
  }
  return functionHooks({ start: odd, preTool: odd, postTool: async () => pause().then(() => undefined), prompt: odd })
}

const slow: ReadonlySet<string | symbol> = new Set<keyof RunStore>([
  'create',
  'begin',
  'append',
  'claim',
  'release',
  'summary',
  'list',
  'inbox',
  'post',
  'keep',
])

function slowStore(store: RunStore, pause: () => Promise<void>): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      if (!slow.has(name)) return member.bind(target)
      return async (...given: readonly unknown[]) => {
        await pause()
        const value: unknown = await member.apply(target, given)
        await pause()
        return value
      }
    },
  })
}

/** What has servers of its own is stored before it is begun. */
const mcpServers = [{ name: 's', config: { command: 'x' } }]
