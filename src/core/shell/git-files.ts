/**
 * Files that git is told to read and that lie anywhere: the text of a message, a file to hash, settings in a file of their
 * own. What it looks for in its repository is none of these; git-contents.ts knows what it shows from there.
 */
import { gitCall, isPlainGitCommand } from './git-call.js'
import { literalWord, type ShellWord } from './words.js'

/** `rest` are the words after `git`. `others` are words of a command nobody knows, which may be an alias: any may be a file. */
export function filesGitReads(rest: readonly ShellWord[]): {
  readonly files: readonly ShellWord[]
  readonly others: readonly ShellWord[]
} {
  const { name, args } = gitCall(rest)
  const isKnown = name !== undefined && (isPlainGitCommand(name) || knownBesides.has(name))
  const files = [
    ...args.flatMap((word, index) => longValue(word, args[index + 1])),
    ...args.flatMap((word, index) => letterValue(word, args[index + 1], lettersOf.get(name ?? ''))),
    ...(operandsAreFiles.has(name ?? '') || args.some(({ shape }) => shape === '--no-index')
      ? args.filter(isOperand)
      : []),
    ...(copying.has(name ?? '') ? sourceIn(args) : []),
  ]
  return { files: files.filter(({ shape }) => shape !== '' && shape !== '-'), others: isKnown ? [] : args }
}

const operandsAreFiles = new Set(
  'interpret-trailers hash-object merge-file apply am bundle mailsplit mailinfo index-pack send-email'.split(' '),
)

const copying = new Set(['clone', 'fetch', 'pull', 'remote'])
const knownBesides = new Set(
  'clone rebase grep difftool bisect--helper submodule--helper credential version'.split(' '),
)

/** Git takes an option cut short as well. */
const longs =
  'file template pathspec-from-file add-file exclude-from ignore-revs-file contents signature-file import-marks'.split(
    ' ',
  )

/** Whole by themselves, and no others cut short. */
const otherLongs = new Set(['add', 'exclude'])

function longValue({ shape }: ShellWord, next: ShellWord | undefined): readonly ShellWord[] {
  const [, name = '', given] = /^--([\w-]+)(?:=(.*))?$/s.exec(shape) ?? []
  if (name === '' || otherLongs.has(name) || !longs.some(one => one.startsWith(name))) return []
  if (given !== undefined) return [literalWord(given)]
  return next ? [next] : []
}

interface Letters {
  readonly files: string
  /** What follows in the word is their value. */
  readonly valued: string
}

const lettersOf: ReadonlyMap<string, Letters> = new Map(
  Object.entries({
    commit: { files: 'Ft', valued: 'mcCSu' },
    tag: { files: 'F', valued: 'mu' },
    notes: { files: 'F', valued: 'mcC' },
    merge: { files: 'F', valued: 'msXS' },
    'commit-tree': { files: 'F', valued: 'mpS' },
    'fmt-merge-msg': { files: 'F', valued: 'm' },
    config: { files: 'f', valued: '' },
  }),
)

function letterValue({ shape }: ShellWord, next: ShellWord | undefined, letters: Letters | undefined) {
  if (!letters || !/^-[A-Za-z]/.test(shape)) return []
  for (let at = 1; at < shape.length; at++) {
    if (letters.files.includes(shape[at]!)) {
      const glued = shape.slice(at + 1)
      return glued === '' ? [next].filter(word => word !== undefined) : [literalWord(glued)]
    }
    if (letters.valued.includes(shape[at]!)) return []
  }
  return []
}

function isOperand({ shape }: ShellWord): boolean {
  return !shape.startsWith('-')
}

/** A repository on this machine: the first word that can be where one lies. One after an address is where a clone goes. */
function sourceIn(args: readonly ShellWord[]): readonly ShellWord[] {
  const operands = args.filter(isOperand)
  const first = operands.find(({ shape }) => isPlace(shape) || shape.includes(':'))
  return first && isPlace(first.shape) ? [first] : []
}

function isPlace(shape: string): boolean {
  return /^([/~\u0001]|\.\.?(\/|$)|file:)/.test(shape)
}
