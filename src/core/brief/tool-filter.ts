/**
 * Which tools a run gets, decided by effect, with the rule that kept or dropped each.
 *
 * The layers, in this order; the first that objects names the reason:
 * T1 background-safe  T2 never for children  T3 the definition's deny  T4 trust of the source
 * T5 the definition's allow list  T6 `allowed_tools` of the task  T7 the caller's authority.
 * Patterns (`Bash(git *)`) do not drop a tool: they go into the permission chain and bind each call.
 */

import type { AgentDefinition, PermissionRule, ToolGrant } from '../agent-definition.js'
import { toolsOfFeature } from '../agent-file/fields/tool-sets.js'
import { serverName } from '../mcp/mcp-config.js'
import { forbidsTool, isServerOf } from '../permission/tool-cover.js'
import { isReachingOut } from '../tools/outside-roots.js'
import { nearTool } from '../tools/tool-guess.js'
import { toolNames } from '../tools/tool-names.js'
import type { Caller, Decision, PermissionLink, Refusal, Task, ToolSpec } from '../types.js'

export interface ToolFilterRequest {
  readonly agent: AgentDefinition
  readonly task: Pick<Task, 'allowedTools'>
  readonly caller?: Caller
  readonly tools: readonly ToolSpec[]
  /** Those the definition itself brings along. */
  readonly ownTools?: readonly string[]
  readonly isBackground: boolean
  /** The definition says so and there is depth left. */
  readonly canDelegate: boolean
  /** Why not, when it cannot. */
  readonly delegationRule: string
}

export function selectTools(
  request: ToolFilterRequest,
): { readonly tools: readonly ToolSpec[]; readonly reasons: readonly Decision[] } | Refusal {
  const refusal = checkAllowedTools(request)
  if (refusal) return refusal
  const reasons = request.tools.map(tool => decide(tool, request))
  const nothingLeft = refuseNothingLeft(request, reasons)
  if (nothingLeft) return nothingLeft
  return {
    tools: request.tools.filter((_, i) => reasons[i]!.verdict === 'kept'),
    reasons: [...reasons, ...namesWithoutTool(request)],
  }
}

/** A name in a definition that no tool here has: likely a slip, and then something was meant that does not hold. */
function namesWithoutTool({ agent, tools }: ToolFilterRequest): readonly Decision[] {
  const names = tools.map(({ name }) => name)
  // `*` and `mcp__*` are whatever there is.
  const isMissing = ({ name }: ToolGrant, isThat: (known: string) => boolean) =>
    !/^(?:mcp__)?\*$/.test(name) && !names.some(isThat)
  const isKnown = ({ name }: ToolGrant) => name.startsWith('mcp__') || toolNames.includes(name) || isReachingOut(name)
  const decide = (name: string, rule: string, detail: string): Decision => ({
    about: 'tool',
    subject: name,
    verdict: rule === 'unknown-tool' ? 'unknown' : 'missing',
    rule,
    detail,
  })
  const unknown = (field: string, { name }: ToolGrant) => {
    const meant = nearTool(name, names)
    const hint = meant ? `; did you mean ${meant}?` : ''
    return decide(name, 'unknown-tool', `${field} of ${agent.name} names it, and there is no such tool here${hint}`)
  }
  const granted =
    agent.tools === 'all' ? [] : agent.tools.filter(grant => isMissing(grant, known => covers(grant, known)))
  const denied = agent.disallowedTools?.filter(grant => isMissing(grant, known => forbidsTool(grant.name, known))) ?? []
  return [
    ...granted.map(grant =>
      isKnown(grant)
        ? decide(grant.name, 'not-here', `${agent.name} lists it, and it is not to be had here`)
        : unknown('tools', grant),
    ),
    ...denied.filter(grant => !isKnown(grant)).map(grant => unknown('disallowedTools', grant)),
  ]
}

type Objection = readonly [rule: string, detail: string]

/** Decides whether a run, child or root, is denied a tool: the first layer that objects says so. */
function decide(tool: ToolSpec, request: ToolFilterRequest): Decision {
  for (const layer of layers) {
    const objection = layer(tool, request)
    if (objection)
      return { about: 'tool', subject: tool.name, verdict: 'dropped', rule: objection[0], detail: objection[1] }
  }
  const byName = request.agent.tools === 'all' ? 'all tools' : 'listed by the definition'
  return { about: 'tool', subject: tool.name, verdict: 'kept', rule: 'kept', detail: `${tool.effect}; ${byName}` }
}

