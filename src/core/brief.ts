/**
 * All policy about a child, decided before anything is spent.
 *
 * B1 `prepareBrief` is pure; every decision in it carries the rule behind it, and `agents explain` prints exactly these.
 * B2 Checks run in this order: depth, input, agent exists, trust, leave to delegate, tools resolve, model, budget. The
 *    first that fails is the refusal; the queue's bound is checked by whoever has the queue.
 * B3 Nothing in a brief is wider than its caller: tools, mode, chain, depth.
 * B4 `amendBrief` is the only way to change a brief later, and it only narrows.
 */
import { narrowSpawning } from './amend.js'
import { decideBudget } from './budget.js'
import type { Catalog } from './catalog.js'
import { completionSpec, planCompletion } from './completion.js'
import { readEvidenceDemand } from './evidence.js'
import { checkInputs } from './inputs.js'
import type { Json } from './message.js'
import { strictestMode } from './mode.js'
import { chooseModel } from './model-choice.js'
import { openConversation } from './opening.js'
import type { Policy } from './policy.js'
import type { ModelInfo } from './ports.js'
import type { PromptParts } from './prompt-parts.js'
import { selectTools } from './tool-filter.js'
import type {
  AgentDefinition,
  Brief,
  Caller,
  Decision,
  PermissionLink,
  Refusal,
  RunLimits,
  Task,
  ToolGrant,
  ToolSpec,
} from './types.js'

export interface BriefRequest {
  readonly task: Task
  /** Absent for a root: the main conversation. */
  readonly caller?: Caller
  readonly catalog: Catalog
  readonly tools: readonly ToolSpec[]
  readonly models: readonly ModelInfo[]
  readonly policy: Policy
  readonly hooked?: readonly ('start' | 'stop')[]
  /** Tools of the agent's own servers: its definition brings them, so its caller need not have them. */
  readonly ownTools?: { readonly tools: readonly ToolSpec[]; readonly reasons: readonly Decision[] }
  /** Instructions, memory and skills for the agent that was found. */
  readonly promptParts?: PromptParts
  /** A root that a person talks to ends its attempt while background children go on. */
  readonly isConversation?: boolean
}

export const maxTurnsBound = 200

export function prepareBrief(request: BriefRequest): Brief | Refusal {
  const agent = findAgent(request)
  if ('refused' in agent) return agent
  const inputs = readInputs(agent, request.task)
  if ('refused' in inputs) return inputs
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
  const limits = decideLimits(agent, request)
  const completion = planCompletion(agent)
  const opening = openConversation({
    ...request,
    agent,
    inputs: inputs.values,
    completion,
    model,
    tools: tools.tools,
    completionTool: completionSpec(completion),
    parts: request.promptParts?.(agent) ?? [],
  })
  const label = request.task.name ?? agent.nickname
  return {
    agent: agent.name,
    displayName: agent.displayName ?? agent.name,
    ...(label && { nickname: label }),
    description: request.task.description,
    ...(agent.color && { color: agent.color }),
    path: [...(request.caller?.path ?? []), agent.name],
    depth,
    cwd: request.policy.cwd,
    source: agent.source,
    declared: opening.declared,
    allowed: tools.tools.map(tool => tool.name),
    delegateTools: delegatable(agent, request, isBackground),
    canSpawn: spawn.canSpawn,
    chain: [...(request.caller?.chain ?? []), link],
    model: model.model,
    contextWindow: model.info?.contextWindow,
    maxOutputTokens: model.info?.maxOutputTokens,
    sampling: agent.sampling ?? {},
    limits: limits.limits,
    ...(budget.budget && { budget: budget.budget }),
    ...(budget.purses && { purses: budget.purses }),
    completion,
    opening: opening.messages,
    ...(request.task.summaryPrompt && { summaryPrompt: request.task.summaryPrompt }),
    isBackground,
    waitsForChildren: !request.isConversation,
    // Either side may ask for it; neither can talk the other out of it.
    isolation: request.task.isolation === 'worktree' || agent.isolation === 'worktree' ? 'worktree' : 'none',
    executionMode: agent.executionMode ?? request.policy.executionMode,
    baseDir: agent.baseDir,
    hooks: agent.hooks,
    hooked: request.hooked ?? [],
    resources: agent.resources,
    evidence: agent.evidence,
    reasons: [
      ...tools.reasons,
      ...(request.ownTools?.reasons ?? []),
      { about: 'model', subject: model.model, verdict: 'chosen', rule: model.rule, detail: model.detail },
      ...limits.reasons,
      ...budget.reasons,
      {
        about: 'mode',
        subject: link.mode,
        verdict: 'set',
        rule: link.mode === (agent.permissionMode ?? 'default') ? 'definition' : 'never-looser-than-caller',
      },
      spawn.reason,
      {
        about: 'completion',
        subject: completion.mode,
        verdict: 'set',
        rule: agent.completion ? 'definition' : agent.output ? 'output-declared' : 'default',
      },
      ...opening.reasons,
    ],
  }
}

