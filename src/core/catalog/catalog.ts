/**
 * Which definition wins.
 * R1 scopes, highest first: managed, command line, project, user, plugin, built-in. Inside a scope the order given
 *    decides (a source gives the nearest folder first, then sorted paths). What no reader of files has made was given by
 *    hand: beside files it stands with the command line, whatever it says.
 * R2 an untrusted definition never takes a name away from a trusted one: a repository nobody trusts cannot switch off a
 *    built-in.
 * R3 a trusted quarantined or disabled definition keeps its name, in its own scope too: a wider one further up the
 *    project would stand in for what was only damaged.
 * R4 a name is one name however it is spelt: rank comes before spelling, which decides inside a folder only. `off-one` of
 *    the user does not step in for a project's `Off One`.
 * R5 lookup: exact name, then ignoring case and separators, then aliases, then the last part of a plugin's name. An alias
 *    takes no other from anybody: not a name, not an alias of ours, not one of whoever comes first by R1; and those nobody
 *    trusts come last.
 * R6 what an agent extends is the first by R1 and R4 of the name, or of an alias where nobody has the name; if that one
 *    cannot run, neither can its heir. Untrusted ones of the heir's own scope count as well: a base that changed since it
 *    was trusted must not be stood in for by a wider one from elsewhere.
 */

import type { AgentDefinition, AgentScope } from '../agent-definition.js'
import { once } from '../once.js'
import type { Diagnostic } from '../ports.js'
import { looseKey, rankByLikeness, slugOf } from '../text/nearest.js'
import { definitionFaults } from './definition-faults.js'
import { placeOf, resolveBase } from './resolve-base.js'

/** The agents of a moment, by name. */
export interface Catalog {
  /** What has this name; never a quarantined definition. It may be untrusted or disabled: check before use. */
  find(name: string): AgentDefinition | undefined
  /** The same with the reason when nothing runs. */
  lookup(name: string): CatalogEntry | undefined
  /** Trusted, enabled, described, not hidden: what the Task tool lists, in a stable order. */
  offered(): readonly AgentDefinition[]
  /** Every definition, the ones that lost included; by name, winners first. */
  all(): readonly CatalogEntry[]
  /** Names that can be used, the likeliest first. */
  nearest(name: string): readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/** A definition, and whether it can run. */
export interface CatalogEntry {
  readonly agent: AgentDefinition
  /** `shadowed`: another definition has the name. */
  readonly state: 'active' | 'shadowed' | 'disabled' | 'untrusted' | 'quarantined'
  readonly shadowedBy?: AgentDefinition
  /** Definitions this one takes the name from, the next in line first. */
  readonly replaces: readonly AgentDefinition[]
  /** Replaces a definition that had fewer tools: worth a second look. */
  readonly isWiderThanReplaced: boolean
}

/**
 * Puts definitions in order: who has a name, what extends what. Never throws: what is wrong is in `diagnostics`, and
 * such a definition will not run. `read`: those that a reader of agent files has made, whose form is known. `tools`: the
 * names of those there are, against which the denies of all others are held.
 */
export function createCatalog(
  agents: readonly AgentDefinition[],
  diagnostics: readonly Diagnostic[] = [],
  read: ReadonlySet<AgentDefinition> = new Set(),
  tools: readonly string[] = [],
): Catalog {
  const found: Diagnostic[] = []
  const order = new Order()
  const placed = agents.map((agent, i) =>
    read.has(agent) ? order.place(agent, false) : order.place(sound(agent, i, tools, found), true),
  )
  const ranked = placed.sort(order.compare)
  const isHeir = (agent: AgentDefinition) => agent.extends !== undefined
  const bases: Bases = ranked.some(isHeir) ? gather(ranked, agent => looseKey(agent.name)) : new Map()
  const basesOf = (name: string) =>
    bases.get(looseKey(name)) ??
    ranked.filter(agent => aliasesOf(agent).some(alias => looseKey(alias) === looseKey(name)))
  const names = once(() => ranked.map(agent => agent.name))
  const resolved = ranked.map(agent =>
    isHeir(agent) ? order.follow(resolveBase(agent, basesOf(agent.extends!), names, found), agent) : agent,
  )
  const entries = entriesOf(resolved, found)
  reportLookalikes(entries, found)
  const index = indexOf(entries, order, found)
  const lookup = (name: string) => index.get(name) ?? index.get(`~${looseKey(name)}`)
  const usable = entries
    .filter(entry => entry.state === 'active' && !entry.agent.isHidden && !entry.agent.isForPeople)
    .map(entry => entry.agent)
  const offered = usable.filter(agent => agent.description !== undefined && agent.description !== '')
  return {
    lookup,
    find: name => {
      const entry = lookup(name)
      return entry === undefined || entry.state === 'quarantined' ? undefined : entry.agent
    },
    offered: () => offered,
    all: () => entries,
    nearest: name =>
      rankByLikeness(
        name,
        usable.map(agent => agent.name),
      ).slice(0, maxNearest),
    diagnostics: [...diagnostics, ...found],
  }
}

/** A definition of the wrong form keeps its name and will not run; all others do. */
function sound(agent: AgentDefinition, index: number, tools: readonly string[], found: Diagnostic[]): AgentDefinition {
  const faults = definitionFaults(agent, tools)
  if (faults.length === 0) return agent
  const given = (agent ?? {}) as Partial<Record<keyof AgentDefinition, unknown>>
  const name =
    typeof given.name === 'string' && given.name.trim() !== '' ? given.name : `agent ${index + 1} of the list`
  const isPlaced = !faults.some(fault => fault.startsWith('source'))
  const quarantine = faults.join('; ')
  found.push({
    code: 'definition-malformed',
    severity: 'error',
    message: `agent "${name}" is quarantined: ${quarantine}`,
  })
  return {
    name,
    source:
      isPlaced && given.source
        ? (given.source as AgentDefinition['source'])
        : { scope: 'command-line', isTrusted: true },
    systemPrompt: '',
    tools: [],
    quarantine,
  }
}

const maxNearest = 5
const scopes: readonly AgentScope[] = ['managed', 'command-line', 'project', 'user', 'plugin', 'built-in']

/** R1, by number: the lowest comes first. */
class Order {
  readonly #places = new Map<AgentDefinition, number>()

