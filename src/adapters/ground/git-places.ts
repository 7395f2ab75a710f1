/**
 * Places that git's own settings make decisive: the folder of hooks they name (`core.hooksPath`) and the files they take
 * further settings from (`include.path`, `includeIf`) or the hooks of new repositories (`init.templateDir`), where these lie
 * in the workspace or the user's home; what hooks of the repository link to in the workspace; and the user's own settings,
 * wherever they lie, there or not. What is written there runs with the user's next git command. Whether a condition holds,
 * or a later setting wins, is not asked: each that is named counts.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileStamp } from '../os/file-stamp.js'
import { gitSettingsIn } from '../os/git-config-text.js'
import { gitDirOf } from '../os/git-index.js'
import { isInside } from '../os/inside.js'
import { projectRoot } from '../os/project-root.js'
import { linksIn, realPath } from '../os/real-path.js'

export interface GitPlacesOptions {
  /** What runs may write. */
  readonly roots: readonly string[]
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Asked before every call that writes: the files are read again only when one of them has changed. Never throws. */
export function gitPlaces(options: GitPlacesOptions): () => readonly string[] {
  let known: Read | undefined
  return () => {
    const starts = options.roots.map(root => startOf(root, options))
    const key = JSON.stringify(starts)
    const isStill = known?.key === key && [...known.stamps].every(([path, stamp]) => fileStamp(path) === stamp)
    if (!known || !isStill) known = readAll(key, starts, options)
    return known.places
  }
}

interface Read {
  readonly key: string
  /** Every file that was looked for, there or not. */
  readonly stamps: ReadonlyMap<string, string>
  readonly places: readonly string[]
}

interface Start {
  /** Where relative folders of hooks count from. */
  readonly top: string
  readonly gitDirs: readonly string[]
  readonly files: readonly string[]
}

function startOf(root: string, { home, env }: GitPlacesOptions): Start {
  const top = projectRoot(root)
  const own = gitDirOf(top)
  const common = own && textOf(join(own, 'commondir'))?.trim()
  const gitDirs = own ? [...new Set([own, ...(common ? [resolve(own, common)] : [])])] : []
  const users = usersFiles({ home, env })
  const inside = gitDirs.flatMap(directory => [join(directory, 'config'), join(directory, 'config.worktree')])
  return { top, gitDirs, files: own ? [systemFile, ...users, ...inside] : [] }
}

const systemFile = '/etc/gitconfig'

function usersFiles({ home, env }: Pick<GitPlacesOptions, 'home' | 'env'>): readonly string[] {
  if (env.GIT_CONFIG_GLOBAL) return [env.GIT_CONFIG_GLOBAL]
  return [join(env.XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config'), join(home, '.gitconfig')]
}

function readAll(key: string, starts: readonly Start[], options: GitPlacesOptions): Read {
  const stamps = new Map<string, string>()
  const named = starts.flatMap(start => [
    ...readFrom(start, stamps, options.home),
    ...start.gitDirs.flatMap(directory => linkedHooks(directory, stamps)),
  ])
  const roots = options.roots.map(root => realPath(root))
  const home = realPath(options.home)
  const places = named.flatMap(path => {
    const real = realPath(path)
    if (![...roots, home].some(root => isInside(real, root))) return []
    // A folder of hooks that is the workspace itself: only what git would run there.
    return [...roots, home].includes(real) ? hookNames.map(name => join(path, name)) : [path]
  })
  return { key, stamps, places: [...new Set([systemFile, ...usersFiles(options), ...places])] }
}

/** A hook that is a link to a script of the workspace: whoever writes the script writes the hook. */
function linkedHooks(gitDir: string, stamps: Map<string, string>): readonly string[] {
  const directory = join(gitDir, 'hooks')
  stamps.set(directory, fileStamp(directory))
  const links = linksIn(directory) ?? []
  const real = [directory, ...links.map(name => join(directory, name))].map(path => realPath(path))
  return real.filter(path => !isInside(path, realPath(gitDir)))
}

function readFrom({ top, gitDirs, files }: Start, stamps: Map<string, string>, home: string): readonly string[] {
  const named: string[] = []
  const seen = new Set<string>()
  const left = [...files]
  while (left.length > 0 && seen.size < maxFiles) {
    const file = left.shift()!
    if (seen.has(file)) continue
    seen.add(file)
    stamps.set(file, fileStamp(file))
    if (!gitDirs.some(directory => isInside(file, directory))) named.push(file)
    for (const { name, value } of gitSettingsIn(textOf(file) ?? '')) {
      if (value === '') continue
      if (name === 'core.hookspath') named.push(...foldersOfHooks(resolve(top, atHome(value, home))))
      // What lies in there become hooks of the next repository.
      else if (name === 'init.templatedir') named.push(resolve(top, atHome(value, home)))
      else if (name === 'include.path' || name === 'includeif.path')
        left.push(resolve(dirname(realPath(file)), atHome(value, home)))
    }
  }
  return named
}

/** Hooks in a folder `_` are husky's own, and run those of the same name beside it. */
const foldersOfHooks = (path: string): readonly string[] => (basename(path) === '_' ? [path, dirname(path)] : [path])

const atHome = (path: string, home: string): string => (/^~(\/|$)/.test(path) ? join(home, path.slice(1)) : path)

const maxFiles = 64
const maxBytes = 1024 * 1024

/** Only of an ordinary file: a pipe would hold us up for ever. */
function textOf(path: string): string | undefined {
  try {
    const seen = statSync(path, { throwIfNoEntry: false })
    return seen?.isFile() && seen.size <= maxBytes ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

const hookNames =
  `applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg
  post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive post-update
  reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate fsmonitor-watchman p4-changelist
  p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change`.split(/\s+/)
