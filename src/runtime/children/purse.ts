/**
 * The books of every tree that has a budget, in this process's memory: who may still spend what. They hold nothing the
 * logs do not say, but for what is under way right now; so after a crash they are made anew from the logs.
 *
 * K1 Looking and taking are one step without a wait between, so runs side by side cannot both take the last of it.
 * K2 A request that does not fit because others are in flight waits for them, but not for long: one of them may hang.
 *    One that cannot fit is refused.
 * K3 Nobody waits for a grant that was carved out for somebody else: that could be a circle.
 */

import type { Budget } from '../../core/agent-definition.js'
import {
  type Account,
  accountOf,
  contextOf,
  countedAbove,
  type Dimension,
  lowestBudget,
  noSpending,
  ownPurses,
  spendingOf,
  type TokenPrices,
  toldAccount,
} from '../../core/budget/budget.js'
import { type Ledger, levelsOf, usedIn } from '../../core/budget/ledger.js'
import { marksOf, reachedEvent } from '../../core/budget/purse-events.js'
import { affordableOutput, knownAmount, type RequestPrices, type RequestWish } from '../../core/budget/request-cost.js'
import { noUsage } from '../../core/budget/usage.js'
import type { DurableEvent } from '../../core/events.js'
import type { CallId, CallOfRun, RunId } from '../../core/message.js'
import { unpriced } from '../../core/notices.js'
import type { Clock } from '../../core/ports.js'
import type { BudgetReached, RunState } from '../../core/run/run-state.js'
import type { Brief, Refusal, StoredBrief, Usage } from '../../core/types.js'
import { spendingAfter, type TurnHold, turnHold } from '../drive/turn-hold.js'
import { type Awaited, changeIn, wakeAll } from './purse-waiting.js'

/** US dollars for so many tokens; undefined, or what is no amount: unknown, and a budget in money is refused. */
export type EstimateCost = (model: string, usage: Usage) => number | undefined | Promise<number | undefined>

export interface PursePorts {
  /** Every run of a tree. */
  readTree(rootId: RunId): Promise<readonly RunState[]>
  readonly estimateCost?: EstimateCost
  readonly clock: Pick<Clock, 'now' | 'after'>
}

const patienceMs = 10_000

type Grant = Pick<StoredBrief, 'budget' | 'purses'>
/** A run in the books of its tree. */
type Booked = Pick<RunState, 'rootId' | 'runId'>

interface Books extends Ledger, Awaited {
  readonly accounts: Map<RunId, Account>
  readonly children: Map<RunId, Account[]>
}

export class PurseBook {
  readonly #ports: PursePorts
  readonly #trees = new Map<RunId, Books>()
  readonly #loading = new Map<RunId, Promise<void>>()

  constructor(ports: PursePorts) {
    this.#ports = ports
  }

  /** Makes sure the books of a run's tree are open. Call it before anything of a run that has purses. */
  async load(rootId: RunId, brief: Pick<Brief, 'purses'>, runId: RunId): Promise<void> {
    if (!brief.purses || this.#trees.get(rootId)?.accounts.has(runId)) return
    const loading = this.#loading.get(rootId) ?? this.#read(rootId).finally(() => this.#loading.delete(rootId))
    this.#loading.set(rootId, loading)
    await loading
  }

  async #read(rootId: RunId): Promise<void> {
    const states = await this.#ports.readTree(rootId)
    const begun = new Set(states.map(({ runId }) => runId))
    for (const state of states) {
      // What its report would cost is kept from the first request of anybody below it, also after a restart.
      const prices = state.brief.purses?.usd && !state.result ? await this.tokenPrices(state.brief.model) : undefined
      this.#add(rootId, { ...accountOf(state), ...(prices && { prices }) })
      for (const child of state.children.values()) {
        if (begun.has(child.runId)) continue
        const place = { rootId, runId: child.runId, parentId: state.runId }
        // Promised in the caller's log, and not begun before the process died.
        if (child.reserved && !child.isEnded && !state.result)
          this.open(place, { budget: child.reserved, purses: ownPurses(child.reserved) })
        else if (child.spent) this.#add(rootId, toldAccount(state.runId, child))
      }
    }
  }

