/**
 * The runs that are driven in this process: claimed, equipped, driven, and cleared up after.
 *
 * L1 A run is driven at most once here, and by nobody else while its claim holds.
 * L2 A result never rejects: a run that could not be carried to its end says so with the outcome `interrupted`.
 * L3 When a run ends, children it still had are stopped, unless it is a conversation and they are in the background. Its
 *    result is given when they have ended, or after five seconds.
 */
import type { StoredEvent } from '../core/events.js'
import type { RunId } from '../core/message.js'
import type { Delegation } from '../core/ports.js'
import { callerIdOf, type RunState } from '../core/run/run-state.js'
import type { ItemOf } from '../core/run-store.js'
import { messageOf } from '../core/thrown.js'
import type { Declared, Result } from '../core/types.js'
import type { Workspace } from '../core/workspace.js'
import { enterAgentTools, hasOwnTools, leaveAgentTools, withOwn } from './calls/agent-tools.js'
import type { Briefing } from './children/briefing.js'
import { type CallerPlaces, callerPlace } from './children/caller-place.js'
import { childResults, leftResult } from './children/child-end.js'
import { ChildStops } from './children/child-stops.js'
import { beginAgain, type PreparedRuns } from './children/prepared-runs.js'
import type { PurseBook } from './children/purse.js'
import { closedHouse, type Doors } from './doors.js'
import type { DrivePorts, Driving, Left } from './drive/drive-ports.js'
import { localDriver } from './drive/driver.js'
import { lostTurn } from './drive/lost-turn.js'
import { tellNews } from './drive/place-news.js'
import type { Slots } from './drive/slots.js'
import { openWorkshop, type Workshop } from './drive/workshop.js'
import type { HousePorts } from './house-ports.js'
import type { DeclaredBook } from './logs/declared-book.js'
import type { Postman } from './logs/postman.js'
import { Probes } from './logs/probes.js'
import { Releases } from './logs/releases.js'
import { ClaimLost, LogBroken, RunLog } from './logs/run-log.js'
import type { RunReader } from './logs/run-reader.js'
import { stopUnwanted } from './recovery.js'
import { hearsPrompts } from './session-hooks.js'
import { TakingOver } from './taking-over.js'
import { tellFailure, tellRefusal } from './tell-failure.js'

export interface Live {
  readonly log: RunLog
  readonly driving: Driving
  readonly result: Promise<Result>
  workspace(): Promise<Workspace>
}

/** With what a run is taken up. */
export interface TakeUp {
  /** How the log begins if there is none yet. */
  readonly first?: StoredEvent
  /** Its brief is of this moment. */
  readonly isDecided?: boolean
  /** Put into its inbox once it is claimed, and taken out again if it cannot be begun. */
  readonly word?: ItemOf<'message'>
}

/** What the runs here need of whoever owns them. */
export interface LivePorts {
  readonly doors: Doors
  readonly declared: DeclaredBook
  readonly purses: PurseBook
  readonly briefing: Briefing
  readonly prepared: PreparedRuns
  readonly postman: Postman
  readonly reader: RunReader
  readonly slots: Slots
  delegationOf(state: RunState, declared: Declared, signal: AbortSignal | undefined): Delegation
  joinChild(state: RunState, workshop: Pick<Workshop, 'prepareAgain' | 'childEnds'>): DrivePorts['joinChild']
  stop(runId: RunId, reason: string, by: string): Promise<void>
  /** Lays the rules of today over a run that was left without an end. */
  layToday(log: RunLog, over: AbortSignal): Promise<void>
  /** Before the first step: what still waits for a person is shown again. */
  taken(state: RunState): Promise<void>
  ended(state: RunState, result: Result): void
  /** A child that was decided on will not be: what was kept for it is free again. */
  unpromise(rootId: RunId, runId: RunId): void
  /** Nor another attempt of one, for this caller. */
  withdraw(caller: Pick<RunState, 'runId' | 'rootId'>, runId: RunId): void
}

