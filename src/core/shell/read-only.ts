/** The proof that a command only looks: every word of it is understood and on the list (read-only-commands.ts). */
import { nameOf } from '../text/path-text.js'
import { isPlainAwk } from './awk-program.js'
import { setsByCount } from './evaluating.js'
import { partsOfFind } from './found-files.js'
import { type RepositoryView, viewOf } from './git-contents.js'
import { isOnlyAppearance } from './git-settings.js'
import { endingsIn } from './name-filters.js'
import { type OptionReading, optionList, readOptions } from './options.js'
import { type ReadOnlyCommand, readOnlyCommands, readOnlyGitCommands, versionOptions } from './read-only-commands.js'
import type { ShellCommand } from './reading.js'
import { usualName } from './usual-names.js'
import { isHarmlessVariable } from './variables.js'
import { isOneWord, isStatic, type ShellWord } from './words.js'

export interface Proof {
  /** Files the command is told to look at. */
  readonly files: readonly ShellWord[]
  readonly shows: 'content' | 'names'
  /** It looks at all that lies below them, or at files whose names end in one of these. */
  readonly below?: 'all' | readonly string[]
  /** On its way down it follows links. */
  readonly followsLinks?: boolean
  /** What git shows besides. */
  readonly view?: RepositoryView
  /** Files by their path from the top of the repository: `HEAD:src/a.ts`. */
  readonly fromTop?: readonly string[]
}

export function proveReadOnly({ words, variables, around }: ShellCommand): Proof | undefined {
  const name = words[0] && trustedName(words[0])
  if (name === undefined || ![...variables, ...around].every(isHarmlessVariable)) return undefined
  const proof = name === 'find' ? proveFind(words.slice(1)) : proveWords(name, words.slice(1))
  const found = proof?.files.flatMap(word => word.found ?? []) ?? []
  if (!proof || found.length === 0) return proof
  // Whatever is found is opened by its name, and a name may be a link.
  const files = proof.files.flatMap(word => word.found?.starts ?? [word])
  return { ...proof, files, below: proof.below ? 'all' : found[0]!.endings, followsLinks: true }
}

/** What it runs counts for itself as well; find only looks where all of that does. */
function proveFind(words: readonly ShellWord[]): Proof | undefined {
  // To find it ends only -H, -L and -P: what follows may be an action as well.
  if (words.some(({ shape }) => shape === '--')) return undefined
  const { own, runs } = partsOfFind(words)
  const isLooking = (run: readonly ShellWord[]) =>
    proveReadOnly({ words: run, source: '', role: 'plain', variables: [], around: [], fed: [] }) !== undefined
  return runs.every(isLooking) ? proveWords('find', own) : undefined
}

function proveWords(name: string, rest: readonly ShellWord[]): Proof | undefined {
  if (rest.length === 1 && versionOptions.get(name)?.includes(rest[0]!.shape)) return noFiles
  if (name === 'git') return rest.some(word => word.found) ? undefined : proveGit(rest)
  if (name === 'sed') return proveSed(rest)
  if (name === 'awk' || name === 'gawk' || name === 'mawk') return proveAwk(rest)
  if (name === 'test' || name === '[') return proveTest(rest)
  if (name === 'set') return proveSet(rest)
  const known = readOnlyCommands.get(name)
  if (known && !known.isIndifferent && rest.length === 1 && rest[0]!.shape === '--help') return noFiles
  return known && prove(known, rest)
}

/** The first option of a command that can be known to only look, but not with this one. */
export function unknownOption({ words }: ShellCommand): string | undefined {
  const known = readOnlyCommands.get((words[0] && trustedName(words[0])) ?? '')
  if (!known || known.isIndifferent) return undefined
  const rules = { ...known, options: optionsOf(known) }
  const isUnknown = (word: ShellWord) => /^-./.test(word.shape) && isStatic(word) && !readOptions([word, here], rules)
  return words.slice(1).find(isUnknown)?.shape
}

/** The command is known for working on files it is given, also where it is called in a way that is not known to only look. */
export function worksOnFiles({ words }: ShellCommand): boolean {
  const name = programOf(words)
  if (name === undefined) return false
  const known =
    name === 'git' ? words.map(word => readOnlyGitCommands.get(word.shape)).find(Boolean) : readOnlyCommands.get(name)
  return known?.operands === 'files' || known?.operands === 'pattern-files' || fileCommands.has(name)
}

