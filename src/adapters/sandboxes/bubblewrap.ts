/**
 * Commands in bubblewrap (Linux). Laid around another sandbox, which says where a run acts; the file tools do not run
 * in here and are bound by the path rules instead. Nothing is trusted before the self-test has passed.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { PermissionLink } from '../../core/types.js'
import type { Sandbox } from '../../core/workspace.js'
import { homeDirectory } from '../os/directories.js'
import { linkedDirectory } from '../os/git-links.js'
import { isInside } from '../os/inside.js'
import type { Scratch } from '../os/scratch.js'
import { type BubblewrapPlan, bubblewrapArguments } from './bubblewrap-arguments.js'
import { findBubblewrap, testBubblewrap } from './bubblewrap-test.js'
import { createGitGuards } from './git-guards.js'
import type { PlacedWorkspace } from './placed-workspace.js'

export interface BubblewrapOptions {
  /** Says where a run acts. */
  readonly inside: Sandbox
  readonly scratch: Scratch
  /**
   * `true`: all of it. `false` or an empty list: none. A list of hosts cannot be enforced here and is refused, because
   * treating it as either would be a lie.
   */
  readonly network: boolean | readonly string[]
  /** Further directories commands may write, for example a package cache. */
  readonly writable?: readonly string[]
  /** Further files and directories commands must not see: our own state and configuration belong here. */
  readonly hidden?: readonly string[]
  /** Further files and directories that stay read-only where they lie in what may be written; asked for each command. */
  decisive?(chain: readonly PermissionLink[]): readonly string[]
  readonly program?: string
}

/** Rejects, in words for the user, when bubblewrap is missing, does not work here, or does not hold. */
export async function openBubblewrap(options: BubblewrapOptions): Promise<Sandbox> {
  const hasNetwork = allowsNetwork(options.network)
  const program = options.program ?? findBubblewrap()
  if (program === undefined) {
    throw new Error(
      'The sandbox needs bubblewrap, and there is no bwrap on the PATH. Install it (Debian: apt-get install bubblewrap) or set sandbox to none.',
    )
  }
  const selfTest = await testBubblewrap(program, await options.scratch.of('.self-test'))
  if (!selfTest.isHolding) {
    const failed = selfTest.checks.filter(check => !check.isHolding).map(check => `${check.name}: ${check.detail}`)
    throw new Error(`The sandbox does not hold on this machine, so it is not used. ${failed.join('; ')}`)
  }
  const repositories = new Map<string, readonly string[]>()
  const guards = createGitGuards()
  return {
    async enter(run) {
      // The caller's own wrap would put one sandbox into another; this one is as strict by itself.
      const { cwd, roots, copies } = run.caller ?? {}
      const caller = cwd !== undefined && roots && { cwd, roots, ...(copies && { copies }) }
      const entered: PlacedWorkspace = await options.inside.enter({ ...run, ...(caller && { caller }) })
      // A child in its caller's worktree needs the repository that worktree belongs to.
      const gitDirectories = entered.gitDirectories ?? entered.roots.flatMap(root => repositories.get(root) ?? [])
      for (const root of entered.roots) repositories.set(root, gitDirectories)
      const place: PlacedWorkspace = { ...entered, gitDirectories }
      const scratch = await options.scratch.of(run.runId)
      const empty = await options.scratch.of('.empty')
      const guarded = new Set<string>()
      return {
        cwd: place.cwd,
        roots: place.roots,
        ...(place.copies && { copies: place.copies }),
        // Looked at for each command: a repository or a settings file may have been made meanwhile.
        wrap: command => {
          const plan = planFor(place, options, run.brief.chain ?? [])
          for (const path of [...plan.gitDirectories.map(each => each.path), ...(plan.ownWorktrees ?? [])]) {
            guards.set(path, guarded.has(path))
            guarded.add(path)
          }
          return [program, ...bubblewrapArguments({ ...plan, scratch, empty, hasNetwork }), ...command]
        },
        ...(entered.news !== undefined && { news: entered.news }),
        ...(entered.keeps && { keeps: entered.keeps }),
        leave: result => {
          for (const path of guarded) guards.lift(path)
          return entered.leave(result)
        },
      }
    },
  }
}

