/**
 * Writing for a run: only over what that run has seen.
 * C1 An existing file must have been read by this run, and must still be at the version it read or wrote last.
 * C2 A stale write is refused with what changed since and who changed it, so that the model can redo its change; without
 *    what changed where the run may not read that.
 * C3 The comparison happens under the lock of the real path, so of two concurrent writers one is told.
 * C4 A call that was cancelled while it waited for the lock writes nothing: nobody waits for its answer any more.
 */
import type { ToolContext } from '../../core/ports.js'
import type { FileChange } from '../../core/types.js'
import { changeFile, lookAtFile } from '../os/atomic-file.js'
import type { FileLocks } from '../os/file-lock.js'
import type { FileState } from '../os/file-version.js'
import { ToolFailure } from './define-tool.js'
import { type FileAccess, shownPath } from './file-access.js'
import { compareTexts, type FileHistory, type FileWriter } from './file-history.js'

export interface FileChanges {
  /** `edit` gets the current bytes (nothing for a new file) and gives the new ones; it may throw `ToolFailure`. */
  change(path: string, context: ToolContext, edit: EditBytes): Promise<ChangedFile>
  /** Throws what `change` would throw now, and changes nothing. Silent about what the run may not read without asking. */
  foresee(path: string, context: ToolContext, edit: EditBytes): Promise<void>
}
type EditBytes = (before: Buffer | undefined) => Buffer
export interface ChangedFile {
  /** As the output of a tool reports it. */
  readonly file: FileChange
  /** As a person should see the path. */
  readonly name: string
  readonly after: Buffer
  readonly added: number
  readonly removed: number
}

export function createFileChanges(access: FileAccess, history: FileHistory, locks: FileLocks): FileChanges {
  return {
    async change(path, context, edit) {
      const real = await access.resolve(path, 'write', context)
      const name = shownPath(real, context.workspace.cwd)
      let after: Buffer = Buffer.alloc(0)
      const { version, before } = await changeFile(real, locks, state => {
        context.signal.throwIfAborted()
        if (state) requireFresh({ real, name, state }, context, history)
        after = edit(contentOf(state, name))
        return after
      }).catch(async error => {
        throw error instanceof StaleFile && (await access.hides(path, context)) ? error.withoutContent() : error
      })
      const change = before ? 'modified' : 'created'
      const { added, removed } = compareTexts(name, before?.bytes ?? Buffer.alloc(0), after)
      history.remember(version, after)
      const { runId, agent, clock } = context
      history.written(real, { runId, agent, version, at: clock.now() })
      return { file: { path: real, change, hash: version }, name, after, added, removed }
    },
    async foresee(path, context, edit) {
      const real = await access.seen(path, context)
      if (real === undefined) return
      const name = shownPath(real, context.workspace.cwd)
      const state = await lookAtFile(real)
      if (state) requireFresh({ real, name, state }, context, history)
      edit(contentOf(state, name))
    },
  }
}

interface FoundFile {
  readonly real: string
  readonly name: string
  readonly state: FileState
}

/** C1, C2. */
function requireFresh({ real, name, state }: FoundFile, context: ToolContext, history: FileHistory): void {
  const known = context.knownVersion(real)
  if (known === undefined) {
    throw new ToolFailure(`Refused: ${name} exists and this run has not read it. Read it first.`, 'not read yet')
  }
  if (known === state.version) return
  const writer = history.lastWriter(real)
  // Our own record counts only for the version that lies there: somebody else may have come after.
  const who = describeWriter(writer?.version === state.version ? writer : undefined, context)
  const seen = history.recall(known)
  const what = seen && state.bytes ? `\nWhat changed since then:\n${compareTexts(name, seen, state.bytes).diff}` : ''
  throw new StaleFile(`Refused: ${name} changed after this run read it${who}. Nothing was written.`, what)
}

/** C2. What changed is content of the file: only for whom may read it. */
class StaleFile extends ToolFailure {
  readonly #refusal: string

  constructor(refusal: string, changed: string) {
    super(`${refusal}${changed}\nRead it again, then redo your change.`, 'changed since read')
    this.#refusal = refusal
  }

  withoutContent(): StaleFile {
    return new StaleFile(this.#refusal, '')
  }
}

function describeWriter(writer: FileWriter | undefined, context: ToolContext): string {
  if (!writer) return ' (not by one of our runs)'
  const who = writer.runId === context.runId ? 'this run itself' : `agent ${writer.agent} (run ${writer.runId})`
  return `; last changed by ${who}`
}

function contentOf(state: FileState | undefined, name: string): Buffer | undefined {
  if (!state || state.bytes) return state?.bytes
  throw new ToolFailure(`${name} is too large to change here. Use a command in Bash.`, 'too large')
}
