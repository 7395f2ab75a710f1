/** What a definition says besides its prompt and its description, one short row for each field that is set. */
import type { AgentDefinition } from '../../../core/agent-definition.js'
import type { Json } from '../../../core/message.js'
import { isRecord } from '../../../core/record.js'
import { counted, oneLine } from '../../../core/text/text.js'
import { grantText } from '../../../core/tools/grant-text.js'
import { toolsText } from './output.js'

export function definitionRows(agent: AgentDefinition): readonly (readonly [label: string, text: string])[] {
  return Object.entries(fields).flatMap(([field, [label, textOf]]) => {
    const value = agent[field as Field]
    const text = value === undefined ? '' : (textOf as (value: unknown, agent: AgentDefinition) => string)(value, agent)
    return text === '' ? [] : [[label, text] as const]
  })
}

/** Shown elsewhere: above the rows, below them, or with another field. */
type Elsewhere =
  | ('name' | 'displayName' | 'description' | 'systemPrompt')
  | ('source' | 'quarantine' | 'disallowedTools' | 'isDisabled')
type Field = Exclude<keyof AgentDefinition, Elsewhere>
type Row<Value> = readonly [label: string, text: (value: Value, agent: AgentDefinition) => string]

const asItIs = (word: string): string => word
const joined = (words: readonly string[]): string => words.join(', ')
const shortened = (text: string): string => oneLine(text, 60)
const isYes = (words: string) => (isSet: boolean) => (isSet ? words : '')

/** In the order they are shown. A field that is missing here does not compile. */
const fields: { readonly [K in Field]-?: Row<NonNullable<AgentDefinition[K]>> } = {
  dialect: ['dialect', asItIs],
  nickname: ['nickname', asItIs],
  aliases: ['aliases', joined],
  extends: ['extends', asItIs],
  isHidden: ['offered', isYes('not listed to models')],
  isForPeople: ['called by', isYes('people alone, and agents that name it in canSpawn')],
  tools: ['tools', (_, agent) => toolsText(agent)],
  delegateTools: ['hands on', grants => grants.map(grantText).join(', ')],
  canSpawn: ['may delegate', who => (who === true ? 'yes' : who === false ? 'no' : `to ${who.join(', ')}`)],
  permissionMode: ['mode', asItIs],
  approvalMode: ['asks', mode => approvals[mode]],
  permissions: ['rules', rulesText],
  disabledFeatures: ['switched off', joined],
  hooks: ['hooks', hooksText],
  mcpServers: ['servers', servers => servers.map(serverText).join(', ')],
  isolation: ['isolation', asItIs],
  baseDir: ['directory', asItIs],
  executionMode: ['runs in', mode => (mode === 'process' ? 'a process of its own' : 'the process of its host')],
  resources: ['resources', ({ memoryMb, cpuSeconds }) => listed([memoryMb, 'MB'], [cpuSeconds, 's of CPU'])],
  limits: ['limits', limitsText],
  budget: [
    'budget',
    ({ usd, tokens, toolCalls }) =>
      [usd === undefined ? '' : `$${usd}`, listed([tokens, 'tokens'], [toolCalls, 'tool calls'])]
        .filter(Boolean)
        .join(', '),
  ],
  model: ['model', joined],
  sampling: ['sampling', sampling => joined(Object.entries(sampling).map(([key, value]) => `${key} ${value}`))],
  inputs: ['inputs', inputs => inputs.map(inputText).join(', ')],
  output: ['output', ({ name, schema }) => `${name}${schema ? ' (with a schema)' : ''}`],
  completion: ['ends by', mode => (mode === 'text' ? 'text' : 'complete_task')],
  evidence: ['evidence', evidence => shortened(JSON.stringify(evidence))],
  query: ['query', shortened],
  initialMessages: ['opens with', messages => counted(messages.length, 'message')],
  initialPrompt: ['begins with', shortened],
  criticalReminder: ['reminder', shortened],
  forkContext: ['fork', asItIs],
  omitInstructions: ['instructions', isYes('AGENTS.md and CLAUDE.md are left out')],
  skills: ['skills', joined],
  memory: ['memory', asItIs],
  isBackground: ['background', isIt => (isIt ? 'yes' : 'no')],
  color: ['color', asItIs],
  extra: ['other keys', extra => joined(Object.keys(extra))],
}

const approvals = {
  caller: 'go to its caller',
  suppress: 'are denied unseen',
  sandbox: 'are allowed in the sandbox',
} as const

const listed = (...amounts: readonly (readonly [amount: number | undefined, of: string])[]): string =>
  amounts.flatMap(([amount, of]) => (amount === undefined ? [] : [`${amount} ${of}`])).join(', ')

function rulesText(rules: NonNullable<AgentDefinition['permissions']>): string {
  return (['deny', 'ask', 'allow'] as const)
    .filter(list => rules[list].length > 0)
    .map(list => `${list} ${rules[list].map(rule => rule.text).join(', ')}`)
    .join('; ')
}

/** `2 for PreToolUse, 1 for Stop` */
function hooksText(hooks: Json): string {
  const events: Readonly<Record<string, unknown>> = isRecord(hooks) ? hooks : {}
  return joined(Object.entries(events).map(([event, groups]) => `${hooksIn(groups)} for ${event}`))
}

function hooksIn(groups: unknown): number {
  const counts = (Array.isArray(groups) ? groups : []).map(group =>
    isRecord(group) && Array.isArray(group.hooks) ? group.hooks.length : 1,
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

function serverText(server: NonNullable<AgentDefinition['mcpServers']>[number]): string {
  if (typeof server === 'string') return server
  return server.onlyTools ? `${server.name} (only ${server.onlyTools.join(', ')})` : server.name
}

function limitsText({ maxTurns, timeoutMs, graceMs, resultBytes }: NonNullable<AgentDefinition['limits']>): string {
  return [
    maxTurns === undefined ? '' : `${maxTurns} turns`,
    timeoutMs === undefined ? '' : `${timeoutMs / 1000} s`,
    graceMs === undefined ? '' : `grace ${graceMs / 1000} s`,
    resultBytes === undefined ? '' : `report of ${resultBytes} bytes`,
  ]
    .filter(Boolean)
    .join(', ')
}

function inputText({ name, type, isRequired, enum: choices }: NonNullable<AgentDefinition['inputs']>[number]): string {
  const values = choices ? ` of ${choices.map(choice => JSON.stringify(choice)).join(' | ')}` : ''
  return `${name}: ${type}${values}${isRequired ? ' (required)' : ''}`
}