  place(agent: AgentDefinition, isGiven: boolean): AgentDefinition {
    const place = scopeOf(agent)
    this.#places.set(agent, isGiven ? Math.min(place, scopes.indexOf('command-line')) : place)
    return agent
  }

  /** It stands where that one stood. */
  follow(agent: AgentDefinition, before: AgentDefinition): AgentDefinition {
    this.#places.set(agent, this.#placeOf(before))
    return agent
  }

  readonly compare = (a: AgentDefinition, b: AgentDefinition): number =>
    this.#placeOf(a) - this.#placeOf(b) || scopeOf(a) - scopeOf(b)

  #placeOf(agent: AgentDefinition): number {
    return this.#places.get(agent) ?? scopeOf(agent)
  }
}

const scopeOf = ({ source }: AgentDefinition): number => scopes.indexOf(source.scope)

function entriesOf(ranked: readonly AgentDefinition[], found: Diagnostic[]): readonly CatalogEntry[] {
  const rounds = [...gather(ranked, agent => looseKey(agent.name)).values()].flatMap(roundsOf)
  return rounds.sort(([a], [b]) => byUnits(a.name, b.name)).flatMap(round => settle(round, found))
}

/** Who won, and those it won against. */
type Round = readonly [winner: AgentDefinition, ...losers: AgentDefinition[]]

/** Of all who have a name in whatever spelling: one round, or one for each spelling in the folder of the first (R4). */
function roundsOf(rivals: readonly AgentDefinition[]): readonly Round[] {
  const [first] = rivals
  if (first === undefined || rivals.length === 1) return first === undefined ? [] : [[first]]
  const winner = rivals.find(agent => agent.source.isTrusted) ?? first
  const beside = rivals.filter(agent => isBeside(agent, winner) && agent.source.isTrusted === winner.source.isTrusted)
  const winners = [...gather(beside, agent => agent.name).values()].map(([each]) => each!)
  const winnerOf = (loser: AgentDefinition) => winners.find(each => each.name === loser.name) ?? winner
  const losers = rivals.filter(agent => !winners.includes(agent))
  return winners.map((each): Round => [each, ...losers.filter(loser => winnerOf(loser) === each)])
}

const isBeside = ({ source }: AgentDefinition, other: AgentDefinition): boolean =>
  source.scope === other.source.scope && source.folder === other.source.folder

const byUnits = (a: string, b: string): number => (a < b ? -1 : 1)

function gather(ranked: readonly AgentDefinition[], keyOf: (agent: AgentDefinition) => string) {
  const lists = new Map<string, AgentDefinition[]>()
  for (const agent of ranked) {
    const key = keyOf(agent)
    const known = lists.get(key)
    if (known) known.push(agent)
    else lists.set(key, [agent])
  }
  return lists
}

function settle([winner, ...losers]: Round, found: Diagnostic[]): readonly CatalogEntry[] {
  for (const loser of losers) reportRivalry(winner, loser, found)
  const replaces = losers.filter(agent => agent.source.isTrusted && agent.quarantine === undefined)
  const first: CatalogEntry = {
    agent: winner,
    state: stateOf(winner),
    replaces,
    isWiderThanReplaced: replaces[0] !== undefined && isWider(winner, replaces[0]),
  }
  const rest = losers.map(agent => ({
    agent,
    state: agent.quarantine === undefined ? (agent.source.isTrusted ? 'shadowed' : 'untrusted') : 'quarantined',
    shadowedBy: winner,
    replaces: [],
    isWiderThanReplaced: false,
  }))
  return [first, ...(rest as CatalogEntry[])]
}

function stateOf(agent: AgentDefinition): CatalogEntry['state'] {
  if (agent.quarantine !== undefined) return 'quarantined'
  if (!agent.source.isTrusted) return 'untrusted'
  return agent.isDisabled ? 'disabled' : 'active'
}

