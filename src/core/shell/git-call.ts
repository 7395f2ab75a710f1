/** A git command line taken apart: the options of git itself, its command, and what the command is given. */
import { nameOf } from '../text/path-text.js'
import { isStatic, type ShellWord } from './words.js'

export interface GitCall {
  /** Options of git itself, with their values. */
  readonly before: readonly ShellWord[]
  /** Undefined where it cannot be told: an option nobody knows stands before it, or a variable. */
  readonly name: string | undefined
  /** What follows the command; all words where it cannot be told. */
  readonly args: readonly ShellWord[]
}

/** `rest` are the words after `git`. */
export function gitCall(rest: readonly ShellWord[]): GitCall {
  let at = 0
  for (; at < rest.length; at++) {
    const word = rest[at]!
    if (!isStatic(word) && !/^--[\w-]+=/.test(word.shape)) return { before: [], name: undefined, args: rest }
    if (valued.has(word.shape)) at++
    else if (!word.shape.startsWith('-'))
      return { before: rest.slice(0, at), name: word.shape, args: rest.slice(at + 1) }
    else if (!switches.test(word.shape)) return { before: [], name: undefined, args: rest }
  }
  return { before: rest, name: undefined, args: [] }
}

const valued = new Set(
  '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --shallow-file'.split(' '),
)

const switches =
  /^(-p|-P|--paginate|--no-pager|--bare|--no-replace-objects|--no-lazy-fetch|--no-optional-locks|--no-advice|--(no-literal|literal|glob|noglob|icase)-pathspecs|--(git-dir|work-tree|namespace|super-prefix|config-env|attr-source|exec-path)=.*)$/s

/** Git ships with it, so no alias has its name; a few that run what they are told are not here (git-running.ts). */
export function isPlainGitCommand(name: string | undefined): boolean {
  return name !== undefined && plainCommands.has(name)
}

/** The same, with those that run what they are told. */
export function isShippedWithGit(name: string): boolean {
  return plainCommands.has(name) || runningCommands.has(name)
}

/** A command that git does not ship with, by name: it may be an alias of the user's or the repository's for any other. */
export function possibleAlias([called, ...rest]: readonly ShellWord[]): string | undefined {
  if (!called || !isStatic(called) || nameOf(called.shape) !== 'git') return undefined
  const { name: told, args } = gitCall(rest)
  // After an option nobody knows the next word may be the command.
  const name = told ?? args.find(word => isStatic(word) && !word.shape.startsWith('-'))?.shape
  return name === undefined || isShippedWithGit(name) ? undefined : name
}

const runningCommands = new Set(
  'clone rebase grep difftool mergetool filter-branch send-email instaweb svn daemon shell merge-index for-each-repo credential request-pull gui citool lfs'.split(
    ' ',
  ),
)

const plainCommands = new Set(
  (
    'add am annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore checkout checkout-index cherry cherry-pick clean ' +
    'commit commit-tree config count-objects describe diff diff-files diff-index diff-tree fast-export fetch for-each-ref format-patch fsck gc ' +
    'hash-object help init interpret-trailers log ls-files ls-remote ls-tree maintenance merge merge-base merge-file merge-tree mv name-rev notes ' +
    'pack-objects patch-id prune pull push range-diff read-tree reflog remote repack replace rerere reset restore rev-list rev-parse revert rm ' +
    'shortlog show show-branch show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag update-index update-ref ' +
    'var verify-commit verify-pack verify-tag version whatchanged worktree write-tree'
  ).split(' '),
)
