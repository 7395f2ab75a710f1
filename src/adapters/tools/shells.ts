/**
 * The shells of every run: where each stands, which go on in the background, and what must be ended with the run.
 * S1 A run reaches only its own shells. S2 Ending a run ends all it started, also what left its process group.
 * S3 A working directory is kept only inside the workspace: the next command is judged by it.
 */
import { realpathSync } from 'node:fs'
import type { RunId } from '../../core/message.js'
import type { ToolContext, Workspace } from '../../core/ports.js'
import { commandEnvironment, type EnvironmentOptions } from '../os/command-environment.js'
import { isInside } from '../os/inside.js'
import type { CaptureLimits } from '../os/output-capture.js'
import { createOutputPipes } from '../os/output-pipe.js'
import { endMarked } from '../os/process-group.js'
import { createReaper } from '../os/reaper.js'
import { createScratch, type Scratch } from '../os/scratch.js'
import { type CommandEnd, type StartedCommand, startCommand } from './shell-command.js'

export interface ShellsOptions {
  readonly environment?: EnvironmentOptions
  /** What the commands' environment is taken from. */
  readonly source?: Readonly<Record<string, string | undefined>>
  readonly scratch?: Scratch
  readonly limits?: CaptureLimits
}
export const captureLimits: CaptureLimits = { headBytes: 10_000, tailBytes: 20_000, fileBytes: 64 * 1024 * 1024 }

export interface BackgroundShell {
  readonly id: string
  readonly command: string
  readonly started: StartedCommand
  /** Once it has ended. */
  end?: CommandEnd
  isKilled: boolean
}

export interface Shells {
  readonly scratch: Scratch
  start(command: string, context: ToolContext): Promise<StartedCommand>
  startInBackground(command: string, context: ToolContext): Promise<BackgroundShell>
  find(runId: RunId, id: string): BackgroundShell | undefined
  list(runId: RunId): readonly BackgroundShell[]
  /** Where the run's next command starts. Whoever judges commands must judge relative paths by this. */
  directoryOf(runId: RunId, workspace: Workspace): string
  /** Takes over where a command ended; says why when it does not. */
  moveTo(directory: string | undefined, run: Pick<ToolContext, 'runId' | 'workspace'>): 'same' | 'moved' | 'outside'
  /** Ends everything a run started and removes its scratch directory. */
  endRun(runId: RunId): Promise<void>
  close(): Promise<void>
}

interface RunShells {
  directory?: string
  count: number
  readonly background: Map<string, BackgroundShell>
  /** Not ended, or ended and leaving something behind. */
  readonly open: Set<StartedCommand>
}

export function createShells(options: ShellsOptions = {}): Shells {
  const { environment, source = process.env, limits = captureLimits } = options
  const scratch = options.scratch ?? createScratch()
  const reaper = createReaper()
  const pipes = createOutputPipes(() => scratch.of('.pipes'))
  const runs = new Map<RunId, RunShells>()
  const shellsOf = (runId: RunId): RunShells => {
    const known = runs.get(runId) ?? { count: 0, background: new Map(), open: new Set() }
    runs.set(runId, known)
    return known
  }

  async function start(command: string, context: ToolContext): Promise<StartedCommand> {
    const { runId, workspace } = context
    const env = commandEnvironment(source, environment)
    const cwd = directoryOf(runId, workspace)
    const place = { cwd, scratch: await scratch.of(runId), env, pipes, reaper, limits }
    const started = await startCommand(command, place, context)
    const { open } = shellsOf(runId)
    open.add(started)
    started.ended.then(end => {
      if (end.leftBehind.length > 0) return
      open.delete(started)
      started.release()
    })
    return started
  }

  function directoryOf(runId: RunId, workspace: Workspace): string {
    return runs.get(runId)?.directory ?? workspace.cwd
  }

  async function endRun(runId: RunId): Promise<void> {
    const run = runs.get(runId)
    if (!run) return
    runs.delete(runId)
    await Promise.all([...run.open].map(started => started.end()))
    await endMarked(`OFFSHOOT_RUN=${runId}`)
    await scratch.release(runId)
  }

  return {
    scratch,
    start,
    async startInBackground(command, context) {
      const run = shellsOf(context.runId)
      const id = `bash_${++run.count}`
      const shell: BackgroundShell = { id, command, started: await start(command, context), isKilled: false }
      run.background.set(id, shell)
      shell.started.ended.then(end => {
        shell.end = end
      })
      return shell
    },
    find: (runId, id) => runs.get(runId)?.background.get(id),
    list: runId => [...(runs.get(runId)?.background.values() ?? [])],
    directoryOf,
    moveTo(directory, { runId, workspace }) {
      const before = directoryOf(runId, workspace)
      if (directory === undefined || directory === before) return 'same'
      const run = shellsOf(runId)
      const real = existing(directory)
      const isAllowed = real !== undefined && workspace.roots.some(root => isInside(real, root))
      run.directory = isAllowed ? real : undefined
      return isAllowed ? 'moved' : 'outside'
    },
    endRun,
    async close() {
      await Promise.all([...runs.keys()].map(endRun))
      await reaper.close()
      await scratch.close()
    },
  }
}

function existing(directory: string): string | undefined {
  try {
    return realpathSync(directory)
  } catch {
    return undefined
  }
}
