/**
 * The desk every run of this process goes over: it creates, joins, stops, resumes and recovers them. Those that are
 * driven here are in live-runs.ts.
 */
import type { Budget } from '../core/agent-definition.js'
import type { DurableEvent, StoredEvent } from '../core/events.js'
import type { CallId, RunId } from '../core/message.js'
import { type ChildState, callerIdOf, type RunState } from '../core/run/run-state.js'
import type { RunSummary } from '../core/run/run-summary.js'
import type { ItemOf } from '../core/run-store.js'
import { messageOf } from '../core/thrown.js'
import type { Brief, Refusal, Result, StoredBrief } from '../core/types.js'
import { Approvals } from './calls/approvals.js'
import { Questions } from './calls/questions.js'
import { Briefing } from './children/briefing.js'
import { Census } from './children/census.js'
import { closedResult, type Joined, leftResult, lostResult, orDamaged, refusedResult } from './children/child-end.js'
import { CallerDelegation, type DelegationPorts } from './children/delegation.js'
import { PreparedRuns } from './children/prepared-runs.js'
import { promisedTo } from './children/promised-to.js'
import { PurseBook } from './children/purse.js'
import { budgetUnderWay, mayMore, TodaysBriefs } from './children/todays-briefs.js'
import { pauseMs, untilBegun } from './children/until-begun.js'
import { closedHouse, Doors, refusedByClosing } from './doors.js'
import type { Left } from './drive/drive-ports.js'
import { Slots } from './drive/slots.js'
import { orAbort } from './drive/steps.js'
import type { Workshop } from './drive/workshop.js'
import { HostLogs } from './hosts/host-logs.js'
import type { HousePorts } from './house-ports.js'
import { LimitAlarms } from './limit-alarms.js'
import { type Live, type LivePorts, LiveRuns, type TakeUp } from './live-runs.js'
import { DeclaredBook } from './logs/declared-book.js'
import { Postman } from './logs/postman.js'
import { damage, queuedEvent, type RunPlace, refusedByStore } from './logs/run-log.js'
import { RunReader } from './logs/run-reader.js'
import { Snapshots } from './logs/snapshots.js'
import { recoverRuns } from './recovery.js'
import { untilEnd, type WaitingPorts, type Wanted } from './waiting.js'

type Word = ItemOf<'message'>

export class Supervisor implements DelegationPorts {
  readonly slots: Slots
  readonly approvals: Approvals
  readonly questions: Questions
  readonly purses: PurseBook
  readonly census: Census
  readonly briefing: Briefing
  readonly reader: RunReader
  readonly postman: Postman
  readonly hosts: HostLogs
  readonly prepared = new PreparedRuns()
  readonly doors = new Doors()
  readonly declared: DeclaredBook
  readonly #todays: TodaysBriefs
  readonly #ports: HousePorts
  readonly #live: LiveRuns
  readonly #snapshots: Snapshots
  readonly #alarms: LimitAlarms
  readonly #stopWatching: () => void

