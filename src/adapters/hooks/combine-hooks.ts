import { readHookAnswer } from '../../core/hook-answer.js'
import { combineVerdicts } from '../../core/hook-verdict.js'
import type { HookEvent, Hooks, HookVerdict } from '../../core/hooks.js'

/** Several sets of hooks as one. They are heard in turn; what one changes, the next one sees; a refusal ends the round. */
export function combineHooks(...all: readonly Hooks[]): Hooks {
  return {
    runsAgentHooks: all.some(hooks => hooks.runsAgentHooks === true),
    wants: (point, brief, tool) => all.some(hooks => hooks.wants(point, brief, tool)),
    async fire(event, signal) {
      const verdicts: HookVerdict[] = []
      let seen = event
      for (const hooks of all) {
        if (!hooks.wants(seen.point, seen.brief, seen.call?.name)) continue
        // Each by itself: a word nobody knows would get lost among the others.
        const verdict = readHookAnswer(seen.point, await hooks.fire(seen, signal))
        verdicts.push(verdict)
        if (verdict.verdict === 'refuse') break
        seen = changedBy(seen, verdict)
      }
      return combineVerdicts(verdicts)
    },
  }
}

function changedBy(event: HookEvent, verdict: HookVerdict): HookEvent {
  const input = 'input' in verdict ? verdict.input : undefined
  const prompt = verdict.verdict === 'go' ? verdict.prompt : undefined
  return {
    ...event,
    ...(event.call && input !== undefined && { call: { ...event.call, input } }),
    ...(prompt !== undefined && { prompt }),
  }
}
