/**
 * Which contents a git command shows beyond the files it names. Names, counts, messages and dates are no contents;
 * whether some text occurs in a file (`-S`, `grep -l`) tells about its content and counts.
 */
import type { OptionReading } from './options.js'
import type { ShellCommand } from './reading.js'
import { isStatic, type ShellWord } from './words.js'

export interface RepositoryView {
  /** Files as they are tracked now, whatever lies in the directory, or any that ever were. */
  readonly extent: 'tracked' | 'present' | 'past'
  /** Only at and below these; absent: all of the repository. */
  readonly paths?: readonly ShellWord[]
  /** Paths behind `--` would keep it to these. */
  readonly canBeNarrowed?: boolean
}

/** Undefined when nothing but what is named is shown. */
export function viewOf(command: string, reading: OptionReading): RepositoryView | undefined {
  const extent = extentOf(command, reading)
  const limits = extent && limitsIn(command, reading)
  return extent && { extent, ...(limits && { paths: limits }), ...(limited.has(command) && { canBeNarrowed: true }) }
}

/** A command that was not shown to only look, but that can show or copy contents from anywhere in the repository. */
export function mayShowRepository({ words }: ShellCommand): boolean {
  const rest = words.slice(1)
  // Whatever the option is called: git takes `--forma` and `--perl --format` too.
  if (rest.some(({ shape }) => rawContents.test(shape))) return true
  const command = rest.find(
    ({ shape }, index) => !shape.startsWith('-') && !/^-[cC]$/.test(rest[index - 1]?.shape ?? ''),
  )
  return command !== undefined && (!isStatic(command) || showing.has(command.shape) || showsOnTheWay(command, rest))
}

/** Commands that change something and print differences under some option, which may be cut short: `add -p`, `commit --dry`. */
function showsOnTheWay({ shape: command }: ShellWord, words: readonly ShellWord[]): boolean {
  const form = showingUnder.get(command)
  return form !== undefined && words.some(({ shape }) => form.test(shape))
}

const showingUnder: ReadonlyMap<string, RegExp> = new Map([
  ...['add', 'stage'].map((name): [string, RegExp] => [name, /^(-[A-Za-z]*[pie]|--(patc|inter|ed)[a-z]*|--e)$/]),
  ...['checkout', 'reset', 'restore'].map((name): [string, RegExp] => [name, /^(-[A-Za-z]*p|--patch?)$/]),
  // Whether it does without `-v` is a setting.
  ['commit', /^(-[A-Za-z]*p|--(patc|int|dr|po|sh|l)[a-z-]*)$/],
  ...['rebase', 'am'].map((name): [string, RegExp] => [name, /^--sh/]),
  ['rerere', /^diff$/],
])

