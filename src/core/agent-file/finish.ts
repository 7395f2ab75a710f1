/** What a definition lacks after its fields were read: defaults of its dialect, name and description, its quarantine. */

import type { AgentDefinition, ToolGrant } from '../agent-definition.js'
import { outputFault, uncheckedOutput } from '../brief/completion.js'
import type { Diagnostic } from '../ports.js'
import { isRecord } from '../record.js'
import type { AgentText } from './assemble.js'
import type { Code } from './diagnostic-codes.js'
import { type Dialect, dialectOfDefaults, usualLimits } from './dialect.js'
import { type Draft, textOf } from './fields/field-reader.js'
import { withVendor } from './fields/model-fields.js'
import { nameFault } from './fields/word-fields.js'
import { nestedNameOf } from './file-name.js'

type Note = (code: Code, message: string, hint?: string) => void

/** Undefined when there is no name to list it under. */
export function finishAgent(
  draft: Draft,
  text: AgentText,
  dialect: Dialect,
  diagnostics: readonly Diagnostic[],
  note: Note,
): AgentDefinition | undefined {
  const name = chooseName(draft, text, dialect, diagnostics, note)
  if (name === undefined) return undefined
  completeWords(draft, text.path, dialect, diagnostics, note)
  if (draft.provider !== undefined && draft.model === undefined)
    note('key-unknown', `the provider "${draft.provider.slice(0, 60)}" says nothing without a model`)
  const unfit = outputFault(draft)
  if (dialect === 'kiro' && draft.tools === undefined)
    note('tools-inherited', 'it has no list of tools: in Kiro it has none then, and here its caller’s')
  if (isAllDenied(draft)) note('tools-none', 'every tool it lists is disallowed')
  if (unfit !== undefined) note(unfit === uncheckedOutput ? 'output-unchecked' : 'output-invalid', unfit)
  completeValues(draft, dialect, text.path)
  const {
    name: _name,
    provider: _provider,
    hasSpawnWord: _,
    isSpawnList: _list,
    isOffWithAll: _off,
    written: _written,
    ...fields
  } = draft
  // One spread, and it stands last: each more, and each field added behind it, takes an engine as long as all the rest.
  const agent: AgentDefinition = {
    name: text.prefix === undefined ? name : `${text.prefix}:${name}`,
    source: text.source,
    dialect,
    systemPrompt: '',
    tools: 'all',
    ...fields,
  }
  return quarantined(withoutDeniedSpawn(agent), diagnostics)
}

function isAllDenied({ tools, disallowedTools }: Draft): boolean {
  if (!Array.isArray(tools) || tools.length === 0 || disallowedTools === undefined) return false
  return tools.every(({ name }) => disallowedTools.some(denied => denied.pattern === undefined && denied.name === name))
}

function completeValues(draft: Draft, dialect: Dialect, path: string): void {
  if (draft.disallowedTools) draft.disallowedTools = distinct(draft.disallowedTools)
  if (draft.aliases) draft.aliases = [...new Set(draft.aliases)]
  if (draft.model) draft.model = withProvider(draft.model, draft.provider)
  const usual = usualLimits[dialectOfDefaults(dialect, path)]
  if (usual) draft.limits = { ...usual, ...draft.limits }
  else if (draft.limits && Object.keys(draft.limits).length === 0) delete draft.limits
  if (dialect === 'codex-document') draft.completion ??= 'explicit'
}

/** What `finishAgent` will add because files of this dialect mean it. */
export function usualKeys({ limits, completion }: Draft, dialect: Dialect, path: string): readonly string[] {
  const usual = usualLimits[dialectOfDefaults(dialect, path)]
  return [
    ...(usual?.maxTurns !== undefined && limits?.maxTurns === undefined ? ['maxTurns'] : []),
    ...(usual?.timeoutMs !== undefined && limits?.timeoutMs === undefined ? ['timeout'] : []),
    ...(dialect === 'codex-document' && completion === undefined ? ['completion'] : []),
  ]
}

function distinct(grants: readonly ToolGrant[]): readonly ToolGrant[] {
  return [...new Map(grants.map(grant => [JSON.stringify([grant.name, grant.pattern]), grant])).values()]
}

