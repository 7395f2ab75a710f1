/** The names of built-in agents: a file that takes one stands in for it, so it has to be meant. */
import { builtInAgents } from '../../../adapters/sources/built-in-agents.js'
import { createCatalog } from '../../../core/catalog/catalog.js'
import { printable } from './output.js'

/** Why no file is made under this name unless `--force` says so: a built-in agent answers to it, or to another spelling. */
export async function whyTaken(name: string): Promise<string | undefined> {
  const { agents } = await builtInAgents().load()
  const agent = createCatalog(agents).find(name)
  return (
    agent &&
    `"${printable(name)}" is a name of the built-in agent ${agent.name}, and the file would replace it here. Choose another name; --force makes the file all the same.`
  )
}
