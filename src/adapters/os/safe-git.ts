/**
 * Git for our own purposes, in repositories we do not trust.
 * A repository's settings and attributes can name programs to run. Every such door is shut on the command line, filters
 * included, and nothing passes through a shell. So a file kept by a filter (large file storage) appears as its pointer.
 */
import { commandEnvironment } from './command-environment.js'
import { type ProgramEnd, runProgram } from './program.js'

export interface GitOptions {
  readonly cwd: string
  readonly input?: Uint8Array
  readonly signal?: AbortSignal
}

/** What git prints. Rejects with git's own words when it fails. */
export async function git(args: readonly string[], options: GitOptions): Promise<string> {
  const end = await tryGit(args, options)
  if (end.code !== 0) throw new Error(`git ${args[0]} failed: ${(end.stderr || end.stdout.toString('utf8')).trim()}`)
  return end.stdout.toString('utf8')
}

/** The same where a failure is an answer. */
export async function tryGit(args: readonly string[], options: GitOptions): Promise<ProgramEnd> {
  const filters = await filtersOff(options)
  const [command = '', ...rest] = args
  const plain = showsDiffs.has(command) ? ['--no-ext-diff', '--no-textconv'] : []
  return run([...shut, ...filters, command, ...plain, ...rest], options)
}

// An empty setting would be run as a program with no name, so these are switched off by option.
const showsDiffs = new Set(['diff', 'log', 'show'])

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
].flatMap(setting => ['-c', setting])

/** Filters and merge drivers have names of the repository's choosing: each one that is set is unset. */
async function filtersOff(options: GitOptions): Promise<string[]> {
  const pattern = '^(filter\\..*\\.(clean|smudge|process|required)|merge\\..*\\.driver)$'
  const listed = await run([...shut, 'config', '--null', '--name-only', '--get-regexp', pattern], options)
  const names = listed.stdout.toString('utf8').split('\0')
  return names.flatMap(name => {
    if (name === '') return []
    return ['-c', name.endsWith('.required') ? `${name}=false` : `${name}=`]
  })
}

function run(args: readonly string[], { cwd, input, signal }: GitOptions): Promise<ProgramEnd> {
  const env = commandEnvironment(process.env, { set: { GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' } })
  return runProgram('git', args, { cwd, env, ...(input && { input }), ...(signal && { signal }) })
}
