/**
 * Text of any dialect to definitions and diagnostics. Never throws, never runs anything, linear in the text.
 * Every file ends in exactly one state: loaded, warned (loaded with warnings), quarantined (listed, will not run),
 * not-an-agent.
 */

import type { AgentDefinition, AgentSource } from '../agent-definition.js'
import type { Diagnostic } from '../ports.js'
import { isRecord, type Writable } from '../record.js'
import { assembleAgent } from './assemble.js'
import { type Entry, maxKeys, type Parsers, type Problem } from './block.js'
import { type Code, diagnose } from './diagnostic-codes.js'
import type { Dialect } from './dialect.js'
import { fieldOf } from './field-table.js'
import {
  extensionOf,
  isAgentFileName,
  isAmongAgents,
  isModesFile,
  isNamedAgentFile,
  stemOf,
  structureKind,
} from './file-name.js'
import { withHolds } from './held-names.js'
import { looksUpTooMuch } from './looked-up.js'
import { readPlainFile } from './plain-file.js'
import { isAgentLike } from './text/agents-in-data.js'
import { limitsBelow } from './text/below-fence.js'
import { decodeText, normaliseLineEnds } from './text/decode.js'
import { firstDocument, secondDocument } from './text/documents.js'
import { readBlock } from './text/entries.js'
import { beginsWithKeys, splitFrontMatter } from './text/front-matter.js'
import { toldAtItems } from './text/item-lines.js'
import { isMode } from './text/roo-modes.js'
import { openStructure, problemsOfTwins, type Structure } from './text/structure.js'
import { unfilled, whyNoAgent } from './why-no-agent.js'

/** What became of an agent file: `quarantined` ones are listed and never run. */
export type FileState = 'loaded' | 'warned' | 'quarantined' | 'not-an-agent'

export interface AgentFile {
  readonly path: string
  readonly content: Uint8Array | string
  readonly source: AgentSource
  /** Before the name, in plugins. */
  readonly prefix?: string
}

export interface AgentReading {
  readonly state: FileState
  readonly dialect: Dialect
  /** Absent when it has no name that could be used. */
  readonly agent?: AgentDefinition
  /** Tools and model as the file writes them, before names were turned into ours. */
  readonly written?: { readonly tools?: readonly string[]; readonly model?: string }
  /** Keys of ours the file does not write: what they say is usual where the file comes from. */
  readonly usual?: readonly string[]
}

export interface FileReading {
  readonly path: string
  readonly state: FileState
  /** More than one in TOML and JSON files that hold a list. */
  readonly agents: readonly AgentReading[]
  readonly diagnostics: readonly Diagnostic[]
  /** Of a file that could not be read far enough to list its agents: no other agent may take these names. */
  readonly holds?: readonly string[]
}

export function readAgentFile(file: AgentFile, parsers: Parsers): FileReading {
  return withHolds(readFile(file, parsers), file)
}

function readFile(file: AgentFile, parsers: Parsers): FileReading {
  const { path, content } = file
  const extension = extensionOf(path)
  if (!isAgentFileName(path)) return noAgent(path, 'other-extension', `"${extension}" files are not read`)
  if (content.length === 0 && isAmongAgents(path)) return noAgent(path, 'front-matter-torn', empty)
  if (typeof content === 'string') return readText(file, normaliseLineEnds(content), parsers, [])
  const { text, notes, zeroLine } = decodeText(content)
  if (zeroLine === undefined) return readText(file, text, parsers, problemsAt(path, notes))
  if (content.every(byte => byte === 0)) return noAgent(path, 'file-zeroed', zeroed)
  if (readText(file, text, parsers, []).agents.length === 0) return noAgent(path, 'binary-file', 'the file is no text')
  return readText(file, text, parsers, [diagnose('file-zeroed', zeroed, { file: path, line: zeroLine })])
}

function readText(file: AgentFile, text: string, parsers: Parsers, found: readonly Diagnostic[]): FileReading {
  const [path, extension] = [file.path, extensionOf(file.path)]
  if (extension === 'md') return toldAtItems(readMarkdown(file, text, parsers, found), text)
  if (isModesFile(path) || (extension.startsWith('y') && modesKey.test(text)))
    return readModes(file, text, parsers, found)
  const notes = extension === 'json' || text.endsWith('\n') ? found : [...found, unended(path, text)]
  if (extension === 'toml' || extension === 'json') return readStructured(file, text, extension, parsers, notes)
  return toldAtItems(readYaml(file, text, parsers, notes), text)
}

