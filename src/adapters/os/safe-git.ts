/**
 * Git for our own purposes, in repositories we do not trust.
 * A repository's settings and attributes can name programs to run. Every such door is shut on the command line, filters
 * included, and nothing passes through a shell. So a file kept by a filter (large file storage) appears as its pointer.
 * Git goes into repositories inside the repository, whose settings are their own: it is kept from looking for changes there.
 */

import { commandEnvironment } from './command-environment.js'
import { repositoryOf } from './git-index.js'
import { type ProgramEnd, runProgram } from './program.js'
import { pathWithout } from './search-path.js'

export interface GitOptions {
  readonly cwd: string
  readonly input?: Uint8Array
  readonly signal?: AbortSignal
  /** Another index than the work tree's own. */
  readonly index?: string
}

/** What git prints, as text. Rejects with git's own words when it fails. */
export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const end = await tryGit(args, options)
  if (end.code !== 0) throw failed(args, end)
  return end.stdout.toString('utf8')
}

function failed(args: readonly string[], end: ProgramEnd): Error {
  const command = args.find(word => !word.startsWith('-'))
  return new Error(`git ${command} failed: ${(end.stderr || end.stdout.toString('utf8')).trim()}`)
}

/**
 * What git lists with NULs between, a letter for each byte: a name need not be UTF-8, and as text it would be another one.
 * `bytesOf` gives it back to git or to the disk, `textOfBytes` shows it.
 */
export async function gitBytes(args: readonly string[], options: GitOptions): Promise<readonly string[]> {
  const end = await tryGit(args, options)
  if (end.code !== 0) throw failed(args, end)
  return end.stdout
    .toString('latin1')
    .split('\0')
    .filter(entry => entry !== '')
}

export const bytesOf = (letters: string): Buffer => Buffer.from(letters, 'latin1')
export const textOfBytes = (letters: string): string => bytesOf(letters).toString('utf8')
/** Not every name is: nobody can write it in a command line or in a message. */
export const isText = (letters: string): boolean => Buffer.from(textOfBytes(letters)).equals(bytesOf(letters))

/** The same where a failure is an answer. */
export async function tryGit(args: readonly string[], options: GitOptions): Promise<ProgramEnd> {
  const [command = '', ...rest] = args
  const plain = showsDiffs.has(command) ? ['--no-ext-diff', '--no-textconv'] : []
  const named = asksForNames.has(command) ? [] : [filtersOff(options), submodulesOff(options)]
  const env = asEnvironment((await Promise.all(named)).flat())
  return run([...shutOptions, command, ...plain, ...rest], { ...options, env })
}

/** They look at references and commits alone, never at a file or into a repository inside: there is no filter to be met. */
const asksForNames = new Set(['for-each-ref', 'merge-base', 'rev-list', 'rev-parse', 'update-ref'])

// An empty setting would be run as a program with no name, so these are switched off by option.
const showsDiffs = new Set(['diff', 'diff-tree', 'log', 'show'])

const shut = [
  'core.fsmonitor=',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.pager=cat',
  'core.editor=true',
  'core.askPass=',
  'core.sshCommand=false',
  'core.gitProxy=',
  'credential.helper=',
  'gpg.program=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'merge.verifySignatures=false',
  'submodule.recurse=false',
  'protocol.allow=never',
  'uploadpack.packObjectsHook=',
  'maintenance.auto=false',
  'gc.auto=0',
  'diff.ignoreSubmodules=dirty',
  'diff.submodule=short',
  'status.submoduleSummary=false',
]

/**
 * The user's own taste in how differences and states are shown and applied. What we read back, or apply, must not depend on
 * it: without prefixes a patch lands in other files, without context a sound one does not fit.
 */
const plainOutput = [
  'diff.noprefix=false',
  'diff.mnemonicPrefix=false',
  'diff.srcPrefix=a/',
  'diff.dstPrefix=b/',
  'diff.context=3',
  'diff.interHunkContext=0',
  'diff.relative=false',
  'diff.renames=false',
  'diff.orderFile=/dev/null',
  'diff.suppressBlankEmpty=false',
  'diff.wsErrorHighlight=none',
  'diff.colorMoved=no',
  'color.ui=false',
  'apply.whitespace=nowarn',
  'apply.ignoreWhitespace=no',
  'core.quotePath=true',
  'core.safecrlf=false',
  'status.branch=false',
  'status.showStash=false',
  'status.renames=false',
  'status.relativePaths=false',
]
const shutOptions = [...shut, ...plainOutput].flatMap(setting => ['-c', setting])

/** A repository that lacks objects has git fetch them, by a program it names. Its settings cannot open what this shuts. */
const noTransport = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' }

/** A name may hold a `=`, so the two are never one text. */
type Setting = readonly [name: string, value: string]

/**
 * The same doors shut for a git that a shell will start: an environment. Programs the repository names for showing a
 * difference are replaced by plain ones, because git runs an empty setting as a program with no name. `places` are the
 * directories it may be started in: each may belong to another repository.
 */
