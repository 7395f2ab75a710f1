/**
 * A caller that is no run of ours: somebody else's loop that hands Task to its own model. It gets a log of depth 0
 * that holds only its children, so they have a root, can be listed, stopped and resumed like any other.
 */
import { decideBudget } from '../../core/budget/budget.js'
import { frozenCopy, ownCopy } from '../../core/copies.js'
import type { ChildStart, DurableEvent } from '../../core/events.js'
import type { CallId, Message, RunId } from '../../core/message.js'
import { hostHearsLater, invalidInput } from '../../core/notices.js'
import type { Policy } from '../../core/policy.js'
import type { Clock, SchemaCheck, Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { isErrorResult, renderResult } from '../../core/run/result.js'
import { endNow } from '../../core/run/run-next.js'
import type { ChildState, RunState } from '../../core/run/run-state.js'
import { messageOf } from '../../core/thrown.js'
import type { Brief, Result } from '../../core/types.js'
import { emptyResult } from '../children/child-end.js'
import { CallerDelegation } from '../children/delegation.js'
import { HouseClosed } from '../doors.js'
import { type RunLog, unlessUnknown } from '../logs/run-log.js'
import type { Supervisor } from '../supervisor.js'
import { tellFailure } from '../tell-failure.js'
import { type HostCallPorts, HostCalls } from './host-calls.js'
import { hostGone } from './host-logs.js'
import { HostNews, withTexts } from './host-news.js'

/** The call as the host's model made it. */
export interface HostCall {
  readonly callId: string
  readonly signal?: AbortSignal
  /** The host's conversation so far, for agents that fork it. */
  readonly messages?: readonly Message[]
}

export interface HostPorts extends HostCallPorts {
  readonly supervisor: Supervisor
  readonly clock: Clock
  readonly policy: Policy
  onError(error: unknown): void
}

/** A loop that is not ours, as the caller of runs. `Offshoot.host()` opens one. */
export class HostRun {
  readonly #log: RunLog
  readonly #supervisor: Supervisor
  readonly #clock: Clock
  readonly #policy: Policy
  readonly #check: SchemaCheck
  readonly #onError: HostPorts['onError']
  readonly #calls: HostCalls
  readonly #news: HostNews
  readonly #used = new Set<string>()
  #writing: Promise<unknown> = Promise.resolve()
  #isClosed = false

  /** @internal `Offshoot.host()` opens one. */
  constructor(log: RunLog, ports: HostPorts) {
    this.#log = log
    this.#supervisor = ports.supervisor
    this.#clock = ports.clock
    this.#policy = ports.policy
    this.#check = ports.check
    this.#onError = ports.onError
    this.#calls = new HostCalls(log, ports)
    this.#news = new HostNews({
      inbox: () => ports.supervisor.postman.inbox(this.id),
      consume: ids => this.#record([], ids),
      result: (runId, attempt) => ports.supervisor.reader.result(runId as RunId, attempt),
      isAwaited: (runId, attempt) => {
        const child = log.state.children.get(runId as RunId)
        return child !== undefined && !child.isBackground && child.attempt === attempt
      },
      maxBytes: ports.policy.resultBytes,
      onError: ports.onError,
    })
  }

  get id(): RunId {
    return this.#log.state.runId
  }

  /**
   * Runs a tool for the host: its model made the call, so rules (`Agent(deployer)` denied), guards and the bound on many
   * runs at once hold for it. What would ask is denied unless a hook answers, because a loop that is not ours cannot wait
   * here. Never rejects: what goes wrong is an error output.
   */
  async call(
    tool: Tool,
    given: unknown,
    { callId, signal = new AbortController().signal, messages = [] }: HostCall,
  ): Promise<ToolOutput> {
    const id = this.#uniqueId(callId)
    const input = frozenCopy(given)
    const open = this.#calls.begin(tool, input, id)
    try {
      const faults = await this.#check(tool.spec.inputSchema, input)
      if (faults.length > 0) return { content: invalidInput(tool.spec.name, faults), isError: true }
      const context = this.#context(id, signal, messages)
      const granted = await this.#calls.decide(open, tool, input, context)
      if ('content' in granted) return granted
      if (this.#isClosed) throw new HouseClosed()
      const output = await tool.run(ownCopy(granted.input), context)
      const answer = output.child ? await this.#carry(output, output.child, id, signal) : output
      const heard = await this.#calls.heard(open, answer, granted, context)
      return this.#isClosed ? heard : await this.#news.with(heard)
    } catch (error) {
      const why = this.#isClosed
        ? 'this host is closed, and starts nothing more; offshoot.host() opens another'
        : messageOf(error)
      return { content: `${tool.spec.name} failed: ${why}`, isError: true }
    } finally {
      this.#calls.end(open)
      this.#supervisor.forsake(this.#log.state, id)
    }
  }

  /** A host may number its calls anew in every loop; a child's id follows from its call, so each needs its own. */
  #uniqueId(callId: string): CallId {
    let id = callId
    for (let i = 2; this.#used.has(id); i++) id = `${callId}_${i}`
    this.#used.add(id)
    return id as CallId
  }

  /** Ends the log. Children still running are stopped; with `leave` they stay as they are and can be resumed. */
  async close(how: 'stop' | 'leave' = 'stop'): Promise<void> {
    const { state } = this.#log
    this.#isClosed = true
    if (state.result) return
    if (how === 'stop')
      for (const child of state.children.values()) if (!child.isEnded) await this.#stopAtEnd(child.runId)
    await this.#record(how === 'stop' ? [{ type: 'run.ended', result: this.#ended() }] : this.#left()).catch(unlessOver)
    await this.#log.release()
  }

  /** Never rejects: the end is written whatever becomes of one child. One that was never begun has nothing to stop. */
  async #stopAtEnd(runId: RunId): Promise<void> {
    const tell = tellFailure(this.#onError, `run ${runId} could not be told to stop`)
    await this.#supervisor.stop(runId, 'the host has ended', 'host').catch(unlessUnknown).catch(tell)
  }

  #left(): readonly DurableEvent[] {
    return endNow(this.#log.state, hostGone, this.#clock.now())
  }

  #ended(): Result {
    const { runId, agent, queuedAt } = this.#log.state
    const durationMs = Math.max(0, this.#clock.now() - queuedAt)
    return { ...emptyResult, runId, agent, outcome: 'completed', durationMs }
  }

  async #carry(output: ToolOutput, child: ChildStart, callId: CallId, signal: AbortSignal): Promise<ToolOutput> {
    if (signal.aborted) {
      return { content: `Not started: the caller of ${child.agent} was stopped.`, isError: true, summary: 'cancelled' }
    }
    await this.#record([{ type: 'child.started', callId, ...child }])
    const state = this.#log.state.children.get(child.runId)!
    const { result: ending } = await this.#join(state, signal)
    if (child.isBackground) {
      ending.catch(() => {})
      return { ...output, content: withTexts(output.content, [hostHearsLater]) }
    }
    const result = await ending
    return {
      content: renderResult(result, { maxBytes: this.#policy.resultBytes }),
      isError: isErrorResult(result),
      summary: result.outcome,
      delivers: [{ runId: child.runId, attempt: child.attempt }],
    }
  }

  /** Resolves once the child can be found; then with its end. */
  async #join(child: ChildState, signal: AbortSignal): Promise<{ readonly result: Promise<Result> }> {
    const joined = new AbortController()
    const onAbort = () => {
      this.#supervisor.withdraw(this.#log.state, child.runId)
      void this.#stop(child.runId, joined.signal)
    }
    if (!child.isBackground) {
      if (signal.aborted) onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
    }
    const over = () => {
      joined.abort()
      signal.removeEventListener('abort', onAbort)
    }
    const unprepared = async () => ({ refused: 'it was never prepared', rule: 'call-gone' })
    try {
      const { result } = await this.#supervisor.takeUpChild(this.#log.state, child, unprepared)
      // The end is waited for even after an abort: the child's own end is a fact the log should hold.
      return { result: result.then(end => this.#recordEnd(child, end)).finally(over) }
    } catch (error) {
      over()
      throw error
    }
  }

  async #recordEnd({ runId, attempt }: ChildState, result: Result): Promise<Result> {
    const { outcome, recoveredFrom, usage, cost, spent } = result
    const saved = recoveredFrom && { recoveredFrom }
    // Too late for this log, it is in the child's own.
    await this.#record([{ type: 'child.ended', runId, attempt, outcome, ...saved, usage, cost, spent }]).catch(
      unlessOver,
    )
    return result
  }

  /** A stop may come before the child's log is there to take it: then it is given again until the child has ended. */
  async #stop(runId: RunId, isOver: AbortSignal): Promise<void> {
    for (let pauseMs = 1; !isOver.aborted; pauseMs = Math.min(pauseMs * 2, 1_000)) {
      try {
        return await this.#supervisor.stop(runId, 'its caller was stopped', 'caller')
      } catch {
        await this.#clock.sleep(pauseMs, isOver).catch(() => {})
      }
    }
  }

  /** One append at a time: calls of a host come side by side. Rejects with HouseClosed after the end of the log. */
  #record(events: readonly DurableEvent[], consumed: readonly string[] = []): Promise<void> {
    const mine = this.#writing.then(() => {
      if (this.#log.state.result) throw new HouseClosed()
      return this.#log.record(events, consumed)
    })
    this.#writing = mine.catch(() => {})
    return mine
  }

  #context(callId: CallId, signal: AbortSignal, messages: readonly Message[]): ToolContext {
    const state: RunState = { ...this.#log.state, messages: [...messages] }
    const { cwd } = this.#policy
    return {
      runId: state.runId,
      rootId: state.rootId,
      callId,
      agent: state.agent,
      path: state.brief.path,
      depth: 0,
      workspace: { cwd, roots: [cwd] },
      mode: this.#policy.mode,
      signal,
      clock: this.#clock,
      progress: () => {},
      knownVersion: () => undefined,
      delegation: new CallerDelegation(this.#supervisor, state, undefined, signal),
    }
  }
}

