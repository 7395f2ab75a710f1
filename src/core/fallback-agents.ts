import type { AgentDefinition } from './agent-definition.js'
import { type Catalog, createCatalog } from './catalog.js'

/** What a host gave, with what it left out. */
export function catalogSource(agents: readonly AgentDefinition[] | (() => Catalog) = []): () => Catalog {
  if (typeof agents === 'function') return agents
  const missing = fallbackAgents.filter(agent => !agents.some(given => given?.name === agent.name))
  const catalog = createCatalog([...agents, ...missing])
  return () => catalog
}

/** What a host without definitions of its own still needs: somebody to talk to, and somebody to hand work to. */
const fallbackAgents: readonly AgentDefinition[] = [
  {
    name: 'main',
    systemPrompt:
      'You are the main agent. Do what the user asks; hand work that stands on its own to other agents with Task.',
    tools: 'all',
    canSpawn: true,
    source: { scope: 'built-in', isTrusted: true },
  },
  {
    name: 'general-purpose',
    description: 'Any task that has several steps and no better-suited agent.',
    systemPrompt:
      'You carry out the task you are given with the tools you have, then report what you did and what you found.',
    tools: 'all',
    source: { scope: 'built-in', isTrusted: true },
  },
]
