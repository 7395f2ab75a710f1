/**
 * The commonest file of all, read at a glance: a name, a description, tools, skills, a model, a colour and a number of turns
 * that nothing is to be said about, above a text that begins with a title or a paragraph of one line. More than half of all
 * files are like that, and a first start reads every one of them.
 * G1 what comes out is what the long way gives, to the letter (test/fuzz/plain-file.test.ts holds them against each other).
 * G2 wherever that would repair, warn, or ask what was meant, this looks away, and the long way is gone. But for the
 *    commonest mistake of all: a description with a colon in it and no quotes around it is taken as it stands, and told.
 */
import type { AgentDefinition, ToolGrant } from '../agent-definition.js'
import { isModelAlias } from '../brief/model-choice.js'
import type { Diagnostic } from '../ports.js'
import { isRecord, type Writable } from '../record.js'
import { shownDescription } from '../roster.js'
import { canonicalToolName } from '../tools/tool-names.js'
import type { Entry } from './block.js'
import { findHiddenLimits, isQuiet } from './damage/lines/hidden-limits.js'
import { diagnose } from './diagnostic-codes.js'
import { type Dialect, isElsewhere, placeDialect, usualLimits } from './dialect.js'
import { colors } from './field-shapes.js'
import { namesOf } from './fields/field-reader.js'
import { oddPatterns } from './fields/odd-patterns.js'
import { areMixed, onlyWhatIsOn, readToolList } from './fields/tool-list.js'
import { clean, isPlaceholder, nameFault } from './fields/word-fields.js'
import { baseOf, extensionOf } from './file-name.js'
import type { AgentFile, AgentReading, FileReading } from './read-agent-file.js'
import { mayBeTemplate } from './template.js'
import { isFence } from './text/between-fences.js'
import { decodeText, normaliseLineEnds } from './text/decode.js'
import { takenAsItStands } from './text/repair.js'
import { readSimpleBlock } from './text/simple-block.js'

/** Of a file nobody has looked at yet; undefined where the long way has to be gone. */
export function readAtAGlance(file: AgentFile): FileReading | undefined {
  const { path, content } = file
  if (extensionOf(path) !== 'md') return undefined
  if (typeof content === 'string') return readPlainFile(file, normaliseLineEnds(content))
  const { text, notes, zeroLine } = decodeText(content)
  return zeroLine !== undefined || notes.length > 0 ? undefined : readPlainFile(file, text)
}

export function readPlainFile(file: AgentFile, text: string): FileReading | undefined {
  const end = text.startsWith(fence) ? text.indexOf(`\n${fence}`, fence.length - 1) : -1
  const from = end + 1 + fence.length
  if (end < 0 || end > maxBlock || !isPlainPath(file.path) || !isPlainBelow(text, from)) return undefined
  // A text above the fence may go on below it.
  if (
    /\n[ \t][^\n]*$/.test(text.slice(Math.max(0, end - 200), end)) &&
    /^(?:\S|\n+[ \t])/.test(text.slice(from, from + 200))
  )
    return undefined
  const place = placeDialect(file.path)
  if (place !== undefined && place !== 'claude' && place !== 'offshoot') return undefined
  const values = valuesOf(text.slice(fence.length, end))
  // Switches are opencode's, wherever its files were put.
  const dialect = place === 'offshoot' ? place : isRecord(values?.tools) ? 'opencode' : 'claude'
  const tools = values?.tools === undefined ? 'all' : toolsOf(values.tools, dialect)
  if (values?.name === undefined || values.description === undefined || tools === undefined) return undefined
  const { name, description, model, color, maxTurns, unquoted } = values
  const skills = values.skills === undefined ? undefined : namesOf(values.skills)
  const limits = usualLimits[place === 'claude' ? place : dialect]
  // Set one by one: spreading what may be missing costs more than all the rest of this.
  const agent: Writable<AgentDefinition> = {
    name: file.prefix === undefined ? name : `${file.prefix}:${name}`,
    source: file.source,
    dialect,
    systemPrompt: text.slice(from).trim(),
    tools: tools === 'all' ? tools : tools.grants,
    description: description.trim(),
  }
  if (tools !== 'all' && tools.denied.length > 0) agent.disallowedTools = tools.denied
  if (maxTurns !== undefined) agent.limits = { ...limits, maxTurns }
  if (model !== undefined) agent.model = [model]
  if (skills !== undefined) agent.skills = skills
  if (color !== undefined) agent.color = color
  if (maxTurns === undefined && limits !== undefined) agent.limits = { ...limits }
  const diagnostics = unquoted === undefined ? [] : [toldOf(unquoted, file.path)]
  if (tools !== 'all' && dialect === 'opencode' && areMixed(values.tools, tools))
    diagnostics.push(toldOfSwitches(values.toolsLine ?? 1, file.path))
  const state = unquoted === undefined ? 'loaded' : 'warned'
  const reading: Writable<AgentReading> = { state, dialect, agent }
  if (model !== undefined || tools !== 'all') reading.written = writtenOf(model, tools)
  if (limits?.timeoutMs !== undefined) reading.usual = ['timeout']
  return { path: file.path, state, agents: [reading], diagnostics }
}

