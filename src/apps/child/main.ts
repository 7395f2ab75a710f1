/**
 * The process of one run: its loop and its tools. Started by Offshoot with a pipe at descriptor 3, never by a person.
 * It ends with its run, or with its pipe.
 */
import { rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { systemClock } from '../../adapters/os/system-clock.js'
import { Channel } from '../../adapters/processes/channel.js'
import { pipeDescriptor, protocolVersion, scratchVariable } from '../../adapters/processes/protocol.js'
import type { Clock } from '../../core/ports.js'
import { type ProcessCalls, type ProcessTells, ProtocolFault, type StartOrder } from '../../core/run-process.js'
import { drive } from '../../runtime/drive/drive.js'
import type { Driving } from '../../runtime/drive/drive-ports.js'
import { hostOver } from './host.js'
import { HostClock } from './host-clock.js'
import { PipedLog } from './piped-log.js'
import { type PipedPorts, pipedPorts } from './piped-ports.js'
import { openWorkbench, type Workbench } from './workbench.js'

/** Tools get so long to end what they left running. */
const closeMs = 3_000

const channel = new Channel(openPipe(), {
  answer: (method, value, signal) => {
    if (!Object.hasOwn(answers, method)) throw new ProtocolFault(`unknown method ${method}`)
    return (answers[method as keyof Answers] as (value: unknown, signal: AbortSignal) => unknown)(value, signal)
  },
  onFault: ({ message }) => fail(`the host broke the protocol: ${message}`),
  onClose: () => {
    // The host may be gone, and with it whoever would tidy up after this process.
    const scratch = process.env[scratchVariable]
    if (scratch) rmSync(scratch, { recursive: true, force: true })
    process.exit(0)
  },
  onNow: at => hostClock.set(at),
})
const host = hostOver(channel)
const hostClock = new HostClock(host)
interface Running {
  readonly log: PipedLog
  readonly piped: PipedPorts
  readonly bench: Workbench
  readonly driving: Driving
  readonly clock: Clock
}
let running: Running | undefined

type Answers = {
  readonly [M in keyof ProcessCalls]: (
    value: Parameters<ProcessCalls[M]>[0],
    signal: AbortSignal,
  ) => Promise<ReturnType<ProcessCalls[M]>>
} & { readonly [M in keyof ProcessTells]: (value: ProcessTells[M]) => void }

const answers: Answers = {
  start: async order => {
    await start(order)
    return null
  },
  tool: (value, signal) => {
    const { bench, log, clock } = up()
    return bench.run(value, log, clock, signal)
  },
  note: async ({ key, events }) => {
    await up().piped.note(key, events)
    return null
  },
  said: value => running?.piped.said(value),
  held: value => running?.piped.held(value),
  look: () => running?.driving.look(),
  leave: () => (running ? running.driving.leave() : process.exit(0)),
  timer: ({ timer }) => hostClock.fire(timer),
}

async function start({ runId, epoch, owner, kits, clock: whose }: StartOrder): Promise<void> {
  const bench = await openWorkbench(kits, {
    mayUse: async (callId, path, use) => (await host.call('mayUse', { callId, path, use })) ?? undefined,
    maySee: async (callId, path, realPath) => (await host.call('maySee', { callId, path, realPath })) ?? undefined,
    mayRead: async (callId, paths) => {
      const reasons = await host.call('mayRead', { callId, paths })
      return paths.map((_, index) => reasons[index] ?? undefined)
    },
  })
  const log = await PipedLog.open(host, runId, epoch, owner)
  // A wall clock that was set back since the log was begun would have no time limit reached here before it has caught up.
  const clock = whose === 'host' ? hostClock : systemClock({ notBefore: log.state.at })
  const piped = pipedPorts(host, clock)
  const driving = drive(log, piped.ports)
  running = { log, piped, bench, driving, clock }
  void driving.done.then(async end => {
    await Promise.race([bench.close(runId), new Promise(resolve => setTimeout(resolve, closeMs).unref())])
    await channel.call('done', 'left' in end ? { left: end } : {})
    process.exit(0)
  })
}

function up(): Running {
  if (!running) throw new Error('this process has not begun yet')
  return running
}

function openPipe(): Socket {
  try {
    return new Socket({ fd: pipeDescriptor, readable: true, writable: true })
  } catch {
    return fail('This program is part of Offshoot, which starts it for agents that run in their own process.')
  }
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

await channel.call('hello', { version: protocolVersion })
