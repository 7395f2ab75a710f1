/** The accounts of one tree, and how full the purses are that a run spends from. Pure: it only reads. */

import type { RunId } from '../message.js'
import type { Purses } from '../types.js'
import { type Account, type Dimension, dimensions, reserveOf, usedBy } from './budget.js'
import type { PurseLevel } from './request-cost.js'

export interface Ledger {
  readonly accounts: ReadonlyMap<RunId, Account>
  readonly children: ReadonlyMap<RunId, readonly Account[]>
}

/** One level for each grant that limits what a run does next. */
export function levelsOf(ledger: Ledger, runId: RunId, purses: Purses): readonly PurseLevel[] {
  return dimensions.flatMap(dimension => {
    const purse = purses[dimension]
    const first = purse && (purse === 'own' ? ledger.accounts.get(runId) : sharedBy(ledger, runId, purse, dimension))
    return first
      ? holdersFrom(ledger, first, dimension).flatMap(holder => levelOf(ledger, holder, dimension, runId))
      : []
  })
}

/** A run between may have got a grant of its own since the purse was named: the nearest one counts. */
function sharedBy(ledger: Ledger, runId: RunId, purse: RunId, dimension: Dimension): Account | undefined {
  let above = ledger.accounts.get(runId)
  do above = above?.parentId === undefined ? undefined : ledger.accounts.get(above.parentId)
  while (above && above.grant[dimension] === undefined)
  return above ?? ledger.accounts.get(purse)
}

export const usedIn = (ledger: Ledger, account: Account, dimension: Dimension): number =>
  usedBy(account, dimension, runId => ledger.children.get(runId) ?? [])

/**
 * The grant a run spends from. One that has ended is reserved above it no longer, so what is still spent there counts at
 * the next grant above as well.
 */
function holdersFrom(ledger: Ledger, first: Account, dimension: Dimension): readonly Account[] {
  const holders = [first]
  let account: Account | undefined = first
  while (account && !(account.isActive && account.grant[dimension] !== undefined)) {
    account = account.parentId === undefined ? undefined : ledger.accounts.get(account.parentId)
    if (account?.grant[dimension] !== undefined) holders.push(account)
  }
  return holders
}

function levelOf(ledger: Ledger, holder: Account, dimension: Dimension, runId: RunId): readonly PurseLevel[] {
  const granted = holder.grant[dimension]
  if (granted === undefined) return []
  const used = usedIn(ledger, holder, dimension)
  const reserve = reserveOf(holder, dimension, ledger.children.get(holder.runId) ?? [])
  const sharers = sharersOf(ledger, holder, dimension)
  return [{ dimension, granted, used, isOwn: holder.runId === runId, reserve, sharers }]
}

/** Runs that go on and have nothing in flight: each may be next. The one that asks is among them. */
function sharersOf(ledger: Ledger, holder: Account, dimension: Dimension): number {
  let sharers = holder.isActive && holder.holds.size === 0 ? 1 : 0
  for (const { isActive, holds, purses } of ledger.accounts.values())
    if (isActive && holds.size === 0 && purses[dimension] === holder.runId) sharers += 1
  return Math.max(1, sharers)
}
