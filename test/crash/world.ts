/**
 * Processes that die, over one store. A script is a value in the prompt, and the model is a function of its request, so
 * a run that is resumed says the same as one that was never disturbed.
 */
import { ajvCheck } from '../../src/adapters/schema/ajv.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import type { Policy } from '../../src/core/policy.js'
import type { Approver } from '../../src/core/ports.js'
import type { Owner, RunStore } from '../../src/core/run-store.js'
import type { Result } from '../../src/core/types.js'
import { createOffshoot, type Offshoot } from '../../src/offshoot.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { openProcessMode } from '../support/process-mode.js'
import { type Plan, planAgents, planJudge, planModel, planTools } from './plan.js'
import { openSideEffects, readLogs } from './soundness.js'

/** With OFFSHOOT_MODE=process every run lives in a process of its own; it is the host that dies. */
export const processMode = process.env.OFFSHOOT_MODE === 'process' ? await openProcessMode() : undefined

/** Throws where a real process would be gone. */
export class Crash extends Error {}

export interface CrashPoint {
  /** Counted over all appends of the first process. */
  readonly append: number
  readonly when: 'before' | 'after'
}

export interface Outcome {
  readonly result: Result
  readonly logs: ReadonlyMap<RunId, readonly StoredEvent[]>
  /** How often each side effect happened, by run and call. */
  readonly marks: ReadonlyMap<string, number>
  readonly appends: number
  /** What was in flight at the cut: non-read calls whose start was stored and whose end was not. */
  readonly openAtCut: readonly string[]
  /** Messages that lie in an inbox at the end. */
  readonly unread: readonly string[]
  /** Those of them whose runs were said to have nothing left to go on with. */
  readonly kept: readonly string[]
}

export async function play(
  plan: Plan,
  crashes: readonly CrashPoint[] = [],
  steer: readonly string[] = [],
  policy: Partial<Policy> = {},
): Promise<Outcome> {
  const world = new World(plan, policy)
  const outcome = await world.play(crashes, steer)
  return outcome
}

class World {
  readonly #plan: Plan
  readonly #policy: Partial<Policy>
  readonly #clock = processMode?.clock() ?? new FakeClock()
  readonly #dead = new Set<string>()
  readonly #store = memoryStore({ isAlive: owner => !this.#dead.has(owner.id) })
  readonly #marks = new Map<string, number>()
  #openAtCut: readonly string[] = []
  readonly #spent = new Set<string>()
  #appends = 0

  constructor(plan: Plan, policy: Partial<Policy>) {
    this.#plan = plan
    this.#policy = policy
  }

