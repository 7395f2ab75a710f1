/** Tools that come with an agent, for one run of it. */

import type { AgentDefinition } from '../../core/agent-definition.js'
import type { RunId } from '../../core/message.js'
import type { AgentTools, Tool } from '../../core/ports.js'
import type { HousePorts } from '../house-ports.js'
import { tellFailure } from '../tell-failure.js'

/** Holds them for the run, also after a crash, when nobody had opened them here yet. Whoever enters must leave. */
export async function enterAgentTools(
  { agentTools }: { readonly agentTools?: AgentTools },
  agent: AgentDefinition | undefined,
  runId: RunId,
): Promise<readonly Tool[]> {
  if (!agentTools || !agent || !hasOwnTools({ agentTools }, agent)) return []
  await agentTools.open(agent)
  agentTools.enter(agent, runId)
  return agentTools.of(agent).tools
}

export function hasOwnTools(
  { agentTools }: { readonly agentTools?: AgentTools },
  agent: AgentDefinition | undefined,
): boolean {
  return agentTools !== undefined && (agent?.mcpServers?.length ?? 0) > 0
}

/** No tool of an agent's own takes the place of one that everybody has. */
export function withOwn(tools: ReadonlyMap<string, Tool>, own: readonly Tool[]): ReadonlyMap<string, Tool> {
  if (own.length === 0) return tools
  return new Map([...own.map(tool => [tool.spec.name, tool] as const), ...tools])
}

/** Never throws: the run has ended all the same. */
export function leaveAgentTools(
  { agentTools, onError }: Pick<HousePorts, 'agentTools' | 'onError'>,
  runId: RunId,
): void {
  try {
    agentTools?.leave(runId)
  } catch (error) {
    tellFailure(onError, `the tools of run ${runId} could not be left`)(error)
  }
}
