/** The files a command of a line would use, as far as they can be told. */

import { isHarmlessTarget } from '../shell/descriptors.js'
import { followsLinks } from '../shell/followed-links.js'
import { mayShowRepository, type RepositoryView } from '../shell/git-contents.js'
import { filesGitReads } from '../shell/git-files.js'
import { changesTree } from '../shell/git-tree.js'
import { leftOut } from '../shell/left-out.js'
import { isInterpreter, pathsInCode } from '../shell/mentions.js'
import { takesUnnamedFiles } from '../shell/name-lists.js'
import { onlyReadBy } from '../shell/only-read.js'
import { pathspecsIn } from '../shell/pathspecs.js'
import { type PossiblePath, possiblePaths, possiblePathsOf } from '../shell/possible-paths.js'
import {
  isGit,
  isSearch,
  mayGoBelow,
  neverWrites,
  type Proof,
  proveReadOnly,
  takesNoFiles,
  takesText,
  worksOnFiles,
} from '../shell/read-only.js'
import type { ShellCommand } from '../shell/reading.js'
import { toldPaths } from '../shell/told-paths.js'
import { listedBy } from '../shell/wildcards.js'
import type { ShellWord } from '../shell/words.js'
import { laysFiles, linksByName, writesInCode, writtenBy } from '../shell/written-words.js'
import { anyName, anyText, isCertain } from '../text/glob.js'
import { nameOf, parentOf, resolvePath } from '../text/path-text.js'
import { fileInRepository, filesBelow, filesInRepository } from './files-below.js'
import { linkedPrograms } from './laid-links.js'
import { laidOver } from './laid-over.js'
import { type FilesBelow, type Part, type PathPart, pathPart, settled } from './part.js'
import type { PathFacts, Place } from './path-policy.js'

export interface LookAround {
  look(shape: string): PathFacts
  /** Without the links that the command itself makes. */
  lies(shape: string): PathFacts
  /** It makes one, and the line makes others besides. */
  readonly makesLinks: boolean
  readonly place: Place
  readonly line: string
}

export function commandPaths(
  command: ShellCommand,
  proof: Proof | undefined,
  around: LookAround,
): readonly (Part & PathPart)[] {
  const { look, line } = around
  if (command.role === 'transparent') return []
  if (proof && takesNoFiles(command)) return pickedPaths(command, around)
  if (proof) return provenPaths(proof, around)
  const spared = leftOut(command.words)
  const words = command.words.slice(command.words[0]?.shape.includes('/') ? 0 : 1).filter(word => !spared.has(word))
  const possible = possiblePathsOf(command.words[0]?.shape ?? '', words)
  const facts = possible.filter(({ isPiece }) => !isPiece).map(({ shape }) => look(shape))
  const access = neverWrites(command) ? 'read' : 'write'
  const named: (Part & PathPart)[] = [...namedBy(command, possible, access, around)]
  const isLaid = laysFiles(command) || (around.makesLinks && linksByName(command))
  for (const shape of [...laidInto(command, spared), ...laidAs(command, around)])
    named.push({ ...pathPart(look(shape), access, 'word', line), isMoved: true, isWritten: isLaid })
  named.push(...linkedPrograms(command, around.lies, line))
  if (command.role === 'plain') named.push(...stoodIn(command, around))
  // What variables may hold makes guesses of a command that runs for certain.
  if (command.role === 'plain' || command.isGuess) named.push(...overlaid(withSettled(command), around))
  named.push(...treeOfGit(command, around))
  if (takesUnnamedFiles(command)) named.push({ ...pathPart(look(anyText), access, 'word', line), isToldPath: true })
  if (command.role !== 'plain') return named
  if (isGit(command)) named.push(...readByGit(command, around))
  if (isGit(command) && mayShowRepository(command)) named.push(...repositoryPaths({ extent: 'past' }, around))
  // Without a directory they begin where they stand.
  if (followsLinks(command))
    named.push(...[...new Set([...facts, look('.')])].flatMap(one => overLinks(one, access, around)))
  if (!worksOnFiles(command)) return named
  const isInText = takesText(command)
  const readBy = (one: PathFacts, below?: FilesBelow) => ({
    ...pathPart(one, 'read', 'command', line, below),
    ...(isInText && { isInText }),
  })
  if (!mayGoBelow(command)) return [...named, ...facts.map(one => readBy(one))]
  const deep = facts.map(one => readBy(one, filesBelow(one, {}, around.place)))
  return [...named, ...deep, ...(isSearch(command) && !endsInDirectory(command, deep) ? [searchHere(around)] : [])]
}

