/**
 * The brief of a stored run by the rules of today, laid over the old one (B4): the result is never wider than either.
 *
 * A1 Everybody above a run that is not driven here is worked out afresh too, so that a rule that binds the caller today
 *    binds a child that goes on without it.
 * A2 An attempt that goes on keeps what was settled for it: turns that its task had asked for, the hooks that heard its
 *    start, and its budget, which is for life: today's can only lower it, and nothing is carved out anew above it.
 * A3 An agent that was given on the command line was known to that process alone, and nobody has taken it away: what is
 *    left of an attempt goes on by what its brief records of it, under the caller and the house of today.
 * A4 A rule of today against handing work to its agent binds it as it binds a fresh call of its caller.
 *
 * A judge and servers are waited for on the way: `over` says that nobody waits for it any more, and what was asked rejects
 * with its reason.
 */
import type { AgentDefinition, Budget } from '../../core/agent-definition.js'
import { amendBrief, changesOf } from '../../core/brief/amend.js'
import { strictestMode } from '../../core/brief/mode.js'
import { dimensions } from '../../core/budget/budget.js'
import type { RunId } from '../../core/message.js'
import type { Policy } from '../../core/policy.js'
import type { RunState } from '../../core/run/run-state.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { RunStore } from '../../core/run-store.js'
import type { Brief, Caller, Refusal, StoredBrief, Task } from '../../core/types.js'
import { orAbort } from '../drive/steps.js'
import { askingHost, notResumed } from '../host-failure.js'
import type { RunLog } from '../logs/run-log.js'
import type { RunReader } from '../logs/run-reader.js'
import { callerOf } from './delegation.js'
import { type DeniedTodayPorts, deniedToday } from './denied-today.js'
import { isConversation, logGone, type NextAttemptPorts, takeNextAttempt } from './next-attempt.js'

export interface TodaysPorts extends NextAttemptPorts, DeniedTodayPorts {
  readonly reader: RunReader
  readonly policy: Policy
  readonly store: Pick<RunStore, 'inbox'>
  /** Here, or by another process that lives. */
  isDriven(runId: RunId): Promise<boolean>
}

export class TodaysBriefs {
  readonly #ports: TodaysPorts

  constructor(ports: TodaysPorts) {
    this.#ports = ports
  }

  /** For another attempt of a run that has ended. What it may spend is taken: it goes on, or gives that back. */
  async forNext(
    { runId }: Pick<RunSummary, 'runId'>,
    asked: Budget | undefined,
    over: AbortSignal,
  ): Promise<StoredBrief | Refusal> {
    const { reader, purses } = this.#ports
    const old = await reader.state(runId)
    if (!old) return logGone(runId)
    const above = await this.#mayCall(old, over)
    if (above && 'refused' in above) return above
    return takeNextAttempt(this.#ports, {
      old,
      attempt: old.attempt + 1,
      task: taskAgain(old, asked && { budget: asked }),
      caller: () => above && callerOf(above, purses, { again: runId }),
      promisedTo: 'host',
    })
  }

  /** For the attempt that was left without an end. */
  async forRest(state: RunState, over: AbortSignal): Promise<StoredBrief | Refusal> {
    const above = await this.#mayCall(state, over)
    if (above && 'refused' in above) return above
    const { purses, hooked } = state.brief
    const laying = askingHost(async () => {
      const amended = await this.#layRest(state, above && withoutRemainder(above))
      if ('refused' in amended) return amended
      // One that had a price when it began ends by its budget where that is lost.
      const unpriced = purses?.usd ? undefined : await this.#ports.purses.priceRefusal(amended)
      return unpriced ?? { ...amended, hooked }
    }, notResumed(state.runId))
    return orAbort(laying, over)
  }

  /** Why that attempt may not go on, for whoever wants to take it up and can be told. */
  async refusalOfRest(runId: RunId, over: AbortSignal): Promise<Refusal | undefined> {
    const { reader, store } = this.#ports
    const state = await reader.state(runId)
    if (!state || state.brief.isLogOnly || state.failure || state.stop) return undefined
    // It is taken up to hear that it should stop.
    if ((await store.inbox(runId)).some(({ kind }) => kind === 'stop')) return undefined
    const today = await this.forRest(state, over)
    if (!('refused' in today)) return undefined
    // Who holds it is the better answer, and comes when it is taken up.
    return (await this.#ports.isDriven(runId)) ? undefined : today
  }

  /** Before a run that was left is driven again: what is different today stands in its log. */
  async layOver(log: RunLog, over: AbortSignal): Promise<void> {
    const { state } = log
    if (state.failure || state.stop) return
    const today = await this.forRest(state, over)
    if ('refused' in today) {
      await log.record([{ type: 'run.barred', rule: today.rule, message: today.refused }])
      return
    }
    const changes = changesOf(state.brief, today)
    if (changes) await log.record([{ type: 'brief.narrowed', changes }])
  }

  async #layRest(state: RunState, caller: Caller | undefined): Promise<StoredBrief | Refusal> {
    const { brief } = state
    const { briefing } = this.#ports
    const task = taskAgain(state, { isBackground: false, maxTurns: askedTurns(brief) })
    const options = { isConversation: isConversation(brief) }
    const fresh =
      wasGiven(brief) && !briefing.isKnown(brief.agent)
        ? briefing.decide(task, caller, { ...options, recorded: asRecorded(brief) })
        : await briefing.prepare(task, caller, options)
    return 'refused' in fresh ? fresh : briefing.lay(brief, sharing(fresh, brief, caller))
  }

  /** A1, A4. Its caller as it is today. Undefined for a root. */
  async #mayCall(state: RunState, over: AbortSignal): Promise<RunState | Refusal | undefined> {
    const above = await this.#above(state, over)
    if (!above || 'refused' in above) return above
    return (await deniedToday(this.#ports, above, state, over)) ?? above
  }

  /** A1. Undefined for a root. */
  async #above({ parentId }: RunState, over: AbortSignal): Promise<RunState | Refusal | undefined> {
    const { reader, purses } = this.#ports
    const above = parentId && (await reader.state(parentId))
    if (!above || reader.live(above.runId)) return above || undefined
    const brief = above.brief.isLogOnly ? this.#hostToday(above.brief) : await this.forRest(above, over)
    if ('refused' in brief)
      return { ...brief, refused: `Its caller ${above.agent} may not go on, and so it may not: ${brief.refused}` }
    // What binds it today binds whoever spends from it, also before it goes on itself.
    await purses.load(above.rootId, brief, above.runId)
    purses.lower(above, brief)
    return { ...above, brief }
  }

  #hostToday(brief: StoredBrief): StoredBrief {
    const last = brief.chain.at(-1)
    if (!last) return brief
    const { mode, given = last.given } = this.#ports.policy
    const today = { ...last, mode: strictestMode(mode, last.mode), ...(given && { given }) }
    return amendBrief(brief, { chain: [today] })
  }
}

