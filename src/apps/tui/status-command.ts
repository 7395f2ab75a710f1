/**
 * The user's own status line: a command that gets the session as JSON on stdin and whose first lines are shown. It has
 * five seconds, runs again when something changed, and never twice at the same time.
 */
import { spawn } from 'node:child_process'
import { endGroup } from '../../adapters/os/process-group.js'
import { tryStart } from '../../adapters/os/try-start.js'

export interface StatusCommand {
  /** Something changed: run it soon. */
  refresh(): void
  close(): void
}

const limitMs = 5000
const pauseMs = 300

export function statusCommand(
  command: string,
  session: () => object,
  show: (output: string) => void,
  env: Readonly<Record<string, string | undefined>>,
): StatusCommand {
  let isRunning = false
  let isWanted = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const run = async () => {
    timer = undefined
    if (isRunning || isClosed) return
    isRunning = true
    isWanted = false
    const output = await outputOf(command, JSON.stringify(session()), env)
    isRunning = false
    if (output !== undefined && !isClosed) show(output)
    if (isWanted) refresh()
  }
  const refresh = () => {
    isWanted = true
    if (!isRunning) timer ??= setTimeout(() => void run(), pauseMs)
  }
  return {
    refresh,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** Undefined when it failed or took too long: what was shown before stays. */
function outputOf(
  command: string,
  input: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const child = tryStart(() =>
      spawn(command, { shell: true, detached: true, env, stdio: ['pipe', 'pipe', 'ignore'] }),
    )
    if (typeof child === 'string') return resolve(undefined)
    let output = ''
    const timer = setTimeout(() => {
      if (child.pid) void endGroup(child.pid)
      resolve(undefined)
    }, limitMs)
    child.stdout.on('data', chunk => {
      if (output.length < 10_000) output += String(chunk)
    })
    child.on('error', () => resolve(undefined))
    child.on('close', code => {
      clearTimeout(timer)
      resolve(code === 0 ? output : undefined)
    })
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
