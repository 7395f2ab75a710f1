/**
 * The shells of every run: where each stands, which go on in the background, and what must be ended with the run.
 * S1 A run reaches only its own shells. S2 Ending a run ends all it started, also what left its process group.
 * S3 A working directory is kept only inside the workspace: the next command is judged by it, and starts there or not
 *    at all. Another process goes on where the run's log says its shell stood.
 */
import { realpathSync } from 'node:fs'
import type { RunId } from '../../core/message.js'
import type { ToolContext } from '../../core/ports.js'
import type { Workspace } from '../../core/workspace.js'
import { commandEnvironment, type EnvironmentOptions } from '../os/command-environment.js'
import { isInside } from '../os/inside.js'
import type { KeptOutputs } from '../os/kept-outputs.js'
import type { CaptureLimits } from '../os/output-capture.js'
import { createOutputPipes, type OutputPipes } from '../os/output-pipe.js'
import { endMarked } from '../os/process-group.js'
import { createReaper, type Reaper } from '../os/reaper.js'
import { createScratch, type Scratch } from '../os/scratch.js'
import { ToolFailure } from './define-tool.js'
import { lookingGitEnvironment } from './looking-git.js'
import { type CommandEnd, type StartedCommand, startCommand } from './shell-command.js'

/** What commands see of the environment, and how much of their output is kept. */
export interface ShellsOptions {
  readonly environment?: EnvironmentOptions
  /** What the commands' environment is taken from. */
  readonly source?: Readonly<Record<string, string | undefined>>
  /** @internal */
  readonly scratch?: Scratch
  /**
   * @internal Where output that is too long to show stays after the run. Default: in its scratch directory, which goes with
   * it.
   */
  readonly outputs?: KeptOutputs
  readonly limits?: CaptureLimits
}
const captureLimits: CaptureLimits = { headBytes: 10_000, tailBytes: 20_000, fileBytes: 64 * 1024 * 1024 }

export interface BackgroundShell {
  readonly id: string
  readonly command: string
  readonly started: StartedCommand
  /** Once it has ended. */
  end?: CommandEnd
  isKilled: boolean
}

/** Where each run's commands stand, and what has to end with it. */
export interface Shells {
  /** @internal */
  readonly scratch: Scratch
  /** The directory for what is too long to show. */
  outputsFor(run: Pick<ToolContext, 'runId' | 'rootId'>): Promise<string>
  /** How many bytes may still be put there. */
  roomFor(run: Pick<ToolContext, 'runId' | 'rootId'>): number
  /** Whether a path lies in a directory that was made here for the run. */
  isOwn(path: string, runId: RunId): boolean
  /** @internal */
  start(command: string, context: ToolContext): Promise<StartedCommand>
  /** @internal */
  startInBackground(command: string, context: ToolContext): Promise<BackgroundShell>
  /** @internal */
  find(runId: RunId, id: string): BackgroundShell | undefined
  /** @internal */
  list(runId: RunId): readonly BackgroundShell[]
  /**
   * Where the run's next command starts. Whoever judges commands must judge relative paths by this. `logged`: where its
   * log says it stood, for a run that has had no shell here yet.
   */
  directoryOf(runId: RunId, workspace: Workspace, logged?: string): string
  /** @internal Whether the run has had a shell here, so that what its log says of it counts no more. */
  hasStood(runId: RunId): boolean
  /** Takes over where a command ended; says why when it does not. */
  moveTo(directory: string | undefined, run: Pick<ToolContext, 'runId' | 'workspace'>): 'same' | 'moved' | 'outside'
  /** Ends everything a run started and removes its scratch directory. */
  endRun(runId: RunId): Promise<void>
  close(): Promise<void>
}

interface RunShells {
  directory?: string
  /** `directory` is known here, and absent it is the workspace's own. */
  hasStood: boolean
  outputs?: string
  count: number
  readonly background: Map<string, BackgroundShell>
  /** Not ended, or ended and leaving something behind. */
  readonly open: Set<StartedCommand>
}

/** What all shells of this host share. */
interface ShellHouse {
  readonly runs: Map<RunId, RunShells>
  readonly scratch: Scratch
  readonly outputs: KeptOutputs | undefined
  readonly reaper: Reaper
  readonly pipes: OutputPipes
  readonly limits: CaptureLimits
  environment(): Record<string, string>
}

/**
 * The shells behind Bash and its kin, for all runs of a house. Nothing is started before the first command; `close`
 * ends everything.
 */