/** A cut at the end of a line leaves no trace in YAML and TOML; one inside a line leaves this. */
function unended(file: string, text: string): Diagnostic {
  const message = 'the last line has no end; the file may have been cut off'
  return diagnose('line-unended', message, { file, line: text.split('\n').length })
}

function readMarkdown(file: AgentFile, text: string, parsers: Parsers, notes: readonly Diagnostic[]): FileReading {
  const plain = notes.length === 0 ? readPlainFile(file, text) : undefined
  if (plain) return plain
  const split = splitFrontMatter(text)
  if ('none' in split) {
    if (split.none === 'no-front-matter' && isNamedAgentFile(file.path))
      return noAgent(file.path, 'front-matter-unopened', namedOnly, 1, notes, 'begin it with ---, description: and ---')
    const isUnopened = split.none === 'no-front-matter' && isAmongAgents(file.path) && beginsWithKeys(text)
    const code = isUnopened ? 'front-matter-unopened' : split.none
    const what = code === 'front-matter-language' ? `front matter in "${split.language}" is not read` : without[code]
    const whole = noAgent(file.path, code, what ?? code, isUnopened ? 1 : split.line, notes)
    return isNamedAgentFile(file.path) ? readNoneOf(file, whole, split.line) : whole
  }
  const own = split.notes.map(({ code, line }) => diagnose(code, fenceWords[code] ?? code, { file: file.path, line }))
  if (split.language !== 'yaml') {
    const inner = openStructure(split.lines.join('\n'), split.language, parsers, 'head')
    const [first] = 'fault' in inner ? [] : inner.agents
    const below = first === undefined || whyNoAgent(file.path, first) ? [] : limitsBelow(split.below, first)
    return readStructure(file, inner, split.body, [...notes, ...own, ...problemsAt(file.path, below)], split.firstLine)
  }
  const listed = /^\s*- /.test(split.lines.find(line => line.trim() !== '') ?? '')
    ? openStructure(split.lines.join('\n'), 'yaml', parsers)
    : undefined
  if (listed && 'agents' in listed && listed.agents.length > 1)
    return readStructure(file, listed, '', [...notes, ...own], split.firstLine)
  const block = readBlock(split.lines, split.firstLine, parsers.yaml)
  // A document may have anything below its head.
  const below = limitsBelow(split.below, block.entries)
  const isDocument = below.length > 0 && whyNoAgent(file.path, block.entries) !== undefined
  const found = problemsAt(file.path, isDocument ? block.problems : [...block.problems, ...below])
  const body = [block.trailing, split.body].filter(part => part !== '').join('\n\n')
  return readOne(file, block.entries, body, [...notes, ...own, ...found])
}

/** It has keys, and nobody reads them: it is listed, and does not run without its limits. */
function readNoneOf(file: AgentFile, { diagnostics }: FileReading, line: number): FileReading {
  const fault = diagnose('syntax-error', keysUnread, { file: file.path, line }, 'make --- the first line of the file')
  return readOne(file, [], '', [...diagnostics, fault])
}

const [zeroed, empty] = ['zero bytes stand in the file, as a crash leaves them', 'the file is empty']
const keysUnread = 'an agent by its name, whose keys are not read where they stand'
const namedOnly = 'an agent by its name, and not read, since it has no front matter'

const without: Readonly<Partial<Record<Code, string>>> = {
  'no-front-matter': 'the file has no front matter',
  'front-matter-unopened': 'keys of an agent stand there, and no front matter',
  'front-matter-in-code-block': 'the front matter stands inside a code block',
  'front-matter-misplaced': 'text stands before the front matter, so it is not read',
}
const fenceWords: Readonly<Partial<Record<Code, string>>> = {
  'front-matter-unclosed': 'the front matter is not closed',
  'front-matter-torn': 'the file ends inside its front matter',
  'front-matter-misplaced': 'the front matter is not at the start of the file',
  'front-matter-in-code-block': 'the file stands inside a code block',
}

