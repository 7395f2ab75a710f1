/**
 * A call taken apart into what rules are about: paths, commands, hosts, agents. A call may run when every part may.
 * Inputs are read by the names the tools use; a tool nobody knows is read by the usual names of such fields.
 */

import { readWishedAgent, usualAgent } from '../catalog/wished-agent.js'
import type { CallToJudge } from '../ports.js'
import { isRecord } from '../record.js'
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
import { alternativesOf, anyLetter, anyName, anyText, isCertain } from '../text/glob.js'
import { nameOf, resolvePath } from '../text/path-text.js'
import type { ToolEffect } from '../types.js'
import { asSettled, commandPaths, type LookAround } from './command-paths.js'
import { endingsBelow, placesOf } from './decisive-facts.js'
import { linksBeside, withLinksMade } from './made-links.js'
import { hostOfUrl } from './network-policy.js'
import { clip, clipCommand, type Part, type PathPart, pathPart } from './part.js'
import { lookAtPath, type PathFacts, type Place } from './path-policy.js'
import { heldUpBy, pastLimit, proofIn, readCommandLine, startingPoints } from './shell-policy.js'

export interface PartsContext {
  readonly place: Place
  /** Without one no command line is understood. */
  readonly grammar?: ShellGrammar
  /** Every name the agent of a delegation goes by; undefined when it cannot be told. */
  readonly agentNames?: (input: unknown) => readonly string[] | undefined
  /** Whether two names find one agent: what allows a name allows whoever it finds, and nobody else. */
  readonly isSameAgent?: (name: string, other: string) => boolean
}

export function partsOf(call: CallToJudge, context: PartsContext): readonly Part[] {
  const { name } = call.spec
  const input = isRecord(call.input) ? call.input : {}
  if (call.handsTo !== undefined) return [agentPart('Task', { subagent_type: call.handsTo }, context)]
  if (isDelegation(name)) return [agentPart(name, input, context)]
  if (name === 'Skill') return [skillPart(input)]
  if (call.spec.origin === 'mcp') return [{ kind: 'tool', subject: name, server: call.spec.server }]
  const commands = commandsIn(call, input)
  if (commands.length > 0 && (name === 'Bash' || isShellTool(call, input)))
    return commands.flatMap(command => shellPartsWithin(command, call, context))
  if (hasEffect(call, 'network')) return urlParts(name, input)
  const paths = pathParts(call, input, context.place)
  return paths.length > 0 ? paths : [{ kind: 'tool', subject: name }]
}

const commandFields = ['command', 'cmd', 'script']
const startFields = ['cwd', 'workdir', 'working_directory', 'directory']

/** What the tool does not know of it runs as little as it starts there. */
function commandsIn({ spec }: CallToJudge, input: Record<string, unknown>): readonly string[] {
  const written = commandFields.filter(field => typeof input[field] === 'string')
  const known = written.filter(field => isDeclared(spec, field))
  return (known.length > 0 ? known : written).map(field => input[field] as string)
}

/** A tool that says nothing about its inputs may take any. */
function isDeclared({ inputSchema }: CallToJudge['spec'], field: string): boolean {
  const { properties } = inputSchema as { readonly properties?: unknown }
  return !isRecord(properties) || Object.hasOwn(properties, field)
}

/** The effect the tool declares or the one this call has: the stricter counts. */
function hasEffect(call: CallToJudge, effect: ToolEffect): boolean {
  return call.spec.effect === effect || call.effect === effect
}

/** A host's tool counts as a shell when its input says nothing but a command line and where and how long to run it. */
function isShellTool(call: CallToJudge, input: Record<string, unknown>): boolean {
  const fields = /^(command|cmd|script|description|timeout|cwd|workdir|working_directory|run_in_background)$/
  return hasEffect(call, 'execute') && Object.keys(input).every(field => fields.test(field))
}

export function isDelegation(tool: string): boolean {
  return tool === 'Task' || tool === 'Agent' || tool.startsWith('subagent_')
}

function agentPart(tool: string, input: Record<string, unknown>, { agentNames, isSameAgent }: PartsContext): Part {
  const { agent, resume } = readWishedAgent(input)
  // The name of a tool is not the agent's: only a tool that does not say whom it hands to is guessed by it.
  const named = tool.startsWith('subagent_')
    ? tool.slice('subagent_'.length)
    : (agent ?? (textOf(input, ['agent']) || undefined))
  const given = named ?? (resume === undefined ? usualAgent : undefined)
  const known = agentNames?.(given === undefined ? input : { ...input, subagent_type: given })
  const names = known || given ? [...new Set([...(given ? [given] : []), ...(known ?? [])])] : undefined
  const subject = `agent ${given ?? known?.[0] ?? 'of the resumed run'}`
  const isFoundBy = given !== undefined && isSameAgent ? (name: string) => isSameAgent(given, name) : undefined
  return { kind: 'agent', names, subject, ...(isFoundBy && { isFoundBy }) }
}

function skillPart(input: Record<string, unknown>): Part {
  const name = textOf(input, ['skill', 'name', 'command']) ?? ''
  return { kind: 'skill', name, subject: `skill ${name}` }
}

function urlParts(tool: string, input: Record<string, unknown>): readonly Part[] {
  const urls = ['url', 'uri', 'href'].flatMap(field => (typeof input[field] === 'string' ? [input[field]] : []))
  if (urls.length === 0) return [{ kind: 'tool', subject: tool }]
  return urls.map(url => {
    const { host = '', port = '' } = hostOfUrl(url) ?? {}
    return { kind: 'url', url, host, port, subject: host || clip(url) }
  })
}

const pathFields = [
  'file_path',
  'notebook_path',
  'path',
  'filePath',
  'file',
  'filename',
  'directory',
  'dir',
  'cwd',
  'uri',
]

