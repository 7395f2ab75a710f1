/**
 * The processes of runs on this machine.
 *
 * N1 Each leads a group of its own, watched by the reaper: however we die, it does not outlive us.
 * N2 Its environment is the one of commands: no key of a provider is in it.
 * N3 It is ended when it does not answer, breaks the protocol or uses up its memory; that is its end, never ours.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex, Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  PipeClosed,
  type ProcessEnd,
  type ProcessOrder,
  ProtocolFault,
  type RunProcess,
  type RunProcesses,
} from '../../core/run-process.js'
import { commandEnvironment } from '../os/command-environment.js'
import { endGroup, endMarked } from '../os/process-group.js'
import { createReaper, type Reaper } from '../os/reaper.js'
import { tryStart } from '../os/try-start.js'
import { Channel } from './channel.js'
import { commandFor, findChildProgram } from './child-program.js'
import { type Heartbeat, startHeartbeat } from './heartbeat.js'
import { readExit, Tail } from './process-end.js'
import { pipeDescriptor, protocolVersion, scratchVariable } from './protocol.js'

const leaveMs = 250
// How long to go on reading what it printed while something it left behind holds the stream.
const drainMs = 100

/** Which program the processes run, with what environment, and how long they are waited for. */
export interface RunProcessesOptions {
  /** The program; default: the one of this package. */
  readonly program?: string
  /** What the environment of the processes is taken from. */
  readonly source?: Readonly<Record<string, string | undefined>>
  /** Of that, what no process gets: keys of providers under a name of the user's own. */
  readonly withheld?: readonly string[]
  /** A process that does not answer for so long is blocked. */
  readonly blockedMs?: number
  /** A process that is not up after so long is given up. */
  readonly startMs?: number
}
/** What `createRunProcesses` gives. */
export interface NodeRunProcesses extends RunProcesses {
  /**
   * @internal Resolves when no process is on its way up or down and nothing passes on any pipe: for tests with their own
   * clock.
   */
  quiet(): Promise<void>
}

/** Node processes on this machine, one a run. None is started before a run wants one; `close` ends all. */
export function createRunProcesses(options: RunProcessesOptions = {}): NodeRunProcesses {
  const reaper = createReaper()
  const scratch = scratchIn(reaper)
  const live = new Set<NodeRunProcess>()
  /** Processes that came and went, and what the gone ones had said. */
  let past = 0
  return {
    start(order) {
      const run = new NodeRunProcess(order, options, reaper, scratch.make)
      past += 1
      live.add(run)
      void run.ended.then(() => {
        past += 1 + run.messages
        live.delete(run)
      })
      return run
    },
    async close() {
      await Promise.all([...live].map(running => running.end()))
      await reaper.close()
      scratch.remove()
    },
    async quiet() {
      const traffic = () => [...live].reduce((sum, running) => sum + running.messages, past)
      for (let still = 0; still < 3; ) {
        const before = traffic()
        await Promise.all([...live].map(running => running.answers()))
        for (let i = 0; i < 10; i++) await new Promise(resolve => setImmediate(resolve))
        still = before === traffic() ? still + 1 : 0
      }
    },
  }
}

/** A folder for each process, all of them in one that goes with us, however we go. */
function scratchIn(reaper: Reaper): { readonly make: () => string; remove(): void } {
  let place: string | undefined
  let count = 0
  return {
    make() {
      if (place === undefined || !existsSync(place)) {
        place = mkdtempSync(join(tmpdir(), 'offshoot-run-'))
        reaper.tidy(place)
      }
      count += 1
      const made = join(place, String(count))
      mkdirSync(made, { mode: 0o700 })
      return made
    },
    remove() {
      if (place !== undefined) removeFolder(place)
    },
  }
}

class NodeRunProcess implements RunProcess {
  readonly ended: Promise<ProcessEnd>
  readonly #order: ProcessOrder
  readonly #options: RunProcessesOptions
  readonly #reaper: Reaper
  readonly #makeScratch: () => string
  readonly #printed = new Tail()
  readonly #up: Promise<void>
  #isUp: () => void = () => {}
  #child: ChildProcess | undefined
  #channel: Channel | undefined
  #heartbeat: Heartbeat | undefined
  #startTimer: NodeJS.Timeout | undefined
  #end: (end: ProcessEnd) => void = () => {}
  /** Why we ended it, when we did. */
  #verdict: ProcessEnd | undefined
  #isDone = false
  /** Ended by us before it was up: its exit says nothing. */
  #isCalledOff = false
  #scratch: string | undefined
  #ending: Promise<void> | undefined

