/** Documents, commands, skills and notes lie beside agents everywhere: loading one would offer nonsense to a model. */
import { isRecord } from '../record.js'
import type { Entry } from './block.js'
import type { Code } from './diagnostic-codes.js'
import { isElsewhere, placeDialect } from './dialect.js'
import { fieldOf } from './field-table.js'
import { extensionOf, isNamedAgentFile, stemOf } from './file-name.js'
import { isTemplate, isUnnamed } from './template.js'

export interface NoAgent {
  readonly code: Code
  readonly message: string
  /** What to do if it is one all the same, where a name and a description would not make it one. */
  readonly hint?: string
}

export function whyNoAgent(path: string, entries: readonly Entry[]): NoAgent | undefined {
  if (entries.length === 0) return { code: 'empty-front-matter', message: 'the front matter names nothing' }
  return otherKind(path, entries) ?? nameless(path, entries)
}

/** Whatever it is called, it is something else. */
function otherKind(path: string, entries: readonly Entry[]): NoAgent | undefined {
  if (stemOf(path).toLowerCase() === 'skill') return noAgent('a skill', 'rename the file if it is an agent')
  if (isElsewhere(path))
    return noAgent('a file of another kind, by the folder it lies in', 'move it to a folder of agents if it is one')
  if (prompts.some(end => path.toLowerCase().endsWith(end)))
    return noAgent('a prompt or instructions', 'rename the file to .agent.md if it is an agent')
  const note = memoryKey(path, entries)
  if (note) return noAgent('a note of a memory', `remove ${note}: if it is an agent`)
  const style = entries.find(entry => styleKeys.has(entry.key))
  if (style) return noAgent('an output style', `remove ${style.key}: if it is an agent`)
  const ofWorkflow = keyOfWorkflow(entries)
  if (ofWorkflow) return noAgent('a workflow of GitHub’s', `remove ${ofWorkflow}: if it is an agent`)
  const kind = entries.find(isOtherKind)?.key
  if (kind) return noAgent(`a file of another kind, by its ${kind}`, `remove ${kind}: if it is an agent`)
  return isTemplate(path, entries) ? template : undefined
}

const template = noAgent('a template, whose name is still to be filled in', 'copy it, and give the copy a name')

/** Its gaps are no YAML, and what is wrong with it is that. */
export const unfilled = (entries: readonly Entry[]): NoAgent | undefined => (isUnnamed(entries) ? template : undefined)

function nameless(path: string, entries: readonly Entry[]): NoAgent | undefined {
  const fields = new Set(entries.map(entry => fieldOf(entry.key)))
  const isAgentLike = agentFields.some(field => fields.has(field))
  if (fields.has('name')) return isAgentLike || fields.has('description') ? undefined : madeByAgent(path, entries)
  // In its folder a prompt makes a role, which the file names.
  if (placeDialect(path) === 'codex-role' && extensionOf(path) === 'toml') return undefined
  const isNamedAgent = isNamedAgentFile(path)
  const isCopilot = isNamedAgent || /(?:^|\/)\.github\//i.test(path)
  const isPlaced = isCopilot || placeDialect(path) !== undefined
  const isAmongAgents = isPlaced || agentsFolder.test(path)
  const isCommands = ({ key }: Entry) => key === 'argument-hint' || (key === 'allowed-tools' && !isAmongAgents)
  if (!isCopilot && entries.some(isCommands)) return command
  const isTold = isNamedAgent || (isByFile(path) && ofAgents.some(field => fields.has(field)))
  if (!isTold && isDocument(path, isAgentLike)) return noAgent('a document without a name')
  if (!isAgentLike && !isCopilot && entries.some(isOpencodeCommand)) return command
  const isPage = entries.some(entry => pageKeys.has(entry.key.toLowerCase()))
  // With a title, and nothing that says what it is for, it is a page wherever no product keeps its agents.
  if (isAgentLike && (isPlaced || !isPage || fields.has('description'))) return undefined
  if (fields.has('description') && (!isPage || isNamedAgent)) return undefined
  return noAgent('its front matter is that of a document')
}

/** A folder of agents, or one in it. */
const agentsFolder = /(?:^|[/\\])agents[/\\](?:[^/\\]+[/\\])?[^/\\]+$/

/** A report or a decision says in Markdown which agent it is of: that is no name. */
function madeByAgent(path: string, entries: readonly Entry[]): NoAgent | undefined {
  const names = entries.filter(entry => fieldOf(entry.key) === 'name')
  const isOther = /\.md$/i.test(path) && names.every(entry => entry.key === 'agent_type')
  return isOther ? noAgent('a document of an agent', 'add name: and description: if it is one') : undefined
}

