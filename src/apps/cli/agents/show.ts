/** `agents show NAME`: one definition, as it was read. */

import type { Catalog, CatalogEntry } from '../../../core/catalog/catalog.js'
import type { Diagnostic } from '../../../core/ports.js'
import { rankByLikeness } from '../../../core/text/nearest.js'
import { visible } from '../../../core/text/shell-word.js'
import { columns } from '../../session/columns.js'
import { withLine } from './file-lines.js'
import { type AgentsOutput, diagnosticText, json, type Output, placeOf, printable, styleOf } from './output.js'
import { definitionRows } from './show-rows.js'

export async function showAgent(
  name: string,
  options: { readonly json?: boolean },
  deps: AgentsOutput,
): Promise<number> {
  const { catalog } = await deps.loadAgents()
  const entry = catalog.lookup(name)
  if (!entry) return unknownAgent(name, catalog, deps)
  const { agent } = entry
  const isOfFile = (each: Diagnostic) => each.file !== undefined && each.file === agent.source.path
  const diagnostics = catalog.diagnostics.filter(isOfFile).map(withLine)
  if (options.json) json(deps, { state: entry.state, agent, diagnostics })
  else {
    const style = styleOf(deps)
    deps.write(`${style('bold', agent.name)}${agent.displayName ? ` (${agent.displayName})` : ''}\n`)
    if (agent.description) deps.write(`${printable(agent.description)}\n`)
    deps.write(`\n${columns(rowsOf(entry, deps).map(([key, value]) => [style('dim', key), visible(value)]))}`)
    deps.write(`\n${printable(agent.systemPrompt) || style('dim', '(no system prompt)')}\n`)
    for (const each of diagnostics) deps.warn(diagnosticText(each, deps))
  }
  return entry.state === 'quarantined' ? 1 : 0
}

export function unknownAgent(name: string, catalog: Catalog, deps: Output): number {
  // Those that cannot run, too: they may be what somebody looks into.
  const names = new Set(catalog.all().map(({ agent }) => agent.name))
  const near = rankByLikeness(name, [...names]).slice(0, mostNear)
  const guess = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''
  deps.warn(`offshoot: There is no agent "${printable(name)}".${guess} "offshoot agents list --all" shows them.\n`)
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
