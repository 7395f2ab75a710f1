/** One command in bash: what it is started with, and what its end tells. */
import { randomBytes } from 'node:crypto'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolContext } from '../../core/ports.js'
import { type CaptureLimits, OutputCapture } from '../os/output-capture.js'
import type { OutputPipes } from '../os/output-pipe.js'
import { type GroupEnd, type ProcessGroup, startGroup } from '../os/process-group.js'
import type { Reaper } from '../os/reaper.js'
import { programOutside } from '../os/search-path.js'
import { CommandOutput } from './command-output.js'
import { oneLine } from './plain-text.js'

export interface CommandPlace {
  readonly cwd: string
  readonly scratch: string
  /** Where output goes that is too long to show. */
  readonly outputs: string
  readonly env: Readonly<Record<string, string>>
  readonly pipes: OutputPipes
  readonly reaper: Reaper
  readonly limits: CaptureLimits
}
export interface CommandEnd extends GroupEnd {
  /** Where the shell stood at its end, as it says. */
  readonly directory?: string
}
export interface StartedCommand {
  readonly ended: Promise<CommandEnd>
  /** What was printed since the last call of this; the file of an earlier part stays. */
  take(): OutputCapture
  release(): void
  end(): Promise<void>
}

// Printing without end is stopped here at the latest, long after the file and the ends are full.
const endlessBytes = 4 * 1024 ** 3
const progressMs = 500

/**
 * The command is an argument of the script, not a part of it: bash reads exactly what was judged, and nothing in it can
 * close a quote. Where the shell stands at the end goes to descriptor 3, which the command has as well: so it goes there
 * behind a mark that is not handed to the command.
 */
const script = `trap "{ command printf %s $1; command pwd -P; } >&3" EXIT; eval "shift 2
$2"`

export async function startCommand(
  command: string,
  place: CommandPlace,
  context: ToolContext,
): Promise<StartedCommand> {
  const { workspace, runId, callId, clock, signal } = context
  const bash = programOutside('bash', place.env.PATH ?? '', workspace.roots)
  const mark = randomBytes(16).toString('hex')
  const argv = [bash, '--noprofile', '--norc', '-c', script, 'bash', mark, command]
  const shown = new CommandOutput(
    () => new OutputCapture(join(place.outputs, `output-${clock.id()}.txt`), place.limits),
  )
  let [printed, report, shownAt] = [0, '', clock.now()]
  const showProgress = (chunk: Buffer) => {
    if (clock.now() - shownAt < progressMs) return
    shownAt = clock.now()
    context.progress(oneLine(chunk.subarray(-400).toString('utf8').trimEnd().split('\n').at(-1) ?? '', 100))
  }
  const output = await place.pipes.open()
  // Cancelled while all this was made ready: nobody waits for it any more, and it must not begin.
  if (signal.aborted) {
    closeSync(output.write)
    output.read.destroy()
    throw signal.reason
  }
  const group: ProcessGroup = startGroup(workspace.wrap?.(argv) ?? argv, {
    cwd: place.cwd,
    env: { ...place.env, TMPDIR: place.scratch, OFFSHOOT_RUN: runId, ...place.reaper.environment },
    output,
    mark: `OFFSHOOT_CALL=${runId}/${callId}`,
    reaper: place.reaper,
    onOutput(chunk) {
      shown.push(chunk)
      printed += chunk.length
      showProgress(chunk)
      if (printed > endlessBytes) group.end()
    },
    onReport(chunk) {
      report = (report + chunk.toString('utf8')).slice(-8192)
    },
  })
  return {
    ended: group.ended.then(end => {
      shown.finish()
      return { ...end, ...directoryIn(report, mark) }
    }),
    take: () => shown.take(),
    release() {
      group.release()
      shown.close()
    },
    async end() {
      await group.end()
      shown.finish()
      shown.close()
    },
  }
}

function directoryIn(report: string, mark: string): { directory?: string } {
  const [, line = ''] = report.split(mark)
  const directory = line.split('\n')[0]!
  return directory.startsWith('/') ? { directory } : {}
}
