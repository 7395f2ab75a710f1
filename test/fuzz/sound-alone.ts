/**
 * Whether a damaged file is, taken by itself, one that a person may have written: then nothing in it shows that a limit
 * was ever there, and what it says is what counts. It is so when all of this holds:
 * A1 it parses as it stands, by the parser of its format alone; no key stands twice, and none of a limit below the fence.
 * A2 every key is one the docs list, and its value has the shape the published schema gives it, or a word that collections
 * give their files. A3 every tool it names exists. Prose may say anything. A4 of a file that had broken prose from the
 * beginning only the limit's own line is judged. A5 in Kiro's folder its own keys, words and rules count as well. A6 so do
 * the tables of tools that the docs show, in every file: one of their lines may be taken out as any other (`# allowed:
 * [Read]`).
 * Of a piece less is left than of a letter. Nothing shows in these, either:
 * A7 a list of which an item is gone: `requires_approval: [Write]`, and none at all; `tools: read-only`, which is fewer tools.
 * A8 a key with nothing behind it (`permission:`): people leave one open so, and the loader says that it limits nothing.
 * A9 the end of a key that hangs on the last word of the description, without its first letters: `for the process: read-only`,
 * `the unit tests:` are how sentences end, and a colon in an unquoted one is the commonest fault of real files. But for its first
 * letter a key is told from that (`access` alone is the end of other words), and so is a value that no sentence has.
 * A10 a name that is less than half of a tool's may be that of a server, which is switched off so (`arch_*: false`, `cat: false`),
 * and with a whole word before it somebody's own switch (`tooltickets: false` as `toolcalls: false`). With a star behind it
 * it is that of a server, which is switched on so (`tracker*: true`).
 * A11 `ds`, `es` and `ext` are in use for other things, and of `extends` any word is the value.
 * A12 a pattern of calls: `pattern: "*49"` is one as good as `"*"`.
 * Of what was lost or written over, nor in this:
 * A13 of a word of the limit half or less is left: `tim-gct: 90` may be read, `od: plan` and `sq7R4: false` are anybody's, and a
 * key nobody knows has to load.
 * Judged without the loader: by the parsers, the table behind the docs and a schema validator.
 */
import { Ajv } from 'ajv'
import { parsers } from '../../src/adapters/sources/parsers.js'
import { containers, fieldOf, fieldTable, isSecurityKey } from '../../src/core/agent-file/field-table.js'
import { nameFault } from '../../src/core/agent-file/fields/word-fields.js'
import { isOrdinaryKey } from '../../src/core/agent-file/ordinary-keys.js'
import { isRecord } from '../../src/core/record.js'
import { looseKey, tearOf } from '../../src/core/text/nearest.js'
import { canonicalToolName, copilotTools, isForeignTool, toolNames } from '../../src/core/tools/tool-names.js'
import type { SoundFile } from './sound-files.js'

/** A13: of the limit's words, as many letters as stand in both texts in one order. */
export function isPastReading({ text, limit }: SoundFile, damaged: string): boolean {
  const before = text.slice(limit.from, limit.to)
  const tail = text.length - limit.to
  const kept = keptLetters(before, damaged.slice(Math.max(0, limit.from - 1), damaged.length - tail + 1))
  return [...before.matchAll(/[A-Za-z]+/g)].some(({ 0: word, index }) => {
    const left = [...word].filter((_, at) => kept.has(index + at)).length
    return 2 * left <= word.length
  })
}

/** Where in the first text the letters stand that the second has as well; of all ways to pair them, one with the most. */
function keptLetters(first: string, second: string): ReadonlySet<number> {
  const width = second.length + 1
  const most = new Uint16Array((first.length + 1) * width)
  for (let row = first.length - 1; row >= 0; row--)
    for (let column = second.length - 1; column >= 0; column--)
      most[row * width + column] =
        first[row] === second[column]
          ? most[(row + 1) * width + column + 1]! + 1
          : Math.max(most[(row + 1) * width + column]!, most[row * width + column + 1]!)
  const kept = new Set<number>()
  for (let row = 0, column = 0; row < first.length && column < second.length; ) {
    if (first[row] === second[column]) {
      kept.add(row++)
      column++
    } else if (most[(row + 1) * width + column]! >= most[row * width + column + 1]!) row++
    else column++
  }
  return kept
}

