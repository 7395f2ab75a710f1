/** The facade: composes the runtime from ports. `node.ts` does the same with the default adapters. */
import { access } from 'node:fs/promises'
import { hostname } from 'node:os'
import { systemClock } from './adapters/os/system-clock.js'
import { createRunProcesses } from './adapters/processes/run-processes.js'
import { loadAjvCheck } from './adapters/schema/ajv-loader.js'
import { memoryStore } from './adapters/stores/memory.js'
import { type Catalog, createCatalog } from './core/catalog.js'
import type { Envelope } from './core/events.js'
import { type Receipt, receiptsOf } from './core/letters.js'
import type { Json, RunId } from './core/message.js'
import { defaultPolicy, type Policy } from './core/policy.js'
import type {
  AgentTools,
  ApprovalRequest,
  Approver,
  Clock,
  Close,
  Hooks,
  Judge,
  Model,
  ModelInfo,
  Overflow,
  Owner,
  RunQuery,
  RunStore,
  Sandbox,
  SchemaCheck,
  Subscriber,
  Tool,
} from './core/ports.js'
import { type Progress, progressOf } from './core/progress.js'
import type { PromptParts } from './core/prompt-parts.js'
import type { RunProcesses } from './core/run-process.js'
import type { RunSummary } from './core/run-summary.js'
import type { AgentDefinition, Brief, Caller, Refusal, Result, StoredBrief, Task } from './core/types.js'
import { Bus, type EventFilter, follow } from './runtime/bus.js'
import { type DriverFor, localDriver } from './runtime/driver.js'
import type { FileExists } from './runtime/evidence.js'
import { HostRun, hostBrief } from './runtime/host-run.js'
import { processDriver } from './runtime/process-driver.js'
import type { EstimateCost } from './runtime/purse.js'
import type { OpenQuestion } from './runtime/questions.js'
import { hearPrompt, watchSessions } from './runtime/session-hooks.js'
import { Supervisor } from './runtime/supervisor.js'
import { askCallerTool } from './task/ask-caller.js'
import { taskTool } from './task/task.js'
import { taskListTool } from './task/task-list.js'
import { taskOutputTool } from './task/task-output.js'
import { messageFault, taskSendTool } from './task/task-send.js'
import { taskStopTool } from './task/task-stop.js'
import { taskWaitTool } from './task/task-wait.js'

export interface OffshootOptions {
  readonly model: Model
  /** Definitions, or a function that gives the catalog of the moment: new runs see what it says then. */
  readonly agents?: readonly AgentDefinition[] | (() => Catalog)
  /** Tools, or a function that gives those of the moment (the same array until they change): new runs see them. */
  readonly tools?: readonly Tool[] | (() => readonly Tool[])
  /** What is known of the models; empty: any name is passed on as it is. */
  readonly models?: readonly ModelInfo[]
  readonly policy?: Partial<Policy>
  /** Default: memory. */
  readonly store?: RunStore
  readonly clock?: Clock
  readonly judge?: Judge
  readonly approver?: Approver
  readonly hooks?: Hooks
  readonly sandbox?: Sandbox
  /** Instructions, memory and preloaded skills: what goes into an agent's prompt besides its definition. */
  readonly promptParts?: PromptParts
  /** Tools that come with an agent: the MCP servers of its definition. */
  readonly agentTools?: AgentTools
  readonly overflow?: Overflow
  readonly check?: SchemaCheck
  readonly owner?: Owner
  /** What a request to a model would cost in US dollars; undefined: unknown. Budgets in money need it. */
  readonly estimateCost?: EstimateCost
  /** Whether a file exists, for agents whose reports must cite files. Default: looks at the disk. */
  readonly fileExists?: FileExists
  /** Where runs with `executionMode: process` live. Default: Node processes on this machine. Closed with the rest. */
  readonly processes?: RunProcesses
  /** Told of errors that must not reach a run: a subscriber that throws. */
  readonly onError?: (error: unknown) => void
}