/** A2. */
export const budgetUnderWay = (runId: RunId): Refusal => ({
  refused: `Run ${runId} is in the middle of an attempt, and goes on with the budget it has: resume it without one.`,
  rule: 'budget-under-way',
})

/** Somebody else was quicker, and asked for more. */
export const mayMore = (brief: StoredBrief | undefined, asked: Budget): boolean =>
  brief !== undefined &&
  dimensions.some(
    dimension =>
      (brief.budget?.[dimension] ?? Number.POSITIVE_INFINITY) > (asked[dimension] ?? Number.POSITIVE_INFINITY),
  )

function taskAgain(
  { runId, brief: { agent, description, model } }: RunState,
  about?: Pick<Task, 'budget' | 'isBackground' | 'maxTurns'>,
): Task {
  return { agent, prompt: '', description, model, resume: runId, ...about }
}

/** A3. */
const wasGiven = ({ source }: StoredBrief): boolean => source.scope === 'command-line'

/** A3. Its rules need not be in it: the links of the old chain bind in any case. */
function asRecorded({ agent, source, allowed, delegateTools, canSpawn, limits, memory }: StoredBrief): AgentDefinition {
  const granted = (names: readonly string[]) => names.map(name => ({ name }))
  const { maxTurns, timeoutMs, graceMs, resultBytes, reportBytes } = limits
  return {
    name: agent,
    systemPrompt: '',
    source,
    tools: granted(allowed),
    delegateTools: granted(delegateTools),
    canSpawn,
    ...(memory && { memory }),
    // The report of a root is bounded only where its definition said so.
    limits: { maxTurns, timeoutMs, graceMs, ...(reportBytes !== undefined && { resultBytes }) },
  }
}

/** A2. What it has is carved out already, so nothing need be left. */
function withoutRemainder(state: RunState): Caller {
  const { remainder: _, ...caller } = callerOf(state, { remainder: () => undefined })
  return caller
}

/** A2. A grant that was never carved out would be had on top of the one that is shared. */
function sharing({ budget, purses, ...fresh }: Brief, old: StoredBrief, caller: Caller | undefined): Brief {
  const kept: { -readonly [D in keyof Budget]: number } = {}
  const from: { -readonly [D in keyof Budget]: RunId | 'own' } = { ...purses }
  for (const dimension of dimensions) {
    const above = old.purses?.[dimension] === 'own' ? undefined : caller?.purses?.[dimension]
    if (caller && above) from[dimension] = above === 'own' ? caller.runId : above
    else if (budget?.[dimension] !== undefined) kept[dimension] = budget[dimension]
  }
  return { ...fresh, ...(Object.keys(kept).length > 0 && { budget: kept }), purses: from }
}

/** A2. Where a task may raise its turns, the definition alone would take them away in the middle. */
function askedTurns({ reasons, limits }: StoredBrief): number | undefined {
  const isAsked = reasons.some(
    ({ about, subject, rule }) => about === 'limit' && subject === 'turns' && rule === 'task',
  )
  return isAsked ? limits.maxTurns : undefined
}