export async function safeGitEnvironment(places: readonly string[]): Promise<Record<string, string>> {
  const always = shut.map((setting): Setting => {
    const equals = setting.indexOf('=')
    return [setting.slice(0, equals), setting.slice(equals + 1)]
  })
  const own = (await Promise.all(places.map(cwd => namedBy({ cwd })))).flat()
  const [only, ...others] = places
  const workTree = only === undefined || others.length > 0 ? {} : await workTreeHere(only)
  return { GIT_OPTIONAL_LOCKS: '0', ...noTransport, ...workTree, ...asEnvironment([...always, ...own]) }
}

/** What a repository names that git would run on the way, replaced or unset. */
async function namedBy(options: GitOptions): Promise<readonly Setting[]> {
  const shown = '^(diff\\.external|diff\\..*\\.(command|textconv)|gpg\\..*\\.program|pager\\..*)$'
  const replaced = (await settingNames(shown, options)).map((name): Setting => [name, plainProgram(name)])
  return [...replaced, ...(await filtersOff(options)), ...(await submodulesOff(options))]
}

/** Differences shown without the programs that the repository's own settings name for it; all else is left. */
export async function plainDiffEnvironment(places: readonly string[]): Promise<Record<string, string>> {
  const pattern = '^(diff\\.external|diff\\..*\\.(command|textconv))$'
  const scopes = ['--local', '--worktree'] as const
  const own = await Promise.all(places.flatMap(cwd => scopes.map(scope => settingNames(pattern, { cwd }, scope))))
  const named = [...new Set(own.flat())].map((name): Setting => [name, plainProgram(name)])
  return named.length > 0 ? asEnvironment([['core.fsmonitor', 'false'], ...named]) : {}
}

/** A repository can say that its files lie somewhere else, and git would show what it finds there. */
async function workTreeHere(cwd: string): Promise<Record<string, string>> {
  const top = repositoryOf(cwd)?.top
  if (top === undefined) return {}
  const isMoved = (await settingNames('^core\\.worktree$', { cwd })).length > 0
  return isMoved ? { GIT_WORK_TREE: top } : {}
}

function asEnvironment(settings: readonly Setting[]): Record<string, string> {
  const environment: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) }
  for (const [index, [name, value]] of settings.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = name
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return environment
}

function plainProgram(name: string): string {
  if (name.endsWith('.textconv')) return 'cat'
  if (name.endsWith('.program')) return 'false'
  if (name.startsWith('pager.')) return 'false'
  // Called with: name, old file, its hash, its mode, new file, …
  return 'show() { diff -u --label "a/$1" --label "b/$1" "$2" "$5"; true; }; show'
}

/** Filters and merge drivers have names of the repository's choosing: each one that is set is unset. */
async function filtersOff(options: GitOptions): Promise<Setting[]> {
  const names = await settingNames('^(filter\\..*\\.(clean|smudge|process|required)|merge\\..*\\.driver)$', options)
  return names.map(name => [name, name.endsWith('.required') ? 'false' : ''])
}

/**
 * A repository may say of each submodule that changes in it count after all. It says so in a file, or in what is staged or
 * committed where the file is not there.
 */
async function submodulesOff(options: GitOptions): Promise<Setting[]> {
  const repository = repositoryOf(options.cwd)
  if (!repository?.hasSubmodules) return []
  const places = [
    ['--file', `${repository.top}/.gitmodules`],
    ['--blob', ':.gitmodules'],
    ['--blob', 'HEAD:.gitmodules'],
    [],
  ]
  const listed = await Promise.all(
    places.map(place => {
      const words = ['config', ...place, '--null', '--name-only', '--get-regexp', '^submodule\\.']
      return run([...shutOptions, ...words], options)
    }),
  )
  const settings = listed
    .flatMap(({ stdout }) => stdout.toString('utf8').split('\0'))
    .filter(name => name.includes('.'))
  const names = new Set(settings.map(name => name.slice(0, name.lastIndexOf('.'))))
  return [...names].map(name => [`${name}.ignore`, 'dirty'])
}

async function settingNames(
  pattern: string,
  options: GitOptions,
  scope?: '--local' | '--worktree',
): Promise<readonly string[]> {
  const from = scope ? [scope, '--includes'] : []
  const words = ['config', ...from, '--null', '--name-only', '--get-regexp', pattern]
  const listed = await run([...shutOptions, ...words], options)
  return [...new Set(listed.stdout.toString('utf8').split('\0'))].filter(name => name !== '')
}

function run(
  args: readonly string[],
  { cwd, input, signal, index, env: more = {} }: GitOptions & { readonly env?: Readonly<Record<string, string>> },
): Promise<ProgramEnd> {
  const env = commandEnvironment(process.env, {
    set: {
      ...more,
      ...(index !== undefined && { GIT_INDEX_FILE: index }),
      ...noTransport,
      GIT_OPTIONAL_LOCKS: '0',
      LC_ALL: 'C',
    },
  })
  // A repository that an environment's PATH leads into must not be the one to say what git is.
  const PATH = pathWithout(env.PATH ?? '', [repositoryOf(cwd)?.top ?? cwd])
  return runProgram('git', args, { cwd, env: { ...env, PATH }, ...(input && { input }), ...(signal && { signal }) })
}
