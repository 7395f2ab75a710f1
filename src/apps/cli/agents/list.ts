/** `agents list`: what a task can go to, and with --all everything that was found and what became of it. */

import type { FileReading } from '../../../core/agent-file/read-agent-file.js'
import type { CatalogEntry } from '../../../core/catalog/catalog.js'
import { slugOf } from '../../../core/text/nearest.js'
import { visible } from '../../../core/text/shell-word.js'
import { oneLine } from '../../../core/text/text.js'
import { grantText } from '../../../core/tools/grant-text.js'
import { fitRows, heads, type ListRow } from './fit-rows.js'
import {
  type AgentsOutput,
  type AllAgents,
  json,
  openToOthers,
  placeOf,
  sayPluginsOff,
  shortPath,
  styleOf,
  table,
  toolsLeft,
  unreadText,
  whyOpen,
} from './output.js'

export interface ListOptions {
  readonly all?: boolean
  readonly json?: boolean
  readonly names?: boolean
}

export async function listAgents(options: ListOptions, deps: AgentsOutput): Promise<number> {
  const loaded = await deps.loadAgents()
  const offered = new Set(loaded.catalog.offered())
  const entries = loaded.catalog.all().filter(entry => options.all || offered.has(entry.agent))
  if (options.json)
    json(deps, {
      agents: entries.map(entry => asJson(entry, offered.has(entry.agent))),
      ...counts(loaded),
      ...(options.all && { unread: loaded.unread() }),
    })
  else if (options.names) for (const name of new Set(entries.map(wordOf))) deps.write(`${name}\n`)
  else printEntries(entries, options.all === true, loaded, deps)
  return 0
}

/** Its name as one word, which it answers to as well. */
const wordOf = ({ agent }: CatalogEntry): string => (/\s/.test(agent.name) ? slugOf(agent.name) : agent.name)

function printEntries(entries: readonly CatalogEntry[], isAll: boolean, loaded: AllAgents, deps: AgentsOutput): void {
  const style = styleOf(deps)
  const open = openToOthers(loaded)
  const rows = entries.map((entry): ListRow => {
    const { agent } = entry
    const what = entry.state === 'active' ? oneLine(agent.description ?? '', 60) : whyNot(entry, open, deps.cwd)
    return [
      visible(agent.name),
      visible(oneLine(toolsLeft(agent), 36)),
      visible(agent.model?.[0] ?? 'inherit'),
      placeOf(agent, deps.cwd),
      visible(what),
    ]
  })
  const isActive = (at: number) => entries[at]!.state === 'active'
  const [head = [], ...fitted] = deps.terminal ? fitRows(rows, deps.terminal, at => !isActive(at)) : [heads, ...rows]
  const painted = fitted.map((row, at) => [
    style(isActive(at) ? 'bold' : 'dim', row[0]!),
    ...row.slice(1, -1),
    isActive(at) ? row.at(-1)! : style('yellow', row.at(-1)!),
  ])
  if (rows.length > 0) deps.write(table(deps, [head.map(word => style('dim', word)), ...painted]))
  for (const entry of entries)
    if (entry.isWiderThanReplaced)
      deps.warn(
        `${visible(entry.agent.name)} from ${placeOf(entry.agent, deps.cwd)} has tools that the one it replaces did not have\n`,
      )
  const { untrusted, quarantined } = counts(loaded)
  const isOpen = ({ agent, state }: CatalogEntry) => state === 'untrusted' && open.has(agent.source.path ?? '')
  const writable = loaded.catalog.all().filter(isOpen).length
  if (!isAll && writable > 0)
    deps.warn(`${writable} of your own not trusted: ${whyOpen}; "offshoot agents lint" says where\n`)
  if (!isAll && untrusted > writable)
    deps.warn(
      `${untrusted - writable} not trusted yet: look at them with "offshoot agents list --all", then "offshoot trust"\n`,
    )
  if (!isAll && quarantined > 0) deps.warn(`${quarantined} quarantined: "offshoot agents lint" says why\n`)
  sayPluginsOff(loaded, deps)
  if (isAll) {
    for (const { reading } of loaded.files) {
      if (!isNameless(reading)) continue
      deps.write(
        `${shortPath(reading.path, deps.cwd)}: ${style('yellow', `quarantined: ${visible(reading.diagnostics.at(-1)?.message ?? '')}`)}\n`,
      )
    }
    deps.write(unreadText(loaded, deps.cwd))
  }
}

function whyNot(entry: CatalogEntry, open: ReadonlySet<string>, cwd: string): string {
  if (entry.state === 'quarantined') return `quarantined: ${entry.agent.quarantine}`
  if (entry.shadowedBy && entry.state === 'shadowed') return `shadowed by ${placeOf(entry.shadowedBy, cwd)}`
  return entry.state === 'untrusted' && open.has(entry.agent.source.path ?? '') ? `untrusted: ${whyOpen}` : entry.state
}

/** Stable for programs: keys are only ever added. */
function asJson(entry: CatalogEntry, isOffered: boolean): object {
  const { agent } = entry
  return {
    name: agent.name,
    ...(agent.displayName === undefined ? {} : { displayName: agent.displayName }),
    description: agent.description ?? null,
    state: entry.state,
    isOffered,
    tools: agent.tools === 'all' ? 'all' : agent.tools.map(grantText),
    disallowedTools: (agent.disallowedTools ?? []).map(grantText),
    canSpawn: agent.canSpawn ?? false,
    model: agent.model ?? ['inherit'],
    dialect: agent.dialect ?? null,
    scope: agent.source.scope,
    path: agent.source.path ?? null,
    isTrusted: agent.source.isTrusted,
    replaces: entry.replaces.map(each => each.source.path ?? each.source.scope),
    isWiderThanReplaced: entry.isWiderThanReplaced,
    ...(agent.quarantine === undefined ? {} : { quarantine: agent.quarantine }),
  }
}

function counts(loaded: AllAgents): { readonly untrusted: number; readonly quarantined: number } {
  const entries = loaded.catalog.all()
  const untrusted = entries.filter(entry => entry.state === 'untrusted').length
  const quarantined =
    entries.filter(entry => entry.state === 'quarantined').length +
    loaded.files.filter(({ reading }) => isNameless(reading)).length
  return { untrusted, quarantined }
}

/** Of a file that could not be read, and whose name no agent can have, there is no entry. */
const isNameless = ({ state, agents, holds = [] }: FileReading): boolean =>
  state === 'quarantined' && holds.length === 0 && !agents.some(({ agent }) => agent)