export function createShells(options: ShellsOptions = {}): Shells {
  const { source = process.env, limits = captureLimits } = options
  const reaper = createReaper()
  const scratch = options.scratch ?? createScratch(undefined, folder => reaper.tidy(folder))
  const house: ShellHouse = {
    runs: new Map(),
    scratch,
    outputs: options.outputs,
    limits,
    reaper,
    pipes: createOutputPipes(() => scratch.of('.pipes')),
    environment: () => commandEnvironment(source, options.environment),
  }
  return {
    scratch,
    outputsFor: run => outputsFor(house, run),
    roomFor: run => house.outputs?.room(run) ?? Number.POSITIVE_INFINITY,
    isOwn: (path, runId) =>
      [scratch.known(runId), house.runs.get(runId)?.outputs].some(own => own !== undefined && isInside(path, own)),
    start: (command, context) => start(house, command, context),
    startInBackground: (command, context) => startInBackground(house, command, context),
    find: (runId, id) => house.runs.get(runId)?.background.get(id),
    list: runId => [...(house.runs.get(runId)?.background.values() ?? [])],
    directoryOf: (runId, workspace, logged) => standing(house.runs.get(runId), workspace, logged),
    hasStood: runId => house.runs.get(runId)?.hasStood === true,
    moveTo: (directory, context) => moveTo(house, directory, context),
    endRun: runId => endRun(house, runId),
    async close() {
      await Promise.all([...house.runs.keys()].map(runId => endRun(house, runId)))
      await house.reaper.close()
      await scratch.close()
    },
  }
}

async function outputsFor(house: ShellHouse, run: Pick<ToolContext, 'runId' | 'rootId'>): Promise<string> {
  if (!house.outputs) return house.scratch.of(run.runId)
  const shells = shellsOf(house, run.runId)
  shells.outputs ??= await house.outputs.open(run)
  return shells.outputs
}

function shellsOf({ runs }: ShellHouse, runId: RunId): RunShells {
  const known = runs.get(runId) ?? { count: 0, hasStood: false, background: new Map(), open: new Set() }
  runs.set(runId, known)
  return known
}

/** What is outside the workspace of today is no place to go on from. */
function standing(run: RunShells | undefined, { cwd, roots }: Workspace, logged: string | undefined): string {
  if (run?.hasStood) return run.directory ?? cwd
  return logged !== undefined && roots.some(root => isInside(logged, root)) ? logged : cwd
}

async function start(house: ShellHouse, command: string, context: ToolContext): Promise<StartedCommand> {
  const { runId, workspace } = context
  const run = shellsOf(house, runId)
  const cwd = standing(run, workspace, context.shellDirectory)
  Object.assign(run, { directory: cwd === workspace.cwd ? undefined : cwd, hasStood: true })
  if (run.directory !== undefined && existing(cwd) !== cwd) {
    run.directory = undefined
    throw new ToolFailure(
      `Nothing was run: the working directory ${cwd} is gone. The next command starts in ${workspace.cwd}; make the call again if it fits there.`,
      'directory gone',
    )
  }
  const env = { ...house.environment(), ...(await lookingGitEnvironment(command, cwd)) }
  const outputs = await outputsFor(house, context)
  const limits = { ...house.limits, room: () => house.outputs?.room(context) ?? Number.POSITIVE_INFINITY }
  const place = { ...house, limits, cwd, scratch: await house.scratch.of(runId), outputs, env }
  const started = await startCommand(command, place, context)
  run.open.add(started)
  started.ended.then(end => {
    if (end.leftBehind.length > 0) return
    run.open.delete(started)
    started.release()
  })
  return started
}

async function startInBackground(house: ShellHouse, command: string, context: ToolContext): Promise<BackgroundShell> {
  const run = shellsOf(house, context.runId)
  let id = `bash_${++run.count}`
  // A name that meant something in an earlier process goes on to mean that.
  while (context.leftRunning?.(id) !== undefined) id = `bash_${++run.count}`
  const shell: BackgroundShell = { id, command, started: await start(house, command, context), isKilled: false }
  run.background.set(id, shell)
  shell.started.ended.then(end => {
    shell.end = end
  })
  return shell
}

function moveTo(
  house: ShellHouse,
  directory: string | undefined,
  { runId, workspace }: Pick<ToolContext, 'runId' | 'workspace'>,
) {
  const run = shellsOf(house, runId)
  if (directory === undefined) return 'same'
  run.hasStood = true
  if (directory === (run.directory ?? workspace.cwd)) return 'same'
  const real = existing(directory)
  const isAllowed = real !== undefined && workspace.roots.some(root => isInside(real, root))
  run.directory = isAllowed ? real : undefined
  return isAllowed ? 'moved' : 'outside'
}

async function endRun(house: ShellHouse, runId: RunId): Promise<void> {
  const run = house.runs.get(runId)
  if (!run) return
  house.runs.delete(runId)
  await Promise.all([...run.open].map(started => started.end()))
  await endMarked(`OFFSHOOT_RUN=${runId}`)
  await house.scratch.release(runId)
}

function existing(directory: string): string | undefined {
  try {
    return realpathSync(directory)
  } catch {
    return undefined
  }
}
