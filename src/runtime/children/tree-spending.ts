/**
 * What a run and everything below it have spent, by their logs. A run adds up what it was told of its children, which is
 * right until it goes on with one that a child of its has begun: of that both tell.
 */
import { addSpending, ownSpendingOf } from '../../core/budget/budget.js'
import type { RunId } from '../../core/message.js'
import type { RunState } from '../../core/run/run-state.js'
import { runsFrom } from '../../core/run/run-summary.js'
import type { Result, Spending } from '../../core/types.js'
import type { RunReader } from '../logs/run-reader.js'

/**
 * For the result of a run that ends now. Undefined where adding up what it was told counts nothing twice, and where a log
 * below it cannot be read: then rather twice than not at all.
 */
export async function spentInTree(
  { runId, rootId, children, startedCalls }: RunState,
  { usage, cost }: Result,
  reader: Pick<RunReader, 'list' | 'state'>,
): Promise<Spending | undefined> {
  // Whoever is gone on with has an attempt behind it: nothing is read for most runs.
  if (![...children.values()].some(({ attempt }) => attempt > 1)) return undefined
  const below = runsFrom(await reader.list({ rootId }), runId).filter(run => run.runId !== runId)
  const callers = new Map(below.map(run => [run.runId, run.parentId]))
  const isOfOthers = (child: RunId) => callers.has(child) && callers.get(child) !== runId
  if (![...children.keys()].some(isOfOthers)) return undefined
  // The state does not have its last reply yet.
  let sum = ownSpendingOf({ usage, cost, startedCalls })
  for (const run of below) {
    const state = run.damage === undefined ? await reader.state(run.runId).catch(() => undefined) : undefined
    if (!state) return undefined
    sum = addSpending(sum, ownSpendingOf(state))
  }
  // A child of a copy is in the tree of what was copied.
  for (const { runId: child, spent } of children.values()) if (!callers.has(child)) sum = addSpending(sum, spent)
  return sum
}
