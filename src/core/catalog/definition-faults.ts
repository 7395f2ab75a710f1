/**
 * Definitions that were written in code. Agent files have a reader of their own; here only the form is looked at, so that
 * a slip is named and the agent does not run, in place of a limit that is not there.
 */
import type { AgentDefinition } from '../agent-definition.js'
import { isFeature } from '../agent-file/fields/tool-sets.js'
import { uncheckedOutput } from '../brief/completion.js'
import { budgetShape } from '../budget/budget.js'
import {
  anything,
  atLeast,
  faultsOf,
  listOf,
  objectOf,
  oneOf,
  type Shape,
  text,
  wholeFrom,
  word,
  yesOrNo,
} from '../shape.js'
import { didYouMean, looseKey } from '../text/nearest.js'
import { canonicalToolName, isForeignTool, toolNames } from '../tools/tool-names.js'

/**
 * What is wrong with it, naming the field and what is expected there. Empty when it can be used. `tools`: those there are
 * where it runs, so that a deny with a slip in its name is not taken for one of a tool that is elsewhere.
 */
export function definitionFaults(agent: unknown, tools: readonly string[] = []): readonly string[] {
  const faults = faultsOf(agent, table, ['name', 'source', 'systemPrompt', 'tools'])
  if (faults.length === 0)
    return [...denySlips(agent as AgentDefinition, tools), ...unchecked(agent as AgentDefinition)]
  const isPrompt = faults.some(fault => fault.startsWith('there is no "prompt"'))
  return isPrompt
    ? faults.map(fault => fault.replace(/^there is no "prompt".*/, 'there is no "prompt" (it is called systemPrompt)'))
    : faults
}

const aFunction: Shape = value => (typeof value === 'function' ? undefined : 'must be a function')

const unchecked = ({ completion, output }: AgentDefinition): readonly string[] =>
  completion === 'text' && (output?.schema ?? output?.check) !== undefined ? [uncheckedOutput] : []

function denySlips(
  { disallowedTools = [], permissions }: AgentDefinition,
  tools: readonly string[],
): readonly string[] {
  const denied = [
    ...disallowedTools.map(({ name }, at) => ({ name, place: `disallowedTools[${at}]` })),
    ...(permissions?.deny ?? []).map(({ tool: name }, at) => ({ name, place: `permissions.deny[${at}]` })),
    ...(permissions?.ask ?? []).map(({ tool: name }, at) => ({ name, place: `permissions.ask[${at}]` })),
  ]
  return denied.flatMap(({ name, place }) => {
    const meant = meantTool(name, tools)
    return meant === undefined ? [] : [`${place} names "${name}", and there is no such tool (did you mean ${meant}?)`]
  })
}

/** The tool of `tools` that a name which none of them has may be a slip for. Agents name tools of other houses, too. */
function meantTool(name: string, tools: readonly string[]): string | undefined {
  if (name.includes('*') || name.startsWith('mcp__') || tools.includes(name) || toolNames.includes(name))
    return undefined
  const known = canonicalToolName(name)
  if (known !== undefined && tools.includes(known)) return known
  const key = looseKey(name)
  if (key.length < shortestSlip) return tools.find(tool => looseKey(tool) === key)
  return isForeignTool(name) ? undefined : didYouMean(name, tools)
}

/** One slip makes any short word of any other. */
const shortestSlip = 3

