/** What the command line says about agents: further ones (`--agents`), and changes to the one we are ourselves. */

import type { AgentDefinition, AgentSource, ToolGrant } from '../../core/agent-definition.js'
import type { FileReading } from '../../core/agent-file/read-agent-file.js'
import { isPersonalSource } from '../../core/catalog/personal-source.js'
import type { JsonSchema } from '../../core/message.js'
import { parsePermissionRule } from '../../core/permission/permission-rule.js'
import type { Diagnostic } from '../../core/ports.js'
import type { JsonObject } from './json-argument.js'

const source = { scope: 'command-line', isTrusted: true } as const

export interface CommandLineAgents {
  readonly agents: readonly AgentDefinition[]
  /** What is wrong with those that can be used all the same. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Claude Code's shape: `{"reviewer": {"description": …, "prompt": …, "tools": […]}}`. */
export async function readCommandLineAgents(
  given: JsonObject,
): Promise<CommandLineAgents | { readonly fault: string }> {
  const [{ readAgentFile }, { parsers }] = await Promise.all([
    import('../../core/agent-file/read-agent-file.js'),
    import('../../adapters/sources/parsers.js'),
  ])
  const agents: AgentDefinition[] = []
  const diagnostics: Diagnostic[] = []
  for (const [name, about] of Object.entries(given)) {
    if (typeof about !== 'object' || about === null) return { fault: `--agents: "${name}" must be an object.` }
    const { prompt, ...rest } = about as JsonObject
    const content = JSON.stringify({ ...rest, name, ...(prompt !== undefined && { systemPrompt: prompt }) })
    const reading = readAgentFile({ path: '--agents.json', content, source }, parsers)
    const agent = reading.agents[0]?.agent
    if (!agent || reading.state === 'quarantined' || reading.state === 'not-an-agent') {
      return { fault: `--agents: "${name}" cannot be used: ${whyNot(reading, about as JsonObject)}.` }
    }
    agents.push(agent)
    for (const { code, severity, message, hint } of reading.diagnostics)
      diagnostics.push({ code, severity, message: `"${name}": ${message}`, ...(hint && { hint }), file: '--agents' })
  }
  return { agents, diagnostics }
}

function whyNot({ state, diagnostics }: FileReading, about: JsonObject): string {
  const keys = Object.keys(about).map(key => `"${key}"`)
  if (state === 'not-an-agent')
    return `an agent has a "description" and a "prompt"; this has ${keys.length > 0 ? keys.join(', ') : 'neither'}`
  return diagnostics.map(({ message, hint }) => (hint ? `${message} (${hint})` : message)).join('; ')
}

export interface RootChanges {
  readonly appendSystemPrompt?: string
  readonly outputSchema?: JsonSchema
  readonly disallowedTools?: readonly string[]
}

/** The agent we are, as the command line wants it. Only narrows what it may do. */
export function changeRoot(agent: AgentDefinition, changes: RootChanges): AgentDefinition {
  const { appendSystemPrompt, outputSchema, disallowedTools = [] } = changes
  return {
    ...agent,
    source: changedSource(agent.source),
    ...(appendSystemPrompt && { systemPrompt: `${agent.systemPrompt}\n\n${appendSystemPrompt}` }),
    ...(outputSchema && { output: { name: 'result', schema: outputSchema }, completion: 'explicit' as const }),
    ...(disallowedTools.length > 0 && {
      disallowedTools: [...(agent.disallowedTools ?? []), ...disallowedTools.flatMap(grantOf)],
    }),
  }
}

/** Words of the command line do not make the rest of a project's file the person's own. */
function changedSource(source: AgentSource): AgentSource {
  if (source.scope === 'managed') return source
  return { ...source, scope: 'command-line', ...(!isPersonalSource(source) && { isForeign: true }) }
}

function grantOf(text: string): readonly ToolGrant[] {
  const rule = parsePermissionRule(text)
  if ('fault' in rule) return []
  return [{ name: rule.tool, ...(rule.pattern !== undefined && { pattern: rule.pattern }) }]
}