/** Words that may be paths, and what looks like one in the code of an interpreter. */
function namedBy(
  command: ShellCommand,
  possible: readonly PossiblePath[],
  access: PathPart['access'],
  { look, place, line }: LookAround,
): readonly (Part & PathPart)[] {
  const started = startedBy(command)
  const sets = { read: onlyReadBy(command), written: writtenBy(command), told: toldPaths(command) }
  const moved = movedBy(command)
  // The root is no pattern to those that go through it: `find /`.
  const isPattern = (shape: string) =>
    takesText(command) && (isInterpreter(nameOfCommand(command)) || !/^\/+$/.test(shape))
  const isOfAddress = (shape: string, word: ShellWord) => shape.startsWith('//') && word.shape.includes(`:${shape}`)
  const writesCode = writesInCode(command)
  const words = [
    ...possible,
    ...(isGit(command) ? pathspecsIn(command.words.slice(1)).flatMap(one => fromTop(one, place)) : []),
  ].map(({ shape, word }) => ({
    ...asSettled(word, pathPart(look(shape), sets.read.has(word) ? 'read' : access, 'word', line)),
    ...((isPattern(shape) || isOfAddress(shape, word)) && { isInText: true }),
    ...(sets.written.has(word) && { isWritten: true }),
    ...(sets.told.has(word) && { isToldPath: true }),
    ...(word === started && { isRun: true }),
    ...(moved.includes(word) && { isMoved: true }),
  }))
  // What is settled is judged as what it comes to.
  const inCode = pathsInCode({ ...command, words: command.words.filter(({ settled }) => settled === undefined) })
    .filter(shape => shape !== started?.shape)
    .map(shape => ({
      ...pathPart(look(shape), access, 'word', line),
      isInText: true,
      ...(writesCode && { isWritten: true }),
    }))
  return [...words, ...inCode]
}

export const asSettled = (word: ShellWord | undefined, part: Part & PathPart): Part & PathPart =>
  word?.settled === undefined ? part : settled(part)

/** With what variables hold, where that is certain: to be held against what forbids. */
const withSettled = (command: ShellCommand): ShellCommand => ({
  ...command,
  words: command.words.map(word => (word.settled === undefined ? word : { ...word, shape: word.settled })),
})

function overlaid(command: ShellCommand, { look, line }: LookAround): readonly (Part & PathPart)[] {
  return laidOver(command).flatMap(shape => {
    const inside = look(`${shape}/a-program`)
    const over = { ...pathPart(look(shape), 'write', 'word', line), isLaidOver: true }
    return inside.isProgram ? [over, { ...pathPart(inside, 'write', 'word', line), isWritten: true }] : [over]
  })
}

/** What it is told to go through, where a link in it leads out of the workspace. */
function overLinks(
  facts: PathFacts,
  access: PathPart['access'],
  { place, line }: LookAround,
): readonly (Part & PathPart)[] {
  const below = facts.isInside ? filesBelow(facts, { followsLinks: true }, place) : undefined
  return below?.outside === undefined && !below?.isCut ? [] : [pathPart(facts, access, 'word', line, below)]
}

