/**
 * All policy about a child, decided before anything is spent.
 *
 * B1 `prepareBrief` is pure; every decision in it carries the rule behind it, and `agents explain` prints exactly these.
 * B2 Checks run in this order: depth, input, agent exists, trust, leave to delegate, tools resolve, model, budget. The
 *    first that fails is the refusal; the queue's bound is checked by whoever has the queue.
 * B3 Nothing in a brief is wider than its caller: tools, mode, chain, depth.
 * B4 `amendBrief` is the only way to change a brief later, and it only narrows.
 */

import type { AgentDefinition, ToolGrant } from '../agent-definition.js'
import { decideBudget } from '../budget/budget.js'
import { isAgentPattern } from '../catalog/agent-pattern.js'
import type { Catalog } from '../catalog/catalog.js'
import type { Json } from '../message.js'
import { forbidsTool } from '../permission/tool-cover.js'
import type { ModelInfo } from '../ports.js'
import { isReservedName } from '../sender-names.js'
import { staysInRoots } from '../tools/outside-roots.js'
import type { Brief, Decision, PermissionLink, Refusal, ToolSpec } from '../types.js'
import { type AdmissionRequest, findAgent, readInputs } from './admission.js'
import { narrowSpawning } from './amend.js'
import { completionSpec, outputFault, planCompletion } from './completion.js'
import { readEvidenceDemand } from './evidence.js'
import { decideLimits } from './limits.js'
import { isAtMost, strictestMode } from './mode.js'
import { chooseModel } from './model-choice.js'
import { openConversation } from './opening.js'
import type { PromptParts } from './prompt-parts.js'
import { refuse } from './refuse.js'
import { covers, reachesServers, selectTools, switchedOff } from './tool-filter.js'

export interface BriefRequest extends AdmissionRequest {
  readonly tools: readonly ToolSpec[]
  readonly models: readonly ModelInfo[]
  /** Tools of the agent's own servers: its definition brings them, so its caller need not have them. */
  readonly ownTools?: { readonly tools: readonly ToolSpec[]; readonly reasons: readonly Decision[] }
  /** Instructions, memory and skills for the agent that was found. */
  readonly promptParts?: PromptParts
  /** A root that a person talks to ends its attempt while background children go on. */
  readonly isConversation?: boolean
}

export function prepareBrief(request: BriefRequest): Brief | Refusal {
  const agent = findAgent(request)
  if ('refused' in agent) return agent
  const inputs = readInputs(agent, request.task)
  if ('refused' in inputs) return inputs
  const decided = decide(agent, request)
  if ('refused' in decided) return decided
  const fault = outputFault(agent)
  if (fault)
    return refuse(
      'invalid-output-schema',
      `The task was not started: no report could ever fit the output of ${agent.name}: ${fault}. Use another agent.`,
    )
  const completion = planCompletion(agent)
  const opening = openConversation({
    ...request,
    agent,
    inputs: inputs.values,
    completion,
    model: decided.model,
    tools: decided.tools.tools,
    completionTool: completionSpec(completion),
    parts: request.promptParts?.(agent, [...(request.caller?.chain ?? []), decided.link]) ?? [],
  })
  return composeBrief(agent, request, decided, { completion, opening, inputs: inputs.values })
}

/** B2, from the tools on. */
function decide(agent: AgentDefinition, request: BriefRequest) {
  const isBackground = request.task.isBackground ?? agent.isBackground ?? false
  const depth = request.caller ? request.caller.depth + 1 : 0
  const spawn = decideSpawning(agent, request, depth)
  const tools = selectTools({
    agent,
    task: request.task,
    caller: request.caller,
    tools: [...request.tools, ...(request.ownTools?.tools ?? [])],
    ownTools: request.ownTools?.tools.map(tool => tool.name),
    isBackground,
    canDelegate: spawn.canSpawn !== false,
    delegationRule: spawn.reason.rule,
  })
  if ('refused' in tools) return tools
  const link = permissionLink(agent, request)
  const model = pickModel(agent, request, link)
  if ('refused' in model) return model
  const budget = decideBudget({
    task: request.task.budget,
    definition: agent.budget,
    tree: request.policy.treeBudget,
    caller: request.caller,
  })
  if ('refused' in budget) return budget
  const demand = readEvidenceDemand(agent.evidence)
  if ('fault' in demand)
    return refuse(
      'invalid-evidence',
      `${agent.name} demands evidence nobody can check: ${demand.fault}. Use another agent.`,
    )
  return { isBackground, depth, spawn, tools, link, model, budget, limits: decideLimits(agent, request) }
}

