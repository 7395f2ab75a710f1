/** How the work of a worktree comes into the working tree of the user. */
import { messageOf } from '../../core/thrown.js'
import { git, isText, textOfBytes, tryGit } from '../os/safe-git.js'
import { HalfWritten, putBackCutOff, writeMerge } from './merge-files.js'
import { linksBetween, namesBetween, patchBetween, rawNamesBetween, treeOf, treeWithout } from './worktree-changes.js'
import { type KeptWorktree, listWorktrees } from './worktree-list.js'
import { baseOf, branchOf, isWhole, mergedOf, mergedRefOf, unresolvedIn } from './worktree-state.js'

export type MergeResult = (
  | /** Brought over, and what was left where it is. */
  {
      readonly merged: readonly string[]
      readonly apart: readonly string[]
      /** Left there because `holdBack` says so; a later merge may bring them. */
      readonly held?: readonly string[]
    } /** Nothing was changed; the sentence says why and what to do. */
  | { readonly refused: string }
) & {
  /** What became of a merge before this one that was cut off. */
  readonly earlier?: string
}

export interface MergeOptions {
  readonly cwd: string
  readonly runId: string
  /** Where a merge is made ready, and what stood there before is kept until it is done: no tool may write there. */
  readonly directory: string
  /** Asked about everything that differs, once, with its names in the repository: those to leave where they are. */
  readonly holdBack?: (names: readonly string[], root: string) => Promise<readonly string[]>
}

/** Brings the work of a run's worktree into the working tree around `cwd`, uncommitted, for the user to look at. */
export async function mergeWorktree(options: MergeOptions): Promise<MergeResult> {
  const { cwd, runId, directory } = options
  const kept = (await listWorktrees(cwd)).find(worktree => worktree.runId === runId)
  if (!kept) return { refused: `No worktree of run ${runId} in this repository.` }
  const root = (await git(['rev-parse', '--show-toplevel'], { cwd })).trim()
  const earlier = await putBackCutOff(root, directory)
  const result = (await obstacleTo(kept)) ?? (await bringOver(root, kept, options).catch(failed))
  return { ...result, ...(earlier !== undefined && { earlier }) }
}

const failed = (error: unknown) => {
  const left = error instanceof HalfWritten ? 'not all could be put back' : 'all is as it was'
  return { refused: `It could not be brought over, and ${left}: ${messageOf(error)}` }
}

async function obstacleTo(kept: KeptWorktree): Promise<{ readonly refused: string } | undefined> {
  const { path, fault, runId } = kept
  if (kept.isUnclear || (fault !== undefined && kept.commits === 0))
    return { refused: `Nothing can be taken from it: ${fault}.` }
  if (fault !== undefined) return undefined
  const torn = await unresolvedIn(path)
  if (torn.length > 0)
    return {
      refused: `A conflict is not resolved in ${path}: ${torn.join(', ')}. Resolve it there ("git -C ${path} status"), then merge again.`,
    }
  if (await isWhole(path, runId)) return undefined
  return {
    refused: `Branch ${branchOf(runId)} has commits that are not in what is checked out in ${path}. Merge that branch by hand.`,
  }
}

async function bringOver(root: string, kept: KeptWorktree, options: MergeOptions): Promise<MergeResult> {
  const { path, apart, runId } = kept
  const { directory } = options
  const { tree, held, unnamed } = await allowedTree(root, kept, options)
  const chosen = await chooseChanges(root, kept, tree)
  if (chosen === 'unreadable') return { refused: `The changes cannot be read whole; look in ${path || kept.branch}.` }
  if ('misfit' in chosen) return { refused: misfitWords(kept, chosen.misfit) }
  // Before it is written, because it is asked again whether it stands here: one that was cut off does not.
  const remember = () => git(['update-ref', mergedRefOf(runId), tree], { cwd: root })
  if (chosen.names.length === 0) await remember()
  else await writeMerge({ root, directory, runId, remember, ...chosen })
  const links = (await linksBetween(root, await baseOf(root, runId), tree)).map(name => `${name}/`)
  return {
    merged: chosen.names,
    apart: [...new Set([...apart, ...links, ...unnamed])].sort(),
    ...(held.length > 0 && { held }),
  }
}

interface AllowedTree {
  readonly tree: string
  readonly held: readonly string[]
  /** Names that no patch can be written under here. */
  readonly unnamed: readonly string[]
}

/** What is held back is as if the run had never touched it: what is remembered as brought over does not have it. */
async function allowedTree(root: string, kept: KeptWorktree, { holdBack }: MergeOptions): Promise<AllowedTree> {
  const tree = await treeOf(root, kept)
  const base = (await mergedOf(root, kept.runId)) ?? (await baseOf(root, kept.runId))
  const raw = await rawNamesBetween(root, base, tree)
  const named = raw.filter(isText).map(textOfBytes)
  const back = (await holdBack?.(named, root)) ?? []
  const unnamed = raw.filter(name => !isText(name))
  if (back.length + unnamed.length === 0) return { tree, held: [], unnamed: [] }
  const left = [...back.map(name => Buffer.from(name).toString('latin1')), ...unnamed]
  const allowed = await treeWithout(root, tree, base, left)
  const held = (await rawNamesBetween(root, allowed, tree)).filter(isText).map(textOfBytes).sort()
  return { tree: allowed, held, unnamed: unnamed.map(textOfBytes) }
}

interface Changes {
  readonly patch: Buffer
  readonly names: readonly string[]
}

/**
 * Since the run began; once that was brought over and still stands here, only what came since. Where it was undone or
 * written over meanwhile whatever fits, the whole first.
 */
async function chooseChanges(
  root: string,
  { runId }: KeptWorktree,
  tree: string,
): Promise<Changes | { readonly misfit: string } | 'unreadable'> {
  const base = await baseOf(root, runId)
  const merged = await mergedOf(root, runId)
  const whole = await changes(root, base, tree)
  if (merged === undefined) return whole ? ((await misfit(root, whole)) ?? whole) : 'unreadable'
  const [before, since] = [await changes(root, base, merged), await changes(root, merged, tree)]
  if (!whole || !before || !since) return 'unreadable'
  const stands = (await misfit(root, before, '--reverse')) === undefined
  const tried = stands ? [since] : [whole, since]
  let first: { readonly misfit: string } | undefined
  for (const each of tried) {
    const fault = await misfit(root, each)
    if (!fault && (stands || each.names.length > 0)) return each
    first ??= fault
  }
  return first ?? { misfit: 'it was brought over before, and is not what stands here now' }
}

async function changes(root: string, from: string, to: string): Promise<Changes | undefined> {
  const patch = await patchBetween(root, from, to)
  return patch && { patch, names: [...(await namesBetween(root, from, to))].sort() }
}

async function misfit(
  root: string,
  { patch }: Changes,
  ...more: readonly string[]
): Promise<{ readonly misfit: string } | undefined> {
  if (patch.length === 0) return undefined
  const looked = await tryGit(['apply', '--check', ...more, '-'], { cwd: root, input: patch })
  return looked.code === 0 ? undefined : { misfit: looked.stderr.trim() || 'git was stopped' }
}

function misfitWords({ commits, branch, fault, path }: KeptWorktree, why: string): string {
  const byHand = commits > 0 ? `Merge branch ${branch} by hand` : 'Take over by hand what you need'
  return `The changes do not fit the working tree: ${why}. ${byHand}${fault === undefined ? `, from ${path}` : ''}.`
}