  constructor(order: ProcessOrder, options: RunProcessesOptions, reaper: Reaper, makeScratch: () => string) {
    this.#makeScratch = makeScratch
    this.#order = order
    this.#options = options
    this.#reaper = reaper
    this.ended = new Promise(resolve => (this.#end = resolve))
    this.#up = new Promise(resolve => (this.#isUp = resolve))
    this.#start()
  }

  get messages(): number {
    return this.#channel?.messages ?? 0
  }

  async call(method: string, value: unknown, signal?: AbortSignal): Promise<never> {
    await Promise.race([this.#up, this.ended])
    if (!this.#channel) throw new PipeClosed(`its process has ended, so ${method} was not asked`)
    return (await this.#channel.call(method, value, signal)) as never
  }

  tell(method: string, value: unknown): void {
    void this.#up.then(() => this.#channel?.tell(method, value))
  }

  /** Resolves when it answers, or will never. */
  async answers(): Promise<void> {
    await Promise.race([this.#up, this.ended])
    await Promise.race([this.#channel?.ping().catch(() => this.ended), this.ended])
  }

  hurry(ms: number): void {
    if (this.#heartbeat) {
      this.#heartbeat.hurry(ms)
      return
    }
    if (!this.#ending) this.#isCalledOff = true
    this.#endFor({ rule: 'process-left', message: 'it was stopped before its process was up' })
  }

  end(): Promise<void> {
    this.#endFor({ rule: 'process-left', message: 'its process was ended' })
    return this.#ending ?? Promise.resolve()
  }

  #start(): void {
    const { program = findChildProgram(), source = process.env, withheld = [], startMs = 30_000 } = this.#options
    if (program === undefined || !existsSync(program)) {
      this.#fail({ rule: 'process-start', message: 'the program for runs in their own process is not installed' })
      return
    }
    const [file, ...args] = commandFor(program, this.#order.resources)
    const failed = (why: string) =>
      this.#fail({ rule: 'process-start', message: `its process could not be started: ${why}` })
    const child = tryStart(() => {
      const scratch = this.#makeScratch()
      this.#scratch = scratch
      this.#reaper.expect()
      return spawn(file, args, {
        env: commandEnvironment(source, {
          set: { ...this.#reaper.environment, [scratchVariable]: scratch },
          withheld,
        }),
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      })
    })
    if (typeof child === 'string') {
      failed(child)
      return
    }
    this.#child = child
    child.once('error', error => failed(error.message))
    if (child.pid === undefined) return
    this.#reaper.watch(child.pid)
    child.stdout!.on('data', this.#printed.push)
    child.stderr!.on('data', this.#printed.push)
    child.once('exit', (code, signal) => void this.#wasClosed(code, signal))
    this.#channel = this.#open(child.stdio[pipeDescriptor] as Duplex)
    this.#startTimer = setTimeout(
      () => this.#endFor({ rule: 'process-start', message: `its process was not up after ${startMs / 1000} s` }),
      startMs,
    ).unref()
  }

  #open(stream: Duplex): Channel {
    let hasGreeted = false
    return new Channel(stream, {
      answer: (method, value, signal) => {
        if (hasGreeted) {
          const answered = this.#order.answer(method, value, signal)
          if (method === 'done') this.#isDone = true
          return answered
        }
        greet(method, value)
        hasGreeted = true
        this.#wasGreeted()
        return undefined
      },
      now: this.#order.now,
      onFault: ({ message }) =>
        this.#endFor({ rule: 'protocol', message: `its process broke the protocol: ${message}` }),
      // The process exits with its pipe; one that does not is helped.
      onClose: () => void setTimeout(() => this.end(), leaveMs).unref(),
    })
  }

  #wasGreeted(): void {
    clearTimeout(this.#startTimer)
    const { blockedMs = 10_000 } = this.#options
    const channel = this.#channel!
    this.#heartbeat = startHeartbeat(blockedMs, () => channel.ping(), this.#isBlocked)
    this.#isUp()
  }

  readonly #isBlocked = (): void => this.#endFor({ rule: 'blocked', message: 'its process stopped answering' })

  #endFor(verdict: ProcessEnd): void {
    if (this.#ending) return
    this.#verdict = this.#isDone ? { rule: 'process-left', message: 'its process has ended' } : verdict
    const pid = this.#child?.pid
    this.#ending = pid === undefined ? Promise.resolve() : endGroup(pid)
  }

  async #wasClosed(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    const { pid, stdout, stderr } = this.#child!
    // At once, and not when its pipe has closed: later its number may be somebody else's.
    this.#ending ??= endGroup(pid!)
    this.#channel?.close()
    await drained([stdout!, stderr!])
    const exit = readExit({ code, signal, printed: this.#printed.text, isDone: this.#isDone })
    // A pipe that closed is what an exit looks like from here: the exit itself says more.
    const isOurs = this.#verdict && (this.#verdict.rule !== 'process-left' || this.#isCalledOff)
    const end = isOurs ? this.#verdict! : exit
    if (end.rule !== 'process-left') await endMarked(`OFFSHOOT_RUN=${this.#order.runId}`)
    this.#reaper.leave(pid!)
    this.#fail(end)
  }

  #fail(end: ProcessEnd): void {
    clearTimeout(this.#startTimer)
    this.#heartbeat?.close()
    this.#channel?.close()
    if (this.#scratch !== undefined) removeFolder(this.#scratch)
    this.#end(end)
  }
}

/** What cannot be removed now (no descriptor is left, say) is the reaper's once this process is gone. */
function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    return
  }
}

async function drained(streams: readonly Readable[]): Promise<void> {
  const all = Promise.all(streams.map(stream => stream.closed || new Promise(resolve => stream.once('close', resolve))))
  await Promise.race([all, sleep(drainMs)])
  for (const stream of streams) stream.destroy()
}

/** The first word must be the version, and the right one. */
function greet(method: string, value: unknown): void {
  if (method !== 'hello') throw new ProtocolFault(`it said ${JSON.stringify(method.slice(0, 40))} before hello`)
  const version = (value as { version?: unknown } | null)?.version
  if (version !== protocolVersion)
    throw new ProtocolFault(
      `it speaks version ${JSON.stringify(version)} and this host version ${protocolVersion}; install both from one package`,
    )
}