export function isGit({ words }: ShellCommand): boolean {
  return words[0] !== undefined && trustedName(words[0]) === 'git'
}

/** Whatever its options and operands, the command changes no file. */
export function neverWrites({ words }: ShellCommand): boolean {
  const name = words[0] && trustedName(words[0])
  return name !== undefined && lookers.has(name)
}

const lookers = new Set(
  'cat tac nl head tail wc cut paste fold fmt expand rev tr comm diff cmp md5sum sha1sum sha256sum sha512sum cksum strings hexdump od base64 grep egrep fgrep ls stat du df realpath readlink basename dirname echo test [ cd pushd'.split(
    ' ',
  ),
)

const fileCommands = new Set(
  'sed awk cp mv rm rmdir mkdir touch ln install tee dd truncate shred chmod chown chgrp tar zip unzip gzip gunzip less more vi vim nano split csplit patch rsync scp sftp cpio pax 7z 7za ditto egrep fgrep ag ack'.split(
    ' ',
  ),
)

/** Called in a way that is not known to only look, it may go through all that lies below what it is given. */
export function mayGoBelow({ words }: ShellCommand): boolean {
  const name = programOf(words)
  return name !== undefined && goers.has(name)
}

/** One of the commands that search in files. */
export function isSearch({ words }: ShellCommand): boolean {
  return searchers.has(programOf(words) ?? '')
}

/** Some of its operands are patterns or code, whatever they look like: `sed '/x/d' a`. */
export function takesText({ words }: ShellCommand): boolean {
  return texters.has(programOf(words) ?? '')
}

const searchers = new Set(['grep', 'egrep', 'fgrep', 'rg', 'ag', 'ack'])
const texters = new Set([...searchers, ...'sed awk gawk mawk nawk find jq yq'.split(' ')])
const goers = new Set([...searchers, ...'cp mv tar zip rsync scp sftp cpio pax 7z 7za ditto diff'.split(' ')])

/** The command's operands are not files whatever they look like: `echo .env` shows no file. */
export function takesNoFiles({ words }: ShellCommand): boolean {
  const name = words[0] && trustedName(words[0])
  const known = name === undefined ? undefined : readOnlyCommands.get(name)
  return known?.operands === 'words' || known?.operands === 'none'
}

const noFiles: Proof = { files: [], shows: 'names' }

/** By its usual name, where nothing is allowed for it. */
function programOf([called]: readonly ShellWord[]): string | undefined {
  const name = called && trustedName(called)
  return name === undefined ? undefined : usualName(name)
}

/** A bare name, or one from the system's own directories: `./ls` may be anything. */
function trustedName(word: ShellWord): string | undefined {
  if (!isStatic(word)) return undefined
  if (!word.shape.includes('/')) return word.shape
  return /^(\/usr)?(\/local)?\/s?bin\/[^/]+$/.test(word.shape) ? nameOf(word.shape) : undefined
}

function prove(known: ReadOnlyCommand, words: readonly ShellWord[]): Proof | undefined {
  if (known.isIndifferent) return noFiles
  if (known.wordForm && !words.every(({ shape }) => known.wordForm!.test(shape))) return undefined
  const reading = readOptions(words, { ...known, options: optionsOf(known) })
  if (!reading) return undefined
  if (!operandsFit(known, reading) || !startsAsKnown(known, words, reading)) return undefined
  if (known.apart?.every(options => options.some(option => reading.given.has(option)))) return undefined
  const files = filesAmong(known, reading)
  if (!goesBelow(known, reading)) return { files: [...reading.files, ...files], shows: known.shows }
  const { shows, followsLinksUnder = [] } = known
  const followsLinks = known.followsLinks || followsLinksUnder.some(option => reading.given.has(option))
  return {
    files: [...reading.files, ...(files.length > 0 ? files : [here])],
    shows,
    // A link to a directory may have any name.
    below: followsLinks ? 'all' : endingsIn(reading),
    ...(followsLinks && { followsLinks }),
  }
}

const parsedOptions = new Map<ReadOnlyCommand, ReturnType<typeof optionList>>()

