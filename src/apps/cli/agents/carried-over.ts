/**
 * An agent as the text of one of our files, and what that text no longer says.
 * I1 what is written is read again first: where it would be quarantined, or allow something else, nothing is written.
 * I2 what is left out is named.
 */
import { parsers } from '../../../adapters/sources/parsers.js'
import type { AgentDefinition, AgentScope, PermissionRule } from '../../../core/agent-definition.js'
import { type FileReading, readAgentFile } from '../../../core/agent-file/read-agent-file.js'
import { writeAgentFile } from '../../../core/agent-file/write-agent-file.js'
import { defaultPolicy } from '../../../core/policy.js'
import type { Diagnostic } from '../../../core/ports.js'
import { canonicalJson } from '../../../core/text/text.js'

export interface CarriedOver {
  readonly text: string
  /** Rules that no file of ours can say. */
  readonly leftOut: readonly string[]
  /** Why the text must not be written. */
  readonly fault?: string
  /** What is said of the file where it will lie, and was not of the one it comes from. */
  readonly notes: readonly Diagnostic[]
}

/** `path`: where it will lie. `scope`: whose it will be there. */
export function carryOver(
  agent: AgentDefinition,
  { path, scope, said }: { readonly path: string; readonly scope: AgentScope; readonly said: readonly Diagnostic[] },
): CarriedOver {
  const readBack = (text: string, as: AgentScope = 'user') =>
    readAgentFile({ path, content: text, source: { scope: as, isTrusted: true } }, parsers)
  const isSound = (each: AgentDefinition) => readBack(writeAgentFile(each)).agents[0]?.agent?.quarantine === undefined
  const leftOut = isSound(agent) ? [] : unsayable(agent)
  const sayable = leftOut.length === 0 ? agent : without(agent, leftOut)
  const written = withLimits(sayable, readBack(writeAgentFile(sayable)))
  const text = writeAgentFile(written)
  const again = readBack(text)
  const known = new Set(said.map(({ code }) => code))
  const notes = readBack(text, scope).diagnostics.filter(
    ({ code, severity }) => severity !== 'info' && !known.has(code),
  )
  const fault = whyNot(written, again)
  return { text, leftOut, notes, ...(fault !== undefined && { fault }) }
}

/** In another product's folder what the file leaves unsaid has that product's limits: there they are written out. */
function withLimits(agent: AgentDefinition, there: FileReading): AgentDefinition {
  const limits = there.agents[0]?.agent?.limits
  const { maxTurns, timeoutMs } = defaultPolicy
  const unsaid = {
    ...(agent.limits?.maxTurns === undefined && limits?.maxTurns !== undefined && { maxTurns }),
    ...(agent.limits?.timeoutMs === undefined && limits?.timeoutMs !== undefined && { timeoutMs }),
  }
  return Object.keys(unsaid).length === 0 ? agent : { ...agent, limits: { ...agent.limits, ...unsaid } }
}

function whyNot(agent: AgentDefinition, { agents, diagnostics }: FileReading): string | undefined {
  const [only] = agents
  if (only?.agent === undefined || agents.length > 1) return 'it would be no agent there'
  if (only.agent.quarantine !== undefined) {
    const worst = diagnostics.find(({ severity }) => severity === 'error')
    return `it would be quarantined there: ${worst?.message ?? only.agent.quarantine}`
  }
  const now = only.agent
  const other = decisive.find(field => textOf(agent[field]) !== textOf(now[field]))
  return other === undefined ? undefined : `as a file of ours it would not mean the same (${other})`
}

const textOf = (value: unknown): string => (value === undefined ? '' : canonicalJson(value))

/** What an agent is, and what it may do. The rest may be lost, and nobody gets more by it. */
const decisive = [
  ...(['name', 'extends', 'isDisabled', 'isForPeople', 'isHidden', 'model'] as const),
  ...(['tools', 'disallowedTools', 'delegateTools', 'canSpawn', 'permissionMode', 'approvalMode'] as const),
  ...(['permissions', 'disabledFeatures', 'hooks', 'mcpServers', 'isolation', 'baseDir'] as const),
  ...(['limits', 'budget', 'resources', 'executionMode', 'inputs', 'output', 'evidence'] as const),
] satisfies readonly (keyof AgentDefinition)[]

/** A word for tools of any name, as opencode has them: servers' tools are meant, and those have rules of their own. */
function unsayable({ permissions }: AgentDefinition): readonly string[] {
  const texts = new Set([...(permissions?.deny ?? []), ...(permissions?.ask ?? [])].map(({ text }) => text))
  return [...texts].filter(text => /^[^\s()]*\*[^\s()]*$/.test(text) && texts.has(`mcp__${text}`))
}

function without({ permissions, ...agent }: AgentDefinition, texts: readonly string[]): AgentDefinition {
  const rest = (rules: readonly PermissionRule[] = []) => rules.filter(({ text }) => !texts.includes(text))
  return {
    ...agent,
    permissions: { allow: rest(permissions?.allow), ask: rest(permissions?.ask), deny: rest(permissions?.deny) },
  }
}