function findAgent({ task, caller, catalog, policy }: BriefRequest): AgentDefinition | Refusal {
  if (caller && caller.depth + 1 > policy.maxDepth) {
    return refuse(
      'depth-limit',
      `Depth limit: a run at depth ${caller.depth} cannot delegate further (the limit is ${policy.maxDepth}). Do the work yourself, or report what is left.`,
    )
  }
  const faults = taskFaults(task)
  if (faults.length > 0) return refuse('invalid-task', `The task was not started: ${faults.join('; ')}.`)
  const name = task.agent ?? 'general-purpose'
  const agent = catalog.find(name)
  if (!agent) {
    const near = catalog.nearest(name)
    const known = catalog.offered().map(offered => offered.name)
    return refuse(
      'unknown-agent',
      `There is no agent named "${name}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} Known: ${known.join(', ') || 'none'}.`,
    )
  }
  if (agent.isDisabled) return refuse('agent-disabled', `The agent "${agent.name}" is switched off. Use another one.`)
  if (!agent.source.isTrusted)
    return refuse(
      'agent-untrusted',
      `The agent "${agent.name}" comes from a folder that is not trusted yet (${agent.source.path ?? agent.source.scope}). A person has to trust it first; use another agent.`,
    )
  if (caller) {
    if (caller.canSpawn === false)
      return refuse('spawn-not-granted', `${caller.path.at(-1)} may not delegate. Do the work yourself.`)
    if (caller.canSpawn !== true && !caller.canSpawn.includes(agent.name)) {
      return refuse(
        'spawn-not-listed',
        `${caller.path.at(-1)} may delegate only to ${caller.canSpawn.join(', ')}, not to ${agent.name}.`,
      )
    }
  }
  return agent
}

/** Tasks also come through the library's door, where no schema has looked at them. */
function taskFaults(task: Task): readonly string[] {
  const { prompt, description, maxTurns, inputs, resume } = task as { readonly [K in keyof Task]?: unknown }
  const hasInputs = inputs !== null && typeof inputs === 'object' && Object.keys(inputs).length > 0
  const isTurnCount = Number.isInteger(maxTurns) && Number(maxTurns) >= 1 && Number(maxTurns) <= maxTurnsBound
  return [
    typeof prompt !== 'string' ? 'prompt must be a text' : '',
    typeof prompt === 'string' && prompt.trim() === '' && !hasInputs && !resume ? 'prompt is blank' : '',
    typeof description !== 'string' || description.trim() === '' ? 'description is blank (three to five words)' : '',
    maxTurns !== undefined && !isTurnCount ? `max_turns must be a whole number from 1 to ${maxTurnsBound}` : '',
  ].filter(Boolean)
}

function readInputs(agent: AgentDefinition, task: Task): { readonly values: Readonly<Record<string, Json>> } | Refusal {
  // A resumed run has its opening already: what it was given then still stands.
  if (task.resume !== undefined) return { values: {} }
  const fields = agent.inputs ?? []
  if (fields.length === 0 && task.inputs && Object.keys(task.inputs).length > 0) {
    return refuse('inputs-not-declared', `${agent.name} takes no inputs; put everything into the prompt.`)
  }
  const checked = checkInputs(fields, task.inputs)
  if ('values' in checked) return checked
  return refuse(
    'invalid-inputs',
    `The inputs for ${agent.name} do not fit: ${checked.faults.join('; ')}. Nothing was started.`,
  )
}