  /** A new run, from the moment it was promised to a call of its caller. */
  open({ rootId, runId, parentId }: Booked & Pick<RunState, 'parentId'>, brief: Grant, promisedBy?: CallOfRun): void {
    // One that spends from no purse counts all the same: whoever stands above it may be given one later.
    if (!brief.purses && !this.#trees.has(rootId)) return
    this.#add(rootId, {
      runId,
      ...(parentId && { parentId }),
      ...(promisedBy && { promisedBy }),
      purses: brief.purses ?? {},
      grant: brief.budget ?? {},
      own: noSpending,
      holds: new Map(),
      attempt: 1,
      isActive: true,
      context: 0,
    })
  }

  /** An ended run that goes on, or is to for a call of its caller or for the host: its grant counts as a whole again. */
  reopen(
    { rootId, runId, attempt }: Booked & Pick<RunState, 'attempt'>,
    brief: Grant,
    promisedBy?: CallOfRun | 'host',
  ): void {
    const account = this.#trees.get(rootId)?.accounts.get(runId)
    if (!account) return
    // Woken by somebody else meanwhile, it runs already by a brief of its own, and is nobody's promise.
    if (promisedBy && account.isActive && account.attempt >= attempt && !account.promisedBy) return
    Object.assign(account, { ...granted(brief), attempt, isActive: true, promisedBy })
  }

  /** A run that does not go on here, by what would bind it today. */
  lower({ rootId, runId }: Booked, { budget, purses }: Grant): void {
    const account = this.#trees.get(rootId)?.accounts.get(runId)
    if (!account) return
    account.grant = lowestBudget(account.grant, budget) ?? {}
    account.purses = { ...account.purses, ...purses }
  }

  /** The host was promised that it goes on, and it did not. */
  giveBack({ rootId, runId }: Booked): void {
    const books = this.#trees.get(rootId)
    const account = books?.accounts.get(runId)
    if (!books || account?.promisedBy !== 'host') return
    close(account)
    account.promisedBy = undefined
    wakeAll(books)
  }

  /** Promised and then not started after all. */
  drop(rootId: RunId, runId: RunId): void {
    const books = this.#trees.get(rootId)
    const account = books?.accounts.get(runId)
    if (!books || !account) return
    books.accounts.delete(runId)
    const siblings = account.parentId && books.children.get(account.parentId)
    if (siblings) siblings.splice(siblings.indexOf(account), 1)
    wakeAll(books)
  }

  /** The call is over: what was promised to it and has not begun is given back. */
  forsake({ rootId, runId }: Booked, callId: CallId): void {
    const books = this.#trees.get(rootId)
    if (!books) return
    for (const account of promisedTo(books, runId)) if (account.promisedBy.callId === callId) close(account)
    wakeAll(books)
  }

  /** The call is over, and an attempt that its caller's log has does not begin. */
  withdraw({ rootId, runId }: Booked, attempt: number): void {
    const books = this.#trees.get(rootId)
    close(books?.accounts.get(runId), attempt)
    if (books) wakeAll(books)
  }

  /** It is not driven here any more: nothing of it is under way. */
  leave({ rootId, runId }: RunState): void {
    const books = this.#trees.get(rootId)
    books?.accounts.get(runId)?.holds.clear()
    if (books) wakeAll(books)
  }

  /**
   * What a run can still hand on, for each purse it spends from, less what is kept for the reports above. For a child
   * that goes on, what it had spent is part of its grant, and so is what was promised to it for this.
   */
  remainder({ rootId, runId, purses }: Booked & Grant, again?: RunId): Budget | undefined {
    const books = this.#trees.get(rootId)
    if (!purses || !books) return undefined
    const before = again && books.accounts.get(again)
    const left: { [D in Dimension]?: number } = {}
    for (const { dimension, granted, used, reserve } of levelsOf(books, runId, purses)) {
      const spent = before ? usedIn(books, before, dimension) : 0
      const promised = before ? countedAbove(before, dimension, spent) - spent : 0
      const rest = granted - used - reserve + promised
      const usable = dimension === 'usd' ? rest : Math.floor(rest)
      const amount = usable <= 0 ? 0 : usable + spent
      left[dimension] = Math.min(left[dimension] ?? amount, amount)
    }
    return left
  }

  /** A money budget needs a price. */
  async priceRefusal(brief: Pick<Brief, 'purses' | 'model'>): Promise<Refusal | undefined> {
    if (!brief.purses?.usd || (await this.#prices(brief.model, 1_000))) return undefined
    return { refused: unpriced(brief.model, this.#ports.estimateCost !== undefined), rule: 'budget-unpriced' }
  }

  /** What a request did cost, where the provider does not say. Unknown where nobody can tell. */
  async priceOf(model: string, usage: Usage): Promise<number | undefined> {
    return knownAmount(await this.#ports.estimateCost?.(model, usage))
  }

  /** Undefined where nobody knows. */
  async tokenPrices(model: string): Promise<TokenPrices | undefined> {
    const prices = await this.#prices(model, 1_000)
    return prices && { inputToken: prices.input / 1_000, outputToken: prices.outputToken }
  }

  /** Otherwise a reply alone can tell its cost. */
  get knowsPrices(): boolean {
    return this.#ports.estimateCost !== undefined
  }

  /** Takes what a request may cost, waiting for others in flight where that may help; `onWait` is heard out before. */
  async takeTurn(
    state: RunState,
    key: string,
    wish: Omit<RequestWish, 'prices'>,
    signal: AbortSignal,
    onWait?: () => Promise<void>,
  ): Promise<TurnHold | { readonly reached: BudgetReached }> {
    const { brief, rootId, runId } = state
    const until = this.#ports.clock.now() + patienceMs
    let tell = onWait
    const prices = brief.purses?.usd ? await this.#prices(brief.model, wish.inputTokens) : undefined
    for (;;) {
      signal.throwIfAborted()
      const books = this.#trees.get(rootId)
      const account = books?.accounts.get(runId)
      if (!books || !account) throw new Error(`run ${runId} spends from a purse nobody keeps`)
      const levels = levelsOf(books, runId, brief.purses ?? {})
      const money = levels.find(({ dimension }) => dimension === 'usd')
      // It had a price when the run began: without one nothing would bind.
      if (money && !prices) return { reached: reachedEvent(state, money) }
      const fits = affordableOutput({ ...wish, ...(prices && { prices }) }, levels)
      if ('output' in fits) {
        const notices = wish.purpose === 'work' ? marksOf(state, levels) : []
        const hold = { ...turnHold({ inputTokens: wish.inputTokens, maxOutputTokens: fits.output, prices }), notices }
        account.holds.set(key, spendingAfter(hold, fits.output))
        if (prices && wish.inputTokens > 0)
          account.prices = { inputToken: prices.input / wish.inputTokens, outputToken: prices.outputToken }
        return hold
      }
      const patience = until - this.#ports.clock.now()
      if (patience <= 0 || !this.#othersInFlight(books, runId)) return { reached: reachedEvent(state, fits.short) }
      if (!tell) await changeIn(books, patience, this.#ports.clock, signal)
      // There may be room by then: it is looked for again.
      await tell?.()
      tell = undefined
    }
  }

  /** Takes one tool call, or says why not. */
  takeCall(state: RunState, callId: CallId): BudgetReached | undefined {
    const books = this.#trees.get(state.rootId)
    const purse = state.brief.purses?.toolCalls
    if (!books || !purse) return undefined
    const short = levelsOf(books, state.runId, { toolCalls: purse }).find(({ used, granted }) => used + 1 > granted)
    if (short) return reachedEvent(state, short)
    books.accounts.get(state.runId)?.holds.set(`call/${callId}`, { ...noSpending, toolCalls: 1 })
    return undefined
  }

  /** Whatever was taken under this key and is not in the log by now was not spent. */
  release(state: RunState, key: string): void {
    const books = this.#trees.get(state.rootId)
    if (books?.accounts.get(state.runId)?.holds.delete(key)) wakeAll(books)
  }

  /** The log is the truth: what is in it takes the place of what was held for it. */
  heard(state: RunState, events: readonly DurableEvent[]): void {
    const { rootId, runId } = state
    const books = this.#trees.get(rootId)
    if (!books) return
    const account = books.accounts.get(runId)
    if (account) Object.assign(account, { own: spendingOf(state), context: contextOf(state) })
    for (const event of events) {
      if (event.type === 'turn.ended' || event.type === 'turn.failed')
        account?.holds.delete(`turn/${event.turn}/${event.purpose}`)
      else if (event.type === 'tool.started') account?.holds.delete(`call/${event.callId}`)
      else if (event.type === 'run.resumed') this.reopen({ rootId, runId, attempt: event.attempt }, state.brief)
      else if (event.type === 'brief.narrowed' && account) Object.assign(account, granted(state.brief))
      else if (event.type === 'child.started') kept(books.accounts.get(event.runId))
      else if (event.type === 'tool.ended') this.forsake(state, event.callId)
      else if (event.type === 'child.ended') close(books.accounts.get(event.runId), event.attempt)
      else if (event.type === 'run.ended') this.#ended(state, books, account)
    }
    wakeAll(books)
  }

  #ended(state: RunState, books: Books, account: Account | undefined): void {
    close(account)
    account?.holds.clear()
    // Promised to a child whose start never reached the log.
    for (const child of books.children.get(state.runId) ?? [])
      if (child.promisedBy !== undefined || !state.children.has(child.runId)) close(child)
    for (const promised of promisedTo(books, state.runId)) close(promised)
    if (![...books.accounts.values()].some(({ isActive }) => isActive)) this.#trees.delete(state.rootId)
  }

  #othersInFlight(books: Books, runId: RunId): boolean {
    return [...books.accounts.values()].some(account => account.runId !== runId && account.holds.size > 0)
  }

  async #prices(model: string, inputTokens: number): Promise<RequestPrices | undefined> {
    const [input, withOutput] = await Promise.all(
      [0, 1_000].map(output => this.priceOf(model, { ...noUsage, input: inputTokens, output })),
    )
    // Output that makes a request cheaper is no price either.
    if (input === undefined || withOutput === undefined || withOutput < input) return undefined
    return { input, outputToken: (withOutput - input) / 1_000 }
  }

  #add(rootId: RunId, account: Account): void {
    const books = this.#trees.get(rootId) ?? { accounts: new Map(), children: new Map(), waiting: new Set() }
    this.#trees.set(rootId, books)
    if (books.accounts.has(account.runId)) return
    books.accounts.set(account.runId, account)
    if (!account.parentId) return
    const siblings = books.children.get(account.parentId)
    if (siblings) siblings.push(account)
    else books.children.set(account.parentId, [account])
  }
}

/** The end of an attempt may be told only after the next one has begun to spend: that one stays open. */
function close(account: Account | undefined, attempt = Number.POSITIVE_INFINITY): void {
  if (account && account.attempt <= attempt) account.isActive = false
}

type Promised = Account & { readonly promisedBy: CallOfRun }

/** Not only children: a run may go on with any below it. */
const promisedTo = ({ accounts }: Books, callerId: RunId): readonly Promised[] =>
  [...accounts.values()].filter(
    (account): account is Promised => typeof account.promisedBy === 'object' && account.promisedBy.runId === callerId,
  )

const granted = ({ budget = {}, purses = {} }: Grant): Pick<Account, 'grant' | 'purses'> => ({ grant: budget, purses })

/** Its start is in the caller's log. */
function kept(account: Account | undefined): void {
  if (account) account.promisedBy = undefined
}
