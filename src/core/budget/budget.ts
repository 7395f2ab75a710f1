/**
 * Budgets: tokens, money, tool calls, for a run's life. Pure: accounts in, verdicts out.
 *
 * G1 A run with a grant has it carved out of what its caller had left; a run without one spends from the nearest run
 *    above that has one. Each kind of spending is looked at alone.
 * G2 A grant is the lowest of what the task, the definition and the tree say, clamped to the caller's remainder.
 * G3 While a carved run goes on its whole grant counts as used above it; afterwards only what it spent.
 * G4 The last twentieth of a grant, and at least what its report would cost now, is kept for the final report of the run
 *    that has it.
 */

import type { Budget } from '../agent-definition.js'
import { contextTokens } from '../brief/context.js'
import type { CallOfRun, RunId } from '../message.js'
import type { ChildState, RunState } from '../run/run-state.js'
import type { Shape } from '../shape.js'
import type { Caller, Decision, Purses, Refusal, Spending } from '../types.js'
import { totalTokens } from './usage.js'

export type Dimension = keyof Budget
export const dimensions: readonly Dimension[] = ['tokens', 'usd', 'toolCalls']
export const noSpending: Spending = { tokens: 0, usd: 0, toolCalls: 0 }

/** Nobody means more than this; a larger figure is a slip of the pen. */
const bounds: Readonly<Record<Dimension, number>> = { tokens: 1e12, usd: 1e7, toolCalls: 1e9 }
const landingShare = 0.05

export interface BudgetWish {
  readonly task?: Budget
  readonly definition?: Budget
  /** For a root only. */
  readonly tree?: Budget
  readonly caller?: Pick<Caller, 'runId' | 'purses' | 'remainder'>
}
export interface GrantedBudget {
  readonly budget?: Budget
  readonly purses?: Purses
  readonly reasons: readonly Decision[]
}

/** What a new run may spend, and where it counts. */
export function decideBudget({ task, definition, tree, caller }: BudgetWish): GrantedBudget | Refusal {
  const faults = [task, definition, caller ? undefined : tree].flatMap(budgetFaults)
  if (faults.length > 0) return { refused: `The task was not started: ${faults.join('; ')}.`, rule: 'invalid-budget' }
  const budget: { [D in Dimension]?: number } = {}
  const purses: { [D in Dimension]?: RunId | 'own' } = {}
  const reasons: Decision[] = []
  const note = (subject: Dimension, verdict: string, rule: string) =>
    reasons.push({ about: 'budget', subject, verdict, rule })
  for (const dimension of dimensions) {
    const wish = lowestOf({ task, definition, tree: caller ? undefined : tree }, dimension)
    const left = caller?.remainder?.[dimension]
    if (left !== undefined && left <= 0) return spent(dimension)
    const above = caller?.purses?.[dimension]
    if (wish) {
      const isClamped = left !== undefined && left < wish.amount
      budget[dimension] = isClamped ? left : wish.amount
      purses[dimension] = 'own'
      note(dimension, String(budget[dimension]), isClamped ? 'clamped-to-caller' : wish.rule)
    } else if (caller && above) {
      purses[dimension] = above === 'own' ? caller.runId : above
      note(dimension, `shared with run ${purses[dimension]}`, 'shared')
    }
  }
  return {
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(Object.keys(purses).length > 0 && { purses }),
    reasons,
  }
}

