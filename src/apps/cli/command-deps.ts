/** What every command is given: nothing reaches for the process itself. */
import { inheritedFrom } from '../../adapters/os/process-scan.js'
import { ownerBy, runMark } from '../../adapters/os/run-mark.js'
import { type Paint, paint, wantsColour } from '../session/paint.js'
import type { Streams } from '../session/streams.js'

export interface CommandDeps {
  readonly streams: Streams
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The run one of whose commands started this process, where the environment was emptied on the way. */
  startedBy?(): string | undefined
  /** Standard output. */
  write(text: string): void
  /** Standard error. */
  warn(text: string): void
  readonly look: Paint
  /** Columns of the terminal; 100 without one. */
  readonly width: number
  /** Whether standard output is one. */
  readonly isTerminal?: boolean
  now(): number
  setExitCode(code: number): void
}

/** `isForHelp`: nothing is done, only told what could be. */
export function processDeps(streams: Streams, isForHelp = false): CommandDeps {
  return {
    streams,
    cwd: isForHelp ? helpDirectory() : process.cwd(),
    env: streams.env,
    startedBy: () => inheritedFrom(runMark),
    write: streams.stdout,
    warn: text => void streams.stderr.write(text),
    look: paint(wantsColour(process.stdout, streams.env)),
    // A terminal without a size says 0.
    width: Math.max(leastWidth, process.stdout.columns || 100),
    isTerminal: process.stdout.isTTY === true,
    now: Date.now,
    setExitCode: code => {
      process.exitCode = code
    },
  }
}

/** Help is given in a directory that is gone, too. */
function helpDirectory(): string {
  try {
    return process.cwd()
  } catch {
    return '/'
  }
}

/** Whether we run inside a command that an agent started: then nothing that widens may be done. */
export function refusedInsideRun({ env, warn, startedBy }: CommandDeps, what: string): boolean {
  const mark = env[runMark] || startedBy?.()
  if (!mark) return false
  warn(`offshoot: ${what} is for people: a command that belongs to ${ownerBy(mark)} cannot do it.\n`)
  return true
}

/** Of a narrower one nothing could be read. */
const leastWidth = 20
