/** A command line taken apart: its commands, the files each would use, and what only a running shell could tell. */

import { concealedIn, type Endings } from '../shell/concealed.js'
import { isDescriptorPath, isHarmlessTarget } from '../shell/descriptors.js'
import type { ShellGrammar } from '../shell/grammar.js'
import { controlsOffshoot, isOurName, ownControls } from '../shell/own-controls.js'
import type { Proof } from '../shell/read-only.js'
import { LimitPassed, type ShellCommand, type ShellReading, type ShellTarget, shellLimits } from '../shell/reading.js'
import {
  copied,
  copiesProgram,
  handsToSystem,
  type Leads,
  mayHandToSystem,
  runsOutside,
} from '../shell/set-for-later.js'
import { spellingsOf } from '../shell/spelling.js'
import type { ProgramsAt } from '../shell/walk.js'
import { isStatic, literalWord } from '../shell/words.js'
import { isCertain } from '../text/glob.js'
import { nameOf } from '../text/path-text.js'
import { asSettled, commandPaths, type LookAround } from './command-paths.js'
import { endingsBelow, placesOf } from './decisive-facts.js'
import { linksBeside, withLinksMade } from './made-links.js'
import { clip, clipCommand, type Part, type PathPart, pathPart } from './part.js'
import { lookAtPath, type PathFacts, type Place } from './path-policy.js'
import { heldUpBy, pastLimit, proofIn, readCommandLine, startingPoints } from './shell-policy.js'

/** What a command line would use, run and write. */
export function shellParts(line: string, start: Place, grammar: ShellGrammar | undefined): readonly Part[] {
  try {
    return readParts(line, start, grammar)
  } catch (error) {
    if (!(error instanceof LimitPassed)) throw error
    return [{ kind: 'refused', ...pastLimit(error.message), subject: clipCommand(line) }]
  }
}

function readParts(line: string, start: Place, grammar: ShellGrammar | undefined): readonly Part[] {
  const { cwd: directory } = start
  const doubtful = (doubt: Unknown): Part => ({ kind: 'doubt', ...doubt, line, directory, subject: clipCommand(line) })
  if (!grammar) return [doubtful({ sentence: 'there is no parser for command lines' })]
  const home = start.home === undefined ? {} : { home: start.home }
  const reading = readCommandLine(line, { grammar, cwd: directory, ...home, programsAt: programsIn(start) })
  if (reading.refused) return [{ kind: 'refused', ...reading.refused, subject: clipCommand(line) }]
  const place = withLinksMade(start, reading.commands)
  const paths = new Map<string, Part>()
  const known = new Map<string, PathFacts>()
  const starts = startingPoints(reading, line)
  const lookFrom = (at: string | undefined) => (shape: string) => {
    const key = `${at ?? ''}\0${shape}`
    const facts = known.get(key) ?? lookAtPath(shape, place, at === undefined ? starts : [at])
    known.set(key, facts)
    if (known.size > shellLimits.files) throw new LimitPassed(`more than ${shellLimits.files} names that may be files`)
    return facts
  }
  const keep = (part: Part & PathPart, at = '') =>
    paths.set(`${at}\0${keyOf(part)}`, at === '' && starts.length > 1 ? { ...part, isMoving: true } : part)
  const parts: Part[] = reading.commands.map(called => {
    const linksToUs = (path: string) => lookFrom(called.at)(path).spellings.some(isOurName)
    if (controlsOffshoot(called, linksToUs))
      return { kind: 'refused', rule: 'own-controls', reason: ownControls, subject: clipCommand(called.source) }
    const program = ownProgram(called, reading, place)
    // One that only launches needs leave of its own when it is the workspace's.
    const command: ShellCommand = program && called.role === 'transparent' ? { ...called, role: 'plain' } : called
    const proof = command.role === 'plain' && !program ? proofIn(reading, command) : undefined
    const around = { look: lookFrom(command.at), ...linksBeside(called, start, reading.commands, starts), place, line }
    for (const part of pathsOf(command, proof, around)) keep(part, command.at)
    const spellings = spellingsOf(command, line, reading, leadsOf(command, lookFrom(command.at)))
    const isMoving = command.at === undefined && reading.directories.length > 1
    const about = { line, directory, subject: clipCommand(command.source), ...(isMoving && { isMoving }) }
    const held = holderOf(reading, command, proof ?? program)
    return { kind: 'command', command, proof, program, spellings, ...held, ...about }
  })
  for (const { part, at } of targetsOf(reading, paths.values(), { lookFrom, line })) keep(part, at)
  // A command without an operand looks at where it stands, so going there is looking at it.
  for (const visited of reading.directories.slice(1))
    keep(pathPart(lookFrom(undefined)(visited), 'list', 'command', line))
  const here = lookFrom(directory)('.')
  // Commands without an operand work where they stand.
  if (!here.isInside) keep(pathPart(here, 'list', 'word', line), directory)
  const unknowns = unknownsIn(line, reading, place, lookFrom).map(doubtful)
  const all = [...heldUpLast(parts), ...[...paths.values()].map(part => ({ ...part, directory })), ...unknowns]
  return all.length > 0 ? all : [doubtful({ sentence: 'there is no command' })]
}

interface LineAround {
  readonly lookFrom: (at: string | undefined) => (shape: string) => PathFacts
  readonly line: string
}
interface Target {
  readonly part: Part & PathPart
  readonly at: string | undefined
}