function reportRivalry(winner: AgentDefinition, loser: AgentDefinition, found: Diagnostic[]): void {
  if (loser.source.scope === 'built-in' || loser.quarantine !== undefined) return
  const isSameFolder = isBeside(winner, loser)
  const place = placeOf(winner)
  const which = winner.quarantine === undefined ? 'which is the one used' : 'which comes first and will not run'
  found.push({
    code: isSameFolder ? 'duplicate-name' : 'shadowed',
    severity: isSameFolder ? 'warning' : 'info',
    message:
      isSameFolder && winner.source.path === undefined
        ? `agent "${loser.name}" is given twice for ${place}, and the other definition is the one used`
        : `agent "${loser.name}" is also defined by ${place}, ${which}`,
    hint: isSameFolder ? 'rename one of the two' : `remove ${place} to use this one`,
    ...(loser.source.path === undefined ? {} : { file: loser.source.path }),
  })
}

/** `Brand Guardian` and `brand-guardian` are two agents, and whoever names one in passing gets the first. */
function reportLookalikes(entries: readonly CatalogEntry[], found: Diagnostic[]): void {
  const first = new Map<string, AgentDefinition>()
  for (const { agent, state } of entries) {
    if (state === 'shadowed' || state === 'untrusted') continue
    const key = `${agent.source.scope} ${looseKey(agent.name)}`
    const other = first.get(key)
    if (other === undefined) first.set(key, agent)
    else
      found.push({
        code: 'duplicate-name',
        severity: 'warning',
        message: `agent "${agent.name}" differs from "${other.name}" (${placeOf(other)}) by its spelling alone`,
        hint: 'rename one of the two',
        ...(agent.source.path === undefined ? {} : { file: agent.source.path }),
      })
  }
}

/** A comparison of names only: patterns and permissions are not weighed. */
function isWider(agent: AgentDefinition, than: AgentDefinition): boolean {
  if (than.tools === 'all') return false
  if (agent.tools === 'all') return true
  const had = new Set(than.tools.map(grant => grant.name))
  return agent.tools.some(grant => !had.has(grant.name))
}

/** Exact names as they are; loose ones behind `~`. The first to claim a key keeps it. */
function indexOf(
  entries: readonly CatalogEntry[],
  order: Order,
  found: Diagnostic[],
): ReadonlyMap<string, CatalogEntry> {
  const index = new Map<string, CatalogEntry>()
  const winners = entries.filter(entry => entry.shadowedBy === undefined)
  const byRank = winners.sort((a, b) => order.compare(a.agent, b.agent))
  for (const isTrusted of [true, false])
    claimNames(
      byRank.filter(({ agent }) => agent.source.isTrusted === isTrusted),
      index,
      found,
    )
  return index
}

function claimNames(byRank: readonly CatalogEntry[], index: Map<string, CatalogEntry>, found: Diagnostic[]): void {
  const claim = (key: string, entry: CatalogEntry) => {
    const first = index.get(key) ?? entry
    index.set(key, first)
    return first
  }
  const isOthers = (name: string) => index.has(`~${looseKey(name)}`)
  for (const entry of byRank.filter(({ agent }) => !isOthers(agent.name))) claim(entry.agent.name, entry)
  for (const entry of byRank) claim(`~${looseKey(entry.agent.name)}`, entry)
  const isOurs = ({ agent }: CatalogEntry) => agent.source.scope === 'built-in'
  for (const entry of [...byRank.filter(isOurs), ...byRank.filter(entry => !isOurs(entry))])
    for (const alias of aliasesOf(entry.agent)) {
      const owner = claim(`~${looseKey(alias)}`, entry)
      if (owner !== entry && !isOurs(entry)) reportTaken(alias, entry, owner, found)
    }
  for (const entry of byRank)
    if (entry.agent.name.includes(':')) claim(`~${looseKey(lastPartOf(entry.agent.name))}`, entry)
}

function reportTaken(alias: string, { agent }: CatalogEntry, owner: CatalogEntry, found: Diagnostic[]): void {
  const isName = looseKey(alias) === looseKey(owner.agent.name)
  const whose = isName ? 'the name of another agent' : `an alias of "${owner.agent.name}"`
  found.push({
    code: 'alias-taken',
    severity: 'warning',
    message: `agent "${agent.name}": "${alias}" is ${whose} (${placeOf(owner.agent)}) and finds that one`,
    hint: 'choose another alias, or call the agent so by its name',
    ...(agent.source.path === undefined ? {} : { file: agent.source.path }),
  })
}

/** Every name that finds an agent unless another has it first (R5). */
export function namesOf(agent: AgentDefinition): readonly string[] {
  return [...new Set([agent.name, ...aliasesOf(agent), lastPartOf(agent.name)])]
}

const none: readonly string[] = []
const lastPartOf = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

function aliasesOf(agent: AgentDefinition): readonly string[] {
  if (agent.aliases === undefined && agent.displayName === undefined) return none
  const shown = agent.displayName === undefined ? [] : [slugOf(agent.displayName)]
  return [...(agent.aliases ?? []), ...shown]
}

/** Every definition by its name without case and separators, each list in order of rank. */
type Bases = ReadonlyMap<string, readonly AgentDefinition[]>
