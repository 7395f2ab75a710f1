/**
 * Lines that name something protected and leave to a running shell where they write or what they start. Together that is
 * for a person to see, in every mode: the one half alone is common and harmless.
 */
import { anyName, anyText, globMatches, isCertain, literalGlob } from '../text/glob.js'
import { foldPath, nameOf } from '../text/path-text.js'
import { isDescriptorPath, isHarmlessTarget } from './descriptors.js'
import { partsOfFind, startsOfFind } from './found-files.js'
import { gitCall } from './git-call.js'
import { setsUpClone } from './git-running.js'
import { changedSettings } from './git-settings.js'
import { leftOut } from './left-out.js'
import { isGit, neverWrites, worksOnFiles } from './read-only.js'
import type { ShellCommand, ShellReading } from './reading.js'
import { usualName } from './usual-names.js'
import { isStatic, type ShellWord } from './words.js'

export interface Concealed {
  readonly guards: 'protected-path' | 'own-controls'
  readonly sentence: string
}

/**
 * How the paths end, folded, of further places that are protected (`.ssh/config`): of all, or of those that lie below these
 * words of a command. Asked only where it matters, since they are looked up.
 */
export type Endings = (below?: { readonly words: readonly ShellWord[]; readonly of: ShellCommand }) => readonly string[]

export function concealedIn(
  line: string,
  { commands, targets, hasPlainDescriptors }: ShellReading,
  endings: Endings = () => [],
): readonly Concealed[] {
  const found: Concealed[] = []
  const isReopening = (path: string) => isDescriptorPath(path) && !isHarmlessTarget(path, 'write', hasPlainDescriptors)
  const isWriting =
    targets.some(
      ({ word, access, isGuess }) => access === 'write' && !isGuess && (isUnknown(word) || isReopening(word.shape)),
    ) ||
    commands.some(
      command =>
        isOwn(command) && ((mayWrite(command) && command.words.slice(1).some(isUnknown)) || isToldItsFiles(command)),
    )
  const named = isWriting
    ? (protectedNames.exec(withoutLeftOut(line, commands))?.[0] ?? handedOn(commands, endings))
    : undefined
  if (named !== undefined)
    found.push({
      guards: 'protected-path',
      sentence: `it names ${named} and writes to a place that only shows when it runs`,
    })
  if (commands.some(command => isOwn(command) && maySetUp(command, line)))
    found.push({
      guards: 'protected-path',
      sentence:
        'it may set what git runs later, in words that are not spelled out or in a repository that is only made',
    })
  if (commands.some(command => isOwn(command) && mayControl(command, line)))
    found.push({
      guards: 'own-controls',
      sentence: 'which program gets these words only shows when it runs, and Offshoot would obey them',
    })
  return found
}

/** Names that one command prints for another to take up. */
function handedOn(commands: readonly ShellCommand[], endings: Endings): string | undefined {
  const own = commands.filter(isOwn)
  const isDeletingFound = own.every(deletesFound)
  for (const command of own) {
    const { words, fed } = command
    const isPrinting = printers.test(nameOf(words[0]?.shape ?? ''))
    const printed = [
      ...(isPrinting ? words.slice(1).map(({ shape }) => shape) : []),
      ...fed.flatMap(text => text.split(/\s+/)),
    ]
    const names = printed.filter(shape => !/\s/.test(shape)).map(shape => foldPath(shape.replace(/[*?]/g, anyName)))
    const starts = isDeletingFound && isFind(command) ? startsOfFind(words.slice(1)) : undefined
    const found =
      names.length > 0 &&
      endings(starts && { words: starts, of: command }).find(ending => names.some(name => isNamedBy(name, ending)))
    if (found) return found
  }
  return undefined
}

function isNamedBy(word: string, ending: string): boolean {
  if (isCertain(word)) return `/${word}/`.includes(`/${ending}/`)
  // Of a wildcard the beginning has to be said: `*.json` is not about hidden files.
  return /^\.\w/.test(nameOf(word)) && globMatches(literalGlob(`/${ending}`), `/${nameOf(word)}`)
}

const isFind = ({ words: [called] }: ShellCommand): boolean => nameOf(called?.shape ?? '') === 'find'