const layers: readonly ((tool: ToolSpec, request: ToolFilterRequest) => Objection | undefined)[] = [
  function backgroundSafe(tool, { isBackground, agent }) {
    if (!isBackground) return undefined
    if (tool.effect === 'interactive') return ['background-safe', 'nobody is there to answer a background run']
    const isListed = agent.tools !== 'all' && agent.tools.some(grant => covers(grant, tool.name))
    if (tool.origin === 'mcp' && tool.effect !== 'read' && !isListed)
      return ['background-safe', 'a foreign tool needs a read-only annotation or its name in the definition']
    return undefined
  },
  function neverForChildren(tool, { caller, canDelegate, delegationRule }) {
    if (tool.effect === 'delegate' && !canDelegate) return [delegationRule, 'delegation was not granted']
    if (!caller && tool.isByNameOnly) return ['children-only', 'a root has no caller to turn to']
    if (caller && (tool.isMainOnly || tool.effect === 'interactive'))
      return ['main-only', 'only the main conversation has it']
    return undefined
  },
  function definitionDeny(tool, { agent }) {
    const denied = agent.disallowedTools?.find(
      grant =>
        grant.pattern === undefined && [...namesOf(tool), ...sameAs(tool)].some(name => forbidsTool(grant.name, name)),
    )
    const isSwitchedOff = switchedOff(agent).some(name => forbidsTool(name, tool.name))
    if (denied || isSwitchedOff || isFilteredOut(tool.name, agent))
      return ['definition-deny', `disallowed by ${agent.name}`]
    const rule = wholeDeny(tool, agent)
    return rule && ['definition-deny', `${agent.name} denies every call of it: ${rule.text}`]
  },
  function trustOfSource(tool, { agent }) {
    if (tool.effect !== 'write' && tool.effect !== 'execute') return undefined
    if (agent.source.isReadOnly) return ['read-only-source', 'its source is marked read-only']
    if (!agent.source.isTrusted) return ['untrusted-source', 'its source is not trusted']
    return undefined
  },
  function definitionAllow(tool, { agent, canDelegate }) {
    if (tool.isByNameOnly) {
      const isNamed = agent.tools !== 'all' && agent.tools.some(grant => grant.name === tool.name)
      return isNamed ? undefined : ['by-name-only', `${agent.name} does not name it`]
    }
    if (agent.tools === 'all' || agent.tools.some(grant => namesOf(tool).some(name => covers(grant, name))))
      return undefined
    // Delegation is granted by `canSpawn`; the tools that go with it need no second mention.
    if (tool.effect === 'delegate' && canDelegate) return undefined
    return ['not-in-definition', `${agent.name} lists its tools and this is not one`]
  },
  function allowedTools(tool, { task }) {
    if (!task.allowedTools || namesOf(tool).some(name => task.allowedTools?.includes(name))) return undefined
    return ['not-in-allowed-tools', 'the task narrowed the tools']
  },
  function authority(tool, { caller, ownTools }) {
    const isTaken = ({ refusals }: PermissionLink) =>
      refusals.some(
        grant => grant.pattern === undefined && reachesServers(grant.name) && forbidsTool(grant.name, tool.name),
      )
    const denier = ownTools?.includes(tool.name) ? caller?.chain.find(isTaken) : undefined
    if (denier) return ['caller-denies-it', `disallowed by ${denier.agent}, for all below it`]
    // It reaches nobody but the caller itself, so there is nothing the caller would have to hand on.
    if (tool.isByNameOnly || ownTools?.includes(tool.name)) return undefined
    const isInReach = (name: string) => caller?.tools.includes(name) || caller?.delegateTools.includes(name)
    if (!caller || namesOf(tool).some(isInReach)) return undefined
    return ['caller-lacks-it', `${caller.path.at(-1) ?? 'the caller'} may neither use it nor hand it on`]
  },
]