function optionsOf(known: ReadOnlyCommand): ReturnType<typeof optionList> {
  const parsed = parsedOptions.get(known) ?? optionList(known.options)
  parsedOptions.set(known, parsed)
  return parsed
}

function operandsFit(known: ReadOnlyCommand, { operands, given }: OptionReading): boolean {
  const { minOperands = 0, maxOperands = Number.POSITIVE_INFINITY, listsUnder, operandForm } = known
  if (known.operands === 'none' && operands.length > 0) return false
  if (known.operands === 'words' && !known.stopsAtOperand && !operands.every(isStatic)) return false
  if (operands.length < minOperands || operands.length > maxOperands) return false
  // A wildcard may pick several files.
  if (known.maxOperands !== undefined && !operands.every(isOneWord)) return false
  if (known.takesFormat && !isPlainFormat(operands)) return false
  const [pattern] = operands
  // Of several words all but one would be files.
  if (known.operands === 'pattern-files' && !hasPattern(given) && pattern && !isOneWord(pattern)) return false
  if (known.doubtfulPattern && pattern && !(isStatic(pattern) && !known.doubtfulPattern.test(pattern.shape)))
    return false
  if (listsUnder && operands.length > 0 && !listsUnder.some(option => given.has(option))) return false
  return !operandForm || operands.every(operand => operandForm.test(operand.shape))
}

/** After an option or `--` the same word is a path or a revision: `git stash -- list` stashes a file. */
function startsAsKnown(
  { firstOperand }: ReadOnlyCommand,
  words: readonly ShellWord[],
  { operands }: OptionReading,
): boolean {
  if (!firstOperand) return true
  return operands.length === 0 ? firstOperand.includes('') : firstOperand.includes(words[0]!.shape)
}

/** Without a variable to set, none is set, whatever the format says. */
function isPlainFormat([format, ...values]: readonly ShellWord[]): boolean {
  return !format || (values.length === 0 ? isOneWord(format) : isStatic(format) && !setsByCount(format.shape))
}

function goesBelow({ goesBelow: under }: ReadOnlyCommand, { given }: OptionReading): boolean {
  if (under === 'directories') return true
  if (under === 'always') return !['--files', '--type-list', '--version', '-V'].some(option => given.has(option))
  return under?.some(option => given.has(option)) ?? false
}

const here: ShellWord = { shape: '.', source: '.' }

function filesAmong(known: ReadOnlyCommand, { operands, given }: OptionReading): readonly ShellWord[] {
  if (known.operands === 'files') return operands
  if (known.operands !== 'pattern-files') return []
  return hasPattern(given) ? operands : operands.slice(1)
}

const hasPattern = (given: OptionReading['given']): boolean =>
  ['-e', '-f', '--regexp', '--files', '--type-list'].some(option => given.has(option))

const gitOptions = optionList('-c: -P --no-pager --no-optional-locks --literal-pathspecs --no-replace-objects')

function proveGit(words: readonly ShellWord[]): Proof | undefined {
  const before = readOptions(words, { options: gitOptions, stopsAtOperand: true })
  if (!before?.values.every(([, setting]) => isStatic(setting) && isOnlyAppearance(setting.shape))) return undefined
  const command = before.operands[0]
  const known = command && readOnlyGitCommands.get(command.shape)
  const rest = before.operands.slice(1)
  const proof = known && prove(known, rest)
  const reading = proof && readOptions(rest, { ...known, options: optionsOf(known) })
  if (!proof || !reading) return undefined
  const files = [...before.files, ...proof.files, ...filesOfLines(reading)]
  const fromTop = files.flatMap(({ shape }) => pathsInRevision(shape))
  const view = viewOf(command!.shape, reading)
  return {
    files: [...files, ...fromTop.map(shape => ({ shape, source: shape }))],
    shows: proof.shows,
    fromTop,
    ...(view && { view }),
  }
}

/** `HEAD:.env` and `:0:.env` show a file as well as naming a revision; the name may hold a colon of its own. */
function pathsInRevision(shape: string): readonly string[] {
  const colons = [...shape.matchAll(/:/g)].map(match => match.index)
  return colons.map(colon => shape.slice(colon + 1)).filter(path => path !== '')
}