function toldOf({ key, line: at }: Entry, file: string): Diagnostic {
  const { code, message, line, column = 1 } = takenAsItStands(key, at, 1)
  return diagnose(code, message, { file, line, column })
}

function toldOfSwitches(line: number, file: string): Diagnostic {
  return diagnose('tools-only', onlyWhatIsOn('tools'), { file, line, column: 1 })
}

function writtenOf(model: string | undefined, tools: 'all' | PlainTools): NonNullable<AgentReading['written']> {
  if (tools === 'all') return model === undefined ? {} : { model }
  return model === undefined ? { tools: tools.written } : { model, tools: tools.written }
}

const fence = '---\n'
const maxBlock = 4096

/** Without a second extension, which may say what it is, no skill and no template. */
function isPlainPath(path: string): boolean {
  const base = baseOf(path)
  return (
    base.indexOf('.') === base.length - 3 &&
    base.length > 3 &&
    base.toLowerCase() !== 'skill.md' &&
    !isElsewhere(path) &&
    !mayBeTemplate(path)
  )
}

interface Values {
  readonly name?: string
  readonly description?: string
  readonly tools?: unknown
  readonly toolsLine?: number
  readonly skills?: unknown
  readonly model?: string
  readonly color?: string
  readonly maxTurns?: number
  /** The description, where it should have been quoted. */
  readonly unquoted?: Entry
}

