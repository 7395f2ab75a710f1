/** `runs worktrees`: what runs with a worktree of their own have left in this repository, and how it comes home. */
import { join } from 'node:path'
import { decisivePlaces } from '../../../adapters/ground/decisive-places.js'
import { offshootDirectories } from '../../../adapters/os/directories.js'
import {
  isInRepository,
  type KeptWorktree,
  listWorktrees,
  looseWords,
  removeWorktree,
} from '../../../adapters/sandboxes/worktree-list.js'
import { type MergeOptions, mergeWorktree } from '../../../adapters/sandboxes/worktree-merge.js'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import { commandLine, visible } from '../../../core/text/shell-word.js'
import { openBelow } from '../../../runtime/children/open-below.js'
import { columns } from '../../session/columns.js'
import { exitCodes } from '../../session/exit-codes.js'
import { countWords } from '../../session/figures.js'
import { askAtTerminal } from '../ask-at-terminal.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'

export interface WorktreesOptions {
  readonly merge?: string
  readonly remove?: string
  readonly force?: boolean
  readonly json?: boolean
}

export interface WorktreesDeps extends CommandDeps {
  /** Default: at the terminal; no where there is none. */
  ask?(question: string): Promise<boolean>
}

/** `usedBy`: the run that is at work in it now, itself or one below it, in a process that lives. */
type Listed = KeptWorktree & { readonly usedBy?: RunSummary }
type Store = Pick<MeasuredStore, 'summary' | 'list' | 'isHeld'>

export async function worktreesCommand(store: Store, options: WorktreesOptions, deps: WorktreesDeps): Promise<number> {
  const { merge, remove } = options
  const wanted = merge ?? remove
  if (wanted !== undefined && refusedInsideRun(deps, 'changing worktrees')) return exitCodes.permission
  if (merge !== undefined && remove !== undefined)
    return fault(deps, '--merge and --remove do not go together: look at what was merged, commit it, then remove.')
  if (!(await isInRepository(deps.cwd)))
    return fault(deps, `${deps.cwd} is in no git repository; worktrees belong to one.`)
  const kept: Listed[] = []
  for (const each of await listWorktrees(deps.cwd)) {
    const usedBy = await whoUses(store, each.runId as RunId)
    kept.push({ ...each, ...(usedBy && { usedBy }) })
  }
  if (wanted === undefined) return list(kept, options, deps)
  const found = kept.filter(({ runId }) => runId.startsWith(wanted))
  const [only] = found
  if (!only || found.length > 1)
    return fault(
      deps,
      `${only ? 'More than one worktree is' : 'No worktree is'} of a run "${wanted}". "offshoot runs worktrees" shows them.`,
    )
  const isForced = options.force === true
  const isMerge = merge !== undefined
  if (only.usedBy && !(isMerge && isForced)) {
    deps.warn(`offshoot: ${usedWords(only, only.usedBy, isMerge)}\n`)
    return exitCodes.error
  }
  return isMerge ? mergeOne(only, isForced, deps) : removeOne(only, isForced, deps)
}

/** A run below one works where that works, unless it has a worktree of its own; nobody can tell from here. */
async function whoUses(store: Store, runId: RunId): Promise<RunSummary | undefined> {
  const run = await store.summary(runId)
  if (!run) return undefined
  const [open] = run.status === 'ended' ? await openBelow(store, run) : [run]
  return open && (await store.isHeld(run.rootId)) ? open : undefined
}

function usedWords({ runId }: Listed, { runId: by, agent, rootId }: RunSummary, isMerge: boolean): string {
  const tree = by === rootId ? '' : ` in the tree of ${rootId}`
  const otherwise = isMerge ? ', or add --force to take what is there so far' : '; --force does not change that'
  const stop = commandLine('offshoot', 'runs', 'stop', by)
  return `The worktree of run ${runId} is in use: run ${by} (${agent})${tree} is at work. Wait for its end or stop it (${stop})${otherwise}.`
}