/** A4 for the rest: what the slips made of the limit's line, if they hit nothing else, in a file of its own. */
export function isSoundInItsPlace({ path, text, limit }: SoundFile, damaged: string): boolean {
  if (isSoundAlone(path, damaged) || isEndOfProse(path, text, limit.from, damaged)) return true
  const [before, after] = [text.slice(0, limit.from), text.slice(limit.to)]
  if (isSoundAlone(path, text) || !damaged.startsWith(before) || !damaged.endsWith(after)) return false
  const line = damaged.slice(before.length, damaged.length - after.length)
  return isSoundAlone('a.md', `---\nname: a\ndescription: x\n${line}\n---\nYou are a probe.\n`)
}

/** A9: the description with its colon in quotes, and what hangs on it. */
function isEndOfProse(path: string, text: string, from: number, damaged: string): boolean {
  const before = text.slice(0, from - 1)
  const said = /\ndescription: (\w+)$/.exec(before)?.[1]
  if (said === undefined || !damaged.startsWith(before)) return false
  const [hung = '', end = '', line = ''] = hungText.exec(damaged.slice(before.length)) ?? []
  const key = /^\w+/.exec(text.slice(from))?.[0] ?? ''
  const lost = key.length - end.length
  if (hung === '' || line.includes('PreToolUse') || !key.endsWith(end) || (lost < 2 && key !== 'access')) return false
  const quoted = before.slice(0, -said.length) + JSON.stringify(said + hung)
  return isSoundAlone(path, quoted + damaged.slice(before.length + hung.length))
}

const hungText = /^(?:(\w*):(?=\s)|\n(?=\n ))(.*(?:\n\s+\S.*)*)/

export function isSoundAlone(path: string, text: string): boolean {
  const value = parsedValue(path, text)
  const isMap = isRecord(value) && isRecord(value.a) && Object.keys(value).length === 1
  const tables = Array.isArray(value) ? value : [isMap ? value.a : value]
  const isNamed = (table: object) => !Array.isArray(value) || Object.keys(table).some(key => fieldOf(key) === 'name')
  const isSound = path.startsWith('.kiro/') ? isSoundInKiro : isSoundTable
  return tables.length > 0 && tables.every(table => isRecord(table) && isNamed(table) && isSound(table))
}