type Decided = Exclude<ReturnType<typeof decide>, Refusal>
interface Opened {
  readonly completion: ReturnType<typeof planCompletion>
  readonly opening: ReturnType<typeof openConversation>
  readonly inputs: Readonly<Record<string, Json>>
}

function composeBrief(
  agent: AgentDefinition,
  request: BriefRequest,
  decided: Decided,
  { completion, opening, inputs }: Opened,
): Brief {
  const { task, caller, policy } = request
  const { model, limits, budget, isBackground } = decided
  const label = task.name ?? ownNickname(agent)
  return {
    agent: agent.name,
    displayName: agent.displayName ?? agent.name,
    ...(label && { nickname: label }),
    description: task.description,
    ...(Object.keys(inputs).length > 0 && { inputs }),
    ...(agent.color && { color: agent.color }),
    path: [...(caller?.path ?? []), agent.name],
    depth: decided.depth,
    cwd: policy.cwd,
    source: agent.source,
    declared: opening.declared,
    allowed: decided.tools.tools.map(tool => tool.name),
    delegateTools: delegatable(agent, request, isBackground),
    canSpawn: decided.spawn.canSpawn,
    chain: [...(caller?.chain ?? []), decided.link],
    model: model.model,
    contextWindow: model.info?.contextWindow,
    maxOutputTokens: model.info?.maxOutputTokens,
    ...(model.info?.usesNoTokens && { usesNoTokens: true }),
    sampling: agent.sampling ?? {},
    limits: limits.limits,
    ...(budget.budget && { budget: budget.budget }),
    ...(budget.purses && { purses: budget.purses }),
    completion,
    opening: opening.messages,
    ...(task.summaryPrompt?.trim() && { summaryPrompt: task.summaryPrompt }),
    isBackground,
    waitsForChildren: !request.isConversation,
    // Either side may ask for it; neither can talk the other out of it.
    isolation: task.isolation === 'worktree' || agent.isolation === 'worktree' ? 'worktree' : 'none',
    executionMode: agent.executionMode ?? policy.executionMode,
    baseDir: agent.baseDir,
    hooks: agent.hooks,
    hooked: [],
    resources: agent.resources,
    evidence: agent.evidence,
    memory: agent.memory ?? false,
    reasons: reasonsOf(agent, request, decided, { completion, opening, inputs }),
  }
}

/** One that stands for somebody else is none. */
const ownNickname = ({ nickname }: AgentDefinition): string | undefined =>
  nickname === undefined || isReservedName(nickname) ? undefined : nickname

/** B1: in the order in which `explain` shows them. */
function reasonsOf(
  agent: AgentDefinition,
  request: BriefRequest,
  { tools, model, limits, budget, link, spawn }: Decided,
  { completion, opening }: Opened,
): readonly Decision[] {
  return [
    ...tools.reasons,
    ...(request.ownTools?.reasons ?? []),
    { about: 'model', subject: model.model, verdict: 'chosen', rule: model.rule, detail: model.detail },
    ...limits.reasons,
    ...budget.reasons,
    { about: 'mode', subject: link.mode, verdict: 'set', ...ruleOfMode(agent, request, link) },
    spawn.reason,
    {
      about: 'completion',
      subject: completion.mode,
      verdict: 'set',
      rule: agent.completion ? 'definition' : agent.output ? 'output-declared' : 'default',
    },
    ...opening.reasons,
  ]
}

function ruleOfMode(
  { permissionMode }: AgentDefinition,
  { caller, policy }: BriefRequest,
  { mode }: PermissionLink,
): Pick<Decision, 'rule' | 'detail'> {
  if (permissionMode !== undefined) return { rule: mode === permissionMode ? 'definition' : 'never-looser-than-caller' }
  if (caller) return { rule: 'inherit', detail: 'nothing was said: the caller’s mode' }
  return { rule: policy.mode === 'default' ? 'default' : 'policy' }
}

function decideSpawning(
  agent: AgentDefinition,
  { caller, policy, catalog }: BriefRequest,
  depth: number,
): { readonly canSpawn: Brief['canSpawn']; readonly reason: Decision } {
  const said = agentsNamed(agent.canSpawn ?? (!caller && listsDelegation(agent)), catalog)
  const reason = (verdict: string, rule: string): Decision => ({ about: 'spawn', subject: 'delegation', verdict, rule })
  if (said === false) return { canSpawn: false, reason: reason('no', 'delegation-not-granted') }
  if (depth >= policy.maxDepth) return { canSpawn: false, reason: reason('no', 'depth-limit') }
  const canSpawn = caller ? narrowSpawning(caller.canSpawn, said) : said
  return { canSpawn, reason: reason(canSpawn === true ? 'any agent' : `only ${canSpawn || 'none'}`, 'definition') }
}