  async play(crashes: readonly CrashPoint[], steer: readonly string[]): Promise<Outcome> {
    let process = this.#boot('p0', crashes[0])
    const started = await process.offshoot
      .start({ agent: 'main', prompt: JSON.stringify(this.#plan), description: 'plan' })
      .catch(orCrash)
    const rootId =
      (await this.#store.list({})).find(run => !run.parentId)?.runId ??
      (started && 'id' in started ? started.id : undefined)
    if (started && 'id' in started) {
      for (const text of steer) await started.say(text).catch(orCrash)
      void started.result.catch(() => {})
    }
    for (let i = 1; await this.#diesBeforeEnd(process); i++) {
      process.kill()
      process = this.#boot(`p${i}`, crashes[i])
      await process.offshoot.recover().catch(orCrash)
    }
    if (!rootId) return this.#begunNever()
    const result = await process.offshoot.run(rootId).result
    return { result, ...(await this.#left()), openAtCut: this.#openAtCut }
  }

  /** The process died before the root was stored: nothing happened, and nothing may be left. */
  async #begunNever(): Promise<Outcome> {
    const { offshoot } = this.#boot('last', undefined)
    const run = await offshoot.start({ agent: 'main', prompt: JSON.stringify(this.#plan), description: 'plan' })
    if ('refused' in run) throw new Error(run.refused)
    const result = await run.result
    return { result, ...(await this.#left()), openAtCut: [] }
  }

  async #left() {
    return {
      logs: await readLogs(this.#store),
      marks: this.#marks,
      appends: this.#appends,
      unread: await this.#unread(),
      kept: await this.#unread(runId => this.#spent.has(runId)),
    }
  }

  async #unread(isMeant: (runId: string) => boolean = () => true): Promise<readonly string[]> {
    const runs = (await this.#store.unread()).filter(isMeant)
    const inboxes = await Promise.all(runs.map(runId => this.#store.inbox(runId)))
    return inboxes.flat().flatMap(({ kind, id }) => (kind === 'message' ? [id] : []))
  }

  /** Waits until the process is gone (true) or every run has ended (false). */
  async #diesBeforeEnd(process: Process): Promise<boolean> {
    let quiet = 0
    for (let i = 0; i < 10_000; i++) {
      // Processes answer in their own time.
      await new Promise(resolve => (processMode ? setTimeout(resolve, 3) : setImmediate(resolve)))
      if (process.isDead()) return true
      const isQuiet = (await this.#store.list({ isEnded: false })).length === 0
      quiet = isQuiet ? quiet + 1 : 0
      // A message may be about to wake somebody; one that may not (its budget is spent) stays where it is.
      if (isQuiet && (quiet > 50 || (await this.#unread()).length === 0)) return false
    }
    const open = (await this.#store.list({ isEnded: false })).map(run => `${run.runId} (${run.status})`)
    throw new Error(`nothing happens any more, and these have not ended: ${open.join(', ')}`)
  }

  /** Nobody may be woken without a budget: the message stays where it is, and that is told. */
  #wasSpent(error: unknown): boolean {
    const runId = /^run (\S+) did not go on .*: Nothing is left of the budget/.exec((error as Error).message)?.[1]
    if (runId !== undefined) this.#spent.add(runId)
    return runId !== undefined
  }

  #boot(id: string, point: CrashPoint | undefined): Process {
    let isDead = false
    const owner: Owner = { id, host: 'here', pid: 1, startedAt: 0 }
    const die = async () => {
      isDead = true
      this.#openAtCut = openSideEffects(await readLogs(this.#store))
      throw new Crash()
    }
    const store = crashing(this.#store, {
      isDead: () => isDead,
      onAppend: async write => {
        this.#appends += 1
        const isPoint = point?.append === this.#appends
        if (isPoint && point?.when === 'before') await die()
        const value = await write()
        if (isPoint) await die()
        return value
      },
    })
    const approver: Approver = {
      isListening: () => true,
      present: ({ approvalId, input }) => {
        const verdict = (input as { n: number }).n % 2 === 0 ? 'allow' : 'deny'
        setImmediate(() => isDead || void offshoot.approvals.answer(approvalId, { verdict }).catch(orCrash))
        return () => {}
      },
    }
    const offshoot: Offshoot = createOffshoot({
      approver,
      judge: planJudge,
      model: planModel,
      clock: this.#clock,
      check,
      store,
      owner,
      // What the dead could not write is what is tried here; whatever else goes wrong is told.
      onError: error => isDead || this.#wasSpent(error) || console.warn(error),
      agents: planAgents,
      tools: planTools({ isDead: () => isDead, mark: key => this.#marks.set(key, (this.#marks.get(key) ?? 0) + 1) }),
      ...(processMode && { processes: processMode.processes }),
      policy: { cwd: '/', defaultModel: 'm/m', ...processMode?.policy, ...this.#policy },
    })
    return { offshoot, isDead: () => isDead, kill: () => void this.#dead.add(id) }
  }
}

interface Process {
  readonly offshoot: Offshoot
  isDead(): boolean
  kill(): void
}

const orCrash = (error: unknown): undefined => {
  if (!(error instanceof Crash)) throw error
  return undefined
}

interface CrashPlan {
  isDead(): boolean
  onAppend<T>(write: () => Promise<T>): Promise<T>
}

function crashing(store: RunStore, plan: CrashPlan): RunStore {
  const alive = () => {
    if (plan.isDead()) throw new Crash('the process is gone')
  }
  return {
    create: async first => (alive(), plan.onAppend(() => store.create(first))),
    append: async (...args) => (
      alive(), args[3].length === 0 ? store.append(...args) : plan.onAppend(() => store.append(...args))
    ),
    read: (...args) => (alive(), store.read(...args)),
    summary: async runId => (alive(), store.summary(runId)),
    list: async query => (alive(), store.list(query)),
    claim: async (runId, owner) => (alive(), store.claim(runId, owner)),
    release: async (runId, epoch) => (alive(), store.release(runId, epoch)),
    post: async (runId, item) => (alive(), store.post(runId, item)),
    inbox: async runId => (alive(), store.inbox(runId)),
    unread: async () => (alive(), store.unread()),
    watch: onPost => store.watch(runId => plan.isDead() || onPost(runId)),
    keep: async content => (alive(), store.keep(content)),
    fetch: async address => (alive(), store.fetch(address)),
    remove: async rootId => (alive(), store.remove(rootId)),
    close: async () => {},
  }
}

const check = ajvCheck()
