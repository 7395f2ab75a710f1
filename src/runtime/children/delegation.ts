/**
 * Delegation as one caller sees it: only its own descendants can be reached, and what it can give is bounded by what
 * it has. The brief of a prepared child waits here until the caller's log says the child has started.
 */

import type { AgentDefinition } from '../../core/agent-definition.js'
import { roomBytes } from '../../core/brief/context.js'
import { lowestBudget, ownPurses } from '../../core/budget/budget.js'
import type { ChildStart } from '../../core/events.js'
import type { CallId, RunId } from '../../core/message.js'
import type { Delegation, DescendantView } from '../../core/ports.js'
import { describeProgress, progressOf } from '../../core/run/progress.js'
import { openQuestion } from '../../core/run/run-questions.js'
import { type ChildState, callerIdOf, isAwaited, type RunState } from '../../core/run/run-state.js'
import { type RunSummary, runsFrom } from '../../core/run/run-summary.js'
import type { InboxItem } from '../../core/run-store.js'
import type { Brief, Caller, Declared, Refusal, Result, Task } from '../../core/types.js'
import type { DeclaredBook } from '../logs/declared-book.js'
import { childRunId } from '../logs/ids.js'
import type { Postman } from '../logs/postman.js'
import type { RunReader } from '../logs/run-reader.js'
import type { Census } from './census.js'
import {
  anotherAgent,
  goesOnAsBegun,
  nameTaken,
  notEnded,
  queueFull,
  settledBefore,
  takenByOthers,
} from './delegation-refusals.js'
import { logGone, type NextAttemptPorts, takeNextAttempt } from './next-attempt.js'
import type { PreparedRuns } from './prepared-runs.js'
import type { PurseBook } from './purse.js'

/** What delegation needs of whoever owns the runs. */
export interface DelegationPorts extends NextAttemptPorts {
  now(): number
  readonly census: Census
  readonly reader: RunReader
  readonly prepared: PreparedRuns
  readonly declared: DeclaredBook
  readonly postman: Postman
  /** A child that was decided on will not be: what was kept for it is free again. */
  unpromise(rootId: RunId, runId: RunId): void
  isFull(): boolean
  /** The place in the queue for a slot a new run would get now; 0: none. */
  expectedPosition(): number
  position(runId: RunId): number
  join(runId: RunId, signal: AbortSignal, attempt?: number): Promise<Result>
  /** Whether a person is there to ask. */
  isListening(rootId: RunId): boolean
  /** The brief of a stored run under today's rules for it and for everybody above it; what it may spend is left as it is. */
  todaysBrief(state: RunState): Promise<RunState['brief'] | Refusal>
}

/** What a caller needs to answer a child's question. */
const answeringTool = 'TaskSend'

interface CallerOptions {
  /** What a fork would send again. */
  readonly declared?: Declared | undefined
  /** A run that is to go on, so that what it spent before counts as its own. */
  readonly again?: RunId
}