/**
 * A list names agents as a task does: whatever the case, and by aliases. What leads to nobody now stays as it is written.
 * `audit-*` is who is called so now, but for agents for people: those are named in so many words.
 */
function agentsNamed(canSpawn: Brief['canSpawn'], catalog: Catalog): Brief['canSpawn'] {
  if (typeof canSpawn === 'boolean') return canSpawn
  const named = canSpawn.flatMap(name => {
    const begun = isAgentPattern(name) ? agentsBegun(name.slice(0, -1), catalog) : []
    return begun.length > 0 ? begun : [catalog.lookup(name)?.agent.name ?? name]
  })
  return [...new Set(named)]
}

function agentsBegun(start: string, catalog: Catalog): readonly string[] {
  const active = catalog.all().filter(({ state, agent }) => state === 'active' && !agent.isForPeople)
  return active.map(({ agent }) => agent.name).filter(name => name.toLowerCase().startsWith(start.toLowerCase()))
}

/** A root may delegate unless it says otherwise; a list of tools says so where delegating is not in it. */
const listsDelegation = ({ tools }: AgentDefinition): boolean =>
  tools === 'all' || tools.some(grant => covers(grant, 'Task') || grant.name.startsWith('subagent_'))

function permissionLink(agent: AgentDefinition, { caller, policy }: BriefRequest): PermissionLink {
  const above = caller?.chain.at(-1) ?? { mode: policy.mode, ceiling: policy.modeCeiling }
  const handedOn = handedOnByPattern(agent)
  const mode = strictestMode(above.mode, agent.permissionMode)
  const ceiling = strictestMode(above.ceiling ?? above.mode, agent.permissionMode)
  return {
    agent: agent.name,
    mode,
    ...(ceiling !== mode && isAtMost(mode, ceiling) && { ceiling }),
    approvalMode: agent.approvalMode ?? 'caller',
    rules: agent.permissions ?? { allow: [], ask: [], deny: [] },
    grants: patterned(agent.tools === 'all' ? [] : agent.tools),
    ...(handedOn.length > 0 && { handedOn }),
    refusals: [...patterned(agent.disallowedTools ?? []), ...takenFromAllBelow(agent)],
    ...((agent.source.isReadOnly || !agent.source.isTrusted) && { isReadOnly: true }),
    ...(staysInRoots(agent) && { staysInRoots: true }),
    ...(!caller && policy.given && { given: policy.given }),
  }
}

const patterned = (grants: readonly ToolGrant[]): readonly ToolGrant[] =>
  grants.filter(grant => grant.pattern !== undefined)

/**
 * Whoever may not edit, write or read files may not have commands do it either. And a child may bring servers of its own:
 * what was taken away of servers is taken from those, too.
 */
function takenFromAllBelow(agent: AgentDefinition): readonly ToolGrant[] {
  const denied = agent.disallowedTools?.filter(grant => grant.pattern === undefined) ?? []
  const whole = [...denied, ...switchedOff(agent).map(name => ({ name }))]
  const files = ['Edit', 'Read', 'Write'].filter(name => whole.some(grant => forbidsTool(grant.name, name)))
  const servers = new Set(whole.map(({ name }) => name).filter(reachesServers))
  return [...files, ...servers].map(name => ({ name }))
}

/** A pattern on what is only handed on binds everybody below; on a tool the agent has as a whole it would bind nothing. */
function handedOnByPattern({ tools, delegateTools = [] }: AgentDefinition): readonly ToolGrant[] {
  const isWhole = ({ name }: ToolGrant) =>
    tools === 'all' || tools.some(grant => grant.name === name && grant.pattern === undefined)
  return patterned(delegateTools).filter(grant => !isWhole(grant))
}

function pickModel(agent: AgentDefinition, { task, caller, models, policy }: BriefRequest, link: PermissionLink) {
  return chooseModel({
    forced: caller ? policy.forcedModel : undefined,
    asked: task.model,
    definition: agent.model,
    fallback: caller ? policy.defaultChildModel : policy.defaultModel,
    caller: caller?.model,
    models,
    isPlanMode: link.mode === 'plan',
    planUpgrade: policy.planUpgrade,
  })
}

/** What it may hand on: named by the definition, passing the same layers as its own tools, and in its caller's reach. */
function delegatable(agent: AgentDefinition, request: BriefRequest, isBackground: boolean): readonly string[] {
  if (!agent.delegateTools?.length) return []
  const handed = selectTools({
    agent: { ...agent, tools: agent.delegateTools },
    task: {},
    caller: request.caller,
    tools: request.tools,
    isBackground,
    canDelegate: false,
    delegationRule: 'delegation-not-granted',
  })
  return 'refused' in handed ? [] : handed.tools.map(tool => tool.name)
}
