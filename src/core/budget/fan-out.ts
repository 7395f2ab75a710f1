/**
 * Many runs started, or woken, in one turn. Past the threshold the first of them asks for all: the others wait for its
 * answer and share it, so a person is asked once.
 */
import type { RunId } from '../message.js'
import { type CallState, type ChildState, openCalls, type RunState } from '../run/run-state.js'

export const fanOutRule = 'fan-out'

/** The call that asks for the whole fan-out, when this turn is one. */
export function fanOutLeader(state: RunState): CallState | undefined {
  const { fanOut } = state.brief.limits
  if (fanOut === undefined) return undefined
  const starting = state.order.map(id => state.calls.get(id)!).filter(({ traits }) => traits.isSpawning)
  return starting.length > fanOut ? starting.find(call => !cameToNothing(call)) : undefined
}

/** Denied or wrong for a reason of its own: it has asked for nobody, so the next one does. */
function cameToNothing({ phase, childId, approval, ended }: CallState): boolean {
  return phase === 'ended' && childId === undefined && approval?.rule !== fanOutRule && ended?.rule !== fanOutRule
}

/** A child by id or name; of several with one name the one at work. */
export function childCalled({ children }: Pick<RunState, 'children'>, address: string): ChildState | undefined {
  const bearers = [...children.values()].filter(({ nickname }) => nickname === address)
  return children.get(address as RunId) ?? bearers.find(({ isEnded }) => !isEnded) ?? bearers[0]
}

/** Whether a message makes a run go on that has ended. One that is no child of the run's own counts: its log does not tell. */
export function wouldWake(state: Pick<RunState, 'children'>, address: string): boolean {
  return childCalled(state, address)?.isEnded ?? true
}

export type FanOut =
  | { readonly verdict: 'go' }
  /** Calls that have to wait until the first was decided. */
  | { readonly verdict: 'wait'; readonly calls: ReadonlySet<CallState> }
  | { readonly verdict: 'denied'; readonly calls: readonly CallState[]; readonly reason?: string }

export function judgeFanOut(state: RunState): FanOut {
  const leader = fanOutLeader(state)
  if (!leader) return { verdict: 'go' }
  const others = openCalls(state).filter(call => call.traits.isSpawning && call !== leader)
  const isOurs = leader.approval?.rule === fanOutRule || leader.ended?.rule === fanOutRule
  if (leader.phase === 'refused' && isOurs)
    return { verdict: 'denied', calls: [leader, ...others], reason: leader.refusal }
  if (leader.phase === 'ended' && leader.ended?.status === 'denied' && isOurs)
    return { verdict: 'denied', calls: others }
  return leader.phase === 'open' || leader.phase === 'asking'
    ? { verdict: 'wait', calls: new Set(others) }
    : { verdict: 'go' }
}