function planFor(
  place: PlacedWorkspace,
  options: BubblewrapOptions,
  chain: readonly PermissionLink[],
): Omit<BubblewrapPlan, 'scratch' | 'empty' | 'hasNetwork'> {
  const writable = existing([...place.roots, ...(options.writable ?? [])])
  const ownGit = writable.map(root => join(root, '.git')).filter(isRealDirectory)
  const hidden = existing([...secretPlaces(homeDirectory(process.env)), ...(options.hidden ?? [])])
  const gitDirectories = [...ownGit, ...(place.gitDirectories ?? [])]
  // Only the copy it acts in: what that was copied from may be a copy as well.
  const own = (place.copies ?? []).filter(({ copy }) => place.roots.some(root => isInside(root, copy)))
  const copies = existing(own.map(({ copy }) => copy))
  const decisive = options.decisive?.(chain) ?? []
  // The copy of a hook's script is brought home over it, and git runs hooks of a work tree from there.
  const copied = own.flatMap(({ copy, original }) =>
    [...decisive, ...existing(decisive)]
      .filter(path => isInside(path, original))
      .map(path => join(copy, relative(original, path))),
  )
  return {
    writable,
    // Where only a part of a work tree may be written git has to see the rest: it would take it for deleted.
    visible: copies.filter(copy => !writable.includes(copy)),
    ownWorktrees: [...new Set([...writable, ...copies].flatMap(top => ownWorktree(top, gitDirectories)))],
    hidesServices: isRealDirectory('/run'),
    gitDirectories: gitDirectories.map(path => ({
      path,
      hasHooks: isRealDirectory(join(path, 'hooks')),
    })),
    ...closed(writable, [
      ...writable.flatMap(settingsIn).filter(path => existsSync(path) && !ownGit.includes(path)),
      ...existing([...decisive, ...copied]).filter(path => writable.some(root => isInside(path, root))),
    ]),
    hidden: hidden.map(path => ({ path, isDirectory: isRealDirectory(path) })),
  }
}

/** Directories above what is read-only become mounts too: else one is moved aside, and another made in its place. */
function closed(writable: readonly string[], readOnly: readonly string[]): Pick<BubblewrapPlan, 'readOnly' | 'pinned'> {
  const above = (path: string): string[] => {
    const parent = dirname(path)
    return writable.includes(parent) || !writable.some(root => isInside(parent, root)) ? [] : [...above(parent), parent]
  }
  return { readOnly: [...new Set(readOnly)], pinned: [...new Set(readOnly.flatMap(above))] }
}

/** The place in the repository of a linked worktree. Elsewhere than in a repository we know, it is none of ours. */
function ownWorktree(root: string, gitDirectories: readonly string[]): string[] {
  const path = linkedDirectory(root)
  return path !== undefined && gitDirectories.some(git => isInside(path, join(git, 'worktrees'))) ? [path] : []
}

function existing(paths: readonly string[]): string[] {
  return [...new Set(paths.filter(path => existsSync(path)).map(path => realpathSync(path)))]
}

function allowsNetwork(network: boolean | readonly string[]): boolean {
  if (typeof network === 'boolean') return network
  if (network.length === 0) return false
  throw new Error(
    `The sandbox can switch the network on or off, not filter it by host (${network.join(', ')}). Set it to true or false.`,
  )
}

/** What decides what runs later, outside. A `.git` that is no directory says where the repository is. */
function settingsIn(root: string): string[] {
  return ['.git', '.offshoot', '.claude', '.mcp.json', '.vscode', '.idea', '.envrc'].map(name => join(root, name))
}

function secretPlaces(home: string): string[] {
  return `.ssh .aws .gnupg .azure .kube .config/gcloud .config/gh .config/op .docker .rd .colima .local/share/containers/podman .netrc .npmrc .pypirc
    .git-credentials .config/git/credentials .cargo/credentials.toml .cargo/credentials .gem/credentials .claude .codex .gemini
    .claude.json .config/offshoot .local/share/offshoot .local/state/offshoot .offshoot .password-store .local/share/keyrings
    .mozilla .config/google-chrome .config/chromium .bash_history .zsh_history .node_repl_history .psql_history`
    .split(/\s+/)
    .map(name => join(home, name))
}

// A `.git` that is a link or a file points elsewhere, and whoever wrote the repository chose where.
function isRealDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
