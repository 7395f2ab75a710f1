/** How a run stands, in words: the same in every list, on every screen and at the end of an answer. */
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import { disputedWords, outcomeWords, unknownStopWords, unverifiedWords } from '../../core/run/result.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { Outcome, Result } from '../../core/types.js'
import { isLimit } from './exit-codes.js'
import { countWords } from './figures.js'

/** `isDriven`: a living process has its tree. What nobody drives and has not ended waits to be resumed. */
export function stateWords(
  run: { readonly status: string } & Pick<RunSummary, 'outcome' | 'recoveredFrom' | 'unknownStop'>,
  isDriven: boolean,
): string {
  if (run.status !== 'ended') return isDriven ? run.status : 'unfinished'
  return outcomeWords(run.outcome ?? 'ended', run.recoveredFrom, run.unknownStop)
}

/** The roots of those trees, of all that have an open run among these, that a living process drives. */
export async function drivenRoots(store: MeasuredStore, runs: readonly RunSummary[]): Promise<ReadonlySet<string>> {
  const open = new Set(runs.filter(run => run.status !== 'ended').map(run => run.rootId))
  const driven = new Set<string>()
  for (const rootId of open) if (await store.isHeld(rootId)) driven.add(rootId)
  return driven
}

/**
 * The figures of a run as far as anybody knows them. One that was begun and that nobody drives may have been cut off in a
 * request, and no log says what that took: what was counted is an estimate, and a cost of nothing is no cost known.
 */
export function knownFigures(run: RunSummary, isDriven: boolean): RunSummary {
  if (run.status !== 'running' || isDriven) return run
  return { ...run, usage: { ...run.usage, isEstimated: true }, cost: run.cost || undefined }
}

/** They need a person at a screen: without one nobody is surprised that they are not there. */
const terminalTools: ReadonlySet<string> = new Set(['AskUser', 'TodoWrite', 'EnterPlanMode', 'ExitPlanMode'])

export const isMissed = (name: string): boolean => !terminalTools.has(name)

export const missedToolsWords = (names: readonly string[]): string =>
  `Goes on without ${names.join(', ')}: whoever offers ${names.length === 1 ? 'it' : 'them'} is not there any more`

/** Completed, but not by itself. */
export const savedWords = (recoveredFrom: Outcome): string =>
  isLimit(recoveredFrom)
    ? `${recoveredFrom} reached: this is the report of one last turn, and it may be incomplete`
    : `saved by a last turn after ${recoveredFrom}; it may be incomplete`

/** What there is to know about a report that is shown, beside how its run ended. */
export function remarksOn({ recoveredFrom, unknownStop, objection, verified, unverified, unread }: Result): string[] {
  return [
    ...(recoveredFrom ? [savedWords(recoveredFrom)] : []),
    ...(unknownStop === undefined ? [] : [unknownStopWords(unknownStop)]),
    ...(objection === undefined ? [] : [disputedWords(objection)]),
    ...(verified === false ? [unverifiedWords(unverified ?? [])] : []),
    ...(unread ? [unreadWords(unread)] : []),
  ]
}

/** They are there when the run goes on. */
export const unreadWords = (count: number): string =>
  `${countWords(count, 'message')} to it ${count === 1 ? 'was' : 'were'} never read: resume it to have ${count === 1 ? 'it' : 'them'} read`
