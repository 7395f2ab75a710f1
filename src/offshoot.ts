/** The facade: composes the runtime from ports. `node.ts` does the same with the default adapters. */
import { access } from 'node:fs/promises'
import { hostname } from 'node:os'
import { judgeOfDefinitions } from './adapters/judge/judge.js'
import { systemClock } from './adapters/os/system-clock.js'
import { createRunProcesses } from './adapters/processes/run-processes.js'
import { schemaCheck } from './adapters/schema/schema-check.js'
import { memoryStore } from './adapters/stores/memory.js'
import { approvalDesk } from './approval-desk.js'
import type { AgentDefinition } from './core/agent-definition.js'
import type { PromptParts } from './core/brief/prompt-parts.js'
import type { Catalog } from './core/catalog/catalog.js'
import { catalogSource } from './core/catalog/fallback-agents.js'
import type { Hooks } from './core/hooks/hooks.js'
import type { Close, Json, RunId } from './core/message.js'
import { keptInStore } from './core/notices.js'
import { defaultPolicy, type Policy } from './core/policy.js'
import type {
  AgentTools,
  ApprovalRequest,
  Approver,
  Clock,
  Judge,
  Model,
  ModelInfo,
  Overflow,
  SchemaCheck,
  Subscriber,
  Tool,
} from './core/ports.js'
import { type RunSummary, withoutUntold } from './core/run/run-summary.js'
import type { RunProcesses } from './core/run-process.js'
import type { Owner, RunQuery, RunStore } from './core/run-store.js'
import { messageOf } from './core/thrown.js'
import type { Brief, Caller, Refusal, Task } from './core/types.js'
import type { Sandbox } from './core/workspace.js'
import { checkClose, checkOptions, checkQuery, checkSubscription } from './house-options.js'
import { guardListening } from './runtime/calls/guarded-approver.js'
import { guardJudge } from './runtime/calls/guarded-judge.js'
import type { OpenQuestion } from './runtime/calls/questions.js'
import { describeFanOut } from './runtime/children/fan-out.js'
import { guardPrices } from './runtime/children/guarded-prices.js'
import type { EstimateCost } from './runtime/children/purse.js'
import { HouseClosed, whileOpen } from './runtime/doors.js'
import { type DriverFor, localDriver } from './runtime/drive/driver.js'
import type { FileExists } from './runtime/drive/evidence.js'
import { HostRun, hostBrief } from './runtime/hosts/host-run.js'
import { Bus, type EventFilter } from './runtime/logs/bus.js'
import { processDriver } from './runtime/processes/process-driver.js'
import {
  type ResumeOptions,
  type RunHandle,
  resumeRun,
  runHandle,
  type StartOptions,
  startRun,
} from './runtime/run-handle.js'
import { watchSessions } from './runtime/session-hooks.js'
import { Supervisor } from './runtime/supervisor.js'
import { toolSource } from './task/tool-source.js'

/** The ports a house is made of; only the model has no default. */
export interface OffshootOptions {
  readonly model: Model
  /** Definitions, or a function that gives the catalog of the moment: new runs see what it says then. */
  readonly agents?: readonly AgentDefinition[] | (() => Catalog)
  /** Tools, or a function that gives those of the moment (the same array until they change): new runs see them. */
  readonly tools?: readonly Tool[] | (() => readonly Tool[])
  /** What is known of the models; empty: any name is passed on as it is. */
  readonly models?: readonly ModelInfo[]
  readonly policy?: Partial<Policy>
  /** Default: memory. One that is handed in may be shared, and is closed by whoever opened it, after the house. */
  readonly store?: RunStore
  readonly clock?: Clock
  /**
   * Says whether a call may run. Default: what definitions and `policy.mode` forbid is forbidden, with everything below it
   * (patterns, deny and ask rules, `plan`, `dontAsk`, `suppress`); what nobody speaks of is allowed, since the tools are
   * the host's. An ask without an `approver` is a no. For rules of your own and the defaults by effect give a judge.
   */
  readonly judge?: Judge
  readonly approver?: Approver
  readonly hooks?: Hooks
  readonly sandbox?: Sandbox
  /** Instructions, memory and preloaded skills: what goes into an agent's prompt besides its definition. */
  readonly promptParts?: PromptParts
  /** Tools that come with an agent: the MCP servers of its definition. */
  readonly agentTools?: AgentTools
  /** Keeps what is too long to show. Default: the store, which no tool reads; give one whose place your tools reach. */
  readonly overflow?: Overflow
  readonly check?: SchemaCheck
  readonly owner?: Owner
  /** What a request to a model would cost in US dollars; undefined, or no answer within ten seconds: unknown. Budgets in money need it. */
  readonly estimateCost?: EstimateCost
  /** Whether a file exists, for agents whose reports must cite files. Default: looks at the disk. */
  readonly fileExists?: FileExists
  /** Where runs with `executionMode: process` live. Default: Node processes on this machine. Closed with the rest. */
  readonly processes?: RunProcesses
  /**
   * Told of errors that must not reach a run: a subscriber or an approver that throws or rejects, a hook that fails at the
   * end of a session. Without it the first of each kind is a warning of the process.
   */
  readonly onError?: (error: unknown) => void
}