/** `Bash(git *)`, as agent files write it, is a name and a pattern here. */
function takenApart(written: string): string {
  const [, name = '', pattern = ''] = /^([^(]*)(?:\((.*?)\)?\s*)?$/s.exec(written) ?? []
  const isWhole = /^[\s*]*$/.test(pattern)
  return `{ name: ${JSON.stringify(name.trim())}${isWhole ? '' : `, pattern: ${JSON.stringify(pattern)}`} }`
}

const grantTable = { name: word, pattern: word }
const grant: Shape = value => {
  if (typeof value === 'string') return `must be ${takenApart(value)}`
  const fault = objectOf(grantTable, ['name'])(value)
  if (fault !== undefined) return 'must be { name, pattern? }'
  const { name } = value as { readonly name: string }
  return /[()]/.test(name) ? `must be ${takenApart(name)}` : undefined
}
const grants: Shape = listOf(grant)
/** A name that no tool can have takes nothing away. */
const denials: Shape = listOf(
  value =>
    grant(value) ??
    (/[\s,]/.test((value as { readonly name: string }).name) ? 'must be { name, pattern? } of one tool' : undefined),
)
const tools: Shape = value =>
  value === 'all' || !grants(value)
    ? undefined
    : Array.isArray(value)
      ? grants(value)
      : "must be 'all' or a list of { name, pattern? }"

/** `Write(./x)` as the name of a tool is a rule that was not taken apart: it would cover nothing. */
const rule: Shape = value => {
  if (typeof value === 'string') return `must be parsePermissionRule(${JSON.stringify(value)})`
  const given = value as { readonly tool?: unknown } | null | undefined
  if (typeof given?.tool === 'string' && /[()\s]/.test(given.tool))
    return `must be parsePermissionRule(${JSON.stringify(given.tool)})`
  return (
    objectOf({ tool: word, pattern: word, text: word }, ['tool', 'text'])(value) && 'must be { tool, pattern?, text }'
  )
}
const sourceShape = objectOf(
  {
    scope: oneOf('managed', 'command-line', 'project', 'user', 'plugin', 'built-in'),
    path: text,
    folder: text,
    isTrusted: yesOrNo,
    isReadOnly: yesOrNo,
    contentHash: text,
    isForeign: yesOrNo,
  },
  ['scope', 'isTrusted'],
)

const rules: Shape = objectOf({ allow: listOf(rule), ask: listOf(rule), deny: listOf(rule) }, ['allow', 'ask', 'deny'])
const words = listOf(word)

const table = {
  name: word,
  displayName: text,
  description: text,
  nickname: text,
  aliases: words,
  source: value =>
    value === undefined
      ? "must be there, for one of your own as { scope: 'user', isTrusted: true }"
      : sourceShape(value),
  dialect: text,
  extends: word,
  systemPrompt: text,
  query: text,
  initialMessages: listOf(objectOf({ role: oneOf('user', 'assistant'), text }, ['role', 'text'])),
  initialPrompt: text,
  criticalReminder: text,
  inputs: listOf(
    objectOf(
      {
        name: word,
        type: oneOf('string', 'number', 'integer', 'boolean', 'string[]', 'number[]'),
        isRequired: yesOrNo,
        description: text,
        default: anything,
        enum: listOf(anything),
      },
      ['name', 'type', 'isRequired'],
    ),
  ),
  output: objectOf({ name: word, description: text, schema: anything, check: aFunction }, ['name']),
  completion: oneOf('explicit', 'text'),
  forkContext: oneOf('none', 'summary', 'full'),
  omitInstructions: yesOrNo,
  tools,
  disallowedTools: denials,
  delegateTools: grants,
  canSpawn: value =>
    typeof value === 'boolean' || !words(value) ? undefined : 'must be true, false or a list of agents',
  permissionMode: oneOf('default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions'),
  permissions: rules,
  approvalMode: oneOf('caller', 'suppress', 'sandbox'),
  disabledFeatures: listOf(value =>
    typeof value === 'string' && isFeature(value) ? undefined : 'must be a feature that can be switched off',
  ),
  model: value => (words(value) ? 'must be a list of wishes, as ["provider/model"]' : undefined),
  sampling: objectOf({
    temperature: atLeast(0),
    topP: atLeast(0),
    thinkingBudget: wholeFrom(-1),
    effort: value => (typeof value === 'number' ? undefined : oneOf('low', 'medium', 'high', 'xhigh', 'max')(value)),
  }),
  limits: objectOf({ maxTurns: wholeFrom(1), timeoutMs: atLeast(0), graceMs: atLeast(0), resultBytes: wholeFrom(1) }),
  budget: budgetShape,
  isBackground: yesOrNo,
  isolation: oneOf('none', 'worktree'),
  executionMode: oneOf('in-process', 'process'),
  resources: objectOf({ memoryMb: atLeast(0), cpuSeconds: atLeast(0) }),
  baseDir: text,
  skills: words,
  mcpServers: listOf(value =>
    typeof value === 'string'
      ? undefined
      : objectOf({ name: word, config: anything, onlyTools: words }, ['name'])(value) &&
        'must be a name or { name, config }',
  ),
  hooks: anything,
  memory: oneOf('user', 'project', 'local'),
  evidence: anything,
  color: text,
  isDisabled: yesOrNo,
  quarantine: text,
  isHidden: yesOrNo,
  isForPeople: yesOrNo,
  extra: anything,
} satisfies Record<keyof AgentDefinition, Shape>