/** `-L 1,20:.env`, more than once. */
function filesOfLines({ values }: OptionReading): readonly ShellWord[] {
  return values.filter(([option, { shape }]) => option === '-L' && shape.includes(':')).map(([, lines]) => lines)
}

const sedOptions = optionList('-n -E -r -s -z -u -e: --quiet --silent --regexp-extended --expression:')
const sedAddress = String.raw`(?:\d+(?:~\d+)?|\$|\+\d+|/(?:[^/\\\n\[]|\\.)*/I?)`
/**
 * What is replaced, and with what; behind it no `w`, which writes, and no `e`, which runs what comes out. One sed ends a
 * piece at the next sign, another not while a bracket is open, and in `[]` and `[^]` none is closed yet: only brackets
 * that every sed reads alike.
 */
const sedReplacing = [...'/#,:@%'].map(sign => {
  const named = sign === ':' ? '' : String.raw`|\[:[a-z]+:\]`
  const piece = String.raw`(?:[^${sign}\\\n\[]|\\.|\[(?!\^?\])(?:[^\[\]${sign}\\\n]${named})+\])*`
  return `s${sign}${piece}${sign}${piece}${sign}`
})
const sedStatement = String.raw`\s*(?:${sedAddress}(?:,${sedAddress})?\s*)?(?:!\s*)?(?:[pdq=]|(?:${sedReplacing.join('|')})[gpiI\d]*)[^\S\n]*`
/** One after the other: what is replaced may hold a semicolon of its own. */
const sedScript = new RegExp(String.raw`^${sedStatement}(?:[;\n]${sedStatement})*$`)

/** Only scripts that pick lines (print, delete from the output, quit, number) or change what is shown of them. */
function proveSed(words: readonly ShellWord[]): Proof | undefined {
  const reading = readOptions(words, { options: sedOptions })
  if (!reading) return undefined
  const given = reading.values.map(([, script]) => script)
  const scripts = given.length > 0 ? given : reading.operands.slice(0, 1)
  if (scripts.length === 0 || !scripts.every(script => isStatic(script) && isPlainSed(script.shape))) return undefined
  return { files: given.length > 0 ? reading.operands : reading.operands.slice(1), shows: 'content' }
}

function isPlainSed(script: string): boolean {
  // In some encodings such a sign is the second half of the letter before it.
  if (/[^\0-\x7f][\\[\]@]/.test(script)) return false
  return sedScript.test(script)
}

const awkOptions = optionList('-F: -v:')

function proveAwk(words: readonly ShellWord[]): Proof | undefined {
  const reading = readOptions(words, { options: awkOptions, stopsAtOperand: true })
  const [program, ...files] = reading?.operands ?? []
  const isPlain = program && isStatic(program) && isPlainAwk(program.shape)
  // One with a sign of equality sets a variable.
  const isFile = ({ shape }: ShellWord) => !shape.startsWith('-') && !shape.includes('=')
  return isPlain && files.every(isFile) ? { files, shows: 'content' } : undefined
}

/**
 * `-v` and `-R` evaluate their operand. What a variable holds may be one of them, unless it stands in quotes where only a
 * value can be: `[ -z "$CI" ]`, `[ "$(wc -l < a)" -gt 10 ]`.
 */
function proveTest(words: readonly ShellWord[]): Proof | undefined {
  if (words.every(word => isStatic(word) && !/^-[vR]$/.test(word.shape))) return noFiles
  const inner = words.at(-1)?.shape === ']' ? words.slice(0, -1) : words
  const isValue = (word: ShellWord | undefined) => word !== undefined && isOneWord(word)
  const [first, second, third, ...more] = inner
  if (more.length > 0) return undefined
  if (third === undefined) return /^-[znfdesrwxLh]$/.test(first?.shape ?? '') && isValue(second) ? noFiles : undefined
  const isCompared = /^(?:!?=|==|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/.test(second?.shape ?? '')
  return isCompared && isValue(first) && isValue(third) ? noFiles : undefined
}

/** Without a word it shows every variable; the other options change how the line is read. */
function proveSet(words: readonly ShellWord[]): Proof | undefined {
  const isKnown = words.every(word => /^(-[eux]+o?|-o|pipefail|errexit|nounset)$/.test(word.shape))
  return isKnown && words.length > 0 ? noFiles : undefined
}
