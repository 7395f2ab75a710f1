/** Hooks around a session: a person's word to a run that is working, and the end of it all. */

import type { Hooks } from '../core/hooks.js'
import type { RunId } from '../core/message.js'
import * as notices from '../core/notices.js'
import type { RunState } from '../core/run-state.js'
import type { Refusal } from '../core/types.js'
import type { Bus } from './bus.js'

/**
 * What hooks make of a person's word to a run that is working. One to a run that has ended begins an attempt, whose start
 * they hear in any case.
 */
export async function hearPrompt(
  hooks: Hooks | undefined,
  readState: () => Promise<RunState | undefined>,
  text: string,
  itemId: string,
): Promise<string | Refusal> {
  const state = hooks && (await readState())
  if (!state || state.result || !hooks.wants('prompt', state.brief)) return text
  const { runId, rootId, parentId, brief, attempt } = state
  const event = { point: 'prompt', key: `hook/prompt/${itemId}`, runId, rootId, parentId, brief, attempt } as const
  const verdict = await hooks.fire({ ...event, prompt: text }, AbortSignal.timeout(longestMs))
  if (verdict.verdict === 'refuse') return { refused: verdict.reason, rule: 'hook-refused' }
  if (verdict.verdict !== 'go') return text
  const { prompt = text, context } = verdict
  return context ? `${prompt}\n\n${notices.hookContext(context)}` : prompt
}

/** Tells hooks that the sessions of this process are over: once for each root that was driven here. */
export function watchSessions(
  hooks: Hooks | undefined,
  bus: Bus,
  readState: (runId: RunId) => Promise<RunState | undefined>,
): { end(reason: string): Promise<void> } {
  const roots = new Set<RunId>()
  if (hooks)
    bus.subscribe({}, ({ depth, runId, event }) => {
      if (depth === 0 && event.type === 'run.claimed') roots.add(runId)
    })
  return {
    async end(reason) {
      if (!hooks) return
      for (const runId of roots) {
        const state = await readState(runId).catch(() => undefined)
        if (!state || !hooks.wants('session-end', state.brief)) continue
        const { rootId, brief } = state
        const signal = AbortSignal.timeout(longestMs)
        await hooks.fire({ point: 'session-end', key: 'hook/session-end', runId, rootId, brief, reason }, signal)
      }
    },
  }
}

const longestMs = 60_000