function pathParts(call: CallToJudge, input: Record<string, unknown>, place: Place): readonly Part[] {
  const { name } = call.spec
  if ([call.spec.effect, call.effect].some(effect => effect !== 'write' && effect !== 'read')) return []
  const access = hasEffect(call, 'write') ? 'write' : name === 'Glob' || name === 'LS' ? 'list' : 'read'
  const asked = pathFields.flatMap(field => textsIn(input[field]))
  if (name === 'Glob' || name === 'Grep' || name === 'LS') {
    const isTold = pathFields.some(field => isDeclared(call.spec, field) && textsIn(input[field]).length > 0)
    return (isTold ? asked : [...asked, '.']).flatMap(start => searchParts(name, access, start, input, place))
  }
  return asked.map(path => pathPart(lookAtPath(path, place), access, 'tool'))
}

/** A search starts at its path. Where a Glob pattern leads counts as well, and which single files a Grep filter picks. */
function searchParts(
  tool: string,
  access: PathPart['access'],
  from: string,
  input: Record<string, unknown>,
  place: Place,
): readonly Part[] {
  const start = lookAtPath(from, place)
  const bases = start.spellings.slice(0, 1)
  const pattern = textOf(input, tool === 'Glob' ? ['pattern'] : ['glob']) ?? ''
  const further = alternativesOf(pattern.replace(/^!.*/s, '')).flatMap(one => {
    if (tool === 'Glob') return [lookAtPath(fixedStart(one), place, bases)]
    // A search follows no links, so only the names count.
    const names = { ...place, linksIn: () => [] }
    if (isEverything(one)) return []
    const facts = lookAtPath(picked(one), names, bases)
    // What a wildcard might pick is judged file by file when the search finds it; what is spelled out is a wish for it.
    const isSecret = facts.isSecret && (!one.includes('*') || lookAtPath(one.replace(/\*/g, ''), names, bases).isSecret)
    return [{ ...facts, isSecret, isInside: start.isInside }]
  })
  return [start, ...further].map(facts => pathPart(facts, access, 'tool'))
}

function isEverything(pattern: string): boolean {
  return /^(\*\*\/)*\*{0,2}$/.test(pattern)
}

/** The names a filter picks, at the top: a search does not leave the directory it starts in. */
function picked(pattern: string): string {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1)
  return name.replace(/\*+/g, anyName).replace(/\[[^\]]*\]|\?/g, anyLetter)
}

/** Up to the first segment with a wildcard; `..` after one is taken at its word. */
function fixedStart(pattern: string): string {
  const segments = pattern.split('/')
  const first = segments.findIndex(segment => /[*?[{]/.test(segment))
  if (first < 0) return pattern
  const rest = segments.slice(first).includes('..') ? `/${anyText}` : ''
  const fixed = segments.slice(0, first).join('/')
  return (fixed === '' && pattern.startsWith('/') ? '/' : fixed || '.') + rest
}

function shellPartsWithin(line: string, { spec, input }: CallToJudge, context: PartsContext): readonly Part[] {
  const given = isRecord(input) ? input : {}
  const unknown = startFields.find(field => typeof given[field] === 'string' && !isDeclared(spec, field))
  // Judged from there, and run from here, `../x` would be two files.
  if (unknown !== undefined) {
    const reason = `${spec.name} takes no "${unknown}". Begin the command with \`cd … &&\` instead.`
    return [{ kind: 'refused', rule: 'unknown-input', reason, subject: clipCommand(line) }]
  }
  try {
    return shellParts(line, given, context)
  } catch (error) {
    if (!(error instanceof LimitPassed)) throw error
    return [{ kind: 'refused', ...pastLimit(error.message), subject: clipCommand(line) }]
  }
}

function shellParts(line: string, input: Record<string, unknown>, context: PartsContext): readonly Part[] {
  const { grammar } = context
  const start = startingPlace(input, context)
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
  const isHarmless = (path: string, access: 'read' | 'write') =>
    isHarmlessTarget(path, access, reading.hasPlainDescriptors)
  for (const target of reading.targets)
    if (target.access === 'list' || !isHarmless(target.word.shape, target.access))
      keep(targetPart(target, lookFrom(target.at)(target.word.shape), line), target.at)
  const isReopening = (part: Part) =>
    part.kind === 'path' &&
    part.access === 'write' &&
    !isHarmless(part.facts.asked, 'write') &&
    part.facts.spellings.some(isDescriptorPath)
  const reopened = [...paths.values()].some(isReopening)
    ? reading.targets.filter(({ access }) => access === 'read')
    : []
  for (const { word, at } of reopened) keep(pathPart(lookFrom(at)(word.shape), 'write', 'word', line), at)
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

function targetPart({ word, access, isGuess, isGiven }: ShellTarget, facts: PathFacts, line: string): Part & PathPart {
  const part = asSettled(word, pathPart(facts, access, isGuess ? 'word' : 'command', line))
  return isGiven ? part : { ...part, isWritten: access === 'write' }
}

function startingPlace(input: Record<string, unknown>, { place }: PartsContext): Place {
  const elsewhere = textOf(input, startFields)
  return elsewhere === undefined ? place : { ...place, cwd: resolvePath(place.cwd, elsewhere) }
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
  const { isRun = false, isMoved = false, isLaidOver = false, isSettled = false, isWritten = false } = part
  return `${part.access} ${part.from} ${isRun} ${isMoved} ${isLaidOver} ${isSettled} ${isWritten} ${part.facts.asked}`
}

function textsIn(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.filter(one => typeof one === 'string')
}

function textOf(input: Record<string, unknown>, fields: readonly string[]): string | undefined {
  for (const field of fields) if (typeof input[field] === 'string') return input[field]
  return undefined
}