function valuesOf(block: string): Values | undefined {
  // Another fence, as it may be meant.
  if (/^[ \t]*(?:---|\.\.\.)/m.test(block)) return undefined
  // A comment that may be a part of what stands before it, or a key on the end of a line (mangled-lines.ts).
  if ((block.includes('#') && /(?:^|\s)#\s*[,(:*_-]/.test(block)) || block.includes('ools: []')) return undefined
  const lines = block.split('\n')
  if (!lines.every(mayBePlain)) return undefined
  const read = readSimpleBlock(lines, firstLine)
  if (read === undefined) return undefined
  const isBroken = 'fault' in read
  const entries = isBroken ? read.asWritten : read.entries
  if (isBroken && (lines.length > mostLines || !read.broken.every(({ key }) => key === 'description'))) return undefined
  if (!entries.every(({ key, value }) => Object.hasOwn(isPlain, key) && isPlain[key]!(value))) return undefined
  const isHarmless = (entry: Entry) => entry.key === 'tools' || isQuietLine(entry)
  if (isBroken || !entries.every(isHarmless)) {
    const how = isBroken ? 'repaired' : 'strict'
    if (findHiddenLimits(lines, firstLine, entries, how).length > 0) return undefined
  }
  const values: Record<string, unknown> = isBroken ? { unquoted: read.broken[0] } : {}
  for (const { key, value, line } of entries) {
    values[key] = value
    if (key === 'tools') values.toolsLine = line
  }
  return values
}

const firstLine = 2
/** Longer ones are not mended. */
const mostLines = 100

/** A line at the left edge that begins with another key: there is no need to read it all to see that. */
function mayBePlain(line: string): boolean {
  const colon = line.indexOf(':')
  return colon < 1 || line.startsWith(' ') || line.startsWith('-') || Object.hasOwn(isPlain, line.slice(0, colon))
}

/** What a value looks like that nothing is to be said about. */
const isPlain: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: value => isWord(value) && nameFault(value) === undefined,
  description: value => typeof value === 'string' && value.trim() !== '' && isClean(value) && !isPlaceholder(value),
  tools: value => value !== null && oddPatterns(value).length === 0,
  skills: value => namesOf(value)?.every(isWord) ?? false,
  model: value => isWord(value) && isModelAlias(value),
  color: value => (colors as readonly unknown[]).includes(value),
  maxTurns: value => typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= mostTurns,
}
const isWord = (value: unknown): value is string => typeof value === 'string' && oneWord.test(value)
/** More may be meant otherwise. */
const mostTurns = 1000
const oneWord = /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/
/** All of it is shown, and a backslash may stand for a line end. */
const isClean = (text: string): boolean =>
  text.length <= shownDescription && !text.includes('\\') && clean(text) === text

/** A value in one line; of others every line is looked at. */
const isQuietLine = ({ raw = '' }: Entry): boolean => !/^[|>]/.test(raw) && isQuiet(` ${raw}`, '')

interface PlainTools {
  readonly grants: readonly ToolGrant[]
  readonly denied: readonly ToolGrant[]
  readonly isOnlyDenials: boolean
  readonly written: readonly string[]
}

function toolsOf(value: unknown, dialect: Dialect): PlainTools | undefined {
  const isList = typeof value === 'string' || Array.isArray(value)
  if (!isList && !areSwitches(value)) return undefined
  const list = readToolList(value, dialect)
  if (list.kind !== 'list' || list.grants.length === 0 || list.spawns !== undefined) return undefined
  // Of `task: false` more is made.
  if (isList ? list.denied.length > 0 : list.denied.some(({ name }) => name === 'Task')) return undefined
  return list.unknown.length === 0 && !list.isOnlyDenials ? list : undefined
}

/** `{read: true, bash: false}`, tools one by one. */
const areSwitches = (value: unknown): boolean =>
  isRecord(value) &&
  Object.entries(value).every(([name, isOn]) => typeof isOn === 'boolean' && canonicalToolName(name) !== undefined)

/**
 * A title with nothing right below it, or a paragraph without a key at the edge of a line: neither a limit nor another front
 * matter begins so.
 */
function isPlainBelow(text: string, from: number): boolean {
  let start = from
  while (text.charCodeAt(start) === newline) start++
  const first = lineAt(text, start)
  if (!sentence.test(first)) return title.test(first) && lineAt(text, start + first.length + 1) === ''
  for (let lines = 0, line = first; line !== ''; lines++) {
    if (lines > maxParagraph || keyLine.test(line) || isFence(line)) return false
    start += line.length + 1
    line = lineAt(text, start)
  }
  return true
}

function lineAt(text: string, from: number): string {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.slice(from) : text.slice(from, end)
}

const newline = 10
const maxParagraph = 20
const title = /^#{1,6} /
/** By ranges: classes of Unicode take long to make. */
const sentence = /^[A-Za-z\u00c0-\u024f\u0370-\u1fff\u3040-\ud7ff]/
const keyLine = /^["']?[\w-]{1,41}["']?[ \t]*[:=：]/
