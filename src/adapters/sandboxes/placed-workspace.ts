import type { EnteredWorkspace } from '../../core/workspace.js'

/** A workspace as one sandbox hands it to another that is laid around it. */
export interface PlacedWorkspace extends EnteredWorkspace {
  /** Directories of a git repository that commands must be able to write, though they lie outside the roots. */
  readonly gitDirectories?: readonly string[]
}