export function callerOf(
  state: RunState,
  purses: Pick<PurseBook, 'remainder'>,
  { declared, again }: CallerOptions = {},
): Caller {
  const { brief, rootId, runId } = state
  const remainder = purses.remainder({ rootId, runId, purses: brief.purses }, again)
  return {
    ...(brief.purses && { purses: brief.purses }),
    ...(remainder && { remainder }),
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
  readonly #signal: AbortSignal | undefined

  /** `signal`: of the call that acts through it. What is decided after it was cut off is not taken. */
  constructor(
    ports: DelegationPorts,
    state: RunState,
    declared: Declared | undefined,
    signal: AbortSignal | undefined,
  ) {
    this.#ports = ports
    this.#state = state
    this.#declared = declared
    this.#signal = signal
  }

  async prepare(task: Task, callId: CallId, only?: AgentDefinition): Promise<{ readonly child: ChildStart } | Refusal> {
    if (task.resume !== undefined) return this.#prepareAgain(task, task.resume, callId)
    const runId = childRunId(this.#state.runId, callId)
    const known = this.#state.children.get(runId)
    if (!known && task.name !== undefined && (await this.#isNameTaken(task.name))) return nameTaken(task.name)
    await this.#ports.briefing.openTools(task, this.#caller())
    const { rootId } = this.#state
    await this.#ports.census.load(rootId)
    // Asked in the step in which the name is looked up: agents may change while others are waited for.
    if (only && !this.#ports.briefing.isStill(only)) return anotherAgent(only)
    const brief = this.#briefFor(task, known)
    if ('refused' in brief) return brief
    if (!known && this.#ports.isFull()) return queueFull
    // A second of its name may have been asked for in the same turn.
    if (!known && task.name !== undefined && this.#isPromised(task.name)) return nameTaken(task.name)
    const no = this.#cutOff(brief.agent) ?? this.#ports.census.admit(rootId, runId)
    if (no) return no
    const position = this.#ports.expectedPosition()
    const by = { runId: this.#state.runId, callId }
    this.#ports.prepared.hold(runId, { kind: 'new', brief, prompt: task.prompt, by })
    // Whoever needs it hears of a failure; here it only begins, so that it is stored with the caller's next entry.
    this.#ports.declared.keepAhead(brief.declared)
    // Taken in the same step in which it was looked at: three children racing for one remainder cannot overspend it.
    this.#ports.purses.open({ rootId, runId, parentId: by.runId }, brief, by)
    const refusal = (await this.#ports.purses.priceRefusal(brief)) ?? this.#cutOff(brief.agent)
    if (refusal) {
      this.#ports.unpromise(rootId, runId)
      return refusal
    }
    return {
      child: {
        runId,
        attempt: 1,
        agent: brief.agent,
        description: task.description,
        nickname: brief.nickname,
        isBackground: brief.isBackground,
        ...(brief.budget && { reserved: brief.budget }),
        ...(position > 0 && { position }),
      },
    }
  }

  /** Whoever stopped the call was told that it is over. */
  #cutOff(agent: string): Refusal | undefined {
    if (!this.#signal?.aborted) return undefined
    return { refused: `Not started: the caller of ${agent} was stopped.`, rule: 'cancelled' }
  }

  #caller(again?: RunId): Caller {
    return callerOf(this.#state, this.#ports.purses, { declared: this.#declared, again })
  }

  /** A child that was promised before a crash keeps what was carved out for it then, unless it is granted less today. */
  #briefFor(task: Task, known: ChildState | undefined): Brief | Refusal {
    const caller = this.#caller()
    if (!known?.reserved) return this.#ports.briefing.decide(task, caller)
    const brief = this.#ports.briefing.decide(task, { ...caller, remainder: known.reserved })
    if ('refused' in brief) return brief
    const budget = lowestBudget(brief.budget, known.reserved)
    return { ...brief, ...(budget && { budget }), purses: { ...brief.purses, ...ownPurses(budget) } }
  }

  async find(address: string): Promise<DescendantView | undefined> {
    const all = await this.#descendants()
    const bearers = all.filter(run => run.nickname === address)
    // A name that a child gave below it does not hide one that was given here.
    const own = bearers.filter(run => run.parentId === this.#state.runId)
    const named = own.length > 0 ? own : bearers
    const summary = all.find(run => run.runId === address) ?? named.find(run => run.status !== 'ended') ?? named[0]
    if (!summary) return undefined
    const result =
      summary.status === 'ended' ? await this.#ports.reader.result(summary.runId, summary.attempt) : undefined
    return { ...this.#view(summary), result }
  }

  async list(): Promise<readonly DescendantView[]> {
    return (await this.#descendants()).map(summary => this.#view(summary))
  }

  join(runId: RunId, signal: AbortSignal, attempt?: number): Promise<Result> {
    return this.#ports.join(runId, signal, attempt)
  }

  send(runId: RunId, item: InboxItem): Promise<Refusal | undefined> {
    return this.#ports.postman.post(runId, item)
  }

  async wake(runId: RunId, item: InboxItem, callId: CallId): Promise<{ readonly child: ChildStart } | Refusal> {
    const view = await this.find(runId)
    const description = view?.summary.description ?? ''
    const task: Task = { prompt: '', description, resume: runId, isBackground: true }
    const prepared = await this.#prepareAgain(task, runId, callId)
    if ('child' in prepared) await this.#ports.postman.leave(runId, item)
    return prepared
  }

  async whoAnswers(to: 'caller' | 'user'): Promise<'caller' | 'user' | 'nobody'> {
    const { rootId, runId } = this.#state
    const callerId = callerIdOf(this.#state)
    const caller = to === 'caller' && callerId ? await this.#ports.reader.state(callerId) : undefined
    const canAnswer =
      caller?.children.has(runId) === true &&
      !caller.brief.isLogOnly &&
      caller.brief.allowed.includes(answeringTool) &&
      (!caller.result || !caller.brief.waitsForChildren)
    if (canAnswer) return 'caller'
    return this.#ports.isListening(rootId) ? 'user' : 'nobody'
  }

  room(): number {
    return roomBytes(this.#state)
  }

  async #isNameTaken(name: string): Promise<boolean> {
    return (await this.#descendants()).some(run => run.nickname === name && run.status !== 'ended')
  }

  /** A child of this run that no list of runs need have yet. */
  #isPromised(name: string): boolean {
    const begun = [...this.#state.children.values()].some(child => child.nickname === name && !child.isEnded)
    return begun || this.#ports.prepared.hasNewcomer(name, this.#state.runId)
  }

  async #prepareAgain(task: Task, runId: RunId, callId: CallId): Promise<{ readonly child: ChildStart } | Refusal> {
    const view = await this.find(runId)
    if (!view)
      return {
        refused: `There is no run "${runId}" below you. TaskList shows yours; to begin anew leave resume out.`,
        rule: 'unknown-run',
      }
    const { summary } = view
    if (task.agent !== undefined && ![task.agent, this.#ports.briefing.calledNow(task.agent)].includes(summary.agent)) {
      return {
        refused: `Run ${runId} belongs to ${summary.agent}, not to ${task.agent}. Leave subagent_type out to resume it.`,
        rule: 'resume-other-agent',
      }
    }
    const settled = settledBefore.filter(([field]) => task[field] !== undefined).map(([, name]) => name)
    if (settled.length > 0) return goesOnAsBegun(runId, settled)
    const attempt = summary.attempt + 1
    if (summary.status !== 'ended') return notEnded(runId)
    const takenBefore = () => this.#takenBefore(summary.runId, attempt, task, callId)
    const taken = takenBefore()
    if (taken) return taken
    const old = await this.#stored(summary.runId)
    if ('refused' in old) return old
    const isBackground = task.isBackground ?? false
    const brief = await takeNextAttempt(this.#ports, {
      old,
      attempt,
      task,
      caller: () => this.#caller(summary.runId),
      promisedTo: { runId: this.#state.runId, callId },
      overtaken: () => this.#overtaken(summary.runId, attempt, task),
      takenBefore: () => this.#cutOff(summary.agent) ?? takenBefore(),
      taken: amended => {
        const next = { ...amended, isBackground }
        const by = { runId: this.#state.runId, callId }
        const held = { kind: 'again', attempt, brief: next, prompt: task.prompt, by } as const
        this.#ports.prepared.hold(summary.runId, held)
      },
    })
    if ('refused' in brief) return brief
    return {
      child: {
        runId: summary.runId,
        attempt,
        agent: summary.agent,
        description: task.description,
        nickname: summary.nickname,
        isBackground,
        ...(brief.budget && { reserved: brief.budget }),
      },
    }
  }

  /** Two calls cannot both wait for the same attempt, nor one wake what another still waits for: only one would be answered. */
  #takenBefore(runId: RunId, attempt: number, task: Task, callId: CallId): Refusal | undefined {
    const child = this.#state.children.get(runId)
    if (child && child.callId !== callId && (child.attempt >= attempt || isAwaited(this.#state, child)))
      return notEnded(runId)
    // Whoever holds it, here or above or below: an attempt has one prompt, and is as narrow as one call wants it.
    const held = this.#ports.prepared.heldAgain(runId)
    if (held?.by?.runId === this.#state.runId) return held.by.callId === callId ? undefined : notEnded(runId)
    if (held) return takenByOthers(runId)
    const live = this.#ports.reader.live(runId)
    return live && live.attempt >= attempt && saysSomething(task) ? takenByOthers(runId) : undefined
  }

  /** It was begun meanwhile, and may have ended again. */
  async #overtaken(runId: RunId, attempt: number, task: Task): Promise<Refusal | undefined> {
    if (!saysSomething(task)) return undefined
    const newest = await this.#ports.reader.summary(runId)
    return newest && newest.attempt >= attempt ? takenByOthers(runId) : undefined
  }

  /** What binds the run that began it binds it today as well, whoever above goes on with it. */
  async #stored(runId: RunId): Promise<RunState | Refusal> {
    const state = await this.#ports.reader.state(runId)
    if (!state) return logGone(runId)
    if (state.parentId === this.#state.runId) return state
    const brief = await this.#ports.todaysBrief(state)
    return 'refused' in brief ? brief : { ...state, brief }
  }

  /** The tree below this run, newest first. */
  async #descendants(): Promise<readonly RunSummary[]> {
    const { rootId, runId } = this.#state
    const tree = await this.#ports.reader.list({ rootId })
    return runsFrom(tree, runId).filter(run => run.runId !== runId)
  }

  #view(summary: RunSummary): DescendantView {
    const state = this.#ports.reader.live(summary.runId)
    const position = this.#ports.position(summary.runId)
    const now = this.#ports.now()
    const asked = state && openQuestion(state)
    const known = this.#state.children.get(summary.runId)?.attempt ?? 0
    return {
      summary,
      nickname: summary.nickname,
      progress: state ? describeProgress(state, now, position) : summary.status,
      ...(state && { live: progressOf(state, now, position) }),
      ...(asked?.to === 'caller' && { question: asked }),
      isOwn: summary.parentId === this.#state.runId || known >= summary.attempt,
      ...(summary.status === 'ended' && this.#isUntold(summary.runId) && { isUntold: true }),
    }
  }

  #isUntold(runId: RunId): boolean {
    const child = this.#state.children.get(runId)
    if (!child?.isBackground) return false
    return child.deliveredAttempt < child.attempt || this.#state.pending.some(({ childId }) => childId === runId)
  }
}

/** What is only woken reads its inbox, whoever began the attempt. */
const saysSomething = ({ prompt }: Task): boolean => prompt.trim() !== ''
