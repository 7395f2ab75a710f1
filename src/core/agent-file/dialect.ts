/** Which product a file was written for: from its keys where they are telling, else from where it lies. */
import type { Limits } from '../agent-definition.js'
import { isRecord } from '../record.js'
import { looseKey } from '../text/nearest.js'
import type { Entry } from './block.js'
import { toolLists } from './fields/tool-tables.js'
import { baseOf, extensionOf } from './file-name.js'

export type Dialect =
  | 'offshoot'
  | 'claude'
  | 'codex-document'
  | 'cocode'
  | 'codex-role'
  | 'gemini'
  | 'opencode'
  | 'copilot'
  | 'kiro'
  | 'roo'
  | 'vibe'

export function detectDialect(path: string, entries: readonly Entry[]): Dialect {
  const written = new Set(entries.filter(entry => !isKindOfAgent(entry)).map(entry => entry.key))
  const has = (...keys: readonly string[]) => keys.some(key => written.has(key))
  const place = placeDialect(path)
  if (mayBeAnybodys(path, place)) {
    if (has('agentType', 'modelConfig', 'runConfig', 'promptConfig', 'inputConfig', 'outputConfig'))
      return 'codex-document'
    if (has('agent_type')) return 'cocode'
    // Said of agents everywhere: in a product's folder it is a word more.
    if (place === undefined && has('whenToUse')) return 'codex-document'
    if (place === undefined && has('when_to_use')) return 'cocode'
  }
  if (has('developer_instructions', 'model_reasoning_effort', 'sandbox_mode')) return 'codex-role'
  if (place !== undefined && place !== 'claude') return place
  if (extensionOf(path) === 'toml' && (has('active_model', 'system_prompt_id') || entries.some(isKindOfAgent)))
    return 'vibe'
  const isClaudes = place === 'claude' && markdown.test(path)
  if (!isClaudes && has(...kiroKeys)) return 'kiro'
  if (!isClaudes && isGemini(entries)) return 'gemini'
  if (has('permission', 'top_p') || isOpencodeMode(entries) || hasToolMap(entries) || countsSteps(entries))
    return 'opencode'
  if (has('handoffs')) return 'copilot'
  // Claude Code's skills have them as well.
  const isClaudesToo = place === 'claude' || has('allowed-tools') || entries.some(isTier)
  if (!isClaudesToo && has('argument-hint', 'user-invocable', 'disable-model-invocation')) return 'copilot'
  if (place === undefined && !likeClaude.test(path) && entries.some(entry => ours.has(looseKey(entry.key))))
    return 'offshoot'
  return 'claude'
}

/** Claude Code's name for a model, which Copilot has none like. */
const isTier = ({ key, value }: Entry): boolean =>
  key === 'model' && typeof value === 'string' && /^(?:haiku|sonnet|opus|inherit)$/.test(value)

/** A product's folder holds its own files, whatever keys they borrowed. Claude Code has no data files; ours are anybody's. */
function mayBeAnybodys(path: string, place: Dialect | undefined): boolean {
  return place === undefined || place === 'offshoot' || (place === 'claude' && !markdown.test(path))
}

/** Files of other products mean their own defaults. */
export const usualLimits: Readonly<Partial<Record<Dialect, Limits>>> = {
  claude: { timeoutMs: 30 * 60_000 },
  gemini: { maxTurns: 30, timeoutMs: 10 * 60_000 },
  kiro: { timeoutMs: 30 * 60_000 },
}

/** Whose defaults it means: in Claude Code's folder its own, in whatever product's words its tools are said. */
export function dialectOfDefaults(dialect: Dialect, path: string | undefined): Dialect {
  return path !== undefined && markdown.test(path) && placeDialect(path) === 'claude' ? 'claude' : dialect
}

/** `agent_type = "subagent"`, as Mistral's files have it, says of what kind it is, and not its name. */
export function isKindOfAgent({ key, value }: Entry): boolean {
  return looseKey(key) === 'agenttype' && (value === 'subagent' || value === 'agent')
}

/** Keys that mean what we think only in one product's files; elsewhere they are unknown keys. */
export function isForeignTo(dialect: Dialect, key: string): boolean {
  // Of what kind somebody's agent is, and no name; the two products with a key of these letters write it otherwise.
  if (key === 'agent-type' || (dialect === 'vibe' && looseKey(key) === 'agenttype')) return true
  const home = atHome.get(looseKey(key))
  return home !== undefined && home !== dialect
}

const atHome: ReadonlyMap<string, Dialect> = new Map([
  ['agents', 'copilot'],
  ['steps', 'opencode'],
  ['mode', 'opencode'],
  ['variant', 'opencode'],
  ['modelprovider', 'codex-role'],
  ['kind', 'gemini'],
])

