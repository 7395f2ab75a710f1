/** `agents show NAME`: one definition, as it was read. */

import type { LoadedAgents } from '../../../adapters/sources/agents-on-disk.js'
import type { CatalogEntry } from '../../../core/catalog/catalog.js'
import type { Diagnostic } from '../../../core/ports.js'
import { rankByLikeness } from '../../../core/text/nearest.js'
import { visible } from '../../../core/text/shell-word.js'
import { withLine } from './file-lines.js'
import {
  type AgentsOutput,
  type AllAgents,
  diagnosticText,
  json,
  type Output,
  paragraph,
  placeOf,
  printable,
  sayPluginsOff,
  styleOf,
  table,
} from './output.js'
import { definitionRows } from './show-rows.js'

export async function showAgent(
  name: string,
  options: { readonly json?: boolean },
  deps: AgentsOutput,
): Promise<number> {
  const loaded = await deps.loadAgents()
  const { catalog } = loaded
  const entry = catalog.lookup(name)
  if (!entry) return unknownAgent(name, loaded, deps)
  const { agent } = entry
  const isOfFile = (each: Diagnostic) => each.file !== undefined && each.file === agent.source.path
  const diagnostics = catalog.diagnostics.filter(isOfFile).map(withLine)
  if (options.json) json(deps, { state: entry.state, agent, diagnostics })
  else if (isUnread(entry, loaded)) {
    deps.warn(`offshoot: Of "${printable(agent.name)}" nothing is known, and it will not run:\n`)
    for (const each of diagnostics) deps.warn(diagnosticText(each, deps))
  } else {
    const style = styleOf(deps)
    deps.write(`${style('bold', agent.name)}${agent.displayName ? ` (${agent.displayName})` : ''}\n`)
    if (agent.description) deps.write(paragraph(deps, printable(agent.description)))
    deps.write(
      `\n${table(
        deps,
        rowsOf(entry, deps).map(([key, value]) => [style('dim', key), visible(value)]),
      )}`,
    )
    deps.write(`\n${printable(agent.systemPrompt) || style('dim', '(no system prompt)')}\n`)
    for (const each of diagnostics) deps.warn(diagnosticText(each, deps))
  }
  return entry.state === 'quarantined' ? 1 : 0
}

/** Its file could not be read so far, and holds the name. */
const isUnread = ({ agent }: CatalogEntry, { files }: LoadedAgents): boolean =>
  files.some(({ reading }) => reading.path === agent.source.path && reading.holds?.includes(agent.name) === true)

export function unknownAgent(name: string, loaded: AllAgents, deps: Output): number {
  // Those that cannot run, too: they may be what somebody looks into.
  const names = new Set(loaded.catalog.all().map(({ agent }) => agent.name))
  const near = rankByLikeness(name, [...names]).slice(0, mostNear)
  const guess = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  deps.warn(`offshoot: There is no agent "${printable(name)}".${guess} "offshoot agents list --all" shows them.\n`)
  sayPluginsOff(loaded, deps)
  return 2
}

const mostNear = 3

function rowsOf({ agent, ...entry }: CatalogEntry, deps: Output): readonly (readonly [string, string])[] {
  const said = { ...agent, canSpawn: agent.canSpawn ?? false, model: agent.model?.length ? agent.model : ['inherit'] }
  const replaced = entry.replaces.map(each => placeOf(each, deps.cwd)).join(', ')
  return [
    ['state', entry.state === 'quarantined' ? `quarantined: ${agent.quarantine}` : entry.state],
    ['from', placeOf(agent, deps.cwd)],
    ...(replaced === '' ? [] : [['replaces', replaced] as const]),
    ...definitionRows(said),
  ]
}
