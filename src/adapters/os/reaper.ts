/**
 * Ends our commands when we cannot. A tiny shell holds a pipe to us and the list of process groups; when the pipe
 * closes, however we died, it ends them, and whoever carries our mark in its environment, and removes our folders.
 * Started before the first of them.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { tryStart } from './try-start.js'

export interface Reaper {
  /** The mark: belongs into the environment of every command. */
  readonly environment: Readonly<Record<string, string>>
  /**
   * Before a command is started: should we die before its number is known, the mark finds it. Throws when nobody would
   * be there to do that: such a command must not begin.
   */
  expect(): void
  watch(group: number): void
  /** The group has ended; its number may be used again. */
  leave(group: number): void
  /** A folder of ours alone, for temporary files: removed with everything in it when we are gone. */
  tidy(folder: string): void
  /** Ends everything that is still watched. Resolves when it is done. */
  close(): Promise<void>
}

export function createReaper(): Reaper {
  const id = randomUUID()
  const groups = new Set<number>()
  const folders = new Set<string>()
  let isExpecting = false
  let child: ChildProcess | undefined

  function tell(line: string): void {
    child?.stdin?.write(`${line}\n`)
  }
  function start(): string | undefined {
    const started = startProgram(`OFFSHOOT_HOST=${id}`)
    if (typeof started === 'string') return started
    child = started
    for (const end of ['exit', 'error'])
      started.on(end, () => {
        if (child === started) child = undefined
      })
    if (isExpecting) tell('expect')
    for (const group of groups) tell(`watch ${group}`)
    for (const folder of folders) tell(`tidy ${folder}`)
    return undefined
  }
  return {
    environment: { OFFSHOOT_HOST: id },
    expect() {
      const fault = child ? undefined : start()
      if (fault !== undefined) throw new Error(`what would end it after us could not be started: ${fault}`)
      if (isExpecting) return
      isExpecting = true
      tell('expect')
    },
    watch(group) {
      groups.add(group)
      if (child) tell(`watch ${group}`)
      else start()
    },
    leave(group) {
      if (groups.delete(group)) tell(`leave ${group}`)
    },
    tidy(folder) {
      folders.add(folder)
      if (child) tell(`tidy ${folder}`)
      else start()
    },
    async close() {
      const closing = child
      if (closing?.pid === undefined) return
      const ended = new Promise(resolve => closing.once('exit', resolve))
      closing.ref()
      closing.stdin!.end()
      await ended
    },
  }
}

/** It waits for us, we do not wait for it. */
function startProgram(mark: string): ChildProcess | string {
  const started = tryStart(() =>
    spawn('/bin/sh', ['-c', program, 'offshoot-reaper', mark], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
    }),
  )
  if (typeof started === 'string') return started
  started.stdin!.on('error', () => undefined)
  started.unref()
  ;(started.stdin as unknown as { unref(): void }).unref()
  return started
}

// Signals meant for us reach it as well when a terminal closes; it must outlive them.
const program = `
trap '' HUP INT TERM QUIT
groups=' '
folders=
watched=
mark=$1
while read -r verb value; do
  case $verb in
    tidy) folders="$folders$value
" ;;
    expect) watched=yes ;;
    watch) watched=yes groups="$groups$value " ;;
    leave) groups="\${groups%% $value *} \${groups#* $value }" ;;
  esac
done
everyone() {
  for group in $groups; do kill -s "$1" -- "-$group" 2>/dev/null; done
  [ -r /proc/self/environ ] || return 0
  for file in $(grep -alsF "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    kill -s "$1" "\${pid%/environ}" 2>/dev/null
  done
}
if [ -n "$watched" ]; then
  everyone TERM
  sleep 0.3
  everyone KILL
  everyone KILL
fi
printf %s "$folders" | while IFS= read -r folder; do rm -rf -- "$folder"; done
`