function readYaml(file: AgentFile, text: string, parsers: Parsers, notes: readonly Diagnostic[]): FileReading {
  const lines = text.trimEnd().split('\n')
  const skipped = /^---\s*$/.test(lines[0] ?? '') ? 1 : 0
  const block = readBlock(lines.slice(skipped), 1 + skipped, parsers.yaml)
  const table = Object.fromEntries(block.entries.map(entry => [entry.key, entry.value]))
  const isAgent = isAgentLike(table) && !isMode(table)
  const found = problemsAt(file.path, block.problems)
  if (!isAgent && !block.problems.some(problem => fatal.has(problem.code))) {
    const first = firstDocument(lines.slice(skipped))
    const inner = openStructure(first.lines.join('\n'), 'yaml', parsers, structureKind(file.path))
    if ('fault' in inner || (inner.agents.length === 0 && inner.problems.length === 0))
      return noAgent(file.path, 'not-an-agent', whatIsMissing(block.entries, inner), 1, notes, givePrompt)
    const behind = first.next === undefined ? [] : [secondDocument(1 + skipped + first.next)]
    return readStructure(file, inner, '', [...notes, ...problemsAt(file.path, behind)], 1 + skipped)
  }
  return readOne(file, block.entries, '', [...notes, ...found])
}

