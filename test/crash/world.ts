/**
 * Processes that die, over one store. A script is a value in the prompt, and the model is a function of its request, so
 * a run that is resumed says the same as one that was never disturbed.
 */
import { ajvCheck } from '../../src/adapters/schema/ajv.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { StoredEvent } from '../../src/core/events.js'
import type { Message, RunId } from '../../src/core/message.js'
import type { Policy } from '../../src/core/policy.js'
import type { Approver, Model, ModelRequest, Owner, RunStore, Tool } from '../../src/core/ports.js'
import type { AgentDefinition, Result } from '../../src/core/types.js'
import { createOffshoot, type Offshoot } from '../../src/offshoot.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { modelOf, type ScriptedCall } from '../../src/testing/scripted-model.js'

export type Op =
  | { readonly read: number }
  | { readonly write: number }
  /** A write somebody has to allow: even numbers are allowed, odd ones denied. */
  | { readonly ask: number }
  | { readonly child: Plan; readonly isBackground?: boolean; readonly name?: string; readonly tokens?: number }
  /** A message to whoever has this name. */
  | { readonly tell: string }
/** One entry a turn: the calls it makes. After the last it reports what it saw. */
export type Plan = readonly (readonly Op[])[]

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
  readonly #clock = new FakeClock()
  readonly #dead = new Set<string>()
  readonly #store = memoryStore({ isAlive: owner => !this.#dead.has(owner.id) })
  readonly #marks = new Map<string, number>()
  #openAtCut: string[] = []
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
    return { logs: await this.#logs(), marks: this.#marks, appends: this.#appends, unread: await this.#unread() }
  }

  async #unread(): Promise<readonly string[]> {
    const inboxes = await Promise.all((await this.#store.unread()).map(runId => this.#store.inbox(runId)))
    return inboxes.flat().flatMap(({ kind, id }) => (kind === 'message' ? [id] : []))
  }

  /** Waits until the process is gone (true) or every run has ended (false). */
  async #diesBeforeEnd(process: Process): Promise<boolean> {
    let quiet = 0
    for (let i = 0; i < 10_000; i++) {
      await new Promise(resolve => setImmediate(resolve))
      if (process.isDead()) return true
      const isQuiet = (await this.#store.list({ isEnded: false })).length === 0
      quiet = isQuiet ? quiet + 1 : 0
      // A message may be about to wake somebody; one that may not (its budget is spent) stays where it is.
      if (isQuiet && (quiet > 50 || (await this.#unread()).length === 0)) return false
    }
    const open = (await this.#store.list({ isEnded: false })).map(run => `${run.runId} (${run.status})`)
    throw new Error(`nothing happens any more, and these have not ended: ${open.join(', ')}`)
  }

  #boot(id: string, point: CrashPoint | undefined): Process {
    let isDead = false
    const owner: Owner = { id, host: 'here', pid: 1, startedAt: 0 }
    const die = async () => {
      isDead = true
      this.#openAtCut = await this.#findOpen()
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
      judge: {
        judge: ({ spec }) =>
          spec.name === 'Ask' ? { decision: 'ask', rule: 'test', reason: 'asks' } : { decision: 'allow', rule: 'test' },
      },
      model: planModel,
      clock: this.#clock,
      check,
      store,
      owner,
      agents,
      tools: this.#tools(() => isDead),
      policy: { cwd: '/', defaultModel: 'm/m', ...this.#policy },
    })
    return { offshoot, isDead: () => isDead, kill: () => void this.#dead.add(id) }
  }

  #tools(isDead: () => boolean): readonly Tool[] {
    const act = (name: string, effect: 'read' | 'write'): Tool => ({
      spec: { name, description: name, inputSchema: anything, effect },
      run: async (input, context) => {
        const { n } = input as { n: number }
        await Promise.resolve()
        if (isDead()) return new Promise(() => {})
        const key = `${context.runId}/${context.callId}`
        if (effect === 'write') this.#marks.set(key, (this.#marks.get(key) ?? 0) + 1)
        for (let i = 0; i < n % 5; i++) await Promise.resolve()
        return { content: `${name} ${n}` }
      },
    })
    return [act('Read', 'read'), act('Write', 'write'), act('Ask', 'write')]
  }

  async #logs(): Promise<ReadonlyMap<RunId, readonly StoredEvent[]>> {
    const logs = new Map<RunId, StoredEvent[]>()
    for (const { runId } of await this.#store.list({})) {
      const events: StoredEvent[] = []
      for await (const envelope of this.#store.read(runId)) events.push(envelope)
      logs.set(runId, events)
    }
    return logs
  }

  async #findOpen(): Promise<string[]> {
    const open = new Set<string>()
    for (const [runId, events] of await this.#logs()) {
      for (const { event } of events) {
        if (event.type === 'tool.started' && event.effect === 'write') open.add(`${runId}/${event.callId}`)
        if (event.type === 'tool.ended') open.delete(`${runId}/${event.callId}`)
      }
    }
    return [...open].sort()
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
const anything = { type: 'object' }
const source = { scope: 'built-in', isTrusted: true } as const
const agents: readonly AgentDefinition[] = [
  { name: 'main', systemPrompt: 'main', tools: 'all', canSpawn: true, source },
  { name: 'worker', description: 'works', systemPrompt: 'worker', tools: 'all', canSpawn: true, source },
]

/** Refuses what a provider would refuse: a call without its result right after it, or a result without its call. */
export function assertPaired(messages: readonly Message[]): void {
  messages.forEach((message, i) => {
    if (message.role === 'tool') {
      const before = messages[i - 1]
      const called =
        before?.role === 'assistant' ? before.content.flatMap(part => (part.type === 'call' ? [part.id] : [])) : []
      if (JSON.stringify(called) !== JSON.stringify(message.content.map(result => result.callId)))
        throw new Error('results do not match the calls before them')
    } else if (
      message.role === 'assistant' &&
      message.content.some(part => part.type === 'call') &&
      messages[i + 1]?.role !== 'tool'
    ) {
      throw new Error('calls without results')
    }
  })
}

const planModel: Model = modelOf((request: ModelRequest) => {
  assertPaired(request.messages)
  const prompt = request.messages[0]!.content.map(part => (part.type === 'text' ? part.text : '')).join('')
  const plan = JSON.parse(prompt) as Plan
  const replies = request.messages.filter(message => message.role === 'assistant').length
  const ops = plan[replies]
  if (!ops) return `saw: ${seen(request.messages)}`
  return { calls: ops.map((op, i) => callOf(op, `t${replies}c${i}`)) }
})

/** What came back, less the figures of a footer and the ids of runs: a root begun anew has another. */
function seen(messages: readonly Message[]): string {
  const texts = messages.flatMap(message => {
    if (message.role === 'tool')
      return message.content.map(result => result.content.map(part => (part.type === 'text' ? part.text : '')).join(''))
    return message.role === 'user'
      ? message.content
          .map(part => (part.type === 'text' ? part.text : ''))
          .filter(text => text.includes('report follows'))
      : []
  })
  return texts
    .map(text =>
      text
        .replace(/\[run [^\]]*\]/g, '')
        .replace(/run a\w+/g, 'run')
        .trim(),
    )
    .sort()
    .join(' | ')
}

function callOf(op: Op, id: string): ScriptedCall {
  if ('read' in op) return { id, name: 'Read', input: { n: op.read } }
  if ('ask' in op) return { id, name: 'Ask', input: { n: op.ask } }
  if ('write' in op) return { id, name: 'Write', input: { n: op.write } }
  if ('tell' in op) return { id, name: 'TaskSend', input: { task_id: op.tell, message: 'a word' } }
  return {
    id,
    name: 'Task',
    input: {
      description: 'sub',
      prompt: JSON.stringify(op.child),
      subagent_type: 'worker',
      run_in_background: op.isBackground ?? false,
      ...(op.name && { name: op.name }),
      ...(op.tokens && { budget: { tokens: op.tokens } }),
    },
  }
}
