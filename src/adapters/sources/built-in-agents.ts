/**
 * The agents that come with the package. The build compiles `agents/*.md` to `dist/agents.json`, so that a start needs
 * no parser; from a checkout the files themselves are read.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentDefinition } from '../../core/agent-definition.js'
import type { Source } from '../../core/ports.js'
import { compiledFile, packageRoot } from '../os/package-root.js'

export function builtInAgents(): Source {
  return { load: async () => ({ agents: await loadBuiltIns(), diagnostics: [] }) }
}

async function loadBuiltIns(): Promise<readonly AgentDefinition[]> {
  const root = packageRoot()
  const compiled = compiledFile('agents.json')
  const place = (agent: AgentDefinition) => ({
    ...agent,
    systemPrompt: agent.systemPrompt.replaceAll('{{docs}}', join(root, 'docs')),
  })
  if (compiled) return (JSON.parse(readFileSync(compiled, 'utf8')) as readonly AgentDefinition[]).map(place)
  const [{ readBuiltIns }, { parsers }] = await Promise.all([import('./read-built-ins.js'), import('./parsers.js')])
  const readings = readBuiltIns(join(root, 'agents'), parsers)
  return readings.flatMap(reading => reading.agents.flatMap(each => each.agent ?? [])).map(place)
}

/** The manual that comes with the package: what `guide` answers from. It lies outside every workspace. */
export function manualFor(agent: AgentDefinition | undefined): readonly string[] {
  return agent?.name === 'guide' && agent.source.scope === 'built-in' ? [join(packageRoot(), 'docs')] : []
}
