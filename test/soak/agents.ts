/** Who takes part in a storm, and the limits they have. */
import type { AgentDefinition } from '../../src/core/agent-definition.js'
import type { Policy } from '../../src/core/policy.js'

export const policy: Partial<Policy> = {
  defaultModel: 'soak/model',
  maxTurns: 6,
  timeoutMs: 4_000,
  graceMs: 1_000,
  stallMs: 700,
  spawnDeadlineMs: 20_000,
  maxDescendants: 14,
}

const agent = (name: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  name,
  description: `Does ${name} things.`,
  systemPrompt: `You are ${name}.`,
  tools: 'all',
  canSpawn: true,
  source: { scope: 'user', isTrusted: true },
  ...more,
})

/** `apart` and `connected` take longer to begin than the others: how, is up to the world. */
export const agentsOf = (apart: Partial<AgentDefinition>, connected: Partial<AgentDefinition>) => [
  agent('main', { limits: { timeoutMs: 8_000, maxTurns: 8 } }),
  agent('worker'),
  agent('reporter', { completion: 'explicit', canSpawn: false }),
  agent('apart', apart),
  agent('connected', { ...connected, canSpawn: false }),
]
