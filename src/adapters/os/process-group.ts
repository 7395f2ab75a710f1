/**
 * A command and everything it starts, as one thing that can be ended.
 * G1 The command leads its own session: no terminal, and one signal reaches all of its group.
 * G2 Ending is TERM, a short grace, KILL; then whoever left the group is found by the mark in its environment.
 * G3 A group that has ended and left nobody behind is never signalled again: its number may be somebody else's by now.
 * G4 stdin is empty. stdout and stderr are one stream, in the order they were written.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OutputPipe } from './output-pipe.js'
import { type FoundProcess, groupMembers, markedProcesses } from './process-scan.js'
import type { Reaper } from './reaper.js'
import { tryStart } from './try-start.js'

const graceMs = 400
// How long to go on reading after the command ended while something it left behind still holds the stream.
const drainMs = 60

export interface GroupOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly output: OutputPipe
  readonly onOutput: (chunk: Buffer) => void
  /** What the command writes to descriptor 3. */
  readonly onReport?: (chunk: Buffer) => void
  /** `NAME=value`, put into the environment; finds what left the group. Unique to this group. */
  readonly mark: string
  readonly reaper?: Reaper
}
export interface GroupEnd {
  readonly code?: number
  readonly signal?: string
  /** It could not be started at all. */
  readonly error?: string
  /** What goes on although the command has ended. */
  readonly leftBehind: readonly FoundProcess[]
}
export interface ProcessGroup {
  /** Settles when the command has ended and what it printed was read. Never rejects. */
  readonly ended: Promise<GroupEnd>
  /** Stops watching a group that has ended and left nobody behind. */
  release(): void
  /** Ends everything; resolves when nobody is left, or nothing more can be done. Never rejects. */
  end(): Promise<void>
}

export function startGroup(command: readonly string[], options: GroupOptions): ProcessGroup {
  const equals = options.mark.indexOf('=')
  const [name, value] = [options.mark.slice(0, equals), options.mark.slice(equals + 1)]
  const child = tryStart(() => {
    options.reaper?.expect()
    return spawn(command[0]!, command.slice(1), {
      cwd: options.cwd,
      env: { ...options.env, [name]: value },
      detached: true,
      stdio: ['ignore', options.output.write, options.output.write, 'pipe'],
    })
  })
  closeSync(options.output.write)
  if (typeof child === 'string') return notStarted(child, options.output)
  const pid = child.pid
  if (pid !== undefined) options.reaper?.watch(pid)
  options.output.read.on('data', options.onOutput)
  const report = child.stdio[3] as Readable
  report.on('data', chunk => options.onReport?.(chunk))
  // Neither stream may hold the host open, nor take it down, for something that was left behind.
  for (const stream of [options.output.read, report]) stream.on('error', () => undefined)

  let isGone = false
  const ended = whenEnded(child, options.output.read, report)
  void ended.then(({ leftBehind }) => {
    isGone = leftBehind.length === 0
  })
  return {
    ended,
    release() {
      if (pid !== undefined) options.reaper?.leave(pid)
    },
    async end() {
      if (pid === undefined) return
      await (isGone ? endMarked(options.mark) : endGroup(pid, options.mark))
      options.output.read.destroy()
      options.reaper?.leave(pid)
    },
  }
}

function notStarted(error: string, output: OutputPipe): ProcessGroup {
  output.read.on('error', () => undefined)
  output.read.destroy()
  return { ended: Promise.resolve({ error, leftBehind: [] }), release() {}, end: async () => {} }
}

async function whenEnded(child: ChildProcess, output: OutputPipe['read'], report: Readable): Promise<GroupEnd> {
  const drained = new Promise<void>(resolve => output.once('close', resolve))
  const end = await new Promise<Omit<GroupEnd, 'leftBehind'>>(resolve => {
    child.once('error', error => resolve({ error: error.message }))
    child.once('exit', (code, signal) => resolve(code === null ? { signal: signal ?? 'unknown' } : { code }))
  })
  if (child.pid === undefined) {
    output.destroy()
    return { ...end, leftBehind: [] }
  }
  await Promise.race([drained, quietFor(output, drainMs)])
  report.destroy()
  output.unref()
  return { ...end, leftBehind: await stayers(child.pid) }
}

/** Who stays, as opposed to who is still on the way out: a sandbox ends a moment after the command in it. */
async function stayers(group: number): Promise<readonly FoundProcess[]> {
  for (let look = 0; ; look++) {
    const members = isGroupThere(group) ? await groupMembers(group).catch(unseen) : []
    if (members?.length === 0 || look === 10) return members ?? []
    await sleep(20)
  }
}

/** Resolves once nothing has come for that long. */
function quietFor(stream: Readable, ms: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    stream.on('data', () => timer.refresh())
    stream.once('close', () => clearTimeout(timer))
  })
}

/** Ends a group and whatever carries its mark. */
export async function endGroup(group: number, mark?: string): Promise<void> {
  signalAll(-group, 'SIGTERM')
  for (const pid of (mark && (await markedProcesses(mark).catch(unseen))) || []) signalAll(pid, 'SIGTERM')
  let isAlive = await isGroupAlive(group)
  for (const end = Date.now() + graceMs; isAlive && Date.now() < end; isAlive = await isGroupAlive(group))
    await sleep(15)
  if (isAlive) signalAll(-group, 'SIGKILL')
  if (mark) await endMarked(mark)
}

/** Kills by the mark alone, until nobody is found: somebody may be starting processes meanwhile. */
export async function endMarked(mark: string): Promise<void> {
  for (let round = 0; round < 5; round++) {
    const found = await markedProcesses(mark).catch(unseen)
    if (found?.length === 0) return
    for (const pid of found ?? []) signalAll(pid, 'SIGKILL')
    await sleep(10)
  }
}

export async function isGroupAlive(group: number): Promise<boolean> {
  if (!isGroupThere(group)) return false
  return process.platform !== 'linux' || (await groupMembers(group).catch(unseen))?.length !== 0
}

/** Nobody could look: that is not the same as nobody there. */
const unseen = () => undefined

function isGroupThere(group: number): boolean {
  return signalAll(-group, 0)
}

function signalAll(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal)
  } catch {
    return false
  }
}