export interface StartOptions {
  /** A person talks to it: its attempt ends while background children go on, and their ends wake it. */
  readonly isConversation?: boolean
  /** Aborting it stops the run. */
  readonly signal?: AbortSignal
}

export interface RunHandle {
  readonly id: RunId
  /** How the current attempt ends. Never rejects. */
  readonly result: Promise<Result>
  brief(): Promise<StoredBrief | undefined>
  progress(): Promise<Progress | undefined>
  /** Stored events from `fromSeq`, then live ones, until the attempt ends. */
  events(fromSeq?: number): AsyncGenerator<Envelope>
  /** A message for the run: delivered at its next safe point, or waking it when it has ended. */
  say(text: string): Promise<Receipt | Refusal>
  /** Every message it was sent, and what became of it. */
  receipts(): Promise<readonly Receipt[]>
  stop(reason?: string): Promise<void>
}

export interface Offshoot {
  /** Every tool a run here can have, delegation included. */
  tools(): readonly Tool[]
  catalog(): Catalog
  /** Begins a run of depth 0. A refusal is a value: nothing was started. */
  start(task: Task, options?: StartOptions): Promise<RunHandle | Refusal>
  resume(runId: string, prompt?: string): Promise<RunHandle | Refusal>
  run(runId: string): RunHandle
  /** Lets the caller of a foreground child go on without it; it is told when the child ends. */
  toBackground(runId: string): Promise<Refusal | undefined>
  /** After a crash: goes on with every tree that was left unfinished and that nobody drives. */
  recover(): Promise<readonly RunSummary[]>
  list(query?: RunQuery): Promise<readonly RunSummary[]>
  /** The brief a task would get, with the rule behind every decision. */
  explain(task: Task, caller?: Caller): Brief | Refusal
  subscribe(filter: EventFilter, hear: Subscriber): Close
  /** For a loop that is not ours: lets its model delegate. */
  host(): Promise<HostRun>
  readonly approvals: {
    open(): readonly ApprovalRequest[]
    /** False when nothing of that id is open here. */
    answer(
      approvalId: string,
      answer: {
        readonly verdict: 'allow' | 'deny'
        readonly scope?: 'once' | 'run' | 'session' | 'always'
        readonly by?: string
        readonly reason?: string
      },
    ): Promise<boolean>
  }
  /** Questions runs put to the user (AskCaller). */
  readonly questions: {
    open(): readonly OpenQuestion[]
    answer(questionId: string, answer: Json, by?: string): Promise<Refusal | undefined>
  }
  /** Stops what runs here, or leaves it to be resumed; then frees everything. */
  close(how?: 'stop' | 'leave'): Promise<void>
}

