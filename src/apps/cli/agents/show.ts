/** `agents show NAME`: one definition, as it was read. */

import type { Catalog, CatalogEntry } from '../../../core/catalog/catalog.js'
import { rankByLikeness } from '../../../core/text/nearest.js'
import { columns } from '../../session/columns.js'
import {
  type AgentsOutput,
  diagnosticText,
  json,
  type Output,
  placeOf,
  printable,
  styleOf,
  toolsText,
} from './output.js'

export async function showAgent(
  name: string,
  options: { readonly json?: boolean },
  deps: AgentsOutput,
): Promise<number> {
  const { catalog } = await deps.loadAgents()
  const entry = catalog.lookup(name)
  if (!entry) return unknownAgent(name, catalog, deps)
  const { agent } = entry
  const diagnostics = catalog.diagnostics.filter(each => each.file !== undefined && each.file === agent.source.path)
  if (options.json) json(deps, { state: entry.state, agent, diagnostics })
  else {
    const style = styleOf(deps)
    deps.write(`${style('bold', agent.name)}${agent.displayName ? ` (${agent.displayName})` : ''}\n`)
    if (agent.description) deps.write(`${printable(agent.description)}\n`)
    deps.write(`\n${columns(rowsOf(entry, deps).map(([key, value]) => [style('dim', key), printable(value)]))}`)
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

function rowsOf(entry: CatalogEntry, deps: Output): readonly (readonly [string, string])[] {
  const { agent } = entry
  const { limits, sampling } = agent
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['state', entry.state === 'quarantined' ? `quarantined: ${agent.quarantine}` : entry.state],
    ['from', placeOf(agent, deps.cwd)],
    ['dialect', agent.dialect],
    ['replaces', entry.replaces.map(each => placeOf(each, deps.cwd)).join(', ') || undefined],
    ['aliases', agent.aliases?.join(', ')],
    ['extends', agent.extends],
    ['tools', toolsText(agent)],
    [
      'may delegate',
      agent.canSpawn === undefined
        ? 'no'
        : agent.canSpawn === true
          ? 'yes'
          : agent.canSpawn === false
            ? 'no'
            : `to ${agent.canSpawn.join(', ')}`,
    ],
    ['permissions', [agent.permissionMode, agent.approvalMode].filter(Boolean).join(', ') || undefined],
    ['rules', rulesText(agent.permissions)],
    ['model', agent.model?.join(', ') ?? 'inherit'],
    [
      'sampling',
      sampling &&
        Object.entries(sampling)
          .map(([key, value]) => `${key} ${value}`)
          .join(', '),
    ],
    ['limits', limits && limitsText(limits)],
    [
      'inputs',
      agent.inputs?.map(field => `${field.name}: ${field.type}${field.isRequired ? ' (required)' : ''}`).join(', '),
    ],
    ['output', agent.output && `${agent.output.name}${agent.output.schema ? ' (with a schema)' : ''}`],
    ['fork', agent.forkContext],
    ['skills', agent.skills?.join(', ')],
    ['servers', agent.mcpServers?.map(server => (typeof server === 'string' ? server : server.name)).join(', ')],
    ['hooks', agent.hooks === undefined ? undefined : Object.keys(agent.hooks as object).join(', ')],
    ['other keys', agent.extra && Object.keys(agent.extra).join(', ')],
  ]
  return rows.flatMap(([key, value]) => (value === undefined || value === '' ? [] : [[key, value] as const]))
}

function rulesText(rules: CatalogEntry['agent']['permissions']): string | undefined {
  if (!rules) return undefined
  return (['deny', 'ask', 'allow'] as const)
    .filter(list => rules[list].length > 0)
    .map(list => `${list} ${rules[list].map(rule => rule.text).join(', ')}`)
    .join('; ')
}

function limitsText(limits: NonNullable<CatalogEntry['agent']['limits']>): string {
  return [
    limits.maxTurns === undefined ? '' : `${limits.maxTurns} turns`,
    limits.timeoutMs === undefined ? '' : `${limits.timeoutMs / 1000} s`,
    limits.graceMs === undefined ? '' : `grace ${limits.graceMs / 1000} s`,
    limits.resultBytes === undefined ? '' : `report of ${limits.resultBytes} bytes`,
  ]
    .filter(Boolean)
    .join(', ')
}