function parsedValue(path: string, text: string): unknown {
  if (path.endsWith('.json')) {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
  const [, block, body = ''] = path.endsWith('.md')
    ? (/^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [])
    : ['', text]
  if (body.split('\n').some(isLimitLine)) return undefined
  const parsed = path.endsWith('.toml') ? parsers.toml(text) : parsers.yaml(block ?? '[')
  const value = 'value' in parsed && parsed.repeated === undefined ? parsed.value : undefined
  const isList = isRecord(value) && Array.isArray(value.agents) && Object.keys(value).length === 1
  return isList ? value.agents : value
}

/** What stands below a fence is prose, and this is none. */
function isLimitLine(line: string): boolean {
  return isSecurityKey(/^["']?(\w+)["']?\s*:(?:\s|$)/.exec(line)?.[1] ?? '')
}

function isSoundTable(table: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(table).every(([key, value]) => {
    if (containers.has(looseKey(key))) return isRecord(value) && isSoundTable(value)
    const field = fieldOf(key)
    if (
      isToolTable(key, value) ||
      areRulesAmongTools(key, value) ||
      isSkillTable(key, value) ||
      areRulesOneByOne(key, value) ||
      (key === 'agents' && isAgents(value))
    )
      return true
    if (looseKey(key) === 'subagents') return areNames(value)
    if (isLeftOpen(key, value) || areAsked(key, value) || isOwnSwitch(key, value) || isAbbreviation(key, value))
      return true
    if (looseKey(key) === 'tools' && value === 'read-only') return true
    if ((key === 'tools' || key === 'permission' || key === 'permissions') && areServersOff(value)) return true
    if (field === undefined) return isOrdinaryKey(key)
    if (!isShaped(field, value)) return false
    if (field === 'tools' || field === 'disallowedTools') return toolsIn(value).every(isKnownTool)
    return field !== 'permissions' || !isRecord(value) || Object.entries(value).every(isSoundPermission)
  })
}

/** A6: `tools: {allowed: [Read], blocked: [Bash]}`, and the same under the other keys that the docs name. */
function isToolTable(key: string, value: unknown): boolean {
  if (!/^(?:tools|tool_(?:restrictions|policy))$/.test(key) || !isRecord(value)) return false
  const lists = Object.entries(value)
  return (
    lists.length > 0 &&
    lists.every(
      ([word, list]) =>
        /^(?:allow|allowed|include|ask|deny|blocked|forbidden|exclude|required|optional)$/.test(word) &&
        Array.isArray(list) &&
        list.length > 0 &&
        toolsIn(list).every(isKnownTool),
    )
  )
}

/** A8 */
const isLeftOpen = (key: string, value: unknown): boolean =>
  value === null && /^(?:permissions?|mode|excludeTools)$/.test(key)

/** A7 */
const areAsked = (key: string, value: unknown): boolean =>
  key === 'requires_approval' && Array.isArray(value) && toolsIn(value).every(isKnownTool)

/** A10 */
function areServersOff(value: unknown): boolean {
  if (!isRecord(value)) return false
  const isOff = (each: unknown) => each === false || each === 'deny'
  const isOn = (name: string, each: unknown) => each === true && name.endsWith('*') && isServerName(name.slice(0, -1))
  return Object.entries(value).every(
    ([name, each]) => isKnownTool(name) || isOn(name, each) || (isOff(each) && isServerName(name)),
  )
}

function isServerName(name: string): boolean {
  const word = /^([a-z]{3,})(?:_\*)?$/.exec(name)?.[1]
  const isHalf = (tool: string) => {
    const { kept, lost } = tearOf(word!, looseKey(tool))
    return 2 * kept > kept + lost
  }
  return word !== undefined && !toolNames.some(tool => tool !== 'Skill' && isHalf(tool))
}

/** A10 */
const isOwnSwitch = (key: string, value: unknown): boolean =>
  value === false && /^tool?[a-z]{5,}$/.test(key) && !isKnownTool(key.replace(/^tool?/, ''))

/** A11 */
const isAbbreviation = (key: string, value: unknown): boolean =>
  /^(?:ds|es|ext)$/.test(key) && typeof value === 'string' && /^[a-z]{5,}$/.test(value)

/** A6: `tools: {read: true, task: {"*": deny}}`. */
function areRulesAmongTools(key: string, value: unknown): boolean {
  if (key !== 'tools' || !isRecord(value)) return false
  const isRule = (each: unknown) => ['allow', 'ask', 'deny'].includes(String(each))
  const isSound = (each: unknown) =>
    typeof each === 'boolean' || (isRecord(each) && Object.keys(each).length > 0 && Object.values(each).every(isRule))
  return Object.entries(value).every(([name, each]) => isKnownTool(name) && isSound(each))
}

/** A12 */
function areRulesOneByOne(key: string, value: unknown): boolean {
  if (key !== 'permission' || !Array.isArray(value)) return false
  const isSound = (item: unknown) =>
    isRecord(item) &&
    Object.keys(item).join() === 'permission,pattern,action' &&
    isKnownTool(String(item.permission)) &&
    /^[\x20-\x7e]*\*[\x20-\x7e]*$/.test(String(item.pattern)) &&
    ['allow', 'ask', 'deny'].includes(String(item.action))
  return value.every(isSound)
}

/** A6: `subagents: [a, b]`. */
const areNames = (value: unknown): boolean =>
  Array.isArray(value) && value.every(item => typeof item === 'string' && nameFault(item.trim()) === undefined)

/** A6: Codex's list of skills, each on or off. */
function isSkillTable(key: string, value: unknown): boolean {
  if (key !== 'skills' || !isRecord(value) || Object.keys(value).join() !== 'config') return false
  return Array.isArray(value.config) && value.config.every(item => isSkill(item))
}

function isSoundInKiro({ resources, permissions, tools, allowedTools, ...table }: Readonly<Record<string, unknown>>) {
  const { toolsSettings = {}, includeMcpJson = true, ...rest } = table
  const isWord = (word: string) => /^@[\w-]+(?:\/[\w-]+)?$/.test(word) || isKnownTool(word)
  const isAddress = (item: unknown) => typeof item === 'string' && /^(?:file|skill):\/\/\S+$/.test(item)
  const rules = isRecord(permissions) && Object.keys(permissions).length === 1 ? permissions.rules : (permissions ?? [])
  return (
    (resources === undefined || (Array.isArray(resources) && resources.every(isAddress))) &&
    [...toolsIn(tools), ...toolsIn(allowedTools)].every(isWord) &&
    Array.isArray(rules) &&
    rules.every(rule => isRule(rule)) &&
    isSettings(toolsSettings) &&
    typeof includeMcpJson === 'boolean' &&
    isSoundTable(rest)
  )
}

const ajv = new Ajv({ strict: false })
const shapes = new Map(Object.entries(fieldTable).map(([field, { schema }]) => [field, ajv.compile(schema)]))

const flag = { type: 'boolean' }
const names = { type: 'array', items: { type: 'string', minLength: 1 } }
const isAgents = ajv.compile({
  type: 'object',
  properties: { enabled: flag, max_depth: { type: 'integer', minimum: 0 } },
  minProperties: 1,
  additionalProperties: false,
})
const isSkill = ajv.compile({
  type: 'object',
  properties: { path: { type: 'string', minLength: 1 }, enabled: flag },
  required: ['path'],
  additionalProperties: false,
})
const isRule = ajv.compile({
  type: 'object',
  properties: {
    capability: { enum: ['fs_read', 'fs_write', 'shell', 'web', 'web_fetch', 'web_search', 'mcp', 'subagent'] },
    effect: { enum: ['allow', 'ask', 'deny'] },
    match: names,
    exclude: names,
  },
  required: ['capability', 'effect'],
  additionalProperties: false,
})
const isSettings = ajv.compile({
  type: 'object',
  properties: {
    shell: {
      type: 'object',
      properties: { deniedCommands: names, allowedCommands: names, autoAllowReadonly: flag, denyByDefault: flag },
      additionalProperties: false,
    },
    subagent: {
      type: 'object',
      properties: { availableAgents: names, trustedAgents: names },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
})

function isShaped(field: keyof typeof fieldTable, value: unknown): boolean {
  return shapes.get(field)!(value) === true
}

function toolsIn(value: unknown): readonly string[] {
  if (isRecord(value)) return Object.keys(value)
  // In YAML the comma of `[Agent(b, c)]` parts it.
  const text = Array.isArray(value) && value.every(item => typeof item === 'string') ? value.join(',') : value
  const items = Array.isArray(text) ? text : typeof text === 'string' && text !== '' ? text.split(/,(?![^(]*\))/) : []
  return items.map(item => String(item).trim())
}

function isKnownTool(written: string): boolean {
  const name = /^([^()]*)(?:\([^()]+\))?$/.exec(written)?.[1] ?? '?'
  const isListed = canonicalToolName(name) !== undefined || copilotTools(name) !== undefined
  // A word of the docs for what is denied.
  return name === '*' || isListed || isForeignTool(name) || name.startsWith('mcp__') || name === 'Notebook'
}

/** Ours is lists of rules, opencode's an action for a tool or for its patterns. */
function isSoundPermission([key, value]: readonly [string, unknown]): boolean {
  if (Array.isArray(value)) return ['allow', 'ask', 'deny'].includes(key) && toolsIn(value).every(isKnownTool)
  if (key === 'defaultMode') return ['plan', 'default', 'dontAsk'].includes(String(value))
  if (value === false) return isKnownTool(key)
  const actions = isRecord(value) ? Object.values(value) : [value]
  return isKnownTool(key) && actions.every(action => ['allow', 'ask', 'deny'].includes(String(action)))
}
