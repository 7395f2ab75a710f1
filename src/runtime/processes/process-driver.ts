/**
 * Carries a run in a process of its own. The loop and the tools that can be made there run there; see process-desk.ts for
 * everything else.
 *
 * Q1 No process waits in a queue: one is started when the run has its first slot.
 * Q2 A process that ends before its run is a fact in the log (`process.died`), and the loop goes on here just as far as
 *    the end: open calls are answered, the stop hook is heard, the result says which rule it was.
 * Q3 A stop reaches the process within a second, or ends it.
 */
import type { CallId, RunId } from '../../core/message.js'
import type { Clock, Tool, ToolOutput } from '../../core/ports.js'
import { openCalls } from '../../core/run/run-state.js'
import {
  type CarriedWorkspace,
  type KitOrder,
  PipeClosed,
  type Portable,
  type ProcessEnd,
  type RunProcess,
  type RunProcesses,
} from '../../core/run-process.js'
import { messageOf } from '../../core/thrown.js'
import type { Result } from '../../core/types.js'
import type { Workspace } from '../../core/workspace.js'
import { drive } from '../drive/drive.js'
import type { DrivePorts, Driving, Left } from '../drive/drive-ports.js'
import type { Driver } from '../drive/driver.js'
import type { Slot } from '../drive/slots.js'
import { ClaimLost, LogBroken, type RunLog } from '../logs/run-log.js'
import { type CallGuard, type DeskPorts, ProcessDesk } from './process-desk.js'

const stopMs = 800
/** How long a process may take to leave after its loop is over. */
const leaveMs = 2_000

export interface ProcessDriverOptions {
  readonly processes: RunProcesses
  readonly store: DeskPorts['store']
  /** Set when the host was given a clock of its own: the process then goes by that. */
  readonly clock?: Clock
}

export function processDriver(options: ProcessDriverOptions): Driver {
  const kits = new Map<string, KitOrder>()
  /** Calls whose tool runs over there, with what judges the paths they use. */
  const guards: Guards = new Map()
  let process: RunProcess | undefined
  return {
    reach(tools) {
      const reached = new Map<string, Tool>()
      for (const [name, tool] of tools) {
        const { portable } = tool
        if (portable) kits.set(JSON.stringify([portable.module, portable.options]), portable)
        reached.set(name, portable ? carriedTool(tool, portable, () => process, guards) : tool)
      }
      return reached
    },
    drive(log, ports) {
      const orders = [...kits.values()].map(({ module, options }) => ({
        module,
        ...(options !== undefined && { options }),
      }))
      return new ProcessDrive(log, ports, options, orders, started => (process = started), guards).start()
    },
  }
}

/** By call. Absent: its tool asks for no path. */
type Guards = Map<CallId, CallGuard>

class ProcessDrive {
  readonly #log: RunLog
  readonly #ports: DrivePorts
  readonly #options: ProcessDriverOptions
  readonly #kits: readonly KitOrder[]
  readonly #onStart: (process: RunProcess) => void
  readonly #guards: Guards
  #process: RunProcess | undefined
  #desk: ProcessDesk | undefined
  /** The queue for the first slot. */
  #waiting: { readonly slot: Slot; wake(): void } | undefined
  /** The loop here, once the process is gone. */
  #rest: Driving | undefined
  #isLeft = false
  #isStopped = false

  constructor(
    log: RunLog,
    ports: DrivePorts,
    options: ProcessDriverOptions,
    kits: readonly KitOrder[],
    onStart: (process: RunProcess) => void,
    guards: Guards,
  ) {
    this.#guards = guards
    this.#log = log
    this.#ports = ports
    this.#options = options
    this.#kits = kits
    this.#onStart = onStart
  }

  start(): Driving {
    const slot = () => this.#waiting?.slot ?? this.#desk?.slot
    return {
      done: this.#carry().catch(error => leftBy(error)),
      look: () => this.#look(),
      leave: () => this.#leave(),
      position: () => this.#rest?.position() ?? slot()?.position() ?? 0,
      holdsSlot: () => this.#rest?.holdsSlot() ?? slot()?.isHeld() ?? false,
    }
  }

