/** Start and stop hooks of a run, turned into the facts its log keeps. */
import { amendByHook } from '../../core/brief/amend.js'
import { holdsTask } from '../../core/brief/task-words.js'
import type { DurableEvent, EventOf } from '../../core/events.js'
import type { HookEvent, Hooks, HookVerdict } from '../../core/hooks/hooks.js'
import { firstTaskOf, unheardTask } from '../../core/run/first-task.js'
import { disputedWords } from '../../core/run/result.js'
import type { Ending } from '../../core/run/run-ending.js'
import { type Effect, stopHookKey } from '../../core/run/run-next.js'
import { isSaid, type RunState } from '../../core/run/run-state.js'
import { messageOf } from '../../core/thrown.js'

type HookEffect = Extract<Effect, { do: 'hook'; point: 'start' | 'stop' }>

export async function fireHook(
  hooks: Hooks | undefined,
  state: RunState,
  effect: HookEffect,
  signal: AbortSignal,
): Promise<readonly DurableEvent[]> {
  if (!hooks) return [{ type: 'hook.ended', key: effect.key, point: effect.point, verdict: 'go' }]
  const verdict = await hooks.fire(
    effect.point === 'start' ? startEvent(state, effect) : stopEvent(state, effect),
    signal,
  )
  return [effect.point === 'start' ? started(state, effect, verdict) : stopped(effect, verdict)]
}

/** Before a conversation is summed up: hooks may say no, or what to mind. Undefined when none listens. */
export async function beforeCompact(
  hooks: Hooks | undefined,
  state: RunState,
  signal: AbortSignal,
): Promise<EventOf<'hook.ended'> | undefined> {
  if (!hooks?.wants('pre-compact', state.brief)) return undefined
  const key = `hook/pre-compact/${state.turn}`
  const verdict = await hooks.fire({ ...commonFacts(state), point: 'pre-compact', key, reason: 'auto' }, signal)
  const isNo = verdict.verdict === 'refuse'
  const text = isNo ? verdict.reason : verdict.verdict === 'go' ? verdict.context : undefined
  const notes = [...(verdict.notes ?? []), ...(isNo ? [`the conversation is not summed up: ${verdict.reason}`] : [])]
  return {
    type: 'hook.ended',
    key,
    point: 'pre-compact',
    verdict: isNo ? 'refuse' : 'go',
    ...(text && { text }),
    ...(notes.length > 0 && { notes }),
  }
}

/**
 * The stop hook of a run that ends by our own mistake: heard once, bounded, and never the cause of a second one.
 * Empty when the run has none, had its stop, or never had its start.
 */
export async function lastStopHook(
  state: RunState,
  ending: Ending,
  fire: (effect: HookEffect, signal: AbortSignal) => Promise<readonly DurableEvent[]>,
): Promise<readonly DurableEvent[]> {
  const key = stopHookKey(state)
  if (key === undefined) return []
  try {
    const effect: HookEffect = { key, do: 'hook', point: 'stop', ending, canSendBack: false }
    return await fire(effect, AbortSignal.timeout(lastStopMs))
  } catch (error) {
    const notes = [`the stop hook failed: ${messageOf(error)}`]
    return [{ type: 'hook.ended', key, point: 'stop', verdict: 'go', notes }]
  }
}

const lastStopMs = 60_000

function commonFacts({ runId, rootId, parentId, brief, attempt }: RunState): Omit<HookEvent, 'point' | 'key'> {
  return { runId, rootId, parentId, brief, attempt }
}

function startEvent(state: RunState, { key }: HookEffect): HookEvent {
  return { ...commonFacts(state), point: 'start', key, prompt: promptOf(state) }
}

/** What this attempt was asked: the task itself, or whatever woke the run again. */
function promptOf(state: RunState): string {
  if (state.attempt === 1) return firstTaskOf(state.brief)
  return [...unheardTask(state), ...state.pending.map(({ text }) => text)].join('\n')
}

function stopEvent(state: RunState, effect: Extract<HookEffect, { point: 'stop' }>): HookEvent {
  const { outcome } = effect.ending
  const text = state.completion?.text ?? state.last?.text ?? state.stopHook.report?.text ?? ''
  return {
    ...commonFacts(state),
    point: 'stop',
    key: effect.key,
    result: { outcome, text, usage: state.usage },
    returns: state.stopHook.returns,
  }
}

function started(state: RunState, { key }: HookEffect, verdict: HookVerdict): DurableEvent {
  const asked = otherWords(state, verdict)
  const notes = [...(verdict.notes ?? []), ...(asked?.notes ?? []), ...stillInSystem(state, verdict)]
  const facts = { type: 'hook.ended', key, point: 'start', ...(notes.length > 0 && { notes }) } as const
  if (verdict.verdict === 'refuse') return { ...facts, verdict: 'refuse', text: verdict.reason }
  if (verdict.verdict !== 'go') return { ...facts, verdict: 'go' }
  const { context, maxTurns } = verdict
  const brief = amendByHook(state.brief, hearsTask(state) ? verdict : { maxTurns })
  const prompt = asked?.prompt
  return {
    ...facts,
    verdict: 'go',
    ...(context && { text: context }),
    ...(brief && { brief }),
    ...(prompt && { prompt }),
  }
}

/** What is declared is frozen: other words for the task are not the only ones that a model reads then. */
function stillInSystem(state: RunState, verdict: HookVerdict): readonly string[] {
  if (verdict.verdict !== 'go' || !verdict.prompt?.trim() || !hearsTask(state) || !holdsTask(state.brief)) return []
  if (verdict.prompt === promptOf(state)) return []
  return [`A start hook put the task into other words; the system prompt of ${state.agent} holds it as it was, too.`]
}

const hearsTask = (state: RunState): boolean => state.attempt === 1 || unheardTask(state).length > 0

/** What a hook would have a later attempt asked. What a child has reported is a fact, and nobody's to put otherwise. */
function otherWords(
  state: RunState,
  verdict: HookVerdict,
): { readonly prompt?: string; readonly notes?: readonly string[] } | undefined {
  if (verdict.verdict !== 'go' || !verdict.prompt?.trim() || hearsTask(state)) return undefined
  const { prompt } = verdict
  if (prompt === promptOf(state)) return undefined
  const isAsked = state.pending.some(isSaid) && !state.pending.some(({ childId }) => childId !== undefined)
  return isAsked ? { prompt } : { notes: [reportsStay] }
}

const reportsStay =
  'A start hook put what woke this run into other words, which count for what was asked alone: reports of children stay as they are.'

function stopped(effect: Extract<HookEffect, { point: 'stop' }>, verdict: HookVerdict): DurableEvent {
  const { key, canSendBack } = effect
  const wantsBack = verdict.verdict === 'send-back'
  const isDisputed = wantsBack && !canSendBack && effect.ending.outcome === 'completed'
  const notes = [...(verdict.notes ?? []), ...(isDisputed ? [disputedWords(verdict.reason)] : [])]
  return {
    type: 'hook.ended',
    key,
    point: 'stop',
    verdict: wantsBack && canSendBack ? 'send-back' : 'go',
    ...(wantsBack && { text: verdict.reason }),
    ...(notes.length > 0 && { notes }),
  }
}