function decideSpawning(
  agent: AgentDefinition,
  { caller, policy }: BriefRequest,
  depth: number,
): { readonly canSpawn: Brief['canSpawn']; readonly reason: Decision } {
  const said = agent.canSpawn ?? !caller
  const reason = (verdict: string, rule: string): Decision => ({ about: 'spawn', subject: 'delegation', verdict, rule })
  if (said === false) return { canSpawn: false, reason: reason('no', 'delegation-not-granted') }
  if (depth >= policy.maxDepth) return { canSpawn: false, reason: reason('no', 'depth-limit') }
  const canSpawn = caller ? narrowSpawning(caller.canSpawn, said) : said
  return { canSpawn, reason: reason(canSpawn === true ? 'any agent' : `only ${canSpawn || 'none'}`, 'definition') }
}

function permissionLink(agent: AgentDefinition, { caller, policy }: BriefRequest): PermissionLink {
  const above = caller?.chain.at(-1)?.mode ?? policy.mode
  return {
    agent: agent.name,
    mode: strictestMode(above, agent.permissionMode),
    approvalMode: agent.approvalMode ?? 'caller',
    rules: agent.permissions ?? { allow: [], ask: [], deny: [] },
    grants: [...patterned(agent.tools === 'all' ? [] : agent.tools), ...handedOnByPattern(agent)],
    refusals: (agent.disallowedTools ?? []).filter(grant => grant.pattern !== undefined),
    ...((agent.source.isReadOnly || !agent.source.isTrusted) && { isReadOnly: true }),
  }
}

const patterned = (grants: readonly ToolGrant[]): readonly ToolGrant[] =>
  grants.filter(grant => grant.pattern !== undefined)

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
    fallback: policy.defaultModel,
    caller: caller?.model,
    models,
    isPlanMode: link.mode === 'plan',
    planUpgrade: policy.planUpgrade,
  })
}

function decideLimits(
  agent: AgentDefinition,
  { task, caller, policy }: BriefRequest,
): { readonly limits: RunLimits; readonly reasons: readonly Decision[] } {
  const own = agent.limits ?? {}
  // A root has no turn or time limit unless somebody asked for one.
  const base = own.maxTurns ?? (caller ? policy.maxTurns : undefined)
  const asked = task.maxTurns
  const isRaised = asked !== undefined && base !== undefined && asked > base
  const maxTurns = asked === undefined || (isRaised && !policy.canRaiseTurns) ? base : asked
  const timeoutMs = own.timeoutMs ?? (caller ? policy.timeoutMs : undefined)
  const reason = (subject: string, verdict: string, rule: string): Decision => ({
    about: 'limit',
    subject,
    verdict,
    rule,
  })
  return {
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      graceMs: own.graceMs ?? policy.graceMs,
      resultBytes: own.resultBytes ?? policy.resultBytes,
      spawnDeadlineMs: policy.spawnDeadlineMs,
      stallMs: policy.stallMs,
      stopHookReturns: policy.stopHookReturns,
      ...(policy.fanOutApproval !== undefined && { fanOut: policy.fanOutApproval }),
    },
    reasons: [
      reason(
        'turns',
        String(maxTurns ?? 'none'),
        isRaised && !policy.canRaiseTurns
          ? 'task-cannot-raise'
          : asked !== undefined
            ? 'task'
            : own.maxTurns !== undefined
              ? 'definition'
              : 'default',
      ),
      reason(
        'time',
        timeoutMs === undefined ? 'none' : `${timeoutMs / 1000} s`,
        own.timeoutMs !== undefined ? 'definition' : 'default',
      ),
    ],
  }
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

const refuse = (rule: string, refused: string): Refusal => ({ refused, rule })
