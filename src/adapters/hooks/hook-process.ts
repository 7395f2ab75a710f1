/**
 * One hook command, from start to end.
 * K1 The command is the configuration's own text; what happened reaches it on stdin alone, never in its arguments.
 * K2 Time, output and abort end the whole process group. What it leaves behind when it ends is ended too.
 * K3 Never rejects, and waits for a stream that somebody else still holds only where an answer is owed (`isAnswer`), and
 *    not for long.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { HookEnd } from '../../core/hooks/hook-verdict.js'
import { endGroup, isGroupAlive } from '../os/process-group.js'
import { markedProcesses } from '../os/process-scan.js'
import type { Reaper } from '../os/reaper.js'
import { tryStart } from '../os/try-start.js'

export interface HookProcessOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** One JSON document. */
  readonly input: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly reaper?: Reaper
  /**
   * Of a hook whose silence would let something happen: whether what it has printed is its answer. Without one it has not
   * ended before its stdout has: `exec > >(filter)` leaves a shell that is gone and an answer that is on its way.
   */
  isAnswer?(stdout: string): boolean
}

/** More than this on both streams together is no answer. */
const floodBytes = 4 * 1024 * 1024
const keptBytes = 256 * 1024
// How long to read on after the hook ended while something it left behind still holds the stream.
const drainMs = 50
// The same where its answer may be on the way.
const owedMs = 2000

export async function runHook(command: string, options: HookProcessOptions): Promise<HookEnd> {
  const { cwd, env, input, timeoutMs, signal, reaper } = options
  const silent = { stdout: '', stderr: '' }
  if (signal.aborted) return { ...silent, fault: 'was not started: its run is being stopped' }
  const mark = `OFFSHOOT_HOOK=${randomUUID()}`
  const child = tryStart(() => {
    reaper?.expect()
    return spawn('/bin/sh', ['-c', command], {
      cwd,
      env: { ...env, ...reaper?.environment, OFFSHOOT_HOOK: mark.slice(mark.indexOf('=') + 1) },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  })
  if (typeof child === 'string') return { ...silent, fault: `cannot be started (${child})` }
  const { pid } = child
  if (pid !== undefined) reaper?.watch(pid)
  const stdout = keep(child.stdout)
  const stderr = keep(child.stderr)
  // A hook need not read what it is told.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const silenced = new Promise<void>(resolve => child.stdout.once('close', () => resolve()))
  const cut = cutShort(timeoutMs, signal, [stdout, stderr])
  const ended = new Promise<Ended>(resolve => {
    child.once('error', error => resolve({ fault: `cannot be started (${error.message})` }))
    child.once('exit', (code, by) => resolve(code === null ? { signal: by ?? 'a signal' } : { code }))
  })
  const end = await Promise.race([ended.then(first => orOwed(first, silenced, stdout, options)), cut.fault])
  cut.close()
  if (pid !== undefined) {
    if (!('fault' in end)) await drained(closed)
    const hasStayers = (await isGroupAlive(pid)) || (await isMarkSeen(mark, pid))
    if ('fault' in end || hasStayers) await endGroup(pid, mark)
    reaper?.leave(pid)
  }
  for (const stream of [child.stdout, child.stderr]) stream.destroy()
  return { ...end, stdout: stdout.text(), stderr: stderr.text(), ...(stdout.isCut() && { isCut: true }) }
}

type Ended = Omit<HookEnd, 'stdout' | 'stderr'>

async function orOwed(end: Ended, silenced: Promise<void>, stdout: Kept, { isAnswer }: HookProcessOptions) {
  if (end.code !== 0 || !isAnswer) return end
  const isOver = (await drained(silenced)) || isAnswer(stdout.text()) || (await drained(silenced, owedMs))
  return isOver ? end : { ...end, isHeld: true }
}

/** Whether the stream was closed in time. */
function drained(closed: Promise<void>, withinMs = drainMs): Promise<boolean> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(false), withinMs)
    void closed.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** Where nobody could look, somebody may be. */
async function isMarkSeen(mark: string, since: number): Promise<boolean> {
  return markedProcesses(mark, since).then(
    found => found.length > 0,
    () => true,
  )
}

interface Kept {
  /** Called with the size of each piece. */
  onBytes: (bytes: number) => void
  text(): string
  isCut(): boolean
}

function keep(stream: NodeJS.ReadableStream): Kept {
  const pieces: Buffer[] = []
  let size = 0
  const kept: Kept = {
    onBytes: () => {},
    text: () => Buffer.concat(pieces).toString('utf8'),
    isCut: () => size > keptBytes,
  }
  stream.on('data', (piece: Buffer) => {
    if (size < keptBytes) pieces.push(piece.subarray(0, keptBytes - size))
    size += piece.length
    kept.onBytes(piece.length)
  })
  stream.on('error', () => undefined)
  return kept
}

/** Resolves with why the hook must not go on; stays open otherwise. */
function cutShort(timeoutMs: number, signal: AbortSignal, streams: readonly Kept[]) {
  let close = () => {}
  const fault = new Promise<{ readonly fault: string }>(resolve => {
    const timer = setTimeout(() => resolve({ fault: `did not end within ${timeoutMs / 1000} s` }), timeoutMs)
    const onAbort = () => resolve({ fault: 'was ended with its run' })
    signal.addEventListener('abort', onAbort, { once: true })
    let total = 0
    for (const stream of streams)
      stream.onBytes = bytes => {
        total += bytes
        if (total > floodBytes) resolve({ fault: `printed more than ${floodBytes / 1024 / 1024} MiB` })
      }
    close = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  })
  return { fault, close: () => close() }
}