export class LiveRuns {
  readonly #house: HousePorts
  readonly #ports: LivePorts
  readonly #live = new Map<RunId, Live>()
  readonly #starting = new Map<RunId, Promise<Live | Left>>()
  /** Those of them that are in no store yet. */
  readonly #newborn = new Map<RunId, Driving | undefined>()
  /** Of those that are driven, and of those that have ended and are being cleared up after. */
  readonly #results = new Set<Promise<Result>>()
  readonly #taking: TakingOver
  readonly #releases: Releases
  readonly #probes: Probes
  readonly #stops: ChildStops

  constructor(house: HousePorts, ports: LivePorts) {
    this.#house = house
    this.#ports = ports
    this.#releases = new Releases(house)
    this.#probes = new Probes(house)
    this.#taking = new TakingOver({ ...house, ...ports })
    this.#stops = new ChildStops({ ...ports, ...house, drivenResult: runId => this.#live.get(runId)?.result })
  }

  get(runId: RunId): Live | undefined {
    return this.#live.get(runId)
  }

  /** Driven here, or just being taken up. */
  has(runId: RunId): boolean {
    return this.#live.has(runId) || this.#starting.has(runId)
  }

  /** Here, or by another process that lives. */
  isDriven(runId: RunId): Promise<boolean> {
    return this.has(runId) ? Promise.resolve(true) : this.#probes.isHeld(runId)
  }

  /** Makes a run driven here read its inbox, also one that others can write to before it is whole in the store. */
  look(runId: RunId): boolean {
    const driving = this.#live.get(runId)?.driving ?? this.#newborn.get(runId)
    driving?.look()
    this.#taking.look(runId)
    return driving !== undefined
  }