export function createOffshoot(options: OffshootOptions): Offshoot {
  const policy: Policy = { ...defaultPolicy, cwd: process.cwd(), ...options.policy }
  const clock = options.clock ?? systemClock()
  const store = options.store ?? memoryStore()
  const bus = new Bus(options.onError)
  const { check } = options
  const loadCheck = check ? async () => check : loadAjvCheck
  const catalog = catalogSource(options.agents)
  const tools = toolSource(catalog, options.tools ?? [], policy)
  // A host's mistake is heard when it is made, not at the first call.
  tools()
  const carriers = carrierSource(options, store)
  const supervisor = new Supervisor({
    store,
    clock,
    bus,
    owner: options.owner ?? {
      id: clock.id(),
      host: hostname(),
      pid: process.pid,
      startedAt: Math.round(performance.timeOrigin),
    },
    model: options.model,
    policy,
    loadCheck,
    overflow: options.overflow ?? storeOverflow(store),
    judge: options.judge,
    approver: options.approver,
    hooks: options.hooks,
    sandbox: options.sandbox,
    promptParts: options.promptParts,
    estimateCost: options.estimateCost,
    fileExists: options.fileExists ?? liesOnDisk,
    agentTools: options.agentTools,
    driverFor: carriers.driverFor,
    catalog,
    tools,
    models: () => options.models ?? [],
  })
  const sessions = watchSessions(options.hooks, bus, runId => supervisor.reader.state(runId))
  const handle = (id: RunId): RunHandle => runHandle(id, supervisor, store, bus, clock, options.hooks)
  return {
    catalog,
    tools: () => [...tools().values()],
    start: (task, startOptions = {}) => start(task, startOptions, { supervisor, clock, handle }),
    async resume(runId, prompt) {
      const id = runId as RunId
      const heard = prompt && (await hearPrompt(options.hooks, () => supervisor.reader.state(id), prompt, clock.id()))
      if (typeof heard === 'object') return heard
      return (await supervisor.resume(id, heard)) ?? handle(id)
    },
    run: runId => handle(runId as RunId),
    toBackground: runId => supervisor.toBackground(runId as RunId),
    recover: () => supervisor.recover(),
    list: (query = {}) => supervisor.reader.list(query),
    explain: (task, caller) => supervisor.briefing.decide(caller ? task : { agent: 'main', ...task }, caller),
    subscribe: (filter, hear) => bus.subscribe(filter, hear),
    async host() {
      const log = await supervisor.hosts.open(hostBrief([...tools().keys()], policy, policy.defaultModel))
      return new HostRun(log, { supervisor, clock, policy, loadCheck })
    },
    approvals: {
      open: () => supervisor.approvals.open(),
      async answer(approvalId, { verdict, scope = 'once', by = 'user', reason }) {
        const request = supervisor.approvals.open().find(open => open.approvalId === approvalId)
        if (!request) return false
        const { runId, callId, inputHash } = request
        await supervisor.postman.post(runId, {
          id: `answer/${approvalId}/${clock.id()}`,
          kind: 'answer',
          approvalId,
          callId,
          inputHash,
          verdict,
          scope,
          by,
          reason,
        })
        return true
      },
    },
    questions: supervisor.questions,
    async close(how) {
      await supervisor.close(how)
      await sessions.end(how === 'leave' ? 'left' : 'other')
      await carriers.close()
      bus.close()
      await store.close()
    },
  }
}

interface StartPorts {
  readonly supervisor: Supervisor
  readonly clock: Clock
  readonly handle: (id: RunId) => RunHandle
}

async function start(
  task: Task,
  { isConversation, signal }: StartOptions,
  { supervisor, clock, handle }: StartPorts,
): Promise<RunHandle | Refusal> {
  const brief = await supervisor.briefing.prepare({ agent: 'main', ...task }, undefined, isConversation)
  if ('refused' in brief) return brief
  const unpriced = await supervisor.purses.priceRefusal(brief)
  if (unpriced) return unpriced
  if (supervisor.isFull()) return { refused: 'The queue for runs is full. Wait for some to end.', rule: 'queue-full' }
  const runId = clock.id() as RunId
  await supervisor.create({ runId, rootId: runId }, brief, task.prompt)
  const stop = () => void supervisor.stop(runId, 'its caller was stopped', 'caller').catch(() => {})
  // A stop that was there before the run is taken before its first turn.
  if (signal?.aborted) await supervisor.stop(runId, 'its caller was stopped', 'caller')
  signal?.addEventListener('abort', stop, { once: true })
  await supervisor.begin(runId)
  const started = handle(runId)
  void started.result.then(() => signal?.removeEventListener('abort', stop))
  return started
}

function runHandle(
  id: RunId,
  supervisor: Supervisor,
  store: RunStore,
  bus: Bus,
  clock: Clock,
  hooks: Hooks | undefined,
): RunHandle {
  let result: Promise<Result> | undefined
  return {
    id,
    get result() {
      result ??= supervisor.join(id)
      return result
    },
    brief: async () => (await supervisor.reader.state(id))?.brief,
    async progress() {
      const state = await supervisor.reader.state(id)
      return state && progressOf(state, clock.now(), supervisor.position(id))
    },
    events: (fromSeq = 1) => follow(store, bus, id, fromSeq, new AbortController().signal),
    async say(text) {
      const refused = messageFault(text)
      if (refused) return { refused, rule: 'invalid-message' }
      const itemId = clock.id()
      const heard = await hearPrompt(hooks, () => supervisor.reader.state(id), text, itemId)
      if (typeof heard === 'object') return heard
      result = undefined
      const refusal = await supervisor.postman.post(id, { id: itemId, kind: 'message', from: 'user', text: heard })
      if (refusal) return refusal
      return { itemId, from: 'user', status: 'queued' }
    },
    async receipts() {
      const state = await supervisor.reader.state(id)
      const waiting = (await store.inbox(id)).flatMap((item): readonly Receipt[] =>
        item.kind === 'message' && !state?.seen.has(item.id)
          ? [{ itemId: item.id, from: item.from, status: 'queued' }]
          : [],
      )
      return [...(state ? receiptsOf(state) : []), ...waiting]
    },
    stop: (reason = 'stopped by the user') => supervisor.stop(id, reason, 'user'),
  }
}