function list(kept: readonly Listed[], { json }: WorktreesOptions, deps: CommandDeps): number {
  const plain = kept.map(({ usedBy, ...each }) => ({ ...each, ...(usedBy && { usedBy: usedBy.runId }) }))
  if (json) deps.write(`${JSON.stringify(plain, null, 2)}\n`)
  else if (kept.length === 0) deps.warn('No run has left a worktree here.\n')
  else deps.write(columns(kept.map(each => [each.runId, holdings(each), placeOf(each)])))
  return exitCodes.ok
}

function holdings({ changed, apart, commits, looseCommits, fault, usedBy }: Listed): string {
  const words = [
    ...(usedBy ? ['in use'] : []),
    ...(fault !== undefined && changed.length === 0 ? [] : [countWords(changed.length, 'changed file')]),
    ...(commits > 0 ? [countWords(commits, 'commit')] : []),
    ...(looseCommits ? [`${countWords(looseCommits, 'commit')} that only its reflog has`] : []),
    ...(apart.length > 0 ? [`${countWords(apart.length, 'file')} that --merge leaves there`] : []),
    ...(fault === undefined ? [] : [fault]),
  ]
  return words.join(', ')
}

const placeOf = ({ path, branch }: KeptWorktree): string => path || `branch ${branch}`

async function mergeOne(kept: KeptWorktree, isForced: boolean, deps: WorktreesDeps): Promise<number> {
  const directory = join(offshootDirectories(deps.env).data, 'merges')
  const holdBack = isForced ? {} : { holdBack: holdingBack(deps) }
  const result = await mergeWorktree({ cwd: deps.cwd, runId: kept.runId, directory, ...holdBack })
  if (result.earlier !== undefined) deps.warn(`offshoot: ${result.earlier}\n`)
  if ('refused' in result) {
    deps.warn(`offshoot: ${result.refused}\n`)
    return exitCodes.error
  }
  const { merged, apart, held = [] } = result
  for (const file of merged) deps.write(`${file}\n`)
  if (merged.length === 0 && apart.length + held.length > 0)
    deps.warn('There is nothing that a merge brings over, or it was before.\n')
  else if (merged.length === 0 && kept.changed.length > 0) deps.warn('All of it was brought over before.\n')
  else deps.warn(`${countWords(merged.length, 'file')} changed here, not committed; ${placeOf(kept)} stays as it is.\n`)
  if (kept.looseCommits) deps.warn(`Not brought over: ${looseWords(kept)}.\n`)
  if (apart.length > 0)
    deps.warn(
      `Not brought over (ignored by git, only in the index there, a repository of its own, or under a name that is no UTF-8): ${apart.join(', ')}; in ${kept.path}.\n`,
    )
  if (held.length === 0) return exitCodes.ok
  deps.warn(`offshoot: ${heldWords(kept, held)}\n`)
  return exitCodes.error
}

const heldWords = (kept: KeptWorktree, held: readonly string[]): string =>
  `Not brought over, because it decides what runs or is allowed in later sessions: ${held.join(', ')}. Look at it (${placeOf(kept)}), then add --force to bring it as well.`

/** A run could not change these here unasked: its copy of them comes home by the word of a person alone. */
function holdingBack({ cwd, env, ask = askAtTerminal }: WorktreesDeps): NonNullable<MergeOptions['holdBack']> {
  return async (names, root) => {
    const isDecisive = await decisivePlaces({ cwd, env })
    if ('fault' in isDecisive) throw new Error(`${isDecisive.fault} --force brings over all of it`)
    const held = names.filter(name => isDecisive(join(root, name)))
    if (held.length === 0) return []
    const question = `These decide what runs or is allowed in later sessions: ${visible(held.join(', '))}. Have you read them? Bring them over as well?`
    return (await ask(question)) ? [] : held
  }
}

async function removeOne(kept: KeptWorktree, isForced: boolean, deps: CommandDeps): Promise<number> {
  const refused = await removeWorktree(deps.cwd, kept.runId, isForced)
  deps.warn(refused === undefined ? `${placeOf(kept)} removed.\n` : `offshoot: ${refused}\n`)
  return refused === undefined ? exitCodes.ok : exitCodes.error
}

function fault(deps: CommandDeps, text: string): number {
  deps.warn(`offshoot: ${text}\n`)
  return exitCodes.usage
}
