/**
 * Ends our commands when we cannot. A tiny shell holds a pipe to us and the list of process groups; when the pipe
 * closes, however we died, it ends them, and whoever carries our mark in its environment, and removes the directories
 * that were ours. Started with the first group or directory.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'

export interface Reaper {
  /** `NAME=value`: belongs into the environment of every command. */
  readonly mark: string
  watch(group: number): void
  /** The group has ended; its number may be used again. */
  leave(group: number): void
  /** A directory of ours, made with an `offshoot-` name: it does not outlive us. */
  own(directory: string): void
  /** It has been removed. */
  disown(directory: string): void
  /** Ends everything that is still watched. Resolves when it is done. */
  close(): Promise<void>
}

export function createReaper(): Reaper {
  const mark = `OFFSHOOT_HOST=${randomUUID()}`
  const groups = new Set<number>()
  const directories = new Set<string>()
  let child: ChildProcess | undefined

  function tell(line: string): void {
    child?.stdin?.write(`${line}\n`)
  }
  function start(): void {
    child = spawn('/bin/sh', ['-c', program], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
    })
    const started = child
    started.on('error', () => undefined)
    started.on('exit', () => {
      if (child === started) child = undefined
    })
    started.stdin!.on('error', () => undefined)
    // It waits for us, we do not wait for it.
    started.unref()
    ;(started.stdin as unknown as { unref(): void }).unref()
    tell(`mark ${mark}`)
    for (const group of groups) tell(`watch ${group}`)
    for (const directory of directories) tell(`own ${directory}`)
  }
  return {
    mark,
    watch(group) {
      if (!child) start()
      groups.add(group)
      tell(`watch ${group}`)
    },
    leave(group) {
      if (groups.delete(group)) tell(`leave ${group}`)
    },
    own(directory) {
      // A name with a line break would be two lines to the shell: such a place is only removed in good order.
      if (/[\r\n]/.test(directory)) return
      if (!child) start()
      directories.add(directory)
      tell(`own ${directory}`)
    },
    disown(directory) {
      if (directories.delete(directory)) tell(`disown ${directory}`)
    },
    async close() {
      const closing = child
      if (!closing) return
      const ended = new Promise(resolve => closing.once('exit', resolve))
      closing.ref()
      closing.stdin!.end()
      await ended
    },
  }
}

// Signals meant for us reach it as well when a terminal closes; it must outlive them.
const program = `
trap '' HUP INT TERM QUIT
line='
'
groups=' '
directories=$line
mark=
while IFS= read -r told; do
  value=\${told#* }
  case \${told%% *} in
    mark) mark=$value ;;
    watch) groups="$groups$value " ;;
    leave) groups="\${groups%% $value *} \${groups#* $value }" ;;
    own) directories="$directories$value$line" ;;
    disown) directories="\${directories%%"$line$value$line"*}$line\${directories#*"$line$value$line"}" ;;
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
everyone TERM
sleep 0.3
everyone KILL
everyone KILL
printf %s "$directories" | while IFS= read -r directory; do
  case \${directory##*/} in offshoot-*) rm -rf -- "$directory" ;; esac
done
`
