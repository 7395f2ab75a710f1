import type { AgentDefinition } from '../agent-definition.js'
import type { Tool } from '../ports.js'
import { port, shown } from '../shape.js'
import { toolNames } from '../tools/tool-names.js'
import { type Catalog, createCatalog } from './catalog.js'

/** What a host gave, with what it left out; made again when its tools change. */
export function catalogSource(
  agents: readonly AgentDefinition[] | (() => Catalog) = [],
  tools: readonly Tool[] | (() => readonly Tool[]) = [],
): () => Catalog {
  if (typeof agents === 'function') return () => asCatalog(agents())
  const missing = fallbackAgents.filter(agent => !agents.some(given => given?.name === agent.name))
  let made: { readonly own: readonly Tool[]; readonly catalog: Catalog } | undefined
  return () => {
    const own = typeof tools === 'function' ? tools() : tools
    if (made?.own !== own)
      made = { own, catalog: createCatalog([...agents, ...missing], [], new Set(), [...namesOf(own), ...delegating]) }
    return made.catalog
  }
}

/** A list would fit the eye as well, and no compiler may have looked. */
function asCatalog(given: Catalog): Catalog {
  if (isPort(given) === undefined) return given
  throw new Error(`agents: a function must give a catalog (createCatalog(definitions)), not ${shown(given)}`)
}
const isPort = port('find', 'lookup', 'offered', 'all', 'nearest')

/** Nobody has looked at the form of the tools yet. */
const namesOf = (tools: readonly Tool[]): readonly string[] =>
  tools.flatMap(tool => {
    const name: unknown = tool?.spec?.name
    return typeof name === 'string' ? [name] : []
  })

const delegating = toolNames.filter(name => name.startsWith('Task') || name === 'AskCaller')

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