/** A list of Roo's modes, in YAML or JSON. It is nothing else, so that what cannot be parsed is told as a fault. */
function readModes(file: AgentFile, text: string, parsers: Parsers, notes: readonly Diagnostic[]): FileReading {
  if (/^\s*[{[]/.test(text)) return readStructure(file, openStructure(text, 'json', parsers, 'modes'), '', notes, 1)
  const lines = text.trimEnd().split('\n')
  const skipped = /^---\s*$/.test(lines[0] ?? '') ? 1 : 0
  const { lines: first, next } = firstDocument(lines.slice(skipped))
  const behind = next === undefined ? [] : problemsAt(file.path, [secondDocument(1 + skipped + next)])
  const cut = text.endsWith('\n') ? [] : [unended(file.path, text)]
  const inner = openStructure(first.join('\n'), 'yaml', parsers, 'modes')
  return readStructure(file, inner, '', [...notes, ...cut, ...behind], 1 + skipped)
}

const modesKey = /^customModes:/m

function whatIsMissing(entries: readonly Entry[], structure: Structure): string {
  if (entries.some(entry => fieldOf(entry.key) === 'name'))
    return 'it has a name, and nothing else that only an agent has'
  if (entries.length > 0) return 'there is no name in it'
  return 'fault' in structure ? `it cannot be read: ${structure.fault}` : noAgentText
}

const noAgentText = 'there is no agent in it'

function problemsAt(file: string, problems: readonly Problem[]): readonly Diagnostic[] {
  return problems.map(({ code, message, line, column, hint }) =>
    diagnose(code, message, { file, line, ...(column === undefined ? {} : { column }) }, hint),
  )
}

const fatal: ReadonlySet<Code> = new Set(['front-matter-too-large', 'alias-expansion'])

function readStructured(
  file: AgentFile,
  text: string,
  format: 'toml' | 'json',
  parsers: Parsers,
  notes: readonly Diagnostic[],
): FileReading {
  return readStructure(file, openStructure(text, format, parsers, structureKind(file.path)), '', notes, 1)
}

function readStructure(
  file: AgentFile,
  structure: Structure,
  body: string,
  notes: readonly Diagnostic[],
  firstLine: number,
): FileReading {
  if ('fault' in structure) {
    const line = firstLine - 1 + (structure.line ?? 1)
    if (settingsName.test(file.path)) return noAgent(file.path, 'not-an-agent', settings, line, notes, asFiles)
    return noAgent(file.path, 'syntax-error', structure.fault, line, notes)
  }
  if (structure.agents.length === 0) {
    const registered = structure.problems.filter(({ code }) => code === 'not-an-agent')
    const told = [...notes, ...problemsAt(file.path, registered)]
    const what = structure.isSettings ? settings : isModesFile(file.path) ? noModes : noAgentText
    if (registered.length > 0) return { path: file.path, state: 'not-an-agent', agents: [], diagnostics: told }
    return noAgent(file.path, 'not-an-agent', what, 1, notes, structure.isSettings ? asFiles : givePrompt)
  }
  const offset = firstLine - 1
  const agents = structure.agents.map(entries => entries.map(entry => ({ ...entry, line: entry.line + offset })))
  const found = structure.problems.map(problem => ({ ...problem, line: problem.line + offset }))
  const whole = [...notes, ...problemsAt(file.path, found)]
  const dialectAt = (at: number) => (structure.modes.has(at) ? 'roo' : undefined)
  if (agents.length === 1) return readOne(file, agents[0]!, body, whole, dialectAt(0))
  // Whose limit stands twice, or beside the agents, is not looked into: none of them runs until it is clear.
  const faults = new Set(whole.filter(note => note.severity === 'error'))
  const twins = problemsOfTwins(agents)
  const isTooMuch = looksUpTooMuch(agents)
  const readings = agents.map((entries, index) => {
    const own = [...(index === 0 ? whole : faults), ...problemsAt(file.path, twins.get(index) ?? [])]
    return isTooMuch
      ? readNameOnly(file, entries, tooManyWords, own)
      : readOne(file, entries, body, own, dialectAt(index))
  })
  const states = readings.map(reading => reading.state)
  const state = statesByWeight.find(each => states.includes(each)) ?? 'not-an-agent'
  return {
    path: file.path,
    state,
    agents: readings.flatMap(reading => reading.agents),
    diagnostics: readings.flatMap(({ diagnostics }, index) =>
      index === 0 ? diagnostics : diagnostics.filter(each => !faults.has(each)),
    ),
  }
}

const noModes = 'there is no mode in it, which would stand in a list "customModes"'
const settings = 'settings of opencode: the agents in their "agent" map are not read'
const givePrompt = 'give it a name and a prompt ("prompt") if it is one'
const asFiles = 'give each agent a file of its own'
/** They may have comments, and commas behind the last item. */
const settingsName = /(?:^|[/\\])opencode\.json$/i
const statesByWeight: readonly FileState[] = ['quarantined', 'warned', 'loaded']

function readOne(
  file: AgentFile,
  entries: readonly Entry[],
  body: string,
  notes: readonly Diagnostic[],
  known?: Dialect,
): FileReading {
  const excess = countKeys(entries) > maxKeys ? tooManyKeys : looksUpTooMuch([entries]) ? tooManyWords : undefined
  if (excess !== undefined) return readNameOnly(file, entries, excess, notes)
  const isBroken = notes.some(note => note.severity === 'error')
  const why = isBroken ? unfilled(entries) : whyNoAgent(file.path, entries)
  const ofFile = notes.filter(({ code, severity }) => !ofBlock.has(code) && severity !== 'error')
  if (why) return noAgent(file.path, why.code, why.message, entries[0]?.line ?? 1, ofFile, why.hint)
  const { agent, dialect, written, usual, diagnostics } = assembleAgent(
    {
      entries,
      body,
      stem: stemOf(file.path),
      path: file.path,
      source: file.source,
      dialect: known,
      prefix: file.prefix || undefined,
    },
    notes,
  )
  // Of a block in which nothing could be read, all that is missing follows from that.
  const told = isBroken && entries.length === 0 ? notes : diagnostics
  const state = stateOf(diagnostics)
  const reading: Writable<AgentReading> = { state, dialect }
  if (agent) reading.agent = agent
  if (written) reading.written = written
  if (usual.length > 0) reading.usual = usual
  return { path: file.path, state, agents: [reading], diagnostics: told }
}

/** How its keys are written is nobody's concern in a document. */
const ofBlock: ReadonlySet<string> = new Set(['syntax-repaired', 'stray-line', 'key-duplicate', 'limit-commented'])

const tooManyKeys = `more than ${maxKeys} keys`
const tooManyWords = 'more words in its lists, rules and guards, or unknown keys, than are looked up'

/** More than is looked through. It keeps its name: another agent must not step in for it. */
function readNameOnly(
  file: AgentFile,
  entries: readonly Entry[],
  excess: string,
  notes: readonly Diagnostic[],
): FileReading {
  const line = entries[0]?.line ?? 1
  const named = entries.filter(entry => fieldOf(entry.key) === 'name')
  if (named.length !== 1) return noAgent(file.path, 'front-matter-too-large', excess, line, notes)
  const told = [...notes, diagnose('front-matter-too-large', excess, { file: file.path, line })]
  return { ...readOne(file, named, '', told), diagnostics: told }
}

function countKeys(entries: readonly Entry[]): number {
  return entries.reduce((sum, { value }) => sum + 1 + (isRecord(value) ? Object.keys(value).length : 0), 0)
}

function stateOf(diagnostics: readonly Diagnostic[]): FileState {
  if (diagnostics.some(each => each.severity === 'error')) return 'quarantined'
  return diagnostics.some(each => each.severity === 'warning') ? 'warned' : 'loaded'
}

function noAgent(
  path: string,
  code: Code,
  message: string,
  line = 1,
  notes: readonly Diagnostic[] = [],
  hint?: string,
): FileReading {
  const diagnostic = diagnose(code, message, { file: path, line }, hint)
  const state = diagnostic.severity === 'error' ? 'quarantined' : 'not-an-agent'
  return { path, state, agents: [], diagnostics: [...notes, diagnostic] }
}
