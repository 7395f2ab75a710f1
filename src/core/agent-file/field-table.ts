/**
 * Every key an agent file may have: the loader, the published JSON Schema and the docs are made from this table.
 * The first key is ours; the others are spellings of other dialects. Case and separators never matter, so
 * `max_turns`, `max-turns` and `maxTurns` are one key.
 */

import type { JsonSchema } from '../message.js'
import { once } from '../once.js'
import { looseKey } from '../text/nearest.js'
import {
  agentName,
  anyTime,
  budgetShape,
  colors,
  efforts,
  evidenceShape,
  flag,
  folderShape,
  guards,
  inputsShape,
  modes,
  names,
  permissionLists,
  positive,
  someText,
  someTime,
  textSchema,
  whole,
} from './field-shapes.js'
import { otherSpellings } from './other-spellings.js'

/**
 * What the value of a limit looks like: a torn file is searched by it. `agents`: a switch, or names. `word`: one of a few.
 * `sum`: a number, or a map of them. `name`: one word, whichever it is.
 */
export type LimitValue = 'tools' | 'agents' | 'word' | 'number' | 'sum' | 'switch' | 'map' | 'list' | 'folder' | 'name'

export interface FieldSpec {
  readonly keys: readonly string[]
  /**
   * `security`: limits what the agent may do; unreadable means quarantine. `text`: prose, so that after a syntax error
   * the lines up to the next known key are its value. `plain`: anything else; unreadable means left out, with a warning.
   */
  readonly kind: 'security' | 'text' | 'plain'
  /** Of every limit, and of nothing else. */
  readonly value?: LimitValue
  /** How the words begin that it may be, in small letters and without signs; other products' among them. */
  readonly words?: readonly string[]
  readonly schema: JsonSchema
  readonly about: string
}

