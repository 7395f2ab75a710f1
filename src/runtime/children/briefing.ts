/** Decides the brief of a task in this house: the core's rules, given the agents, tools, models and hooks of the moment. */

import type { AgentDefinition, PermissionMode } from '../../core/agent-definition.js'
import { amendBrief } from '../../core/brief/amend.js'
import { type BriefRequest, prepareBrief } from '../../core/brief/brief.js'
import { strictestMode } from '../../core/brief/mode.js'
import { type KeptLimits, movedPlace, unmetLimit } from '../../core/brief/unmet-limits.js'
import type { Catalog } from '../../core/catalog/catalog.js'
import { isSameDefinition } from '../../core/catalog/same-definition.js'
import { usualAgent } from '../../core/catalog/wished-agent.js'
import type { Brief, Caller, Refusal, StoredBrief, Task } from '../../core/types.js'
import type { HousePorts } from '../house-ports.js'

export type BriefingPorts = Pick<
  HousePorts,
  'catalog' | 'tools' | 'models' | 'policy' | 'hooks' | 'sandbox' | 'promptParts' | 'agentTools'
>

export interface BriefingOptions {
  readonly isConversation?: boolean | undefined
  /** Counts where it is stricter than the house's. */
  readonly mode?: PermissionMode | undefined
  /** The agent, where its definition was known only to the process that began the run. */
  readonly recorded?: AgentDefinition
}

export class Briefing {
  readonly #ports: BriefingPorts

  constructor(ports: BriefingPorts) {
    this.#ports = ports
  }

  /** Decides; nothing is started. */
  decide(
    task: Task,
    caller: Caller | undefined,
    { isConversation = false, mode, recorded }: BriefingOptions = {},
  ): Brief | Refusal {
    const { tools, models, policy, hooks, promptParts, agentTools } = this.#ports
    const catalog = this.#ports.catalog()
    const agent = this.agentOf(task.agent)
    const own = agent && agentTools?.of(agent)
    const request: BriefRequest = {
      task,
      caller,
      catalog: recorded ? withRecorded(catalog, recorded) : catalog,
      ...(own && { ownTools: { tools: own.tools.map(tool => tool.spec), reasons: own.reasons } }),
      tools: [...tools().values()].map(tool => tool.spec),
      models: models(),
      policy: { ...policy, mode: strictestMode(policy.mode, mode) },
      promptParts,
      isConversation,
    }
    const brief = prepareBrief(request)
    if ('refused' in brief) return brief
    const unmet = unmetLimit(brief, keptBy(this.#ports))
    if (unmet || !hooks) return unmet ?? brief
    return { ...brief, hooked: (['start', 'stop'] as const).filter(point => hooks.wants(point, brief)) }
  }

  /** As `decide`, after what the agent brings along has been opened. */
  async prepare(task: Task, caller: Caller | undefined, options?: BriefingOptions): Promise<Brief | Refusal> {
    await this.openTools(task, caller, options)
    return this.decide(task, caller, options)
  }

  /** Opens the servers the agent of a task brings along, unless the task is refused in any case. */
  async openTools(
    task: Task,
    caller: Caller | undefined,
    { isConversation }: Pick<BriefingOptions, 'isConversation'> = {},
  ): Promise<void> {
    const agent = this.agentOf(task.agent)
    if (!agent?.mcpServers?.length || !this.#ports.agentTools) return
    const first = this.decide(task, caller, { isConversation })
    if ('refused' in first && first.rule !== 'unknown-tool') return
    await this.#ports.agentTools.open(agent)
  }

  /** What was decided now, laid over a brief: never wider than either, and refused where a limit of either cannot be kept. */
  lay(old: StoredBrief, fresh: Brief): StoredBrief | Refusal {
    const moved = movedPlace(old, fresh)
    if (moved) return moved
    const amended = amendBrief(old, fresh)
    return unmetLimit(amended, keptBy(this.#ports)) ?? amended
  }

  /** Whether that definition has its name; where nobody can be found by it, that is said as of any other. */
  isStill(agent: AgentDefinition): boolean {
    const found = this.#ports.catalog().find(agent.name)
    return found === undefined || isSameDefinition(found, agent)
  }

  /** What nobody trusts was in the way of no agent that was given, and is in the way of none now. */
  isKnown(agent: string): boolean {
    const entry = this.#ports.catalog().lookup(agent)
    return entry !== undefined && entry.state !== 'untrusted'
  }

  /** What the agent that a name leads to is called: names are found whatever their case, and by aliases. */
  calledNow(name: string): string {
    return this.#ports.catalog().lookup(name)?.agent.name ?? name
  }

  /** Only an agent that may run has tools of its own. */
  agentOf(name: unknown = usualAgent): AgentDefinition | undefined {
    const agent = typeof name === 'string' ? this.#ports.catalog().find(name) : undefined
    return agent?.source.isTrusted && !agent.isDisabled ? agent : undefined
  }
}

const withRecorded = (catalog: Catalog, recorded: AgentDefinition): Catalog => ({
  find: name => (name === recorded.name ? recorded : catalog.find(name)),
  lookup: name => catalog.lookup(name),
  offered: () => catalog.offered(),
  all: () => catalog.all(),
  nearest: name => catalog.nearest(name),
  diagnostics: catalog.diagnostics,
})

const keptBy = ({ hooks, sandbox }: BriefingPorts): KeptLimits => ({
  hasSandbox: !!sandbox,
  runsAgentHooks: hooks?.runsAgentHooks === true,
  holdsGiven: sandbox?.holdsGiven === true,
})