  async #carry(): Promise<Result | Left> {
    const slot = await this.#firstSlot()
    if (this.#isLeft) {
      if (slot !== 'none') slot?.release()
      return leftByUs
    }
    if (slot === 'none') return this.#goOnHere()
    return this.#inProcess(slot)
  }

  /** Held, not needed (undefined), or not to be had any more: then the loop here finds out why. */
  async #firstSlot(): Promise<Slot | undefined | 'none'> {
    if (await this.#hasStop()) return 'none'
    const { state } = this.#log
    if (state.startedAt !== undefined || this.#isLeft) return undefined
    const { runId, rootId, brief, queuedAt } = state
    let wake = () => {}
    const woken = new Promise<void>(resolve => (wake = resolve))
    const slot = await this.#ports.slots.acquire({ runId, rootId, model: brief.model, isReturning: false }, () =>
      wake(),
    )
    if (slot.isHeld()) return slot
    this.#waiting = { slot, wake }
    // Told meanwhile, when there was nobody to wake.
    if (this.#isStopped || this.#isLeft) wake()
    this.#log.pass({ type: 'slot.waiting', position: slot.position() })
    const { clock } = this.#ports
    const close = clock.after(queuedAt + brief.limits.spawnDeadlineMs - clock.now(), wake)
    await woken
    close()
    this.#waiting = undefined
    if (slot.isHeld() && !this.#isStopped && !this.#isLeft) return slot
    slot.release()
    return 'none'
  }

  async #inProcess(spare: Slot | undefined): Promise<Result | Left> {
    const { processes, store, clock } = this.#options
    const { runId, brief } = this.#log.state
    const process = (): RunProcess => this.#process!
    const desk = new ProcessDesk(this.#log, { ...this.#ports, store, guards: this.#guards }, process, spare)
    this.#desk = desk
    try {
      this.#process = processes.start({
        runId,
        resources: brief.resources,
        answer: (method, value, signal) => desk.answer(method, value, signal),
        ...(clock && { now: () => clock.now() }),
      })
    } catch (error) {
      await desk.close()
      await this.#log.record([{ type: 'process.died', ...notBegun(messageOf(error)) }])
      return this.#goOnHere()
    }
    this.#onStart(this.#process)
    try {
      return await this.#untilEnd(this.#process, desk)
    } finally {
      await this.#process.end()
      await desk.close()
    }
  }

  async #untilEnd(process: RunProcess, desk: ProcessDesk): Promise<Result | Left> {
    const { epoch, owner, state } = this.#log
    const order = {
      runId: state.runId,
      epoch,
      owner,
      kits: this.#kits,
      clock: this.#options.clock ? ('host' as const) : ('own' as const),
    }
    const notStarted = process.call('start', order).then(
      () => new Promise<never>(() => {}),
      // A process that died while it was starting says more than the call that was cut off.
      (error: Error) => (error instanceof PipeClosed ? process.ended : notBegun(error.message)),
    )
    const first = await Promise.race([desk.done, process.ended, notStarted])
    if ('rule' in first) return this.#died(first, process, desk)
    await within(process.ended, leaveMs, undefined)
    return first
  }

  async #died(end: ProcessEnd, process: RunProcess, desk: ProcessDesk): Promise<Result | Left> {
    await process.end()
    await desk.close()
    const { state } = this.#log
    if (state.result) return state.result
    if (this.#isLeft) return leftByUs
    if (end.rule === 'process-left' && !(await this.#hasStop())) return { left: 'by-us', message: end.message }
    const { rule, printed } = end
    const open = openCalls(state)
    const busy = open.filter(({ phase }) => phase === 'started')
    // Another open call may run as well: one that only reads says nothing of its start.
    const tool = rule === 'blocked' && open.length === 1 ? busy[0]?.part.name : undefined
    const blocks = rule === 'blocked' ? ': a tool blocks it' : ''
    const during = busy.length > 0 ? `${blocks}, during ${busy.map(({ part }) => part.name).join(', ')}` : ''
    const died = {
      type: 'process.died',
      rule,
      message: `${end.message}${during}`,
      ...(printed && { printed }),
      ...(tool !== undefined && { tool }),
    } as const
    await this.#log.record([...desk.cutTurn(), ...(rule === 'process-left' ? [] : [died])])
    return this.#goOnHere()
  }

  /** Only to the end, which is decided already: there is nothing left to ask or to run. */
  #goOnHere(): Promise<Result | Left> {
    this.#rest = drive(this.#log, this.#ports)
    // Told meanwhile, when neither the process nor this loop could hear it.
    if (this.#isLeft) this.#rest.leave()
    return this.#rest.done
  }

  #look(): void {
    this.#rest?.look()
    this.#process?.tell('look', null)
    void this.#hasStop().then(hasStop => {
      if (!hasStop || this.#rest) return
      this.#isStopped = true
      this.#waiting?.wake()
      this.#process?.hurry(stopMs)
    })
  }

  #leave(): void {
    this.#isLeft = true
    this.#rest?.leave()
    this.#waiting?.wake()
    this.#process?.tell('leave', null)
    this.#process?.hurry(stopMs)
  }

  async #hasStop(): Promise<boolean> {
    const { runId, stop } = this.#log.state
    if (stop) return true
    const items = await this.#options.store.inbox(runId).catch(() => [])
    return items.some(({ kind }) => kind === 'stop')
  }
}

