/** Tells hooks that the sessions of this process are over: once for each root that was driven here. */
import type { RunId } from '../core/message.js'
import type { Hooks } from '../core/ports.js'
import type { RunState } from '../core/run-state.js'
import type { Bus } from './bus.js'

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