/** What a host spends itself nobody here sees; what its children spend is bounded like any tree. */
function hostBudget({ treeBudget }: Policy): Pick<Brief, 'budget' | 'purses'> {
  const decided = decideBudget({ tree: treeBudget })
  if ('refused' in decided) throw new Error(decided.refused)
  return { budget: decided.budget, purses: decided.purses }
}

/** A host may hand on every tool it registered; what it gives its own model is its own business. */
export function hostBrief(tools: readonly string[], policy: Policy): Brief {
  return {
    agent: 'host',
    displayName: 'host',
    description: 'calls from a host loop',
    path: ['host'],
    depth: 0,
    source: { scope: 'command-line', isTrusted: true },
    declared: { system: '', tools: [] },
    allowed: tools,
    delegateTools: [],
    canSpawn: true,
    chain: [
      {
        agent: 'host',
        mode: policy.mode,
        approvalMode: 'caller',
        rules: { allow: [], ask: [], deny: [] },
        grants: [],
        refusals: [],
        ...(policy.given && { given: policy.given }),
      },
    ],
    model: policy.defaultModel ?? '',
    sampling: {},
    ...hostBudget(policy),
    limits: {
      graceMs: 0,
      resultBytes: policy.resultBytes,
      spawnDeadlineMs: policy.spawnDeadlineMs,
      stallMs: policy.stallMs,
      stopHookReturns: 0,
      ...(policy.fanOutApproval !== undefined && { fanOut: policy.fanOutApproval }),
    },
    completion: { mode: 'text', outputName: 'result', isStructured: false },
    opening: [],
    isBackground: false,
    waitsForChildren: true,
    isLogOnly: true,
    isolation: 'none',
    executionMode: 'in-process',
    hooked: [],
    reasons: [],
  }
}

function unlessOver(error: unknown): undefined {
  if (!(error instanceof HouseClosed)) throw error
}