/** What it is redirected to, and what is opened once more by that: the path of a descriptor is its file's. */
function targetsOf(reading: ShellReading, others: Iterable<Part>, { lookFrom, line }: LineAround): readonly Target[] {
  const isHarmless = (path: string, access: 'read' | 'write') =>
    isHarmlessTarget(path, access, reading.hasPlainDescriptors)
  const counting = reading.targets.filter(({ access, word }) => access === 'list' || !isHarmless(word.shape, access))
  const named = counting.map(
    (target): Target => ({ part: targetPart(target, lookFrom(target.at)(target.word.shape), line), at: target.at }),
  )
  const isReopening = (part: Part) =>
    part.kind === 'path' &&
    part.access === 'write' &&
    !isHarmless(part.facts.asked, 'write') &&
    part.facts.spellings.some(isDescriptorPath)
  if (![...others, ...named.map(({ part }) => part)].some(isReopening)) return named
  const read = reading.targets.filter(({ access }) => access === 'read')
  const reopened = read.map(
    ({ word, at }): Target => ({ part: pathPart(lookFrom(at)(word.shape), 'write', 'word', line), at }),
  )
  return [...named, ...reopened]
}

function targetPart(target: ShellTarget, facts: PathFacts, line: string): Part & PathPart {
  const { word, access, isGuess, isGiven, isToldPath } = target
  const part = asSettled(word, pathPart(facts, access, isGuess ? 'word' : 'command', line))
  return { ...part, ...(isGiven ? { isGiven } : { isWritten: access === 'write' }), ...(isToldPath && { isToldPath }) }
}

interface Unknown {
  readonly sentence: string
  readonly guards?: string
}

function unknownsIn(
  line: string,
  reading: ShellReading,
  place: Place,
  lookFrom: (at: string | undefined) => (shape: string) => PathFacts,
) {
  const leadsFrom =
    (at: string | undefined): Leads =>
    path =>
      leadsOf({ words: [literalWord(path)] }, lookFrom(at))
  const endings: Endings = below =>
    below?.words.flatMap(({ shape }) => endingsBelow(lookFrom(below.of.at)(shape), place)) ?? placesOf(place).endings
  const later = reading.commands.flatMap(command => handsToSystem(command, leadsFrom(command.at)) ?? [])
  const isWriting = reading.targets.some(
    ({ word, access }) => access === 'write' && !isHarmlessTarget(word.shape, access, true),
  )
  const copies = reading.commands.flatMap(command => copiesProgram(command, isWriting) ?? [])
  return [
    ...[...new Set([...later, ...mayHandToSystem(reading.commands, line)])].map(
      (program): Unknown => ({ sentence: runsOutside(program), guards: 'runs-later' }),
    ),
    ...[...new Set(copies)].map((program): Unknown => ({ sentence: copied(program), guards: 'runs-later' })),
    ...reading.doubts.map((sentence): Unknown => ({ sentence })),
    ...concealedIn(line, reading, endings),
  ]
}

/** Where a program that is called by a path lies, over every link on the way. */
function leadsOf(
  { words: [called] }: Pick<ShellCommand, 'words'>,
  look: (shape: string) => PathFacts,
): readonly string[] {
  const facts = called?.shape.includes('/') ? look(called.shape) : undefined
  return facts ? [...facts.spellings, ...(facts.ways ?? [])] : []
}

/** What a program is called that a path leads to under other names than the path has. */
function programsOf(path: string, look: (shape: string) => PathFacts): readonly string[] {
  const leads = leadsOf({ words: [literalWord(path)] }, look)
  return [...new Set(leads.filter(isCertain).map(nameOf))].filter(name => name !== nameOf(path))
}

const programsIn =
  (place: Place): ProgramsAt =>
  (path, from) =>
    programsOf(path, shape => lookAtPath(shape, place, from))

/** The files of a command, under each of the names that its program has. */
function pathsOf(command: ShellCommand, proof: Proof | undefined, around: LookAround): readonly (Part & PathPart)[] {
  const [called, ...rest] = command.words
  const isLed = called !== undefined && command.role === 'plain' && isStatic(called)
  const others = isLed ? programsOf(called.shape, around.look) : []
  const led = others.map(name => ({ ...command, words: [literalWord(name), ...rest] }))
  return [commandPaths(command, proof, around), ...led.map(one => commandPaths(one, undefined, around))].flat()
}

function holderOf(reading: ShellReading, command: ShellCommand, settled: unknown): { readonly heldUpBy?: string } {
  const holder = command.role === 'plain' && !settled ? heldUpBy(reading, command) : undefined
  return holder === undefined ? {} : { heldUpBy: clip(holder) }
}

/** Of what asks, the first is told: one that another holds up comes after it. */
function heldUpLast(parts: readonly Part[]): readonly Part[] {
  const isHeldUp = (part: Part) => part.kind === 'command' && part.heldUpBy !== undefined
  return [...parts.filter(part => !isHeldUp(part)), ...parts.filter(isHeldUp)]
}

function ownProgram({ words: [name], role }: ShellCommand, { directories }: ShellReading, place: Place) {
  return name && role !== 'possible' && isStatic(name) ? place.ownProgram?.(name.shape, directories) : undefined
}

function keyOf(part: Part & PathPart): string {
  const { isRun, isMoved, isLaidOver, isSettled, isWritten, isGiven, isToldPath, isInText, wayOut } = part
  const flags = [isRun, isMoved, isLaidOver, isSettled, isWritten, isGiven, isToldPath, isInText, wayOut].map(Boolean)
  return `${part.access} ${part.from} ${flags.join(' ')} ${part.facts.asked}`
}
