/** Rules from files, approvals and agents, brought together by class for one call. */

import type { PermissionRules, ToolGrant } from '../agent-definition.js'
import type { RunId } from '../message.js'
import type { CallToJudge } from '../ports.js'
import { grantText } from '../tools/grant-text.js'
import type { PermissionLink } from '../types.js'
import type { NetworkRules } from './network-policy.js'
import type { Place } from './path-policy.js'
import { type ReadyRule, type RuleGround, readyRule, type WrittenRule } from './permission-match.js'
import { startOfAgent, startOfTree } from './standpoint.js'

/** Who made a rule. */
export type RuleScope = 'managed' | 'command-line' | 'user' | 'project' | 'local' | 'session' | 'run'

/** Rules of one origin, as they are now. */
export interface RuleLayer {
  readonly scope: RuleScope
  /** The file, or what stands for one: `session`, `--allowedTools`. */
  readonly origin: string
  readonly rules: PermissionRules
  /** What `/x` in a path rule starts from; absent, the workspace's first root. */
  readonly root?: string
  /** Only for these runs: what was approved "for this run". */
  readonly runs?: readonly RunId[]
  /** Only for the trees of these roots: what was approved "for this session". */
  readonly roots?: readonly RunId[]
}

/**
 * What the rules say about hosts, for those who fetch: asked again after DNS and at each redirect. An approval (`host:`)
 * was given for a name, not for the private network that the name may lead to.
 */
export function networkRulesOf(layers: readonly RuleLayer[]): NetworkRules {
  const patterns = (kind: keyof PermissionRules) => layers.flatMap(({ rules }) => fetchPatterns(rules[kind]))
  return {
    allow: patterns('allow')
      .filter(pattern => pattern.startsWith('domain:'))
      .map(withoutWord),
    deny: patterns('deny').map(withoutWord),
  }
}

/** The same rules for one run: what its agent, those above it and its first start deny is denied there, too. */
export function narrowedNetwork(rules: NetworkRules, chain: readonly PermissionLink[] = []): NetworkRules {
  const denied = chain.flatMap(({ rules: own, given, refusals }) => [
    ...fetchPatterns(own.deny),
    ...fetchPatterns(given?.deny ?? []),
    ...fetchPatterns(refusals.map(({ name, pattern }) => ({ tool: name, pattern }))),
  ])
  return denied.length === 0 ? rules : { ...rules, deny: [...rules.deny, ...denied.map(withoutWord)] }
}

const fetchPatterns = (rules: readonly { readonly tool: string; readonly pattern?: string | undefined }[]) =>
  rules.flatMap(({ tool, pattern }) => (tool === 'WebFetch' && pattern !== undefined ? [pattern] : []))

const withoutWord = (pattern: string): string => pattern.replace(/^(domain|host):/, '').trim()

/** Each class in an order that does not depend on how its rules were written down. */
export interface RulesByClass {
  readonly deny: readonly ReadyRule[]
  readonly ask: readonly ReadyRule[]
  readonly allow: readonly ReadyRule[]
  /** Tools this agent was granted by name, with or without a pattern. */
  readonly grants: readonly ReadyRule[]
}

/** For each agent of a chain the layers' rules and its own. */
export function rulesOfChain(
  chain: readonly PermissionLink[],
  { runId, rootId = runId, brief: { agent, cwd, path } }: Pick<CallToJudge, 'runId' | 'rootId' | 'brief'>,
  { layers, place }: { readonly layers: readonly RuleLayer[]; readonly place: Place },
): readonly RulesByClass[] {
  const live = layers.filter(({ runs, roots }) => (!runs || runs.includes(runId)) && (!roots || roots.includes(rootId)))
  const count = { rules: 0 }
  const shared = rulesOfLayers(live, { place, start: startOfTree(place, cwd), count })
  return chain.map(link =>
    rulesOfLink(link, shared, { place, start: startOfAgent(link.agent, path, place), count }, { agent, begun: cwd }),
  )
}

function rulesOfLayers(live: readonly RuleLayer[], ground: RuleGround): RulesByClass {
  const of = (kind: keyof PermissionRules) =>
    live.flatMap(({ rules, origin, root: projectRoot }) => {
      const here = { ...ground, projectRoot }
      return inOrder(rules[kind]).map(rule => readyRule(rule, origin, kind !== 'allow', here))
    })
  return { deny: of('deny'), ask: of('ask'), allow: of('allow'), grants: [] }
}

/**
 * An agent's own rules after those of the layers; what was taken from it is a deny. `agent`: whose call it is. What forbids
 * counts also from where the tree was begun: a house that stands elsewhere may go on with it.
 */
function rulesOfLink(
  link: PermissionLink,
  layers: RulesByClass,
  ground: RuleGround,
  { agent, begun }: { readonly agent: string; readonly begun: string | undefined },
): RulesByClass {
  const origin = `agent ${link.agent}`
  const onGround = (rule: WrittenRule, from: string, forbids: boolean) =>
    readyRule(rule, from, forbids, forbids ? { ...ground, projectRoot: begun } : ground)
  const given = (kind: 'ask' | 'deny') =>
    inOrder(link.given?.[kind] ?? []).map(rule => onGround(rule, `${link.given?.origin}, when it began`, true))
  const of = (kind: keyof PermissionRules) => [
    ...layers[kind],
    ...inOrder(link.rules[kind]).map(rule => onGround(rule, origin, kind !== 'allow')),
    ...(kind === 'allow' ? [] : given(kind)),
  ]
  const refusals = rulesOfList(link.refusals, 'disallowedTools')
  const grants = rulesOfList(grantsFor(link, agent), 'tools')
  return {
    deny: [...of('deny'), ...refusals.map(rule => onGround(rule, origin, true))],
    ask: of('ask'),
    allow: of('allow'),
    grants: grants.map(rule => onGround(rule, origin, false)),
  }
}

/** What a list of tools in an agent file says, as rules in their order. The same lists come with every call. */
function rulesOfList(list: readonly ToolGrant[], field: 'tools' | 'disallowedTools'): readonly WrittenRule[] {
  const before = keptLists[field].get(list)
  if (before) return before
  const rules = list.map(grant => ({
    ...{ tool: grant.name, pattern: grant.pattern, text: `${field}: ${grantText(grant)}` },
    isOneTool: grant.pattern === undefined,
  }))
  const ordered = inOrder(rules)
  keptLists[field].set(list, ordered)
  return ordered
}

const keptLists = {
  tools: new WeakMap<readonly ToolGrant[], readonly WrittenRule[]>(),
  disallowedTools: new WeakMap<readonly ToolGrant[], readonly WrittenRule[]>(),
}

/** What an agent only hands on widens no tool that it has itself. */
function grantsFor({ agent, grants, handedOn = [] }: PermissionLink, caller: string): readonly ToolGrant[] {
  if (handedOn.length === 0) return grants
  const isOwn = ({ name }: ToolGrant) => agent === caller && grants.some(grant => grant.name === name)
  return [...grants, ...handedOn.filter(grant => !isOwn(grant))]
}

/** The same lists come with every call: each is put in order once. */
function inOrder<T extends WrittenRule>(rules: readonly T[]): readonly T[] {
  const before = keptOrders.get(rules) as readonly T[] | undefined
  if (before) return before
  const ordered = [...rules].sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0))
  keptOrders.set(rules, ordered)
  return ordered
}

const keptOrders = new WeakMap<readonly WrittenRule[], readonly WrittenRule[]>()
