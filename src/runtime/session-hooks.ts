/** Hooks around a session: a person's word to a run that is working, and the end of it all. */

import type { DurableEvent } from '../core/events.js'
import type { Hooks, HookVerdict } from '../core/hooks/hooks.js'
import type { RunId } from '../core/message.js'
import * as notices from '../core/notices.js'
import type { Clock } from '../core/ports.js'
import { startHears } from '../core/run/run-messages.js'
import type { RunState } from '../core/run/run-state.js'
import type { Refusal } from '../core/types.js'
import { orAbort } from './drive/steps.js'
import type { Bus } from './logs/bus.js'

/**
 * What hooks make of a person's word to a run, before it is sent. One that begins an attempt of a root they hear in any
 * case, with its start. `isHeard`: whoever drives the run need not ask them again.
 */
export async function hearPrompt(
  hooks: Hooks | undefined,
  readState: () => Promise<RunState | undefined>,
  text: string,
  itemId: string,
): Promise<{ readonly text: string; readonly isHeard?: boolean } | Refusal> {
  const state = hooks && (await readState())
  if (!state || !hearsPrompts(hooks, state)) return { text }
  const verdict = await firePrompt(hooks, state, { itemId, text }, AbortSignal.timeout(longestMs))
  if (verdict.verdict === 'refuse') return { refused: verdict.reason, rule: 'hook-refused' }
  return { text: wordsAfter(verdict, text), isHeard: true }
}

export const hearsPrompts = (hooks: Hooks, state: RunState): boolean =>
  !startHears(state) && hooks.wants('prompt', state.brief)

/** The same for a message that came from another process and is held in the log. */
export async function hearHeld(
  hooks: Hooks | undefined,
  state: RunState,
  itemId: string,
  signal: AbortSignal,
): Promise<readonly DurableEvent[]> {
  const held = state.held.find(one => one.itemId === itemId)
  if (!held) return []
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
  const verdict: HookVerdict = hooks ? await firePrompt(hooks, state, held, bounded) : { verdict: 'go' }
  signal.throwIfAborted()
  const notes = verdict.notes ? { notes: verdict.notes } : {}
  if (verdict.verdict === 'refuse')
    return [{ type: 'message.heard', itemId, verdict: 'refuse', reason: verdict.reason, ...notes }]
  const text = wordsAfter(verdict, held.text)
  return [
    { type: 'message.heard', itemId, verdict: 'go', ...notes },
    { type: 'message.received', itemId, from: held.from, text },
  ]
}

/** A hook that does not answer in time has not let the word pass. */
async function firePrompt(
  hooks: Hooks,
  { runId, rootId, parentId, brief, attempt }: RunState,
  { itemId, text }: { readonly itemId: string; readonly text: string },
  signal: AbortSignal,
): Promise<HookVerdict> {
  const key = `hook/prompt/${itemId}`
  const fired = hooks.fire({ point: 'prompt', key, runId, rootId, parentId, brief, attempt, prompt: text }, signal)
  try {
    return await orAbort(fired, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    return { verdict: 'refuse', reason: `a hook that hears prompts gave no answer within ${longestMs / 1000} s` }
  }
}

function wordsAfter(verdict: HookVerdict, text: string): string {
  if (verdict.verdict !== 'go') return text
  const { prompt = text, context } = verdict
  return context ? `${prompt}\n\n${notices.hookContext(context)}` : prompt
}

export interface SessionPorts {
  readonly bus: Bus
  readonly clock: Pick<Clock, 'after'>
  readState(runId: RunId): Promise<RunState | undefined>
  /** Told of what went wrong: no log is open any more. Must not throw. */
  onError(error: unknown): void
}

/** Tells hooks that the sessions of this process are over: once for each root that was driven here. */
export function watchSessions(hooks: Hooks | undefined, ports: SessionPorts): { end(reason: string): Promise<void> } {
  const roots = new Set<RunId>()
  if (hooks)
    ports.bus.subscribe({}, ({ depth, runId, event }) => {
      if (depth === 0 && event.type === 'run.claimed') roots.add(runId)
    })
  return {
    async end(reason) {
      if (!hooks) return
      for (const runId of roots) if (!(await endSession(hooks, runId, reason, ports))) return
    },
  }
}

/** Never rejects. False: it gave no answer in time, and nobody waits as long for the next. */
async function endSession(hooks: Hooks, runId: RunId, reason: string, ports: SessionPorts): Promise<boolean> {
  const { clock, readState, onError } = ports
  const late = new AbortController()
  const message = `a session-end hook gave no answer within ${longestMs / 1000} s; no further ones are heard`
  const close = clock.after(longestMs, () => late.abort(new DOMException(message, 'TimeoutError')))
  try {
    const state = await readState(runId).catch(() => undefined)
    if (!state || !hooks.wants('session-end', state.brief)) return true
    const { rootId, brief, attempt } = state
    const event = { point: 'session-end', key: 'hook/session-end', runId, rootId, brief, attempt, reason } as const
    const { notes = [] } = await orAbort(hooks.fire(event, late.signal), late.signal)
    for (const note of notes) onError(new Error(note))
  } catch (error) {
    onError(error)
  } finally {
    close()
  }
  return !late.signal.aborted
}

const longestMs = 60_000
