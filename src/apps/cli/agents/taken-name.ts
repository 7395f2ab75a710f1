/** Names that agents have already: a file that takes one stands in for it, so it has to be meant. */
import { builtInAgents } from '../../../adapters/sources/built-in-agents.js'
import { createCatalog } from '../../../core/catalog/catalog.js'
import { looseKey } from '../../../core/text/nearest.js'
import { type AgentsOutput, printable, shortPath } from './output.js'

/**
 * Why no file is made under this name unless `--force` says so: an agent answers to it, or to another spelling.
 * `isBeside`: a file the new one may stand beside.
 */
export async function whyTaken(
  name: string,
  { loadAgents, cwd }: AgentsOutput,
  isBeside: (path: string) => boolean = () => false,
): Promise<string | undefined> {
  const { agents } = await builtInAgents().load()
  const builtIn = createCatalog(agents).find(name)
  if (builtIn) return `"${printable(name)}" is a name of the built-in agent ${builtIn.name}, and ${replaced}`
  const { catalog } = await loadAgents()
  const paths = catalog.all().flatMap(({ agent }) => {
    const isSame = looseKey(agent.name) === looseKey(name) && agent.source.scope !== 'plugin'
    return isSame && agent.source.path !== undefined ? [agent.source.path] : []
  })
  const [path] = paths.some(isBeside) ? [] : paths
  return path && `"${printable(name)}" is the agent of ${shortPath(path, cwd)}, and ${replaced}`
}

const replaced = 'the file would stand in for it here. Choose another name; --force makes the file all the same.'
