/** The port of sandboxes: where a run acts. */
import type { RunId } from './message.js'
import type { CopiedDirectory } from './permission/copied-paths.js'
import type { Standpoint } from './permission/standpoint.js'
import type { Brief, Result } from './types.js'

/** Where a run's tools act. */
export interface Workspace {
  readonly cwd: string
  readonly roots: readonly string[]
  /** Of what its directories are copies: what forbids an original forbids its copy. */
  readonly copies?: readonly CopiedDirectory[]
  /** Where those above it stand, from the root: their rules count from there. Set by the runtime; no sandbox needs to. */
  readonly callers?: readonly Standpoint[]
  /** Puts a command into the sandbox; absent without one. */
  wrap?(command: readonly string[]): readonly string[]
}

/** Says where a run acts, and makes that place. */
export interface Sandbox {
  /** Holds commands in where `brief.chain` says that their tree was begun so. Where nobody does, such a run is refused. */
  readonly holdsGiven?: boolean
  /** Called once a claim, before the first tool. Rejects when the place cannot be had: the run fails with that reason. */
  enter(run: {
    readonly runId: RunId
    readonly brief: Omit<Brief, 'declared'>
    readonly caller?: Workspace
  }): Promise<EnteredWorkspace>
}
/** A workspace that has to be left again. */
export interface EnteredWorkspace extends Workspace {
  /** Must not throw. What to tell the user (a worktree left with changes), if anything. */
  leave(result: Result | undefined): Promise<string | undefined>
  /** What a run that acted there before must know, because the place is not as it left it. */
  readonly news?: string
  /** Asked before an end is stored: the same words, and nothing is removed yet. Must not throw. */
  keeps?(): Promise<string | undefined>
}
