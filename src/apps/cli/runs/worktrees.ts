/** `runs worktrees`: what runs with a worktree of their own have left in this repository, and how it comes home. */
import {
  type KeptWorktree,
  listWorktrees,
  mergeWorktree,
  removeWorktree,
} from '../../../adapters/sandboxes/worktree-list.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'
import { exitCodes } from '../exit-codes.js'
import { columns, countWords } from '../figures.js'

export interface WorktreesOptions {
  readonly merge?: string
  readonly remove?: string
  readonly force?: boolean
  readonly json?: boolean
}

export async function worktreesCommand(options: WorktreesOptions, deps: CommandDeps): Promise<number> {
  const { merge, remove } = options
  const wanted = merge ?? remove
  if (wanted !== undefined && refusedInsideRun(deps, 'changing worktrees')) return exitCodes.permission
  const kept = await listWorktrees(deps.cwd).catch(() => undefined)
  if (!kept) return fault(deps, `${deps.cwd} is in no git repository; worktrees belong to one.`)
  if (wanted === undefined) return list(kept, options, deps)
  const found = kept.filter(({ runId }) => runId.startsWith(wanted))
  const [only] = found
  if (!only || found.length > 1)
    return fault(
      deps,
      `${only ? 'More than one worktree is' : 'No worktree is'} of a run "${wanted}". "offshoot runs worktrees" shows them.`,
    )
  return merge === undefined ? removeOne(only, options.force === true, deps) : mergeOne(only, deps)
}

function list(kept: readonly KeptWorktree[], { json }: WorktreesOptions, deps: CommandDeps): number {
  if (json) deps.write(`${JSON.stringify(kept, null, 2)}\n`)
  else if (kept.length === 0) deps.warn('No run has left a worktree here.\n')
  else
    deps.write(
      columns(kept.map(({ runId, path, changed }) => [runId, countWords(changed.length, 'changed file'), path])),
    )
  return exitCodes.ok
}

async function mergeOne({ runId, path }: KeptWorktree, deps: CommandDeps): Promise<number> {
  const result = await mergeWorktree(deps.cwd, runId)
  if ('refused' in result) {
    deps.warn(`offshoot: ${result.refused}\n`)
    return exitCodes.error
  }
  for (const file of result.merged) deps.write(`${file}\n`)
  deps.warn(`${countWords(result.merged.length, 'file')} changed here, not committed; ${path} stays as it is.\n`)
  return exitCodes.ok
}

async function removeOne({ runId, path }: KeptWorktree, isForced: boolean, deps: CommandDeps): Promise<number> {
  const refused = await removeWorktree(deps.cwd, runId, isForced)
  if (refused === undefined) deps.warn(`${path} removed.\n`)
  else deps.warn(`offshoot: ${refused} Merge it first (--merge), or add --force.\n`)
  return refused === undefined ? exitCodes.ok : exitCodes.error
}

function fault(deps: CommandDeps, text: string): number {
  deps.warn(`offshoot: ${text}\n`)
  return exitCodes.usage
}