  ensure(runId: RunId, takeUp: TakeUp = {}): Promise<Live | Left> {
    const live = this.#live.get(runId)
    if (live) return Promise.resolve(live)
    if (this.#ports.doors.isShut) return Promise.resolve({ left: 'closed', message: closedHouse.refused })
    const starting = this.#starting.get(runId) ?? this.#start(runId, takeUp)
    this.#starting.set(runId, starting)
    return starting
  }

  #start(runId: RunId, takeUp: TakeUp): Promise<Live | Left> {
    if (takeUp.first) this.#newborn.set(runId, undefined)
    return this.#open(runId, takeUp).finally(() => {
      this.#starting.delete(runId)
      this.#newborn.delete(runId)
    })
  }

  /** `fresh`: have not had a slot yet. `working`: hold one. */
  count(): { readonly fresh: number; readonly working: number } {
    const live = [...this.#live.values()]
    const begun = live.filter(({ log }) => log.state.startedAt !== undefined)
    const working = begun.filter(({ driving }) => driving.holdsSlot()).length
    return { fresh: this.#newborn.size + live.length - begun.length, working }
  }

  /** Resolves when a run that is just being begun is in the store, so that it can be written to, or will never be. */
  async isBorn(runId: RunId): Promise<void> {
    if (this.#newborn.has(runId)) await this.#starting.get(runId)?.catch(() => {})
  }

  /** Ends what runs here. `leave`: the runs stay as they are and can be resumed by the next process. */
  async close(how: 'stop' | 'leave'): Promise<void> {
    this.#ports.doors.close(how)
    // In rounds: a run that ends may leave children that were not to be stopped with it, and one may just be taken up.
    while (this.#results.size > 0 || this.#starting.size > 0 || this.#ports.doors.inside.size > 0) {
      const live = [...this.#live.values()]
      if (how === 'leave') for (const driving of this.#newborn.values()) driving?.leave()
      for (const { driving, log } of live) {
        if (how === 'leave') driving.leave()
        else await this.#stopToClose(log, driving)
      }
      const entering = [...this.#starting.values(), ...this.#ports.doors.inside]
      await Promise.all([...this.#results, ...entering].map(settled))
    }
    this.#ports.doors.shut()
    await this.#releases.close()
  }

  /** Not by `stop`, which waits until a run is begun: this is done while it is. Never rejects for one that is driven. */
  async #stopToClose({ state: { runId } }: RunLog, driving?: Driving): Promise<void> {
    const why = { kind: 'stop', reason: 'the host is closing', by: 'host' } as const
    const left = this.#ports.postman.leave(runId, { id: `stop/${this.#house.clock.id()}`, ...why })
    if (!driving) return left
    // Where the store takes no stop, the run is left as it stands, to be resumed.
    await left.then(
      () => driving.look(),
      () => driving.leave(),
    )
  }

  async #open(runId: RunId, { first, word, isDecided = first !== undefined }: TakeUp): Promise<Live | Left> {
    const looking = this.#probes.over(runId)
    if (looking) await looking
    const log = first ? RunLog.begin(this.#house, first) : await RunLog.open(this.#house, runId)
    if (!log) return { left: 'log-broken', message: `there is no run ${runId}` }
    if ('heldBy' in log)
      return {
        left: 'claim-lost',
        message: `run ${runId} is driven by process ${log.heldBy.pid} on ${log.heldBy.host}`,
      }
    const { prepared } = this.#ports
    const isAgain = log.state.result !== undefined && prepared.heldAgain(runId) !== undefined
    if (!isAgain) prepared.release(runId)
    if ((log.state.result && !isAgain) || log.state.brief.isLogOnly) return this.#notOurs(log)
    const begin = async () => {
      if (word) await this.#house.store.post(runId, word)
      const inbox = isAgain ? await this.#house.store.inbox(runId) : []
      // As it is held now: its caller may have been stopped, or the host may want it as well.
      const again = prepared.heldAgain(runId)
      if (isAgain && !again) return this.#notOurs(log)
      if (again) await beginAgain(log, again, inbox)
      return this.#begin(log, isDecided || isAgain)
    }
    const begun = await begin()
      .catch((error: unknown) => this.#notBegun(log, error, word))
      .finally(() => isAgain && prepared.release(runId))
    // What cannot be stored has not happened: its caller can ask for it again.
    if ('left' in begun && begun.left === 'log-broken' && !log.isStored) throw new LogBroken(begun.message)
    return begun
  }

  async #notOurs(log: RunLog): Promise<Left> {
    const { runId, result } = log.state
    await log.release()
    return { left: 'by-us', message: `run ${runId} ${result ? 'has ended' : 'belongs to a host'}` }
  }

  async #begin(log: RunLog, isToday: boolean): Promise<Live | Left> {
    const { state } = log
    if (!isToday) await this.#takeOver(log)
    const declared = await this.#ports.declared.fetch(state.brief.declared.hash)
    await this.#ports.purses.load(state.rootId, state.brief, state.runId)
    const agent = this.#ports.briefing.agentOf(state.agent)
    // One that may not go on only has to end.
    const driver = (!state.failure && this.#house.driverFor?.(log)) || localDriver
    // What takes its time is done for a run that is stored.
    if (driver !== localDriver || hasOwnTools(this.#house, agent)) await log.record([])
    const own = await enterAgentTools(this.#house, agent, state.runId)
    const house = { ...this.#house, tools: () => driver.reach(withOwn(this.#house.tools(), own)) }
    const places: CallerPlaces = { ...this.#house, live: runId => this.#live.get(runId)?.workspace() }
    const workshop = openWorkshop(house, log, declared, {
      purse: this.#ports.purses,
      reader: this.#ports.reader,
      delegation: signal => this.#ports.delegationOf(state, declared, signal),
      callerPlace: () => callerPlace(state.parentId, state.runId, places),
    })
    const ports: DrivePorts = {
      ...workshop,
      slots: this.#ports.slots,
      joinChild: this.#ports.joinChild(state, workshop),
      stopChild: (child, reason) => void this.#stops.one(state, child, reason),
      childEnd: workshop.childEnds.events,
      hearsPrompts: state => this.#house.hooks !== undefined && hearsPrompts(this.#house.hooks, state),
      childResult: childResults(state, this.#ports.reader),
    }
    log.atEnd = workshop.atEnd
    await tellNews(this.#house, state, workshop)
    await this.#ports.taken(state)
    await this.#lookBelow(state)
    // Taken before its first turn. One that is in no store yet is stopped when it is.
    const isStopped = this.#ports.doors.closing === 'stop' && log.isStored
    if (isStopped) await this.#stopToClose(log)
    const driving = driver.drive(log, ports)
    if (this.#ports.doors.closing === 'leave') driving.leave()
    const result = driving.done.then(async end => {
      this.#live.delete(state.runId)
      this.#ports.purses.leave(state)
      // The run has ended all the same.
      await workshop
        .leave(state.result)
        .catch(tellFailure(this.#house.onError, `the place of run ${state.runId} could not be left`))
      leaveAgentTools(this.#house, state.runId)
      if ('left' in end) this.#ports.prepared.leave(state.runId)
      return 'left' in end ? this.#wasLeft(log, end) : this.#wasEnded(log, end)
    })
    this.#results.add(result)
    void settled(result).then(() => this.#results.delete(result))
    // Nobody sees a run before it is stored.
    if (log.stored) this.#newborn.set(state.runId, driving)
    const end = log.stored && (await Promise.race([log.stored, driving.done]))
    if (end && 'left' in end) return end
    const begun = { log, driving, result, workspace: workshop.workspace }
    this.#live.set(state.runId, begun)
    this.#newborn.delete(state.runId)
    if (log.stored && !isStopped && this.#ports.doors.closing === 'stop') await this.#stopToClose(log, driving)
    return begun
  }

  /** What the process before had out counts as lost, before anything else is different. */
  async #takeOver(log: RunLog): Promise<void> {
    const { declared, purses: purse } = this.#ports
    const lost = await lostTurn(log.state, this.#house.clock.now(), { purse, declaredOf: hash => declared.fetch(hash) })
    if (lost.length > 0) await log.record(lost)
    await this.#taking.layToday(log)
  }

  /** Of what it left: ends it has not heard of come into its inbox, and children it does not want any more are stopped. */
  async #lookBelow(state: RunState): Promise<void> {
    const { store, onError } = this.#house
    await this.#ports.postman.collectEnds(state)
    const stop = (runId: RunId, reason: string) => this.#ports.stop(runId, reason, 'caller')
    const isDriven = (runId: RunId) => this.isDriven(runId)
    await stopUnwanted(state, { store, reader: this.#ports.reader, isDriven, stop, onError }).catch(onError)
  }

  async #wasEnded(log: RunLog, result: Result): Promise<Result> {
    const { state } = log
    const released = this.#releases.give(log)
    // A caller that waits here goes on at once: what it does next follows the release in the store.
    const callerId = callerIdOf(state)
    if (!callerId || !this.#live.has(callerId)) await released
    const stopping = await this.#stops.below(state)
    await this.#ports.postman.tellCallers(state, result)
    if (!state.brief.waitsForChildren) await this.#ports.postman.collectEnds(state)
    await this.#stops.awaited(stopping)
    if (this.#ports.doors.closing) return result
    // What cannot be read now stays in the inbox, and the next process finds it there.
    const tell = tellFailure(this.#house.onError, `run ${state.runId} did not go on with what waits in its inbox`)
    await this.#ports.postman.wake(state.runId).then(tellRefusal(tell), tell)
    this.#goOnWithout(state)
    this.#ports.ended(state, result)
    return result
  }

  /** One that ended before it took up again what it had in the background: that goes on all the same. */
  #goOnWithout({ brief, children }: RunState): void {
    if (brief.waitsForChildren) return
    for (const { runId, isEnded, isBackground } of children.values())
      if (isBackground && !isEnded && !this.has(runId))
        void this.ensure(runId).catch(tellFailure(this.#house.onError, `run ${runId} does not go on in the background`))
  }

  async #wasLeft(log: RunLog, left: Left): Promise<Result> {
    if (left.left !== 'claim-lost' && log.isStored) await this.#releases.give(log)
    return leftResult(log.state, left)
  }

  /** It is as it was, and can be resumed; or somebody else was quicker, and has it. */
  async #notBegun(log: RunLog, error: unknown, word: TakeUp['word']): Promise<Left> {
    if (error instanceof ClaimLost) return { left: 'claim-lost', message: error.message }
    const { runId } = log.state
    // What keeps it from being stored is told by what kept it from being begun, but for a word that stays.
    const tell = word ? tellFailure(this.#house.onError, `a word for run ${runId} stays in its inbox`) : () => {}
    await log.record([], word ? [word.id] : []).catch(tell)
    if (log.isStored) await this.#releases.give(log)
    return { left: 'log-broken', message: `run ${runId} could not be begun: ${messageOf(error)}` }
  }
}

const settled = (starting: Promise<unknown>): Promise<unknown> => starting.catch(() => undefined)