/** One sentence for each thing that is no amount. */
function budgetFaults(budget: Budget | undefined): readonly string[] {
  if (budget === undefined) return []
  if (budget === null || typeof budget !== 'object' || Array.isArray(budget)) return ['budget must be an object']
  const known: readonly string[] = dimensions
  const slips = Object.entries(budget).filter(([key, amount]) => amount !== undefined && !known.includes(key))
  return [
    ...slips.map(([key]) => `budget.${key} is nothing that is counted; there are ${known.join(', ')}`),
    ...dimensions.flatMap(dimension => {
      const amount: unknown = budget[dimension]
      if (amount === undefined) return []
      const isWhole = dimension === 'usd' || Number.isInteger(amount)
      if (typeof amount === 'number' && amount > 0 && amount <= bounds[dimension] && isWhole) return []
      const kind = dimension === 'usd' ? 'an amount above 0' : 'a whole number from 1'
      return [`budget.${dimension} must be ${kind} and at most ${bounds[dimension]}, not ${String(amount)}`]
    }),
  ]
}

/** The same for a table of what a host may write. */
export const budgetShape: Shape = value => {
  const [fault] = budgetFaults(value as Budget)
  return fault && (fault.startsWith('budget.') ? fault.slice('budget'.length) : 'must be an object')
}

/** The lower of both, for each kind alone. */
export function lowestBudget(a: Budget | undefined, b: Budget | undefined): Budget | undefined {
  if (!a || !b) return a ?? b
  const lowest: { [D in Dimension]?: number } = {}
  for (const dimension of dimensions) {
    const amounts = [a[dimension], b[dimension]].filter(amount => amount !== undefined)
    if (amounts.length > 0) lowest[dimension] = Math.min(...amounts)
  }
  return lowest
}

/** For a run that goes on: what it had binds in every kind, also where another kind is asked for. */
export const withGranted = (asked: Budget | undefined, had: Budget | undefined): Budget | undefined =>
  budgetFaults(asked).length > 0 ? asked : lowestBudget(asked, had)

/** What is granted is spent from its own purse. */
export const ownPurses = (budget: Budget | undefined): Purses =>
  Object.fromEntries(
    dimensions.filter(dimension => budget?.[dimension] !== undefined).map(dimension => [dimension, 'own']),
  )

type Wishes = { readonly [From in 'task' | 'definition' | 'tree']: Budget | undefined }

function lowestOf(
  wishes: Wishes,
  dimension: Dimension,
): { readonly amount: number; readonly rule: string } | undefined {
  return Object.entries(wishes)
    .flatMap(([rule, budget]) => (budget?.[dimension] === undefined ? [] : [{ amount: budget[dimension], rule }]))
    .sort((a, b) => a.amount - b.amount)[0]
}

const words: Readonly<Record<Dimension, string>> = { tokens: 'tokens', usd: 'money', toolCalls: 'tool calls' }
export const dimensionWord = (dimension: Dimension): string => words[dimension]

const spent = (dimension: Dimension): Refusal => ({
  refused: `Nothing is left of the budget for ${words[dimension]}, so no further run can be started. Report what you have.`,
  rule: 'budget-spent',
})

/** What one run has used up itself, as its log tells it. */
export const spendingOf = (state: RunState): Spending => ({
  tokens: totalTokens(state.usage),
  usd: state.spentUsd,
  toolCalls: state.startedCalls,
})

/** The same for people: unknown where any price in it is. */
export const ownSpendingOf = ({
  usage,
  cost,
  startedCalls,
}: Pick<RunState, 'usage' | 'startedCalls'> & { readonly cost?: number | undefined }): Spending => ({
  tokens: totalTokens(usage),
  ...(cost !== undefined && { usd: cost }),
  toolCalls: startedCalls,
  ...(usage.isEstimated && { isEstimated: true }),
})

/** And with everything below it that has ended, as it was told. */
export const treeSpendingOf = (state: RunState): Spending =>
  [...state.children.values()].reduce<Spending>((sum, { spent }) => addSpending(sum, spent), ownSpendingOf(state))

export function addSpending(a: Spending, b: Spending | undefined): Spending {
  if (!b) return a
  const usd = a.usd === undefined || b.usd === undefined ? undefined : a.usd + b.usd
  return {
    tokens: a.tokens + b.tokens,
    ...(usd !== undefined && { usd }),
    toolCalls: a.toolCalls + b.toolCalls,
    ...((a.isEstimated || b.isEstimated) && { isEstimated: true }),
  }
}