function catalogSource(agents: OffshootOptions['agents']): () => Catalog {
  if (typeof agents === 'function') return agents
  const given = agents ?? []
  const catalog = createCatalog([
    ...given,
    ...fallbackAgents.filter(agent => !given.some(({ name }) => name === agent.name)),
  ])
  return () => catalog
}

/** What a host without definitions of its own still needs: somebody to talk to, and somebody to hand work to. */
const fallbackAgents: readonly AgentDefinition[] = [
  {
    name: 'main',
    systemPrompt:
      'You are the main agent. Do what the user asks; hand work that stands on its own to other agents with Task.',
    tools: 'all',
    canSpawn: true,
    source: { scope: 'built-in', isTrusted: true },
  },
  {
    name: 'general-purpose',
    description: 'Any task that has several steps and no better-suited agent.',
    systemPrompt:
      'You carry out the task you are given with the tools you have, then report what you did and what you found.',
    tools: 'all',
    source: { scope: 'built-in', isTrusted: true },
  },
]

/** Built once for each state of the catalog: what a new run declares is the same object, and so the same bytes. */
function toolSource(
  catalog: () => Catalog,
  given: NonNullable<OffshootOptions['tools']>,
  { resultBytes }: Policy,
): () => ReadonlyMap<string, Tool> {
  const giveOwn = typeof given === 'function' ? given : () => given
  let made:
    | { readonly from: Catalog; readonly own: readonly Tool[]; readonly tools: ReadonlyMap<string, Tool> }
    | undefined
  return () => {
    const from = catalog()
    const own = giveOwn()
    if (made?.from !== from || made.own !== own) {
      const all = [...own, ...delegationTools(from, resultBytes)]
      const tools = new Map(all.map(tool => [tool.spec.name, tool]))
      if (tools.size < all.length)
        throw new Error(`two tools have the same name: ${repeated(all).join(', ')}. Rename one of them.`)
      made = { from, own, tools }
    }
    return made.tools
  }
}

function repeated(tools: readonly Tool[]): readonly string[] {
  const names = tools.map(({ spec }) => spec.name)
  return [...new Set(names.filter((name, i) => names.indexOf(name) < i))]
}
const delegationTools = (catalog: Catalog, resultBytes: number): readonly Tool[] => [
  taskTool(catalog),
  taskOutputTool(resultBytes),
  taskWaitTool(resultBytes),
  taskSendTool(),
  taskStopTool(resultBytes),
  taskListTool(),
  askCallerTool(),
]
/** Nothing is set up for processes before the first run that wants one. */
function carrierSource(
  { processes: given, clock }: OffshootOptions,
  store: RunStore,
): { readonly driverFor: DriverFor; close(): Promise<void> } {
  let processes = given
  return {
    driverFor({ state }) {
      if (state.brief.executionMode !== 'process') return localDriver
      processes ??= createRunProcesses()
      return processDriver({ processes, store, clock })
    },
    close: async () => processes?.close(),
  }
}

const storeOverflow = (store: RunStore): Overflow => ({
  async keep(_, text) {
    try {
      return `The full text is kept in the store as ${await store.keep(text)}.`
    } catch (error) {
      return `The full text could not be kept: ${error instanceof Error ? error.message : String(error)}.`
    }
  },
})

const liesOnDisk: FileExists = async path => {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}
