import { readHookAnswer } from '../../core/hooks/hook-answer.js'
import { combineVerdicts } from '../../core/hooks/hook-verdict.js'
import type { HookEvent, Hooks, HookVerdict } from '../../core/hooks/hooks.js'
import { asHeard, inputOf, settleInput, withInput } from './changed-input.js'

/**
 * Several sets of hooks as one. They are heard in turn; what one changes, the next one sees, and the ones before it are
 * asked again about a call's changed input; a refusal ends the round.
 */
export function combineHooks(...all: readonly Hooks[]): Hooks {
  return {
    runsAgentHooks: all.some(hooks => hooks.runsAgentHooks === true),
    wants: (point, brief, tool) => all.some(hooks => hooks.wants(point, brief, tool)),
    async fire(event, signal) {
      const due = all.filter(hooks => hooks.wants(event.point, event.brief, event.call?.name))
      const verdicts: HookVerdict[] = []
      let seen = event
      for (const hooks of due) {
        // Each by itself: a word nobody knows would get lost among the others.
        const verdict = asHeard(readHookAnswer(seen.point, await hooks.fire(seen, signal)), seen.call?.input)
        verdicts.push(verdict)
        if (verdict.verdict === 'refuse') break
        seen = changedBy(seen, verdict)
      }
      if (event.point !== 'pre-tool' && event.point !== 'permission') return combineVerdicts(verdicts)
      return settleInput(event, {
        verdicts,
        hasHeard: (at, changer) => at > changer,
        hearAgain: (places, changed) =>
          Promise.all(places.map(async at => readHookAnswer(event.point, await due[at]!.fire(changed, signal)))),
      })
    },
  }
}

function changedBy(event: HookEvent, verdict: HookVerdict): HookEvent {
  const prompt = verdict.verdict === 'go' ? verdict.prompt : undefined
  return { ...withInput(event, inputOf(verdict)), ...(prompt !== undefined && { prompt }) }
}