const notBegun = (message: string) =>
  ({ rule: 'process-start', message: `its process could not begin: ${message}` }) as const

const leftByUs: Left = { left: 'by-us', message: 'the run was left as it is' }

/** Whatever it is, it does not reach whoever waits for the end: the run can be resumed. */
function leftBy(error: unknown): Left {
  const message = messageOf(error)
  if (error instanceof ClaimLost) return { left: 'claim-lost', message }
  return { left: error instanceof LogBroken ? 'log-broken' : 'by-us', message }
}

/** What is waited for, or `otherwise` when it does not come in time. */
function within<T, O>(awaited: Promise<T>, ms: number, otherwise: O): Promise<T | O> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(otherwise), ms)
    void awaited.then(value => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}

/** The same tool, run over there. What it hands back is taken apart: only delegation here can start a child. */
function carriedTool(tool: Tool, portable: Portable, processOf: () => RunProcess | undefined, guards: Guards): Tool {
  const { effectOf, context, foresee } = tool
  return {
    spec: tool.spec,
    ...(effectOf && { effectOf: input => effectOf.call(tool, input) }),
    ...(context && { context: input => context.call(tool, input) }),
    ...(foresee && { foresee: (input, at) => foresee.call(tool, input, at) }),
    async run(input, { callId, runId, workspace, mode, signal }) {
      const process = processOf()
      if (!process) throw new Error('the process of this run is not up')
      const { guard = insideRoots, options } = portable
      const given = options === undefined ? {} : { options }
      const value = { callId, name: tool.spec.name, input, workspace: carryWorkspace(workspace), mode, ...given }
      const carried = { runId, callId, workspace }
      const judged = (path: string, use: 'read' | 'write') => guard(path, use, carried)
      const sees = (path: string, realPath: string) => portable.guard?.sees?.(path, realPath, carried)
      guards.set(callId, Object.assign(judged, { plainly: () => portable.guard?.plainly?.(carried), sees }))
      const { output, report } = await process.call('tool', value, signal).finally(() => guards.delete(callId))
      if (report !== undefined) portable.heard?.(report, { runId: runId as RunId, workspace })
      const { content, isError, summary, files, leftRunning, shellDirectory } = output
      return { content, isError, summary, files, leftRunning, shellDirectory } satisfies ToolOutput
    },
  }
}

function insideRoots(
  path: string,
  _: 'read' | 'write',
  { workspace }: { readonly workspace: Workspace },
): string | undefined {
  const isInside = workspace.roots.some(
    root => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`),
  )
  return isInside ? undefined : `it lies outside the workspace (${workspace.roots.join(', ')})`
}

/** What a sandbox puts around a command is found by wrapping a word that stands for it. */
function carryWorkspace(workspace: Workspace): CarriedWorkspace {
  const { cwd, roots, copies } = workspace
  const place = { cwd, roots, ...(copies && { copies }) }
  if (!workspace.wrap) return place
  const word = '\u0000command\u0000'
  const wrapped = workspace.wrap([word])
  const at = wrapped.indexOf(word)
  if (at < 0 || at !== wrapped.lastIndexOf(word))
    throw new Error('this sandbox cannot be carried into another process; run the agent in-process')
  return { ...place, wrap: { before: wrapped.slice(0, at), after: wrapped.slice(at + 1) } }
}