/** A tag may be a name for the content of a file. */
const rawContents = /%\(\*?raw/

const showing = new Set(
  'show diff log grep cat-file stash diff-tree diff-index diff-files whatchanged reflog archive fast-export format-patch bundle difftool range-diff clone worktree checkout-index unpack-file request-pull send-email annotate upload-pack upload-archive http-backend daemon instaweb subtree'.split(
    ' ',
  ),
)

function extentOf(command: string, reading: OptionReading): RepositoryView['extent'] | undefined {
  const { given, values, operands, paths } = reading
  const has = (options: ReadonlySet<string>) => [...given.keys()].some(option => options.has(option))
  const before = operands.slice(0, operands.length - paths.length)
  switch (command) {
    case 'log':
    case 'rev-list':
    case 'diff-tree':
      return has(patches) ? 'past' : undefined
    case 'stash':
      // Without an option that says what to show, a setting does, and many people's says the patch.
      return has(patches) || (operands[0]?.shape === 'show' && !has(summaries)) ? 'past' : undefined
    case 'status':
      return given.has('-v') || given.has('--verbose') ? 'past' : undefined
    case 'diff': {
      // To `git diff` the letter `-q` is no `--quiet`.
      if (has(summaries) && !(has(patches) || given.has('-q'))) return undefined
      return before.length > 0 || has(otherSides) ? 'past' : 'tracked'
    }
    case 'show': {
      const isNamed = before.length > 0 && before.every(isFileOfRevision)
      const isCommit = before.every(isCertainCommit) && !has(anyTags)
      return isNamed || (has(summaries) && !has(patches) && isCommit) ? undefined : 'past'
    }
    case 'cat-file':
      if (['-e', '-s', '-t'].some(option => given.has(option))) return undefined
      // Without an option the kind of the object comes first: `cat-file blob 83baae6`.
      return (given.has('-p') ? operands : operands.slice(1)).every(isFileOfRevision) ? undefined : 'past'
    case 'grep': {
      if (before.length > (hasPattern(given) ? 0 : 1) || (isPatternAfter(reading) && paths.length > 1)) return 'past'
      return given.has('--untracked') ? 'present' : 'tracked'
    }
    case 'for-each-ref':
    case 'tag':
    case 'branch':
      return values.some(([, { shape }]) => rawContents.test(shape)) ? 'past' : undefined
    default:
      return undefined
  }
}

const hasPattern = (given: OptionReading['given']): boolean => given.has('-e') || given.has('-f')

/** `git grep -- text HEAD`: git skips a `--` before the pattern, and what follows may be a revision. */
function isPatternAfter({ given, operands, paths }: OptionReading): boolean {
  return !hasPattern(given) && operands.length === paths.length
}

/**
 * `HEAD:a.ts`, `:0:a.ts`. A colon in braces belongs to the revision: `HEAD^{/fix: a}` and `HEAD@{10:00}` are whole commits.
 * So is `:/text`; and where the index has no such file, `:a` is a limit on what is shown of the last commit, as is any
 * wildcard.
 */
function isFileOfRevision(word: ShellWord): boolean {
  return (
    isStatic(word) &&
    !described.test(word.shape) &&
    /^(?:(?:[^:{}*?[\\]|\{[^{}:*?[\\]*\})+|:[0-3]):[^:/(!^*?[\\][^*?[\\]*$/.test(word.shape)
  )
}

/** `x-gb2df918`, as `git describe` names things: whatever stands before it, it is the object of that name. */
const described = /-g[0-9a-f]{4}/i

/** A tag may be a name for the content of a file, as a hash is; only `~`, `^` and `^{commit}` take nothing but commits. */
function isCertainCommit(word: ShellWord): boolean {
  return isStatic(word) && word.shape.split(/\.{2,3}/).every(side => certainCommit.test(side))
}

const certainCommit = /^(?:(?:HEAD|@)(?:@\{\d+\})?(?:[~^]\d*)*|\w[\w./-]*(?:[~^]\d*)*(?:[~^]\d*|\^\{commit\}))$/

/** With these the tags are shown too, and a remote's names may be tags. */
const anyTags: ReadonlySet<string> = new Set(['--all', '--tags', '--remotes'])

const patches: ReadonlySet<string> = new Set(
  '-p -u -U -c -m -S -G -L -W --cc --patch --patch-with-stat --unified --word-diff --word-diff-regex --color-words --function-context --inter-hunk-context --check --submodule'.split(
    ' ',
  ),
)

const summaries: ReadonlySet<string> = new Set(
  '-s -q --no-patch --quiet --stat --shortstat --numstat --dirstat --compact-summary --summary --name-only --name-status --raw'.split(
    ' ',
  ),
)

/** With these the other side of a comparison is a commit. */
const otherSides: ReadonlySet<string> = new Set(['--cached', '--staged', '--merge-base'])

/**
 * What stands after `--`, when all of it is plain. Before it a word may be a revision; `--follow` leaves the path. To
 * others a word means the same wherever it stands: `git stash show -- stash@{0}`, `git cat-file -p -- 83baae6`.
 */
function limitsIn(command: string, reading: OptionReading): readonly ShellWord[] | undefined {
  const { paths, given } = reading
  if (paths.length === 0 || given.has('--follow') || given.has('-L')) return undefined
  if (!limited.has(command) || (command === 'grep' && isPatternAfter(reading))) return undefined
  return paths.every(word => isStatic(word) && !/^:|[*?[\\]/.test(word.shape)) ? paths : undefined
}

const limited: ReadonlySet<string> = new Set(['log', 'rev-list', 'diff-tree', 'status', 'diff', 'show', 'grep'])