/** `allowed_tools` narrows; a name that cannot narrow anything is an error the model should hear of. */
function checkAllowedTools({ task, tools, caller }: ToolFilterRequest): Refusal | undefined {
  if (!task.allowedTools) return undefined
  const known = new Map(tools.map(tool => [tool.name, tool]))
  const unknown = task.allowedTools.filter(name => !known.has(name))
  if (unknown.length > 0) {
    const hints = [...new Set(unknown.flatMap(name => nearTool(name, [...known.keys()]) ?? []))]
    const hint = hints.length > 0 ? ` Did you mean ${hints.join(', ')}?` : ` Known: ${[...known.keys()].join(', ')}.`
    return {
      refused: `allowed_tools names tools that do not exist: ${unknown.join(', ')}.${hint}`,
      rule: 'unknown-tool',
    }
  }
  // A root is its host's to equip.
  if (!caller) return undefined
  const delegating = task.allowedTools.filter(name => known.get(name)?.effect === 'delegate')
  if (delegating.length > 0) {
    return {
      refused: `allowed_tools cannot hand on delegation tools (${delegating.join(', ')}): an agent's definition decides that. Leave them out.`,
      rule: 'delegation-in-allowed-tools',
    }
  }
  return undefined
}

/** Who names tools wants them used: a child without any would only say that it cannot. */
function refuseNothingLeft(request: ToolFilterRequest, reasons: readonly Decision[]): Refusal | undefined {
  const { agent, task, caller, tools } = request
  if (!caller || !task.allowedTools?.length || reasons.some(({ verdict }) => verdict === 'kept')) return undefined
  const why = reasons
    .filter(({ subject }) => task.allowedTools!.includes(subject))
    .map(({ subject, rule, detail }) => `${subject} (${rule}: ${detail})`)
  const had = tools.filter(tool => decide(tool, { ...request, task: {} }).verdict === 'kept').map(({ name }) => name)
  const choice = had.length > 0 ? `name some of ${had.join(', ')}, or leave it out` : 'leave it out'
  return {
    refused: `allowed_tools leaves ${agent.name} without a tool: ${why.join('; ')}. To go on, ${choice}.`,
    rule: 'no-tool-left',
  }
}

/** A rule of its own by which no call would ever run: to offer the tool would only cost turns. */
function wholeDeny(tool: ToolSpec, { permissions }: AgentDefinition): PermissionRule | undefined {
  return permissions?.deny.find(
    rule =>
      (rule.pattern === undefined || /^:?\*+$/.test(rule.pattern)) &&
      [...namesOf(tool), ...sameAs(tool)].some(name => forbidsTool(rule.tool, name)),
  )
}

/** A file's reader takes these tools away by name; in a definition made in code nobody else does. */
export const switchedOff = ({ disabledFeatures = [] }: AgentDefinition): readonly string[] =>
  disabledFeatures.flatMap(feature => toolsOfFeature(feature) ?? [])

/** A list of a server's tools binds the agent, also where the server is everybody's. */
function isFilteredOut(tool: string, { mcpServers }: AgentDefinition): boolean {
  return (mcpServers ?? []).some(
    server =>
      typeof server !== 'string' &&
      server.onlyTools !== undefined &&
      tool.startsWith(`mcp__${serverName(server.name)}__`) &&
      !server.onlyTools.some(name => covers({ name }, tool)),
  )
}

/** Whoever may not edit may not do it in another shape either. */
const sameAs = ({ name }: ToolSpec): readonly string[] =>
  name === 'MultiEdit' || name === 'NotebookEdit' ? ['Edit'] : []

const namesOf = (tool: ToolSpec): readonly string[] => (tool.comesWith ? [tool.name, tool.comesWith] : [tool.name])

/** Whether a name in a list may mean tools of servers. */
export const reachesServers = (name: string): boolean =>
  name.startsWith('mcp__') || (name.endsWith('*') && 'mcp__'.startsWith(name.slice(0, -1)))

/** Whether a grant gives a tool. `mcp__srv` names a server: all of its tools. A trailing `*` is a prefix. */
export function covers(grant: ToolGrant, tool: string): boolean {
  if (grant.name === tool || grant.name === '*') return true
  if (grant.name.endsWith('*')) return tool.startsWith(grant.name.slice(0, -1))
  return isServerOf(grant.name, tool)
}
