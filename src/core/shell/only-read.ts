/**
 * Words of a command that name files which it leaves as they are, though it may change others: what `git add` takes into
 * the index, what is copied from. Nothing is proven of the command by that.
 */
import { nameOf } from '../text/path-text.js'
import { gitCall } from './git-call.js'
import { optionList, readOptions } from './options.js'
import { isGit, proveReadOnly } from './read-only.js'
import type { ShellCommand } from './reading.js'
import { isStatic, type ShellWord } from './words.js'

export function onlyReadBy(command: ShellCommand): ReadonlySet<ShellWord> {
  const [called, ...rest] = command.words
  if (isGit(command)) return new Set(proveReadOnly(command) ? rest : [...repositoryIn(rest), ...takenIntoIndex(rest)])
  return new Set(nameOf(called?.shape ?? '') === 'cp' ? copiedFrom(rest) : [])
}

/** The value of `--git-dir`: as a whole git changes it only by commands that are looked at for themselves. */
function repositoryIn(rest: readonly ShellWord[]): readonly ShellWord[] {
  const { before } = gitCall(rest)
  return before.filter(
    (word, at) =>
      isStatic(word) &&
      (/^--git-dir=(.*\/)?\.git\/?$/s.test(word.shape) ||
        (before[at - 1]?.shape === '--git-dir' && isRepository(word.shape))),
  )
}

/** Where the settings and hooks of a repository lie, as a whole. */
export const isRepository = (path: string): boolean => /^(.*\/)?\.git\/?$/s.test(path)

/** Options with which each of these changes the index and no file; of any other nobody knows that. */
const indexing = new Map(
  Object.entries({
    add: '-A -u -f -n -v -p -N -i --all --update --force --dry-run --verbose --patch --intent-to-add --no-all --ignore-errors --renormalize --chmod:',
    commit:
      '-a -v -q -n -s -e -o -i -S? -m: --all --verbose --quiet --no-verify --signoff --no-signoff --edit --no-edit --amend --only --include --allow-empty --allow-empty-message --message: --author: --date: --fixup: --squash: --no-gpg-sign',
    rm: '-r -f -q -n --cached --force --quiet --dry-run --ignore-unmatch',
    reset: '-q -N --quiet --mixed --soft',
    restore: '-S -q -s: --staged --source: --quiet',
  }).map(([name, options]) => [name, optionList(options)]),
)

/** Of these one option has to be there: without it they change files. */
const needed: ReadonlyMap<string, readonly string[]> = new Map([
  ['rm', ['--cached']],
  ['restore', ['--staged', '-S']],
])

function takenIntoIndex(rest: readonly ShellWord[]): readonly ShellWord[] {
  const { name = '', args } = gitCall(rest)
  const command = name === 'stage' ? 'add' : name
  const options = indexing.get(command)
  const reading = options && readOptions(args, { options })
  const isKept = needed.get(command)?.some(option => reading?.given.has(option)) ?? true
  return reading && isKept ? reading.operands : []
}

/** A link that is made would be another name for the file: so only where the content is copied. */
const copying = optionList('-f -i -n -p -u -v --force --interactive --no-clobber --update --verbose')

function copiedFrom(rest: readonly ShellWord[]): readonly ShellWord[] {
  const reading = readOptions(rest, { options: copying })
  return reading?.operands.every(isStatic) ? reading.operands.slice(0, -1) : []
}