  constructor(ports: HousePorts) {
    const { concurrency: total, concurrencyPerRoot: perRoot, concurrencyPerModel: perModel, queue } = ports.policy
    this.#ports = { ...ports, onRecorded: (state, events) => this.#heard(state, events) }
    this.slots = new Slots({ total, perRoot, perModel, queue })
    this.briefing = new Briefing(ports)
    this.reader = new RunReader(ports.store, runId => this.#live.get(runId)?.log.state)
    this.postman = new Postman({
      store: ports.store,
      reader: this.reader,
      look: runId => this.#live.look(runId),
      isBorn: runId => this.#live.isBorn(runId),
      begin: runId => this.begin(runId),
      resume: runId => this.resume(runId),
      isClosing: () => this.doors.isClosing,
      onError: ports.onError,
    })
    this.approvals = new Approvals({ ...ports, post: (runId, item) => this.postman.post(runId, item) })
    this.questions = new Questions((runId, item) => this.postman.post(runId, item), ports.onError)
    this.purses = new PurseBook({
      readTree: rootId => this.reader.tree(rootId),
      estimateCost: ports.estimateCost,
      clock: ports.clock,
    })
    this.census = new Census(ports.policy.maxDescendants, this.reader)
    this.declared = new DeclaredBook(ports.store)
    this.#snapshots = new Snapshots(ports.store)
    this.#alarms = new LimitAlarms({ ...ports, resume: runId => this.resume(runId) })
    const isDriven = (runId: RunId) => this.#live.isDriven(runId)
    const { reader, purses, briefing } = this
    this.#todays = new TodaysBriefs({ ...ports, reader, purses, briefing, isDriven })
    this.#live = new LiveRuns(this.#ports, this.#livePorts())
    this.hosts = new HostLogs(this.#ports, (place, brief) => this.#firstEvent(place, brief, ''))
    this.#stopWatching = ports.store.watch(runId => void this.#live.look(runId))
  }

  #livePorts(): LivePorts {
    const { purses, briefing, prepared, postman, reader, slots, declared, doors } = this
    return {
      ...{ purses, briefing, prepared, postman, reader, slots, declared, doors },
      delegationOf: (state, declared, signal) => new CallerDelegation(this, state, declared, signal),
      joinChild: (state, workshop) => async (child, signal) => {
        const result = await this.joinChild(state, child, workshop.prepareAgain, signal)
        return workshop.childEnds.hear(child, result, signal)
      },
      stop: (runId, reason, by) => this.stop(runId, reason, by),
      layToday: (log, over) => this.#todays.layOver(log, over),
      taken: state => {
        void this.#alarms.cancel(state.runId)
        this.questions.showAgain(state)
        return this.approvals.showAgain(state)
      },
      ended: (state, result) => this.#alarms.ended(state, result),
      unpromise: (root, runId) => this.unpromise(root, runId),
      withdraw: (caller, runId) => this.withdraw(caller, runId),
    }
  }

  readonly now = (): number => this.#ports.clock.now()

  /** Whether one more new run would be past the bound: every slot taken, and the queue for them full. */
  isFull(): boolean {
    const { concurrency, queue } = this.#ports.policy
    const { fresh, working } = this.#live.count()
    return this.prepared.newcomers() + fresh >= queue + Math.max(0, concurrency - working)
  }

  expectedPosition(): number {
    return this.slots.expectedPosition(this.prepared.newcomers())
  }

  position(runId: RunId): number {
    return this.#live.get(runId)?.driving.position() ?? 0
  }

  /** Stores a new run, so that it exists whatever happens next. */
  async create(place: RunPlace, brief: Brief, prompt: string): Promise<void> {
    const first = await this.#firstEvent(place, brief, prompt)
    if ((await this.#ports.store.create(first)) === 'created') this.#ports.bus.publish(first)
  }

  async #firstEvent(place: RunPlace, brief: Brief, prompt: string): Promise<StoredEvent> {
    const stored: StoredBrief = { ...brief, declared: { hash: await this.declared.keep(brief.declared) } }
    this.purses.open(place, brief)
    return queuedEvent(place, stored, prompt, this.now())
  }

  /** Waits for the end of the run's current attempt, or of the one that is named, wherever it is driven. */
  async join(runId: RunId, signal?: AbortSignal, attempt?: number): Promise<Result> {
    try {
      return await (await this.#takeUp({ runId, attempt }, async newest => newest, signal)).result
    } catch (error) {
      signal?.throwIfAborted()
      // V2: the store takes nothing any more. What the run had is still in its log.
      const left = { left: 'log-broken', message: messageOf(error) } as const
      const state = await this.reader.state(runId).catch(() => undefined)
      if (this.doors.isShut) return closedResult(runId, state)
      return state ? leftResult(state, left) : lostResult(runId, left)
    }
  }

  /** Resolves once the run is driven, here or elsewhere. */
  async #takeUp(
    wanted: Wanted,
    notBegun: WaitingPorts['notBegun'],
    signal?: AbortSignal,
    first?: StoredEvent,
  ): Promise<Joined> {
    const found = await this.#live.ensure(wanted.runId, { first })
    const ports = { clock: this.#ports.clock, reader: this.reader, doors: this.doors, live: this.#live, notBegun }
    const waiting = untilEnd(wanted, found, ports, signal)
    return { result: signal ? orAbort(waiting, signal) : waiting }
  }

  /** Begins to drive a run that exists; resolves once that is under way. */
  begin(runId: RunId, takeUp?: Pick<TakeUp, 'isDecided'>): Promise<Live | Left> {
    return this.#live.ensure(runId, takeUp)
  }

  /** Settles when the run is no longer driven here; undefined when it is not. */
  readonly drivenHere = (runId: RunId): Promise<unknown> | undefined => this.#live.get(runId)?.result

  /** It stays as it stands, to be resumed. */
  readonly leave = (runId: RunId): void => this.#live.get(runId)?.driving.leave()
  /** Decided on or being begun here, and perhaps in no store yet. */
  readonly isExpected = (runId: RunId): boolean => !!this.prepared.held(runId) || this.#live.has(runId)
  readonly isListening = (rootId: RunId): boolean => this.#ports.approver?.isListening(rootId) ?? false
  readonly todaysBrief: DelegationPorts['todaysBrief'] = state =>
    this.doors.orGiveUp(over => this.#todays.forRest(state, over))

  async stop(runId: RunId, reason: string, by: string): Promise<void> {
    // A house that closes stops runs while they are begun, which an alarm that rings waits for.
    if (!this.doors.isClosing) await this.#alarms.cancel(runId)
    await this.postman.post(runId, { id: `stop/${this.#ports.clock.id()}`, kind: 'stop', reason, by })
  }

  /** Lets the caller of a foreground child go on; the child itself notices nothing. */
  async toBackground(runId: RunId): Promise<Refusal | undefined> {
    await this.#live.isBorn(runId)
    const summary = await this.#ports.store.summary(runId)
    if (!summary?.parentId || !summary.callId) return { refused: `There is no child "${runId}".`, rule: 'unknown-run' }
    if (summary.status === 'ended') return { refused: `Run ${runId} has ended.`, rule: 'run-ended' }
    const state = await this.reader.state(runId)
    const callerId = (state && callerIdOf(state)) ?? summary.parentId
    const child = (await this.reader.state(callerId))?.children.get(runId)
    const item = { id: `background/${runId}#${summary.attempt}`, kind: 'background', by: 'user' } as const
    await this.postman.post(callerId, { ...item, callId: child?.callId ?? summary.callId })
    await this.postman.post(runId, { ...item, callId: summary.callId })
    return undefined
  }

  /** Another attempt of a run that ended, or the rest of one. Rejects when `signal` comes before it is decided that it may. */
  async resume(
    runId: RunId,
    prompt?: Pick<Word, 'text' | 'isHeard'>,
    budget?: Budget,
    signal?: AbortSignal,
  ): Promise<Refusal | undefined> {
    const summary = await this.#ports.store.summary(runId)
    if (!summary) return { refused: `There is no run "${runId}".`, rule: 'unknown-run' }
    if (summary.damage !== undefined) return { refused: summary.damage, rule: 'log-broken' }
    const isOver = summary.status === 'ended'
    const decide = (over: AbortSignal) =>
      isOver ? this.#todays.forNext(summary, budget, over) : this.#refusalToGoOn(runId, budget, over)
    const brief = await this.doors.orGiveUp(decide, signal).catch(refusedByClosing)
    if (brief && 'refused' in brief) return brief
    // By the inbox, so that two prompts at once are both read, whoever begins the attempt.
    const word: Word | undefined = prompt?.text.trim()
      ? { id: this.#ports.clock.id(), kind: 'message', from: 'user', ...prompt }
      : undefined
    try {
      const promised = brief && (await promisedTo(summary, this.reader))
      if (this.doors.isClosing) return closedHouse
      if (brief) this.prepared.holdForHost(runId, summary.attempt + 1, brief, promised)
      const isUnderWay = this.#live.has(runId)
      // A refusal leaves nothing behind: the word is put into the inbox by whoever has the claim.
      const live = await this.#live.ensure(runId, { word })
      if ('left' in live) return { refused: live.message, rule: live.left }
      if (isOver) await this.postman.tellResumed(live.log.state)
      if (budget && mayMore(this.reader.live(runId)?.brief, budget)) return budgetUnderWay(runId)
      if (isUnderWay && word) return await this.postman.post(runId, word)
      live.driving.look()
      return undefined
    } catch (error) {
      return refusedByStore(error)
    } finally {
      // Somebody else may have been quicker: what was held for this attempt must not begin another one later.
      this.prepared.releaseHosts(runId)
      this.purses.giveBack(summary)
    }
  }

  /** A run that was left stays as it is where whoever resumes it can be told why: nothing of it is ended for a slip. */
  async #refusalToGoOn(runId: RunId, budget: Budget | undefined, over: AbortSignal): Promise<Refusal | undefined> {
    if (budget) return budgetUnderWay(runId)
    return this.#live.has(runId) ? undefined : this.#todays.refusalOfRest(runId, over)
  }

  /** After a crash: goes on with every tree nobody drives. Resolves once all are under way. */
  recover(): Promise<readonly RunSummary[]> {
    return recoverRuns({
      store: this.#ports.store,
      reader: this.reader,
      isDriven: runId => (this.hosts.has(runId) ? Promise.resolve(true) : this.#live.isDriven(runId)),
      isClosing: () => this.doors.isClosing,
      drive: runId => this.begin(runId),
      stop: (runId, reason) => this.stop(runId, reason, 'caller'),
      closeHost: runId => this.hosts.close(runId),
      wake: runId => this.postman.wake(runId),
      onError: this.#ports.onError,
    })
  }

  /** Ends what runs here. `leave`: the runs stay as they are and can be resumed by the next process. */
  async close(how: 'stop' | 'leave' = 'stop'): Promise<void> {
    this.#alarms.close()
    await this.#live.close(how)
    this.#stopWatching()
  }

  /** Sees that a child of `caller` exists and is driven, and waits for its end. */
  async joinChild(...child: Parameters<Supervisor['takeUpChild']>): Promise<Result> {
    return (await this.takeUpChild(...child)).result
  }

  /** The same, but resolves once the child can be found. */
  takeUpChild(...child: [RunState, ChildState, Workshop['prepareAgain'], AbortSignal?]): Promise<Joined> {
    return orDamaged(child[1], this.#takeUpChild(...child))
  }

  async #takeUpChild(...[caller, child, prepareAgain, signal]: Parameters<Supervisor['takeUpChild']>): Promise<Joined> {
    const summary = await this.#ports.store.summary(child.runId)
    if (summary?.damage !== undefined) throw damage(summary.damage)
    const { reader, postman, doors } = this
    const resume = (runId: RunId) => this.resume(runId, undefined, undefined, signal)
    const ports = { clock: this.#ports.clock, reader, prepared: this.prepared, postman, doors, resume }
    const refusal = await untilBegun(child, summary, ports, prepareAgain, signal)
    if (refusal) return { result: Promise.resolve({ ...refusedResult(child, refusal), isRefused: true }) }
    const ended = summary && (await this.reader.result(child.runId, child.attempt))
    if (ended) return { result: Promise.resolve(ended) }
    const prepared = this.prepared.held(child.runId)
    const { runId: parentId, rootId } = caller
    const place = { runId: child.runId, rootId, parentId, callId: child.callId }
    const isNew = !summary && prepared?.kind === 'new'
    const first = isNew ? await this.#firstEvent(place, prepared.brief, prepared.prompt) : undefined
    // Nobody waits for it any more, and it has no log that could be told to stop: then it never begins.
    if (first && signal?.aborted) {
      this.unpromise(rootId, child.runId)
      throw signal.reason
    }
    // Somebody had it in hand and let it go, or what was decided for it was dropped with an attempt of somebody else's.
    const again = async () => {
      await this.#ports.clock.sleep(pauseMs, signal)
      return this.joinChild(caller, child, prepareAgain, signal)
    }
    return this.#takeUp(child, again, signal, first)
  }

  unpromise(rootId: RunId, runId: RunId): void {
    this.prepared.release(runId)
    this.purses.drop(rootId, runId)
    this.census.drop(rootId, runId)
  }

  /** An attempt that this caller does not want any more does not begin for it. */
  withdraw({ runId: callerId, rootId }: Pick<RunState, 'runId' | 'rootId'>, runId: RunId): void {
    const held = this.prepared.withdraw(callerId, runId)
    if (held && !held.isHosts) this.purses.withdraw({ rootId, runId }, held.attempt)
  }

  /** A call of a host is over. */
  forsake(state: RunState, callId: CallId): void {
    for (const runId of this.prepared.callOver(state, callId)) this.census.drop(state.rootId, runId)
    this.purses.forsake(state, callId)
  }

  #heard(state: RunState, events: readonly DurableEvent[]): void {
    for (const runId of this.prepared.heard(state, events)) this.census.drop(state.rootId, runId)
    this.approvals.heard(state, events)
    this.questions.heard(state, events)
    this.purses.heard(state, events)
    this.census.heard(state, events)
    this.#snapshots.heard(state, events)
  }
}