/** Where it stands, if what it may lay there without naming it decides what runs later: `cd .git && tar xf ../x.tar`. */
function stoodIn(command: ShellCommand, { look, line }: LookAround): readonly (Part & PathPart)[] {
  if (neverWrites(command) || proveReadOnly(command)) return []
  const here = look('.')
  const places =
    here.sealed === 'no' ? (here.isDelicate && isCertain(here.spellings.join('')) ? [look(anyName)] : []) : [here]
  return places
    .filter(({ sealed }) => sealed !== 'no')
    .map(facts => ({
      ...pathPart(facts, 'write', 'command', line),
      subject: `stand in ${here.spellings.at(-1)}`,
      isStoodIn: true,
    }))
}

const nameOfCommand = ({ words }: ShellCommand): string => nameOf(words[0]?.shape ?? '')

/** Directories that are moved, or that a whole tree is laid over. */
function movedBy(command: ShellCommand): readonly ShellWord[] {
  const [, ...words] = command.words
  const hasOptions = words.some(({ shape }) => shape.startsWith('-'))
  if (nameOfCommand(command) === 'mv') return hasOptions ? words : words.slice(0, -1)
  if (!hasOptions || !['cp', 'rsync', 'install'].includes(nameOfCommand(command))) return []
  const isPlain = words.slice(-2).every(({ shape }) => !shape.startsWith('-')) && toldDirectories(words).length === 0
  const takesAway = words.some(({ shape }) => shape.startsWith('--remove-s'))
  // What is copied stays as it is.
  return isPlain && !takesAway ? words.slice(-1) : words
}

/** Where files come to lie that are put into a directory, which is the last word but for options. */
function laidInto(command: ShellCommand, spared: ReadonlySet<ShellWord>): readonly string[] {
  const words = command.words.slice(1).filter(word => !spared.has(word))
  const into = words.findLast(({ shape }) => !shape.startsWith('-'))
  const last = into?.settled ?? into?.shape
  if (last === undefined || !['mv', 'cp', 'ln', 'install', 'rsync'].includes(nameOfCommand(command))) return []
  const told = toldDirectories(words)
  return [last, ...told].flatMap(into =>
    (told.length > 0 ? words : words.slice(0, -1)).map(({ shape }) => `${into}/${nameOf(shape.replace(/\/+$/, ''))}`),
  )
}

/** What the last word becomes, unless it is a directory by then: a directory that is moved there, or a link. */
function laidAs(command: ShellCommand, { look, place, line }: LookAround): readonly string[] {
  const last = command.words.length > 2 ? command.words.at(-1)?.shape : undefined
  if (last === undefined || !['mv', 'ln'].includes(nameOfCommand(command))) return []
  const path = look(last).spellings[0]!
  const isThere = place.directoriesIn?.(parentOf(path))?.includes(nameOf(path)) === true
  return isThere && !/\b(rm|rmdir|mv|unlink)\b.*\b(mv|ln)\b/s.test(line) ? [] : [last]
}

/** `-t dir`, `-vtdir`, `--target-directory=dir`, cut short as well. */
function toldDirectories(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap(({ shape }, index) => {
    const [, glued] = /^(?:-[A-Za-z]*?t|--t[a-z-]*=)(.+)$/s.exec(shape) ?? []
    if (glued !== undefined && !/^--t[a-z-]*$/.test(shape)) return [glued]
    return /^(-[A-Za-z]*t|--t[a-z-]*)$/.test(shape) ? words.slice(index + 1, index + 2).map(word => word.shape) : []
  })
}

const interpreters = /^(?:source|\.|sh|bash|zsh|dash|node|deno|bun|tsx|python[\d.]*|ruby|perl|php)$/

/** The word that is the program: an option before it could make it a file to work on. */
function startedBy({ words: [first, second] }: ShellCommand): ShellWord | undefined {
  if (!first || first.shape.includes('/')) return first
  return interpreters.test(first.shape) ? second : undefined
}

/** A search without an operand looks where it stands. */
function searchHere({ look, place, line }: LookAround): Part & PathPart {
  const here = look('.')
  return pathPart(here, 'read', 'command', line, filesBelow(here, {}, place))
}

