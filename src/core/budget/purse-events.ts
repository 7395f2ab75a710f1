/** What a log says of its purses: a mark that was passed, a grant that was used up. */

import type { DurableEvent } from '../events.js'
import type { RunId } from '../message.js'
import type { BudgetReached, RunState } from '../run/run-state.js'
import { type Dimension, markPassed } from './budget.js'
import type { PurseLevel } from './request-cost.js'

export function marksOf(state: RunState, levels: readonly PurseLevel[]): readonly DurableEvent[] {
  return levels.flatMap(({ dimension, granted, used, isOwn }): readonly DurableEvent[] => {
    const percent = markPassed(used, granted, mark => (state.budgetMarks.get(dimension) ?? 0) >= mark)
    const purse = isOwn ? state.runId : purseOf(state, dimension)
    return percent === undefined ? [] : [{ type: 'budget.noticed', dimension, purse, percent, granted, used }]
  })
}

export function reachedEvent(state: RunState, { dimension, granted, used }: PurseLevel): BudgetReached {
  return { type: 'budget.reached', dimension, purse: purseOf(state, dimension), granted, used }
}

function purseOf({ brief, runId }: RunState, dimension: Dimension): RunId {
  const purse = brief.purses?.[dimension] ?? 'own'
  return purse === 'own' ? runId : purse
}