function chooseName(
  draft: Draft,
  text: AgentText,
  dialect: Dialect,
  diagnostics: readonly Diagnostic[],
  note: Note,
): string | undefined {
  if (draft.name !== undefined) return draft.name
  if (diagnostics.some(each => each.code === 'name-invalid' || each.code === 'name-colon')) return undefined
  const nested = dialect === 'opencode' ? nestedNameOf(text.path) : undefined
  // A name with a slash would be a path somewhere: it is found under it, and is called by another.
  if (nested !== undefined) draft.displayName ??= nested
  const stem = (nested?.replaceAll('/', '-') ?? text.stem).normalize('NFC').trim()
  const fault = nameFault(stem)
  if (fault !== undefined) {
    note('name-invalid', `no name is given, and the file name ${fault}`)
    return undefined
  }
  const called = textOf(draft.extra?.agent_name ?? draft.extra?.agentName)
  const isCalled = !namedByFile.has(dialect) && called !== undefined && nameFault(called) === undefined
  const [name, place] = isCalled ? [called, '"agent_name"'] : [stem, 'the file name']
  if (!namedByFile.has(dialect)) note('name-missing', `no name is given; "${name}" is taken from ${place}`)
  return name
}

const namedByFile: ReadonlySet<Dialect> = new Set<Dialect>(['opencode', 'copilot', 'kiro', 'vibe'])

function completeWords(
  draft: Draft,
  path: string,
  dialect: Dialect,
  diagnostics: readonly Diagnostic[],
  note: Note,
): void {
  const told = draft.systemPrompt === undefined ? instructionsIn(draft.extra?.instructions) : undefined
  if (told !== undefined) {
    draft.systemPrompt = told
    if (!diagnostics.some(({ message }) => message === instructionsRead))
      note('value-converted', instructionsRead, 'call it prompt')
  }
  // A prompt that names a file was told already.
  const isTold = draft.query !== undefined || diagnostics.some(each => each.code === 'prompt-file')
  if (draft.systemPrompt === undefined && !isTold)
    note('prompt-missing', 'there is no system prompt', /\.md$/i.test(path) ? undefined : promptIn(dialect))
  if (draft.description !== undefined) return
  const paragraph = firstParagraph(draft.systemPrompt ?? '')
  if (paragraph !== '') draft.description = paragraph
  draft.isHidden = true
  note('description-missing', 'there is no description, so the agent is not offered to models')
}

/** A data file has nothing below its keys. */
const promptIn = (dialect: Dialect): string => `write the prompt under the key ${promptKeys[dialect] ?? 'systemPrompt'}`

const promptKeys: Readonly<Partial<Record<Dialect, string>>> = {
  'codex-role': 'developer_instructions',
  kiro: 'prompt',
  opencode: 'prompt',
  roo: 'roleDefinition',
}

/** `instructions = "…"`, `[instructions] text = "…"`: what some write for Codex instead of `developer_instructions`. */
export function instructionsIn(value: unknown): string | undefined {
  return textOf(isRecord(value) ? value.text : value)
}

export const instructionsRead = '"instructions" was read as the prompt'

const maxParagraph = 400

function firstParagraph(text: string): string {
  const blocks = text.slice(0, 4000).split(/\n\s*\n/)
  const prose = blocks
    .map(block =>
      block
        .replace(/^#+ .*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .find(block => block !== '')
  return (prose ?? '').slice(0, maxParagraph)
}

function withProvider(models: readonly string[], provider: string | undefined): readonly string[] {
  if (provider === undefined) return models
  return models.map(model => (model === 'inherit' ? model : withVendor(model, provider)))
}

/** An agent that may not have Task may not delegate, however else it was said. */
function withoutDeniedSpawn(agent: AgentDefinition): AgentDefinition {
  const isDenied = agent.disallowedTools?.some(grant => grant.name === 'Task' && grant.pattern === undefined)
  return isDenied && agent.canSpawn ? { ...agent, canSpawn: false } : agent
}

function quarantined(agent: AgentDefinition, diagnostics: readonly Diagnostic[]): AgentDefinition {
  const fault = diagnostics.find(each => each.severity === 'error')
  if (fault === undefined) return agent
  return { ...agent, tools: [], quarantine: `${fault.message} (line ${fault.line ?? 1})` }
}