/** The last word is a directory, and not the value of an option. */
function endsInDirectory({ words }: ShellCommand, deep: readonly PathPart[]): boolean {
  const isValue = words.at(-2)?.shape.startsWith('-') ?? true
  return !isValue && deep.at(-1)?.facts.asked === words.at(-1)?.shape && !!deep.at(-1)?.below?.files.length
}

/** It takes no files, and prints the names that a wildcard picks. */
function pickedPaths({ words }: ShellCommand, { look, line }: LookAround): readonly (Part & PathPart)[] {
  const shapes = new Set(words.slice(1).flatMap(({ shape }) => listedBy(shape)))
  return [...shapes].map(shape => pathPart(look(shape), 'list', 'command', line))
}

function provenPaths(proof: Proof, around: LookAround): readonly (Part & PathPart)[] {
  const { look, place, line } = around
  const access = proof.shows === 'names' ? 'list' : 'read'
  const named = proof.files.map(({ shape }) => {
    const facts = look(shape)
    const below = proof.below && filesBelow(facts, proof, place)
    // Names of files with secrets are none.
    const { secret: _, ...listed } = below ?? {}
    return pathPart(facts, access, 'command', line, below && access === 'list' ? (listed as FilesBelow) : below)
  })
  const repository = proof.fromTop?.length ? place.repository?.(place.cwd) : undefined
  const fromTop = (repository ? (proof.fromTop ?? []) : []).map(path => {
    const facts = look(resolvePath(repository!.top, path))
    return pathPart(facts, access, 'command', line, fileInRepository(repository!, place))
  })
  return [...named, ...fromTop, ...(proof.view ? repositoryPaths(proof.view, around) : [])]
}

/** `:(top)a` counts from the top of the repository, where the workspace may be a part of it. */
function fromTop(one: PossiblePath, place: Place): readonly PossiblePath[] {
  const top = one.isFromTop ? place.repository?.(place.cwd)?.top : undefined
  return top === undefined ? [one] : [one, { ...one, shape: resolvePath(top, one.shape) }]
}

function readByGit({ words }: ShellCommand, { look, line }: LookAround): readonly (Part & PathPart)[] {
  const { files, others } = filesGitReads(words.slice(1))
  return [...files.map(({ shape }) => shape), ...others.flatMap(possiblePaths)]
    .filter(shape => !isHarmlessTarget(shape, 'read', true))
    .map(shape => pathPart(look(shape), 'read', 'command', line))
}

/** What git shows without being told the names. */
function repositoryPaths(view: RepositoryView, { look, place, line }: LookAround): readonly (Part & PathPart)[] {
  const repository = place.repository?.(place.cwd)
  if (!view.paths) {
    const facts = look(repository?.top ?? '.')
    const below = filesInRepository(facts, view, repository, place)
    const wayOut = view.canBeNarrowed ? showsRepository + narrowed : showsRepository
    return [{ ...pathPart(facts, 'read', 'command', line, below), ...(repository && { wayOut }) }]
  }
  return view.paths.map(({ shape }) => {
    const facts = look(shape)
    return pathPart(facts, 'read', 'command', line, filesInRepository(facts, view, repository, place))
  })
}

const showsRepository = 'git takes what it shows from all of the repository, which begins above it.'
const narrowed = ' Name the paths you want to see after `--`; `-- .` is where you stand.'

/** The top of the repository, where the workspace is a part of it and git changes files all over. */
function treeOfGit(command: ShellCommand, { look, place, line }: LookAround): readonly (Part & PathPart)[] {
  const top = isGit(command) && changesTree(command) ? place.repository?.(place.cwd)?.top : undefined
  const facts = top === undefined ? undefined : look(top)
  return !facts || facts.isInside ? [] : [{ ...pathPart(facts, 'write', 'word', line), wayOut: changesRepository }]
}

const changesRepository =
  'git may change files in all of the repository, which begins above it. Name paths after `--` where the command takes some.'
