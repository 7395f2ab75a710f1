/** Rules from files, approvals and agents, brought together by class for one call. */

import type { PermissionRules, ToolGrant } from './agent-definition.js'
import type { RunId } from './message.js'
import type { NetworkRules } from './network-policy.js'
import type { Place } from './path-policy.js'
import { type ReadyRule, readyRule } from './permission-match.js'
import type { PermissionLink } from './types.js'

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
}

/**
 * What the rules say about hosts, for those who fetch: asked again after DNS and at each redirect. An approval (`host:`)
 * was given for a name, not for the private network that the name may lead to.
 */
export function networkRulesOf(layers: readonly RuleLayer[]): NetworkRules {
  const domains = (kind: keyof PermissionRules, form: RegExp) =>
    layers.flatMap(({ rules }) =>
      rules[kind].flatMap(({ tool, pattern = '' }) =>
        tool === 'WebFetch' && form.test(pattern) ? [pattern.replace(form, '').trim()] : [],
      ),
    )
  return { allow: domains('allow', /^domain:/), deny: domains('deny', /^(domain|host):/) }
}

/** Each class in an order that does not depend on how its rules were written down. */
export interface RulesByClass {
  readonly deny: readonly ReadyRule[]
  readonly ask: readonly ReadyRule[]
  readonly allow: readonly ReadyRule[]
  /** Tools this agent was granted by name, with or without a pattern. */
  readonly grants: readonly ReadyRule[]
}

export function rulesOfLayers(layers: readonly RuleLayer[], runId: RunId, place: Place): RulesByClass {
  const live = layers.filter(layer => !layer.runs || layer.runs.includes(runId))
  const of = (kind: keyof PermissionRules) =>
    live.flatMap(({ rules, origin, root }) =>
      inOrder(rules[kind].map(rule => readyRule(rule, origin, kind !== 'allow', place, root))),
    )
  return { deny: of('deny'), ask: of('ask'), allow: of('allow'), grants: [] }
}

/** An agent's own rules after those of the layers; what was taken from it is a deny. `caller`: the agent whose call it is. */
export function rulesOfLink(link: PermissionLink, layers: RulesByClass, place: Place, caller: string): RulesByClass {
  const origin = `agent ${link.agent}`
  const of = (kind: keyof PermissionRules) => [
    ...layers[kind],
    ...inOrder(link.rules[kind].map(rule => readyRule(rule, origin, kind !== 'allow', place))),
  ]
  const named = (grants: readonly ToolGrant[], field: string, forbids: boolean) =>
    inOrder(
      grants.map(grant => {
        const rule = { ...grant, tool: grant.name, text: `${field}: ${written(grant)}` }
        return readyRule({ ...rule, isOneTool: grant.pattern === undefined }, origin, forbids, place)
      }),
    )
  return {
    deny: [...of('deny'), ...named(link.refusals, 'disallowedTools', true)],
    ask: of('ask'),
    allow: of('allow'),
    grants: named(grantsFor(link, caller), 'tools', false),
  }
}

/** What an agent only hands on widens no tool that it has itself. */
function grantsFor({ agent, grants, handedOn = [] }: PermissionLink, caller: string): readonly ToolGrant[] {
  const isOwn = ({ name }: ToolGrant) => agent === caller && grants.some(grant => grant.name === name)
  return [...grants, ...handedOn.filter(grant => !isOwn(grant))]
}

function written({ name, pattern }: ToolGrant): string {
  return pattern === undefined ? name : `${name}(${pattern})`
}

function inOrder(rules: readonly ReadyRule[]): readonly ReadyRule[] {
  return [...rules].sort((one, other) => (one.text < other.text ? -1 : one.text > other.text ? 1 : 0))
}
