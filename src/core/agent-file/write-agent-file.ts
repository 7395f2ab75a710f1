/**
 * A definition as an agent file of our own dialect. Reading the text again gives the same definition, wherever it lies;
 * a test holds this against every field.
 */
import type { AgentDefinition, Limits } from '../agent-definition.js'
import { grantText } from '../tools/grant-text.js'

export function writeAgentFile(agent: AgentDefinition): string {
  const lines = frontMatterOf(agent).flatMap(([key, value]) => (value === undefined ? [] : entryLines(key, value, 0)))
  const body = agent.systemPrompt.trim()
  return `---\n${lines.join('\n')}\n---\n${body === '' ? '' : `\n${body}\n`}`
}

type Pair = readonly [key: string, value: unknown]

function frontMatterOf(agent: AgentDefinition): readonly Pair[] {
  return [
    ['name', agent.name],
    ['displayName', agent.displayName],
    ['description', agent.isHidden && agent.description === undefined ? undefined : agent.description],
    ['nickname', agent.nickname],
    ['aliases', agent.aliases],
    ['extends', agent.extends],
    ...powersOf(agent),
    ...boundsOf(agent),
    ['model', agent.model?.length === 1 ? agent.model[0] : agent.model],
    ...Object.entries(agent.sampling ?? {}),
    ...promptsOf(agent),
    ['background', agent.isBackground],
    ['executionMode', agent.executionMode],
    ['skills', agent.skills],
    ['memory', agent.memory],
    ['evidence', agent.evidence],
    ['color', agent.color],
    ['hidden', agent.isHidden],
    ['disableModelInvocation', agent.isForPeople],
    ['disabled', agent.isDisabled],
    ...Object.entries(agent.extra ?? {}),
  ]
}

function powersOf(agent: AgentDefinition): readonly Pair[] {
  return [
    ['tools', agent.tools === 'all' ? undefined : agent.tools.map(grantText)],
    ['disallowedTools', agent.disallowedTools?.map(grantText)],
    ['delegateTools', agent.delegateTools?.map(grantText)],
    ['canSpawn', agent.canSpawn],
    ['permissionMode', agent.permissionMode],
    ['permissions', agent.permissions && rulesOf(agent.permissions)],
    ['approvalMode', agent.approvalMode],
    ['disabledFeatures', agent.disabledFeatures],
    ['hooks', agent.hooks],
    [
      'mcpServers',
      agent.mcpServers?.map(server => (typeof server === 'string' ? server : { [server.name]: server.config })),
    ],
    ['isolation', agent.isolation],
    ['baseDir', agent.baseDir],
  ]
}

function boundsOf(agent: AgentDefinition): readonly Pair[] {
  const limits: Limits = agent.limits ?? {}
  return [
    ['maxTurns', limits.maxTurns],
    ['timeout', limits.timeoutMs === undefined ? undefined : durationText(limits.timeoutMs)],
    ['grace', limits.graceMs === undefined ? undefined : durationText(limits.graceMs)],
    ['resultBytes', limits.resultBytes],
    ['budget', agent.budget],
    ['resources', agent.resources],
  ]
}

function promptsOf(agent: AgentDefinition): readonly Pair[] {
  const inputs = agent.inputs?.map(({ name, type, isRequired, ...rest }) => [
    name,
    { type, ...(isRequired ? { required: true } : {}), ...rest },
  ])
  return [
    ['query', agent.query],
    ['initialMessages', agent.initialMessages],
    ['initialPrompt', agent.initialPrompt],
    ['criticalReminder', agent.criticalReminder],
    ['inputs', inputs && Object.fromEntries(inputs)],
    ['output', agent.output],
    ['completion', agent.completion],
    ['forkContext', agent.forkContext],
    ['omitInstructions', agent.omitInstructions],
  ]
}

function rulesOf(
  permissions: NonNullable<AgentDefinition['permissions']>,
): Readonly<Record<string, readonly string[]>> {
  const lists = (['allow', 'ask', 'deny'] as const).filter(list => permissions[list].length > 0)
  return Object.fromEntries(lists.map(list => [list, permissions[list].map(rule => rule.text)]))
}

/** The largest unit that says it without a fraction. */
function durationText(ms: number): string | number {
  if (ms % 1000 !== 0) return `${ms}ms`
  return ms > 0 && ms % 60_000 === 0 ? `${ms / 60_000}m` : ms / 1000
}

/** One entry as YAML lines. Only forms every parser reads alike. */
export function entryLines(key: string, value: unknown, depth: number): readonly string[] {
  const edge = '  '.repeat(depth)
  const head = `${edge}${scalar(key)}:`
  if (typeof value === 'string' && isBlockText(value)) {
    return [`${head} |-`, ...value.split('\n').map(line => (line === '' ? '' : `${edge}  ${line}`))]
  }
  if (Array.isArray(value)) {
    const isFlat = value.every(item => typeof item !== 'object' || item === null)
    if (isFlat) return [`${head} [${value.map(scalar).join(', ')}]`]
    return [head, ...value.flatMap(item => [`${edge}  - ${JSON.stringify(item)}`])]
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).filter(([, each]) => each !== undefined)
    return pairs.length === 0
      ? [`${head} {}`]
      : [head, ...pairs.flatMap(([name, each]) => entryLines(name, each, depth + 1))]
  }
  return [`${head} ${scalar(value)}`]
}

/** Several lines that mean the same inside a literal block: no odd spaces at the edges. */
function isBlockText(text: string): boolean {
  if (!text.includes('\n') || /^[\s]|[\s]$/.test(text)) return false
  return text
    .split('\n')
    .every(line => !/\s$/.test(line) && !/[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029]/.test(line))
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  const isPlain = /^[\p{L}_][\p{L}\p{N}_ ./()+-]*$/u.test(value) && !value.endsWith(' ') && !words.test(value)
  return isPlain ? value : JSON.stringify(value)
}

/** Words YAML gives another meaning. */
const words = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i