const ours = new Set(
  [
    'inputs',
    'output',
    'completion',
    'timeout',
    'grace',
    'budget',
    'extends',
    'canSpawn',
    'delegateTools',
    'forkContext',
    'criticalReminder',
    'approvalMode',
    'executionMode',
    'baseDir',
    'aliases',
    'permissions',
  ].map(looseKey),
)

/** Products that write as Claude Code does, and have some words of ours for themselves (`approvalMode`). */
const likeClaude = /(?:^|[/\\])\.(?:cursor|factory|qwen)[/\\]/

/**
 * In Claude Code's folder such a file is Claude Code's, whatever keys it borrowed, unless its tools, rules or kind are said as
 * opencode, Copilot or Codex have them, which are read so; data files it has none of.
 */
const markdown = /\.md$/i

/** Keys that no other product has. */
const kiroKeys: readonly string[] = [
  'toolsSettings',
  'toolAliases',
  'includeMcpJson',
  'useLegacyMcpJson',
  'keyboardShortcut',
  'welcomeMessage',
]

const places: readonly (readonly [string, Dialect])[] = [
  ['/.offshoot/', 'offshoot'],
  ['/.claude/', 'claude'],
  ['/.opencode/', 'opencode'],
  ['/.config/opencode/', 'opencode'],
  ['/.gemini/', 'gemini'],
  ['/.codex/', 'codex-role'],
  ['/.github/', 'copilot'],
  // Kiro's files were Amazon Q's before.
  ['/.kiro/', 'kiro'],
  ['/.amazonq/', 'kiro'],
  ['/.aws/amazonq/', 'kiro'],
  ['/.vibe/', 'vibe'],
]

export function placeDialect(path: string): Dialect | undefined {
  const { dialect } = lookAt(path)
  return dialect ?? (path.toLowerCase().endsWith('.agent.md') ? 'copilot' : undefined)
}

/** Whether it lies in a folder of a product in which no agents lie. */
export const isElsewhere = (path: string): boolean => lookAt(path).isElsewhere

interface Place {
  readonly folder: string
  readonly dialect: Dialect | undefined
  readonly isElsewhere: boolean
}

/** Files come folder by folder: the last one is remembered. */
function lookAt(path: string): Place {
  const folder = path.slice(0, path.length - baseOf(path).length)
  if (folder !== last.folder) {
    const unified = `/${folder.replaceAll('\\', '/')}`
    const dialect = places.find(([part]) => unified.includes(part))?.[1]
    last = { folder, dialect, isElsewhere: elsewhere.test(unified) || isOfCommands(unified) }
  }
  return last
}

let last: Place = { folder: '', dialect: undefined, isElsewhere: false }
/** A skill may have agents of its own, in a folder of that name. */
const elsewhere =
  /\/(?:\.claude\/(?:commands|output-styles|rules|skills(?!\/(?:.*\/)?agents\/))|\.opencode\/commands?|\.gemini\/commands|\.codex\/prompts|\.github\/(?:ISSUE_TEMPLATE|instructions|prompts))\//

/**
 * A plugin keeps its commands in `commands`, a product its workflows in `workflows`, or in folders of these. Whatever lies
 * further in may be a project of its own, and below a product's agents such a folder is one of theirs.
 */
const isOfCommands = (folder: string): boolean =>
  /\/(?:commands|\.[\w-]+\/workflows)\/(?:(?!agents?[/_.-])[^/]+\/)?$/.test(folder) &&
  !/\/\.[\w-]+\/(?:.*\/)?agents?\//.test(folder)

/** Of its keys others have borrowed one, and hardly two; a time in minutes and a kind they have not. */
function isGemini(entries: readonly Entry[]): boolean {
  const borrowed = entries.filter(({ key }) => borrowedKeys.has(key))
  return borrowed.length > 1 || entries.some(({ key }) => key === 'timeout_mins') || isGeminiKind(entries)
}

const borrowedKeys: ReadonlySet<string> = new Set(['max_turns', 'display_name', 'mcp_servers'])

function isGeminiKind(entries: readonly Entry[]): boolean {
  return entries.some(entry => entry.key === 'kind' && (entry.value === 'local' || entry.value === 'remote'))
}

function isOpencodeMode(entries: readonly Entry[]): boolean {
  return entries.some(entry => entry.key === 'mode' && kindsOfMode.includes(entry.value))
}

/** `mode: Subagent` says what opencode's `subagent` does, and needs no word. */
export function isKindOfMode(value: unknown): boolean {
  return kindsOfMode.includes(typeof value === 'string' ? looseKey(value) : value)
}

const kindsOfMode: readonly unknown[] = ['subagent', 'primary', 'all']

/** Elsewhere they are what is to be done. */
function countsSteps(entries: readonly Entry[]): boolean {
  return entries.some(({ key, value }) => key === 'steps' && !Array.isArray(value))
}

function hasToolMap(entries: readonly Entry[]): boolean {
  return entries.some(({ key, value }) => key === 'tools' && isRecord(value) && toolLists(value) === undefined)
}