/** `README.de.md`, `changelog-2026.md`. `changelog-writer.md` is one only where nothing but its name could tell. */
function isDocument(path: string, isAgentLike: boolean): boolean {
  const [, whole, more] = documentStem.exec(stemOf(path)) ?? []
  if (whole === undefined) return false
  if (more === undefined || !isAgentsWord.test(more) || whole !== whole.toLowerCase()) return true
  const place = placeDialect(path)
  return !isAgentLike && place !== 'opencode' && place !== 'copilot'
}

/**
 * Agents of these products need no name, and so are called as documents are: there a key tells that only agents have. A
 * README is one wherever it lies.
 */
function isByFile(path: string): boolean {
  const place = placeDialect(path)
  return (
    (place === 'opencode' || place === 'copilot') && !/^(?:readme([._-].*)?|claude|agents|index)$/i.test(stemOf(path))
  )
}

const ofAgents = ['mode', 'tools', 'permissions'] as const

/** Languages have two letters, and versions digits. */
const isAgentsWord = /^-[a-z]{3,}/

function noAgent(message: string, hint?: string): NoAgent {
  return hint === undefined ? { code: 'not-an-agent', message } : { code: 'not-an-agent', message, hint }
}

const command = noAgent('a command', 'add name: if it is an agent')

/** Claude keeps notes with a name and a description; they say what they are, or at least of what kind. */
function memoryKey(path: string, entries: readonly Entry[]): string | undefined {
  const held = entries.find(({ key }) => key === 'metadata')?.value
  if (!isRecord(held)) return undefined
  if (held.node_type === 'memory') return 'node_type'
  const isBare = entries.every(({ key }) => key === 'name' || key === 'description' || key === 'metadata')
  const isPlaced = /(?:^|[/\\])agents[/\\][^/\\]+$/.test(path)
  return isBare && !isPlaced && Object.keys(held).length < 3 && kindsOfNotes.has(held.type) ? 'type' : undefined
}

const kindsOfNotes: ReadonlySet<unknown> = new Set(['user', 'feedback', 'project', 'reference'])

/** `type: prompt`. Agents have types, too (`documentation` writes it): only what none of them is called counts. */
function isOtherKind({ key, value }: Entry): boolean {
  return (key === 'type' || key === 'kind') && typeof value === 'string' && otherKinds.test(value)
}

const otherKinds = /^(?:(?:slash[-_ ])?commands?|prompts?|skills?|settings)$/i

/** What starts a workflow says so, but where a name and no engine may make it an agent's own word. */
function keyOfWorkflow(entries: readonly Entry[]): string | undefined {
  const has = (key: string) => entries.some(entry => entry.key === key)
  if (has('safe-outputs')) return 'safe-outputs'
  return entries.some(isTrigger) && (has('engine') || !has('name')) ? 'on' : undefined
}

/** `on: {issues: {types: [opened]}}`, `on: workflow_dispatch`. */
function isTrigger({ key, value }: Entry): boolean {
  const names = typeof value === 'string' ? [value] : isRecord(value) ? Object.keys(value) : value
  return key === 'on' && Array.isArray(names) && names.some(name => triggers.has(name))
}

const triggers: ReadonlySet<unknown> = new Set([
  ...['issues', 'issue_comment', 'pull_request', 'pull_request_target', 'push', 'release', 'schedule', 'discussion'],
  ...['workflow_dispatch', 'workflow_call', 'workflow_run', 'slash_command', 'label_command', 'command'],
])

/** opencode's commands say who is to do it, and whether in a conversation of its own. */
function isOpencodeCommand({ key, value }: Entry): boolean {
  return (key === 'agent' && typeof value === 'string') || (key === 'subtask' && typeof value === 'boolean')
}

/** Of Claude Code's output styles only. */
const styleKeys = new Set(['keep-coding-instructions', 'force-for-plugin'])
const prompts: readonly string[] = ['.prompt.md', '.instructions.md']
const documentStem =
  /^(readme|claude|agents|gemini|index|skill|changelog|contributing|license|memory|copilot-instructions)([._-].*)?$/i
const agentFields = [
  ...(['tools', 'model', 'disallowedTools', 'permissionMode', 'permissions'] as const),
  ...(['systemPrompt', 'mode', 'maxTurns'] as const),
]
const pageKeys = new Set([
  'title',
  'layout',
  'date',
  'permalink',
  'slug',
  'sidebar',
  'nav_order',
  'globs',
  'applyto',
  'alwaysapply',
  'inclusion',
  'paths',
])