/**
 * Find, or the deletion of what it finds as it finds it: a link among that is deleted for itself. Whatever else stands in
 * the line may make other paths of its names.
 */
function deletesFound(command: ShellCommand): boolean {
  const [called, ...rest] = command.words
  if (isFind(command))
    return partsOfFind(rest).own.every(({ shape }) => !shape.startsWith('-') || plainTests.test(shape))
  const isAsFound = ({ shape }: ShellWord) => shape === anyText || /^-\w+$/.test(shape)
  return /^(?:rm|rmdir|unlink)$/.test(called?.shape ?? '') && rest.every(isAsFound)
}

/** What it prints of a file is its path. */
const plainTests =
  /^-(?:a|o|and|or|not|i?name|i?path|wholename|i?regex|type|size|empty|[acm](?:time|min)|newer|depth|(?:max|min)depth|prune|print0?|delete|\d+)$/

const printers = /^(?:echo|printf|find|fd|fdfind|ls)$/

/** To leave something alone is not to name it. */
function withoutLeftOut(line: string, commands: readonly ShellCommand[]): string {
  const spared = commands.filter(isOwn).flatMap(({ words }) => [...leftOut(words)])
  return spared.reduce((text, { source }) => text.replace(source, () => ' '), line)
}

/** By their names, or by what git answers when it is asked where they lie; whether it answers at all is another question. */
const protectedNames =
  /(?<![\w-])\.(git|offshoot|claude|mcp\.json)(?![\w-])|--(absolute-git-dir|git-(dir|path|common-dir))(?![\w=-]|\s*(&|[12])?>+\s*\/dev\/null)/i

/** Which files it writes stands in what it is fed, or in a file: a patch, a list of names, settings of its own. */
function isToldItsFiles({ words: [called, ...rest] }: ShellCommand): boolean {
  const option = toldBy.get(usualName(nameOf(called?.shape ?? '')))
  return option !== undefined && (option === 'always' || rest.some(({ shape }) => option.test(shape)))
}

const toldBy: ReadonlyMap<string, RegExp | 'always'> = new Map(
  Object.entries<RegExp | 'always'>({
    patch: 'always',
    cpio: 'always',
    pax: 'always',
    sftp: 'always',
    lftp: 'always',
    tar: /^-?[A-Za-z]*T|^--files/,
    rsync: /^--files/,
    curl: /^-[A-Za-z]*K|^--conf/,
  }),
)

/** Not another reading of a command that counts already. */
function isOwn({ role, isGuess }: ShellCommand): boolean {
  return role !== 'transparent' && !isGuess
}

const mayWrite = (command: ShellCommand): boolean =>
  worksOnFiles(command) && !neverWrites(command) && !onlyFinds(command)

/** Where it looks may be unknown: what it does with what it finds is said by these. */
const onlyFinds = (command: ShellCommand): boolean =>
  isFind(command) && !command.words.some(({ shape }) => /^-(?:delete|exec|ok|fprint|fls)/.test(shape))

function isUnknown({ shape }: ShellWord): boolean {
  return nameOf(shape).includes(anyText)
}

/** `git "$@"` in a line that says `config` elsewhere, and `"$1" config core.pager x` in one that says `git`. */
function maySetUp(command: ShellCommand, line: string): boolean {
  const [called, ...rest] = command.words
  if (isGit(command) && setsUpClone(rest)) return true
  if (isGit(command)) return isOpen(rest) && /(?<![\w./-])config(?![\w./-])/i.test(line)
  if (!called || isStatic(called) || !/(?<![\w.-])git(?![\w.-])/i.test(line)) return false
  const at = rest.findIndex(({ shape }) => shape === 'config')
  return at >= 0 && changedSettings(rest.slice(at + 1), true).length > 0
}

/** Which of its commands git is given only shows when it runs. */
const isOpen = (rest: readonly ShellWord[]): boolean =>
  gitCall(rest).name === undefined && rest.some(word => !isStatic(word))

function mayControl({ words: [called, ...rest] }: ShellCommand, line: string): boolean {
  if (!called || isStatic(called)) return false
  const first = rest.find(word => !word.shape.startsWith('-'))?.shape ?? ''
  return /^(approvals?|trust)$/.test(first) || (/offshoot/i.test(line) && /^(config|plugins?|mcp)$/.test(first))
}