/** The house: starts runs, finds them again, and hears what they do. */
export interface Offshoot {
  /** Every tool a run here can have, delegation included. */
  tools(): readonly Tool[]
  catalog(): Catalog
  /**
   * Begins a run of depth 0. A refusal is a value: nothing was started. Rejects with a `HostFailure` (its code is
   * `host-failed`) when a function of the host throws before that (`tools`, `agents`, `promptParts`…): nothing was either.
   */
  start(task: Task, options?: StartOptions): Promise<RunHandle | Refusal>
  /**
   * Another attempt of a run that has ended, or the rest of one that was left. A refusal is a value: nothing was begun.
   * Rejects with a `HostFailure` as `start` does.
   */
  resume(runId: string, prompt?: string, options?: ResumeOptions): Promise<RunHandle | Refusal>
  run(runId: string): RunHandle
  /** Lets the caller of a foreground child go on without it; it is told when the child ends. */
  toBackground(runId: string): Promise<Refusal | undefined>
  /** After a crash: goes on with every tree that was left unfinished and that nobody drives, and gives its runs. */
  recover(): Promise<readonly RunSummary[]>
  /** Rejects for a query with a key that there is not: it would find everything. */
  list(query?: RunQuery): Promise<readonly RunSummary[]>
  /** The brief a task would get, with the rule behind every decision. */
  explain(task: Task, caller?: Caller): Brief | Refusal
  subscribe(filter: EventFilter, hear: Subscriber): Close
  /** For a loop that is not ours: lets its model delegate. It ends with the house at the latest. */
  host(): Promise<HostRun>
  readonly approvals: {
    /** What waits in runs that are driven here, oldest first. */
    open(): readonly ApprovalRequest[]
    /**
     * What waits in any run of the store, by whomever it is driven, and is not answered yet. Reads the log of each that has
     * not ended.
     */
    list(): Promise<readonly ApprovalRequest[]>
    /**
     * True when the answer is stored: the run takes the first one, wherever it is driven, or when it goes on. False when
     * nothing of that id is open in this house or its store, it is answered already, or its time is over; and for a run
     * that is not driven here, under `OFFSHOOT_RUN`: a command of a run answers nothing. Rejects for a verdict or a scope
     * that there is not.
     */
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
    /** What waits in runs that are driven here, oldest first. */
    open(): readonly OpenQuestion[]
    /** The run takes the first answer. A refusal: it is not open here, answered already, or the answer is of another type. */
    answer(questionId: string, answer: Json, by?: string): Promise<Refusal | undefined>
  }
  /**
   * Stops what runs here, or leaves it to be resumed; then frees everything but a store that was handed in. Once it resolves
   * no model is asked and no tool begins: what was being begun is stopped or left, what was not yet is refused (`closed`).
   * From then on whatever can refuse says `closed`, and whatever cannot rejects with the code `closed`.
   */
  close(how?: 'stop' | 'leave'): Promise<void>
  /** `await using` closes it. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Composes a house from ports; whatever is not given is a plain default. Opens nothing by itself: no file, no network.
 * Throws for what only a host can mistake: a missing model, an option that is none, a tool no provider takes, two tools of
 * one name. An agent of the wrong form will not run and says why (`catalog().diagnostics`). Whoever made it closes it.
 */
export function createOffshoot(options: OffshootOptions): Offshoot {
  checkOptions(options)
  const { house, carriers } = furnish(options)
  const { clock, store, bus, catalog, tools } = house
  const supervisor = new Supervisor(house)
  const readState = (runId: RunId) => supervisor.reader.state(runId)
  const sessions = watchSessions(options.hooks, { bus, clock, readState, onError: house.onError })
  const held = { supervisor, store, bus, clock, hooks: options.hooks, onError: house.onError }
  const handle = (id: RunId): RunHandle => runHandle(id, held)
  const { doors } = supervisor
  const whenOpen = <T>(work: () => Promise<T>) => whileOpen(bus.closed, work)
  const close: Offshoot['close'] = async how => {
    checkClose(how)
    await supervisor.close(how)
    await supervisor.hosts.closeAll(how ?? 'stop')
    await sessions.end(how === 'leave' ? 'left' : 'other')
    await carriers.close()
    bus.close()
    if (!options.store) await store.close()
  }
  return {
    catalog,
    tools: () => [...tools().values()],
    start: async (task, startOptions = {}) => doors.unlessClosing(() => startRun(task, startOptions, held)),
    resume: (runId, prompt, resumeOptions = {}) =>
      doors.unlessClosing(() => resumeRun(runId as RunId, prompt, resumeOptions, held)),
    run: runId => handle(runId as RunId),
    toBackground: runId => doors.unlessClosing(() => supervisor.toBackground(runId as RunId)),
    recover: () => whenOpen(() => supervisor.recover()),
    async list(query = {}) {
      checkQuery(query)
      const runs = await whenOpen(() => supervisor.reader.list(query))
      if (supervisor.purses.knowsPrices) return runs
      return runs.map(run => (run.status === 'running' ? withoutUntold(run) : run))
    },
    explain: (task, caller) => supervisor.briefing.decide(caller ? task : { agent: 'main', ...task }, caller),
    subscribe(filter, hear) {
      if (bus.closed.aborted) throw new HouseClosed()
      checkSubscription(filter, hear)
      return bus.subscribe(filter, hear)
    },
    host: () => openHost(house, supervisor),
    approvals: approvalDesk(supervisor, clock, whenOpen),
    questions: {
      open: () => supervisor.questions.open(),
      answer: (...answer) => doors.unlessClosing(() => supervisor.questions.answer(...answer)),
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

async function openHost(house: ReturnType<typeof furnish>['house'], supervisor: Supervisor): Promise<HostRun> {
  const { policy, clock, check, judge, hooks, tools, onError } = house
  const host = await supervisor.doors.enter(async () => {
    const log = await supervisor.hosts.open(hostBrief([...tools().keys()], policy))
    const opened = new HostRun(log, {
      ...{ supervisor, clock, policy, check, judge, hooks, onError },
      describeFanOut: state => describeFanOut(state, house),
    })
    supervisor.hosts.add(opened)
    return opened
  })
  if (!host) throw new HouseClosed()
  return host
}

/** The ports of the runtime: those given, and a default for each that is not. */
function furnish(options: OffshootOptions) {
  const given = Object.fromEntries(Object.entries(options.policy ?? {}).filter(([, value]) => value !== undefined))
  const policy: Policy = { ...defaultPolicy, cwd: process.cwd(), ...given }
  const clock = options.clock ?? systemClock()
  const store = options.store ?? memoryStore()
  const catalog = catalogSource(options.agents, options.tools)
  const tools = toolSource(catalog, options.tools ?? [], policy)
  // A host's mistake is heard when it is made, not at the first call.
  tools()
  const carriers = carrierSource(options, store)
  const onError = harmless(options.onError)
  const house = {
    ...options,
    store,
    clock,
    bus: new Bus(onError),
    onError,
    approver: options.approver && guardListening(options.approver, onError),
    policy,
    check: options.check ?? schemaCheck,
    catalog,
    tools,
    judge: options.judge ? guardJudge(options.judge) : judgeOfDefinitions(catalog),
    owner: options.owner ?? thisProcess(clock),
    overflow: options.overflow ?? storeOverflow(store),
    fileExists: options.fileExists ?? liesOnDisk,
    driverFor: carriers.driverFor,
    ...(options.estimateCost && { estimateCost: guardPrices(options.estimateCost, clock, onError) }),
    models: () => options.models ?? [],
  }
  return { house, carriers }
}

/** Whoever hears of errors makes no further ones: what it throws, now or later, is nobody's. */
function harmless(onError: OffshootOptions['onError'] = warning()): (error: unknown) => void {
  return error => {
    const told = (async () => onError(error))()
    told.catch(() => {})
  }
}

/** Where nobody listens an error is not lost without a word: the first of each kind is a warning of the process. */
function warning(): (error: unknown) => void {
  const kinds = new Set<string>()
  return error => {
    const kind = error instanceof Error ? error.name : typeof error
    if (kinds.has(kind)) return
    kinds.add(kind)
    process.emitWarning(
      `${messageOf(error)} (createOffshoot({ onError }) hears of every such error)`,
      'OffshootWarning',
    )
  }
}

const thisProcess = (clock: Clock): Owner => ({
  id: clock.id(),
  host: hostname(),
  pid: process.pid,
  startedAt: Math.round(performance.timeOrigin),
})

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
      return keptInStore(await store.keep(text))
    } catch (error) {
      return `The full text could not be kept: ${messageOf(error)}.`
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