export const fieldTable = {
  name: text(['name', 'agentType'], agentName, 'Identity. Letters, digits, spaces, `-`, `_`; any script.'),
  displayName: text(['displayName'], textSchema, 'Shown to people instead of the name.'),
  description: text(['description', 'whenToUse'], textSchema, 'When to use it: what the calling model reads.'),
  nickname: plain(['nickname', 'nicknameCandidates'], names, 'A short name for displays.'),
  aliases: plain(['aliases', 'alias'], names, 'Other names it answers to.'),
  extends: limit(
    'name',
    ['extends'],
    someText,
    'The one agent it builds on; it can only narrow what that agent may do.',
  ),
  source: plain(['source'], textSchema, 'Ignored with a warning: where an agent comes from is never up to the file.'),

  tools: limit(
    'tools',
    ['tools', 'allowedTools'],
    {
      anyOf: [
        textSchema,
        { type: 'array', items: textSchema },
        { type: 'object', additionalProperties: flag },
        { type: 'null' },
      ],
    },
    'Left out: the caller’s tools. A list: only those. Empty: none. `Bash(git *)` grants matching calls only.',
  ),
  disallowedTools: limit(
    'tools',
    ['disallowedTools'],
    names,
    'Taken away, whatever `tools` says. `Bash(git *)`: those calls only. Without `Edit`, `Write` or `Read` no command does it either.',
  ),
  delegateTools: limit(
    'tools',
    ['delegateTools'],
    names,
    'Tools it may hand on to children without using them itself.',
  ),
  canSpawn: limit(
    'agents',
    ['canSpawn', 'agents'],
    { anyOf: [flag, textSchema, { type: 'array', items: { type: 'string', pattern: '^[^/\\\\]*$' } }] },
    'Whether it may delegate, or to which agents. `Task(a, b)` in `tools` says the same.',
    ['true', 'false', '['],
  ),
  permissionMode: limit(
    'word',
    ['permissionMode'],
    { enum: modes },
    'Never looser than the caller’s.',
    modes.map(looseKey),
  ),
  permissions: limit(
    'map',
    ['permissions', 'permission'],
    permissionLists,
    'Rules `{allow, ask, deny}` in the syntax of permission rules; opencode’s map and Kiro’s rules are read too.',
  ),
  approvalMode: limit(
    'word',
    ['approvalMode'],
    { enum: ['caller', 'suppress', 'sandbox'] },
    'What becomes of an "ask": to the caller’s listener, denied unseen, or allowed inside the sandbox, where all above it say so too.',
    ['caller', 'suppress', 'sandbox', 'routeto'],
  ),
  disabledFeatures: limit(
    'list',
    ['disabledFeatures'],
    names,
    'Features switched off (`web`, `shell`, `write`, `mcp`, `delegation`, …; `outside-roots`: files elsewhere are denied, not asked about); an unknown one quarantines.',
  ),
  sandboxMode: limit(
    'word',
    ['sandboxMode'],
    { enum: ['read-only', 'workspace-write', 'danger-full-access'] },
    'Codex roles: `read-only` is read as permission mode plan.',
    ['readonly', 'workspacewrite', 'dangerfull'],
  ),
  readOnly: limit('switch', ['readOnly', 'readonly'], flag, 'Cursor: `true` is read as permission mode plan.'),
  hooks: limit(
    'map',
    ['hooks'],
    { type: 'object', properties: { PreToolUse: guards, PermissionRequest: guards } },
    'Hooks of this agent only, in the shape settings have.',
  ),
  mcpServers: limit(
    'map',
    ['mcpServers'],
    {
      anyOf: [
        someText,
        { type: 'array', items: { anyOf: [someText, { type: 'object' }] } },
        { type: 'object', additionalProperties: { type: ['object', 'null'] } },
      ],
    },
    'MCP servers by name or written out; closed when the agent ends.',
  ),
  isolation: limit('word', ['isolation'], { enum: ['none', 'worktree'] }, '`worktree`: a git worktree of its own.', [
    'worktree',
    'none',
    'remote',
  ]),
  baseDir: limit(
    'folder',
    ['baseDir'],
    folderShape,
    'Working directory, relative to the caller’s and inside its roots.',
  ),
  budget: limit(
    'sum',
    ['budget'],
    budgetShape,
    'For the run’s life: `{tokens, usd, toolCalls}`, or a text such as `$0.50` or `200k tokens`.',
  ),
  maxTurns: limit('number', ['maxTurns', 'steps', 'maxSteps'], whole, 'Turns per attempt (50).'),
  timeout: limit(
    'number',
    ['timeout', 'timeoutSeconds', 'maxTimeSeconds', 'maxTimeMinutes', 'timeoutMins', 'timeoutMinutes', 'timeoutMs'],
    someTime,
    'Time per attempt; a number is seconds (of more than a day: milliseconds), or `90s`, `10m`, `1h` (300 s; 30 min in files of Claude Code and Kiro).',
  ),
  grace: limit(
    'number',
    ['grace', 'gracePeriodSeconds', 'graceSeconds', 'graceMs'],
    anyTime,
    'Time for a last report (60 s); 0: none.',
  ),
  resultBytes: limit('number', ['resultBytes'], whole, 'Longest report handed to the caller (16384).'),
  resources: limit(
    'map',
    ['resources'],
    { type: 'object', properties: { memoryMb: positive, cpuSeconds: positive }, additionalProperties: false },
    'Bounds of its own process (`executionMode: process`); a list of addresses is Kiro’s, and not read.',
  ),
  disabled: limit('switch', ['disabled', 'disable', 'enabled', 'enable'], flag, 'Listed and switched off.'),

  model: plain(
    ['model', 'models'],
    { anyOf: [textSchema, { type: 'array', items: textSchema }, { type: 'object' }, { type: 'null' }] },
    '`inherit`, an alias (`haiku`), `provider/model`, or a list of these in order of preference.',
  ),
  provider: plain(['provider', 'modelProvider'], textSchema, 'Joined with `model` to `provider/model`.'),
  temperature: plain(['temperature'], { type: 'number', minimum: 0, maximum: 2 }, 'Sent only when set.'),
  topP: plain(['topP'], { type: 'number', minimum: 0, maximum: 1 }, 'Sent only when set.'),
  thinkingBudget: plain(['thinkingBudget'], { type: 'integer', minimum: -1 }, 'Tokens; −1 unlimited, 0 off.'),
  effort: plain(
    ['effort', 'modelReasoningEffort', 'reasoningEffort', 'variant'],
    { anyOf: [{ enum: efforts }, { type: 'number', minimum: 1 }] },
    'How hard the model thinks.',
  ),

  systemPrompt: text(
    ['systemPrompt', 'prompt', 'developerInstructions'],
    textSchema,
    'The prompt, where it is not the body.',
  ),
  query: text(['query'], textSchema, 'First message, with the prompt and the inputs filled in where it names them.'),
  initialMessages: plain(
    ['initialMessages'],
    { type: 'array', items: { type: 'object' } },
    'Few-shot messages `{role, text}`.',
  ),
  initialPrompt: text(['initialPrompt'], textSchema, 'First user message when it runs as main.'),
  criticalReminder: text(['criticalReminder'], textSchema, 'Put first, before every task.'),
  inputs: plain(
    ['inputs', 'inputConfig'],
    inputsShape,
    'Typed inputs by name: `{type, required, description, default, enum}`.',
  ),
  output: plain(
    ['output', 'outputSchema', 'outputConfig'],
    { type: 'object', properties: { schema: { type: ['object', 'null'] } } },
    'What it hands back: `{name, description, schema}`, or a JSON Schema.',
  ),
  completion: plain(
    ['completion'],
    { enum: ['explicit', 'text'] },
    'Ends by calling `complete_task`, or by plain text.',
  ),
  forkContext: plain(
    ['forkContext'],
    { anyOf: [flag, { enum: ['none', 'summary', 'full'] }] },
    'How much of the caller’s conversation it sees.',
  ),
  omitInstructions: plain(['omitInstructions', 'omitClaudeMd'], flag, 'Leave AGENTS.md and CLAUDE.md out.'),

  background: plain(['background', 'isBackground', 'runInBackground'], flag, 'Runs in the background by default.'),
  executionMode: plain(['executionMode'], { enum: ['in-process', 'process'] }, '`process`: in a process of its own.'),
  skills: plain(['skills'], names, 'Skills loaded at the start.'),
  memory: plain(['memory'], { enum: ['user', 'project', 'local'] }, 'Keeps a MEMORY.md of its own.'),
  evidence: plain(['evidence'], evidenceShape, 'What a report must be backed by; checked by the runtime.'),
  color: plain(['color', 'colour'], textSchema, `One of ${colors.join(', ')}, or a hex value.`),
  hidden: plain(['hidden'], flag, 'Can be named, is not listed to models.'),
  disableModelInvocation: plain(['disableModelInvocation'], flag, 'For people, and for who names it in `canSpawn`.'),
  mode: plain(
    ['mode'],
    { enum: ['subagent', 'primary', 'all'] },
    'opencode: `primary` agents are not listed to models.',
  ),
  kind: plain(['kind'], { enum: ['local'] }, 'gemini-cli: only local agents run here.'),
} as const satisfies Record<string, FieldSpec>

