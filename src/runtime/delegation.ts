/**
 * Delegation as one caller sees it: only its own descendants can be reached, and what it can give is bounded by what
 * it has. The brief of a prepared child waits here until the caller's log says the child has started.
 */
import { amendBrief } from '../core/amend.js'
import type { CallId, RunId } from '../core/message.js'
import type { ChildStart, Delegation, DescendantView, InboxItem, RunQuery } from '../core/ports.js'
import { describeProgress } from '../core/progress.js'
import type { RunState } from '../core/run-state.js'
import type { RunSummary } from '../core/run-summary.js'
import type { Brief, Caller, Declared, Refusal, Result, StoredBrief, Task } from '../core/types.js'
import { childRunId } from './ids.js'

/** A child that may start: a new run with its brief, or another attempt of an old one. */
export type Prepared =
  | { readonly kind: 'new'; readonly brief: Brief; readonly prompt: string }
  | { readonly kind: 'again'; readonly brief: StoredBrief; readonly prompt: string }

/** What delegation needs of whoever owns the runs. */
export interface DelegationPorts {
  now(): number
  /** Decides a brief, with the tools the agent brings along at hand; no run is started. */
  prepareBrief(task: Task, caller: Caller): Promise<Brief | Refusal>
  isFull(): boolean
  hold(runId: RunId, prepared: Prepared): void
  list(query: RunQuery): Promise<readonly RunSummary[]>
  readState(runId: RunId): Promise<RunState | undefined>
  readResult(runId: RunId): Promise<Result | undefined>
  liveState(runId: RunId): RunState | undefined
  position(runId: RunId): number
  join(runId: RunId, signal: AbortSignal): Promise<Result>
  post(runId: RunId, item: InboxItem): Promise<void>
}

export function callerOf(state: RunState, declared: Declared | undefined): Caller {
  const { brief } = state
  return {
    runId: state.runId,
    rootId: state.rootId,
    depth: state.depth,
    path: brief.path,
    tools: brief.allowed,
    delegateTools: brief.delegateTools,
    canSpawn: brief.canSpawn,
    isBackground: brief.isBackground,
    model: brief.model,
    chain: brief.chain,
    messages: state.messages,
    declared,
  }
}

export class CallerDelegation implements Delegation {
  readonly #ports: DelegationPorts
  readonly #state: RunState
  readonly #declared: Declared | undefined

  constructor(ports: DelegationPorts, state: RunState, declared: Declared | undefined) {
    this.#ports = ports
    this.#state = state
    this.#declared = declared
  }

  async prepare(task: Task, callId: CallId): Promise<{ readonly child: ChildStart } | Refusal> {
    if (task.resume !== undefined) return this.#prepareAgain(task, task.resume)
    const runId = childRunId(this.#state.runId, callId)
    const brief = await this.#ports.prepareBrief(task, callerOf(this.#state, this.#declared))
    if ('refused' in brief) return brief
    const isKnown = this.#state.children.has(runId)
    if (!isKnown && this.#ports.isFull()) return queueFull
    this.#ports.hold(runId, { kind: 'new', brief, prompt: task.prompt })
    return {
      child: {
        runId,
        attempt: 1,
        agent: brief.agent,
        description: task.description,
        nickname: brief.nickname,
        isBackground: brief.isBackground,
      },
    }
  }

  async find(address: string): Promise<DescendantView | undefined> {
    const all = await this.#descendants()
    const summary = all.find(run => run.runId === address) ?? all.filter(run => run.nickname === address).at(0)
    return summary && this.#view(summary)
  }

  async list(): Promise<readonly DescendantView[]> {
    return Promise.all((await this.#descendants()).map(summary => this.#view(summary)))
  }

  join(runId: RunId, signal: AbortSignal): Promise<Result> {
    return this.#ports.join(runId, signal)
  }

  send(runId: RunId, item: InboxItem): Promise<void> {
    return this.#ports.post(runId, item)
  }

  async #prepareAgain(task: Task, runId: RunId): Promise<{ readonly child: ChildStart } | Refusal> {
    const view = await this.find(runId)
    if (!view)
      return {
        refused: `There is no run "${runId}" below you. TaskList shows yours; to begin anew leave resume out.`,
        rule: 'unknown-run',
      }
    const { summary } = view
    if (task.agent !== undefined && task.agent !== summary.agent) {
      return {
        refused: `Run ${runId} belongs to ${summary.agent}, not to ${task.agent}. Leave subagent_type out to resume it.`,
        rule: 'resume-other-agent',
      }
    }
    if (summary.status !== 'ended')
      return { refused: `Run ${runId} has not ended. TaskOutput waits for it.`, rule: 'resume-running' }
    const old = await this.#ports.readState(summary.runId)
    if (!old) return { refused: `The log of run ${runId} cannot be read any more.`, rule: 'log-gone' }
    const caller = callerOf(this.#state, this.#declared)
    const fresh = await this.#ports.prepareBrief({ ...task, agent: summary.agent, model: old.brief.model }, caller)
    if ('refused' in fresh) return fresh
    const brief = amendBrief(old.brief, fresh)
    this.#ports.hold(summary.runId, { kind: 'again', brief, prompt: task.prompt })
    const isBackground = task.isBackground ?? false
    return {
      child: {
        runId: summary.runId,
        attempt: summary.attempt + 1,
        agent: summary.agent,
        description: task.description,
        nickname: summary.nickname,
        isBackground,
      },
    }
  }

  /** The tree below this run, newest first. */
  async #descendants(): Promise<readonly RunSummary[]> {
    const tree = await this.#ports.list({ rootId: this.#state.rootId })
    const below = new Set<RunId>([this.#state.runId])
    let size: number
    do {
      size = below.size
      for (const run of tree) if (run.parentId && below.has(run.parentId)) below.add(run.runId)
    } while (below.size > size)
    below.delete(this.#state.runId)
    return tree.filter(run => below.has(run.runId))
  }

  async #view(summary: RunSummary): Promise<DescendantView> {
    const result = summary.status === 'ended' ? await this.#ports.readResult(summary.runId) : undefined
    const live = this.#ports.liveState(summary.runId)
    const position = this.#ports.position(summary.runId)
    return {
      summary,
      nickname: summary.nickname,
      result,
      progress: live ? describeProgress(live, this.#ports.now(), position) : summary.status,
    }
  }
}

const queueFull: Refusal = {
  refused: 'The queue for runs is full, so this one was not started. Wait for some to end, or do the work yourself.',
  rule: 'queue-full',
}
