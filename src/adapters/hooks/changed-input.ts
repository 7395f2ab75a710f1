/**
 * Hooks before a call, or about to answer for a person, when one of them changes its input: what was said before was said
 * about another input.
 *
 * 1. Whoever has not heard the changed input hears it, once. A no to it is a no.
 * 2. An approval of what was there before is none; only the hook that made the last change, or one that heard it, approves
 *    it.
 * 3. A hook that would change it once more denies the call: whichever of the two would run, somebody did not want it.
 */
import { combineVerdicts } from '../../core/hooks/hook-verdict.js'
import type { HookEvent, HookVerdict } from '../../core/hooks/hooks.js'
import { changedTwice } from '../../core/notices.js'
import { canonicalJson } from '../../core/text/text.js'

export interface FirstHearing {
  /** In order, each without an `input` that is what its hook heard (`asHeard`). */
  readonly verdicts: readonly HookVerdict[]
  /** Whether a hook heard the input as the one at `changer` left it. */
  hasHeard(at: number, changer: number): boolean
  /** Asks those at these places again, about this event. */
  hearAgain(places: readonly number[], event: HookEvent): Promise<readonly HookVerdict[]>
}

export async function settleInput(
  event: HookEvent,
  { verdicts, hasHeard, hearAgain }: FirstHearing,
): Promise<HookVerdict> {
  const changer = verdicts.findLastIndex(verdict => inputOf(verdict) !== undefined)
  if (changer < 0 || verdicts.some(({ verdict }) => verdict === 'refuse')) return combineVerdicts(verdicts)
  const input = inputOf(verdicts[changer]!)
  const places = [...verdicts.keys()]
  const deaf = places.filter(at => at !== changer && !hasHeard(at, changer))
  const again = await hearAgain(deaf, withInput({ ...event, key: `${event.key}/changed` }, input))
  return combineVerdicts([
    ...deaf.map(at => ofBefore(verdicts[at]!)),
    ...places.filter(at => !deaf.includes(at)).map(at => verdicts[at]!),
    ...again.map(verdict => withoutChange(asHeard(verdict, input))),
  ])
}

/** A hook that hands an input back as it was has not changed it. */
export function asHeard(verdict: HookVerdict, heard: unknown): HookVerdict {
  const input = inputOf(verdict)
  if (input === undefined || canonicalJson(input) !== canonicalJson(heard)) return verdict
  return { ...verdict, input: undefined } as HookVerdict
}

export function withInput(event: HookEvent, input: unknown): HookEvent {
  return event.call && input !== undefined ? { ...event, call: { ...event.call, input } } : event
}

export const inputOf = (verdict: HookVerdict): unknown => ('input' in verdict ? verdict.input : undefined)

/** What stays of a word about another input: that somebody wants to be asked, and what is for people. */
function ofBefore({ verdict, notes, ...said }: HookVerdict): HookVerdict {
  const noted = notes ? { notes } : {}
  return verdict === 'ask' && 'reason' in said
    ? { verdict, reason: said.reason, ...noted }
    : { verdict: 'go', ...noted }
}

function withoutChange(verdict: HookVerdict): HookVerdict {
  if (inputOf(verdict) === undefined) return verdict
  return {
    verdict: 'refuse',
    rule: 'hook-changed-twice',
    reason: changedTwice,
    ...(verdict.notes && { notes: verdict.notes }),
  }
}