export type FieldName = keyof typeof fieldTable

/** Tables of the codex document whose members are fields of their own. */
export const containers: ReadonlySet<string> = new Set(['modelconfig', 'runconfig', 'promptconfig'])

/** Read by other products and of no use here: kept without a word. */
const knownElsewhere = new Set(
  [
    'autoCompactWindow',
    'observer',
    'observerMessage',
    'argumentHint',
    'handoffs',
    'target',
    'userInvocable',
    'userInvokable',
    ...['agentsMd', 'promptMode'],
    'toolAliases',
    'lspServers',
    'webSearch',
    ...['toolsSettings', 'includeMcpJson', 'useLegacyMcpJson', 'includePowers', 'keyboardShortcut', 'welcomeMessage'],
  ].map(looseKey),
)

const spellings: Readonly<Partial<Record<FieldName, readonly string[]>>> = otherSpellings

const byKey = fieldsByKey()

/** Without lists in between: every first start builds it, in code that is still cold. */
function fieldsByKey(): ReadonlyMap<string, FieldName> {
  const found = new Map<string, FieldName>()
  for (const field in fieldTable) {
    const name = field as FieldName
    for (const keys of [fieldTable[name].keys, spellings[name] ?? []])
      for (const key of keys) found.set(key, name).set(looseKey(key), name)
  }
  return found
}

export function fieldOf(key: string): FieldName | undefined {
  return byKey.get(key) ?? byKey.get(looseKey(key))
}

export function isKnownKey(key: string): boolean {
  if (byKey.has(key)) return true
  const loose = looseKey(key)
  return byKey.has(loose) || containers.has(loose) || knownElsewhere.has(loose)
}

export function isSecurityKey(key: string): boolean {
  const field = fieldOf(key)
  return field === undefined ? looseKey(key) === 'runconfig' : fieldTable[field].kind === 'security'
}

const specOfLimit = once((): ReadonlyMap<string, FieldSpec> => {
  const limits = Object.values<FieldSpec>(fieldTable).filter(spec => spec.value)
  return new Map(limits.flatMap(spec => spec.keys.map(key => [key, spec] as const)))
})

/** What its value looks like, by a key in the spelling of the table; a table of limits is a map. */
export function valueOfLimit(key: string): LimitValue | undefined {
  return key === 'runConfig' ? 'map' : specOfLimit().get(key)?.value
}

export const wordsOfLimit = (key: string): readonly string[] | undefined => specOfLimit().get(key)?.words

export const allKeys: readonly string[] = Object.values(fieldTable).flatMap(spec => [...spec.keys])
function text(keys: readonly string[], schema: JsonSchema, about: string): FieldSpec {
  return { keys, kind: 'text', schema, about }
}
function plain(keys: readonly string[], schema: JsonSchema, about: string): FieldSpec {
  return { keys, kind: 'plain', schema, about }
}
function limit(
  value: LimitValue,
  keys: readonly string[],
  schema: JsonSchema,
  about: string,
  words?: readonly string[],
): FieldSpec {
  return { keys, kind: 'security', value, ...(words && { words }), schema, about }
}