/** US dollars for a token. */
export interface TokenPrices {
  readonly inputToken: number
  readonly outputToken: number
}

/** One run's place in the books of its tree. */
export interface Account {
  readonly runId: RunId
  readonly parentId?: RunId
  purses: Purses
  grant: Budget
  own: Spending
  /** What is under way and not in the log yet. */
  readonly holds: Map<string, Spending>
  /** The newest one that was begun or promised. */
  attempt: number
  /** Its grant is reserved as a whole. */
  isActive: boolean
  /** How many tokens its next request would hold; 0 before its first. */
  context: number
  /** Once they were asked for. */
  prices?: TokenPrices
  /** The call of its caller that wants it, until its start is in the caller's log; or the host, until it goes on. */
  promisedBy?: CallOfRun | 'host' | undefined
}

export function accountOf(state: RunState): Account {
  const { runId, parentId, brief, attempt, result } = state
  return {
    runId,
    ...(parentId && { parentId }),
    purses: brief.purses ?? {},
    grant: brief.budget ?? {},
    own: spendingOf(state),
    holds: new Map(),
    attempt,
    isActive: result === undefined,
    context: contextOf(state),
  }
}

/** A child whose log is not in the tree, because its caller is a copy of another: what its caller was told it had spent. */
export const toldAccount = (parentId: RunId, { runId, attempt, spent = noSpending }: ChildState): Account => ({
  runId,
  parentId,
  purses: {},
  grant: {},
  own: spent,
  holds: new Map(),
  attempt,
  isActive: false,
  context: 0,
})

/** Nothing before the first turn: what was declared is not counted yet. */
export const contextOf = (state: RunState): number => (state.context.tokens === 0 ? 0 : contextTokens(state))

/** G3: everything that counts against a run's grant. */
export function usedBy(
  account: Account,
  dimension: Dimension,
  childrenOf: (runId: RunId) => readonly Account[],
): number {
  let used = account.own[dimension] ?? 0
  for (const hold of account.holds.values()) used += hold[dimension] ?? 0
  for (const child of childrenOf(account.runId))
    used += countedAbove(child, dimension, usedBy(child, dimension, childrenOf))
  return used
}

/** G3: what a run that has used so much counts for above it. */
export function countedAbove({ isActive, grant }: Account, dimension: Dimension, used: number): number {
  const granted = isActive ? grant[dimension] : undefined
  return granted === undefined ? used : Math.max(granted, used)
}

/** G4. A call needs no report, so nothing is kept back of them. */
export const landingOf = (dimension: Dimension, granted: number): number =>
  dimension === 'toolCalls' ? 0 : granted * landingShare

/** A report has about this many tokens. */
export const reportTokens = 1_024

/** G4, as it stands now: the reports of runs it waits for have to be read first. Half a grant is enough for that. */
export function reserveOf(holder: Account, dimension: Dimension, children: readonly Account[]): number {
  const granted = holder.grant[dimension] ?? 0
  const landing = landingOf(dimension, granted)
  if (dimension === 'toolCalls' || !holder.isActive || holder.context === 0) return landing
  const input = holder.context + children.filter(({ isActive }) => isActive).length * reportTokens
  const { inputToken, outputToken } =
    dimension === 'tokens' ? { inputToken: 1, outputToken: 1 } : (holder.prices ?? { inputToken: 0, outputToken: 0 })
  return Math.max(landing, Math.min(input * inputToken + reportTokens * outputToken, granted / 2))
}

const marks = [90, 75]

/** The highest mark that was passed and not told yet. */
export function markPassed(used: number, granted: number, told: (percent: number) => boolean): number | undefined {
  const passed = marks.find(mark => used >= (granted * mark) / 100)
  return passed === undefined || told(passed) ? undefined : passed
}
