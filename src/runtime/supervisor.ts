/**
 * Owns every run of this process: creates, drives, joins, stops, resumes and leaves them.
 *
 * V1 A run is driven at most once here, and by nobody else while its claim holds.
 * V2 A result never rejects: a run that could not be carried to its end says so with the outcome `interrupted`.
 * V3 When a run ends, children it still had are stopped, unless it is a conversation and they are in the background.
 * V4 A message that comes after the end wakes the run; none vanishes.
 */
import { amendBrief } from '../core/amend.js'
import { type BriefRequest, prepareBrief } from '../core/brief.js'
import type { DurableEvent } from '../core/events.js'
import type { CallId, RunId } from '../core/message.js'
import type { InboxItem, RunQuery, Workspace } from '../core/ports.js'
import { endNow } from '../core/run-next.js'
import type { ChildState, RunState } from '../core/run-state.js'
import type { RunSummary } from '../core/run-summary.js'
import type { AgentDefinition, Brief, Caller, Refusal, Result, StoredBrief, Task } from '../core/types.js'
import { enterAgentTools, withOwn } from './agent-tools.js'
import { Approvals } from './approvals.js'
import { Census } from './census.js'
import { childEndEvents, leftResult, lostResult, refusedResult } from './child-end.js'
import { DeclaredBook } from './declared-book.js'
import { CallerDelegation, callerOf, type DelegationPorts, type Prepared } from './delegation.js'
import type { DrivePorts, Driving, Left } from './drive.js'
import { localDriver } from './driver.js'
import { effectPorts, type HousePorts } from './effects.js'
import { PurseBook } from './purse.js'
import { Questions } from './questions.js'
import { planRecovery } from './recovery.js'
import { queuedEvent, RunLog, readState } from './run-log.js'
import { Slots } from './slots.js'
import { orAbort } from './steps.js'

interface Live {
  readonly log: RunLog
  readonly driving: Driving
  readonly result: Promise<Result>
  workspace(): Promise<Workspace>
}
export interface RunPlace {
  readonly runId: RunId
  readonly rootId: RunId
  readonly parentId?: RunId
  readonly callId?: CallId
}

export class Supervisor implements DelegationPorts {
  readonly slots: Slots
  readonly approvals: Approvals
  readonly questions: Questions
  readonly purses: PurseBook
  readonly census: Census
  readonly #ports: HousePorts
  readonly #declared: DeclaredBook
  readonly #live = new Map<RunId, Live>()
  readonly #starting = new Map<RunId, Promise<Live | Left>>()
  readonly #prepared = new Map<RunId, Prepared>()
  readonly #alarms = new Set<() => void>()
  readonly #hosts = new Set<RunId>()
  readonly #stopWatching: () => void
  #isClosing = false

  constructor(ports: HousePorts) {
    const { concurrency: total, concurrencyPerRoot: perRoot, concurrencyPerModel: perModel, queue } = ports.policy
    this.#ports = { ...ports, onRecorded: (state, events) => this.#heard(state, events) }
    this.slots = new Slots({ total, perRoot, perModel, queue })
    this.approvals = new Approvals(ports.approver, (runId, item) => void this.post(runId, item).catch(() => {}))
    this.questions = new Questions((runId, item) => this.post(runId, item))
    this.purses = new PurseBook({
      readTree: rootId => this.#readTree(rootId),
      estimateCost: ports.estimateCost,
      clock: ports.clock,
    })
    this.census = new Census(ports.policy.maxDescendants, query => ports.store.list(query))
    this.#declared = new DeclaredBook(ports.store)
    this.#stopWatching = ports.store.watch(runId => this.#live.get(runId)?.driving.look())
  }

  now(): number {
    return this.#ports.clock.now()
  }

  brief(task: Task, caller: Caller | undefined, isConversation = false): Brief | Refusal {
    const { catalog, tools, models, policy, hooks, promptParts } = this.#ports
    const agent = this.#agentOf(task.agent)
    const own = agent && this.#ports.agentTools?.of(agent)
    const request: BriefRequest = {
      task,
      caller,
      catalog: catalog(),
      ...(own && { ownTools: { tools: own.tools.map(tool => tool.spec), reasons: own.reasons } }),
      tools: [...tools().values()].map(tool => tool.spec),
      models: models(),
      policy,
      promptParts,
      isConversation,
    }
    const brief = prepareBrief(request)
    if ('refused' in brief || !hooks) return brief
    return { ...brief, hooked: (['start', 'stop'] as const).filter(point => hooks.wants(point, brief)) }
  }

  /** As `brief`, after what the agent brings along has been opened. */
  async prepareBrief(task: Task, caller: Caller | undefined, isConversation = false): Promise<Brief | Refusal> {
    await this.openTools(task, caller, isConversation)
    return this.brief(task, caller, isConversation)
  }

  /** Opens the servers the agent of a task brings along, unless the task is refused in any case. */
  async openTools(task: Task, caller: Caller | undefined, isConversation = false): Promise<void> {
    const agent = this.#agentOf(task.agent)
    if (!agent?.mcpServers?.length || !this.#ports.agentTools) return
    const first = this.brief(task, caller, isConversation)
    if ('refused' in first && first.rule !== 'unknown-tool') return
    await this.#ports.agentTools.open(agent)
  }

  /** Only an agent that may run has tools of its own. */
  #agentOf(name = 'general-purpose'): AgentDefinition | undefined {
    const agent = this.#ports.catalog().find(name)
    return agent?.source.isTrusted && !agent.isDisabled ? agent : undefined
  }

  /** Whether one more new run would be past the bound: every slot taken, and the queue for them full. */
  isFull(): boolean {
    const { concurrency, queue } = this.#ports.policy
    let isNew = 0
    let isWorking = 0
    for (const { log, driving } of this.#live.values()) {
      if (log.state.startedAt === undefined) isNew += 1
      else if (driving.holdsSlot()) isWorking += 1
    }
    for (const { kind } of this.#prepared.values()) if (kind === 'new') isNew += 1
    return isNew >= queue + Math.max(0, concurrency - isWorking)
  }

  hold(runId: RunId, prepared: Prepared): void {
    this.#prepared.set(runId, prepared)
  }

  release(runId: RunId): void {
    this.#prepared.delete(runId)
  }

  expectedPosition(): number {
    const coming = [...this.#prepared.values()].filter(({ kind }) => kind === 'new').length
    return this.slots.expectedPosition(coming)
  }

  held(runId: RunId): Prepared | undefined {
    return this.#prepared.get(runId)
  }

  list(query: RunQuery): Promise<readonly RunSummary[]> {
    return this.#ports.store.list(query)
  }

  liveState(runId: RunId): RunState | undefined {
    return this.#live.get(runId)?.log.state
  }

  position(runId: RunId): number {
    return this.#live.get(runId)?.driving.position() ?? 0
  }

  async readState(runId: RunId): Promise<RunState | undefined> {
    return this.liveState(runId) ?? readState(this.#ports.store, runId)
  }

  async readResult(runId: RunId): Promise<Result | undefined> {
    const summary = await this.#ports.store.summary(runId)
    if (summary?.status !== 'ended') return undefined
    for await (const { event } of this.#ports.store.read(runId, summary.lastSeq))
      if (event.type === 'run.ended') return event.result
    return undefined
  }

  /** Stores a new run, so that it exists whatever happens next. */
  async create(place: RunPlace, brief: Brief, prompt: string): Promise<void> {
    const stored: StoredBrief = { ...brief, declared: { hash: await this.#declared.keep(brief.declared) } }
    this.purses.open(place.rootId, place.runId, brief, place.parentId)
    const first = queuedEvent(place, stored, prompt, this.now())
    if ((await this.#ports.store.create(first)) === 'created') this.#ports.bus.publish(first)
  }

  /** Waits for the end of the run's current attempt, wherever it is driven. */
  async join(runId: RunId, signal?: AbortSignal): Promise<Result> {
    const live = await this.#ensure(runId)
    const waiting = 'left' in live ? this.#waitElsewhere(runId, live, signal) : live.result
    return signal ? orAbort(waiting, signal) : waiting
  }

  /** Begins to drive a run that exists; resolves once that is under way. */
  async begin(runId: RunId): Promise<void> {
    await this.#ensure(runId)
  }

  /** Puts an item into a run's inbox. A run that has ended is woken where the item asks for an answer. */
  async post(runId: RunId, item: InboxItem): Promise<Refusal | undefined> {
    await this.#ports.store.post(runId, item)
    const live = this.#live.get(runId)
    if (live) live.driving.look()
    else if (item.kind === 'message' || item.kind === 'question') return this.#wake(runId)
    else if (item.kind === 'stop' && !this.#isClosing) await this.#takeUp(runId)
    return undefined
  }

  /** A run that nobody drives has to be driven to hear that it should stop. */
  async #takeUp(runId: RunId): Promise<void> {
    if ((await this.#ports.store.summary(runId))?.status !== 'ended') await this.#ensure(runId)
  }

  leaveFor(runId: RunId, item: InboxItem): Promise<void> {
    return this.#ports.store.post(runId, item)
  }

  isListening(rootId: RunId): boolean {
    return this.#ports.approver?.isListening(rootId) ?? false
  }

  async stop(runId: RunId, reason: string, by: string): Promise<void> {
    await this.post(runId, { id: `stop/${this.#ports.clock.id()}`, kind: 'stop', reason, by })
  }

  /** Lets the caller of a foreground child go on; the child itself notices nothing. */
  async toBackground(runId: RunId): Promise<Refusal | undefined> {
    const summary = await this.#ports.store.summary(runId)
    if (!summary?.parentId || !summary.callId) return { refused: `There is no child "${runId}".`, rule: 'unknown-run' }
    if (summary.status === 'ended') return { refused: `Run ${runId} has ended.`, rule: 'run-ended' }
    const child = (await this.readState(summary.parentId))?.children.get(runId)
    const item = { id: `background/${runId}#${summary.attempt}`, kind: 'background', by: 'user' } as const
    await this.post(summary.parentId, { ...item, callId: child?.callId ?? summary.callId })
    await this.post(runId, { ...item, callId: summary.callId })
    return undefined
  }

  /** Another attempt of a run that ended, or the same attempt of one whose process died. */
  async resume(runId: RunId, prompt?: string): Promise<Refusal | undefined> {
    const summary = await this.#ports.store.summary(runId)
    if (!summary) return { refused: `There is no run "${runId}".`, rule: 'unknown-run' }
    const brief = summary.status === 'ended' ? await this.#rederive(summary) : undefined
    if (brief && 'refused' in brief) return brief
    // By the inbox, so that two prompts at once are both read, whoever begins the attempt.
    if (prompt?.trim())
      await this.#ports.store.post(runId, { id: this.#ports.clock.id(), kind: 'message', from: 'user', text: prompt })
    if (brief) this.hold(runId, { kind: 'again', brief, prompt: '' })
    const live = await this.#ensure(runId)
    if (!('left' in live)) live.driving.look()
    // Somebody else may have been quicker: what was held for this attempt must not begin another one later.
    this.#prepared.delete(runId)
    return 'left' in live ? { refused: live.message, rule: live.left } : undefined
  }

  /** After a crash: goes on with every tree nobody drives. Resolves once all are under way. */
  async recover(): Promise<readonly RunSummary[]> {
    const open = await this.#ports.store.list({ isEnded: false })
    for (const run of open) {
      if (await this.#isInGoodHands(run)) continue
      const plan = await planRecovery(run, runId => this.readState(runId))
      if (plan === 'stop') await this.stop(run.runId, 'its caller does not wait for it any more', 'caller')
      if (plan === 'close') await this.#closeHost(run.runId)
      else if (plan !== 'caller') await this.#ensure(run.runId)
    }
    for (const runId of await this.#ports.store.unread()) await this.#wake(runId)
    return open
  }

  /** It, or the caller that waits for it, is driven by somebody who lives. */
  async #isInGoodHands({ runId, parentId }: RunSummary): Promise<boolean> {
    for (const id of parentId ? [runId, parentId] : [runId]) {
      // One that is being taken up here has a claim already, which a claim to see who lives would take away.
      if (this.#live.has(id) || this.#starting.has(id) || this.#hosts.has(id)) return true
      const claim = await this.#ports.store.claim(id, this.#ports.owner)
      if ('heldBy' in claim) return true
      await this.#ports.store.release(id, claim.epoch)
    }
    return false
  }

  /** Ends what runs here. `leave`: the runs stay as they are and can be resumed by the next process. */
  async close(how: 'stop' | 'leave' = 'stop'): Promise<void> {
    this.#isClosing = true
    for (const close of this.#alarms) close()
    // In rounds: a run that ends may leave children that were not to be stopped with it.
    while (this.#live.size > 0) {
      const live = [...this.#live.values()]
      for (const { driving, log } of live) {
        if (how === 'leave') driving.leave()
        else await this.stop(log.state.runId, 'the host is closing', 'host')
      }
      await Promise.all(live.map(({ result }) => result))
    }
    this.#stopWatching()
  }

  async #rederive(summary: RunSummary): Promise<StoredBrief | Refusal> {
    const old = await this.readState(summary.runId)
    const above = summary.parentId ? await this.readState(summary.parentId) : undefined
    if (!old) return { refused: `The log of run ${summary.runId} cannot be read any more.`, rule: 'log-gone' }
    const { agent, description, model, budget, waitsForChildren } = old.brief
    await this.purses.load(old.rootId, old.brief, old.runId)
    const caller = above && callerOf(above, undefined, this.purses, old.runId)
    const task: Task = { agent, prompt: '', description, model, resume: summary.runId, ...(budget && { budget }) }
    const fresh = await this.prepareBrief(task, caller, !waitsForChildren)
    return 'refused' in fresh ? fresh : amendBrief(old.brief, fresh)
  }

  /** A log of depth 0 for a loop that is not ours. */
  async openHost(brief: Brief): Promise<RunLog> {
    const runId = this.#ports.clock.id() as RunId
    await this.create({ runId, rootId: runId }, brief, '')
    const log = await RunLog.open(this.#ports, runId)
    if (!log || 'heldBy' in log) throw new Error(`the log of host ${runId} could not be opened`)
    this.#hosts.add(runId)
    return log
  }

  async #closeHost(runId: RunId): Promise<void> {
    const log = await RunLog.open(this.#ports, runId)
    if (!log || 'heldBy' in log) return
    const error = { message: 'the host is gone', rule: 'host-gone' }
    await log.record(endNow(log.state, { outcome: 'interrupted', error }, this.now()))
    await log.release()
  }

  #ensure(runId: RunId): Promise<Live | Left> {
    const live = this.#live.get(runId)
    if (live) return Promise.resolve(live)
    const starting = this.#starting.get(runId) ?? this.#open(runId).finally(() => this.#starting.delete(runId))
    this.#starting.set(runId, starting)
    return starting
  }

  async #open(runId: RunId): Promise<Live | Left> {
    const log = await RunLog.open(this.#ports, runId)
    if (!log) return { left: 'log-broken', message: `there is no run ${runId}` }
    if ('heldBy' in log)
      return {
        left: 'claim-lost',
        message: `run ${runId} is driven by process ${log.heldBy.pid} on ${log.heldBy.host}`,
      }
    const again = this.#prepared.get(runId)
    this.#prepared.delete(runId)
    if (log.state.result && again?.kind === 'again') await this.#beginAgain(log, again)
    if (log.state.result || log.state.brief.isLogOnly) {
      await log.release()
      return { left: 'by-us', message: `run ${runId} ${log.state.result ? 'has ended' : 'belongs to a host'}` }
    }
    return this.#begin(log).catch(async (error: unknown): Promise<Left> => {
      await log.release().catch(() => {})
      return {
        left: 'log-broken',
        message: `run ${runId} could not be begun: ${error instanceof Error ? error.message : String(error)}`,
      }
    })
  }

  /** A stop or an answer that came after the end was meant for the attempt before: it must not hit this one. */
  async #beginAgain(log: RunLog, { prompt, brief }: Prepared & { kind: 'again' }): Promise<void> {
    const items = await this.#ports.store.inbox(log.state.runId)
    const stale = items.filter(({ kind }) => !outliveAttempts.has(kind)).map(({ id }) => id)
    const attempt = log.state.attempt + 1
    const isWoken = items.some(({ kind }) => kind === 'message')
    await log.record(
      [{ type: 'run.resumed', attempt, ...(prompt.trim() && { prompt }), brief, ...(isWoken && { isWoken }) }],
      stale,
    )
  }

  async #begin(log: RunLog): Promise<Live> {
    const { state } = log
    const declared = await this.#declared.fetch(state.brief.declared.hash)
    await this.purses.load(state.rootId, state.brief, state.runId)
    const own = await enterAgentTools(this.#ports, this.#agentOf(state.agent), state.runId)
    const driver = this.#ports.driverFor?.(log) ?? localDriver
    const house = { ...this.#ports, tools: () => driver.reach(withOwn(this.#ports.tools(), own)) }
    const workshop = effectPorts(house, log, declared, {
      purse: this.purses,
      delegation: () => new CallerDelegation(this, state, declared),
      callerWorkspace: () => this.#workspaceOf(state.parentId),
    })
    const ports: DrivePorts = {
      ...workshop,
      slots: this.slots,
      joinChild: (child, signal) => this.joinChild(state, child, workshop.prepareAgain, signal),
      stopChild: (child, reason) => void this.stop(child, reason, 'caller').catch(() => {}),
      childEnd: childEndEvents,
      childResult: (child, attempt) => this.#resultOf(child, attempt),
    }
    this.approvals.showAgain(state)
    this.questions.showAgain(state)
    const driving = driver.drive(log, ports)
    const result = driving.done.then(async end => {
      this.#live.delete(state.runId)
      this.purses.leave(state)
      // A place that cannot be left is the sandbox's trouble: the run has ended all the same.
      await workshop.leave(state.result).catch(() => {})
      this.#ports.agentTools?.leave(state.runId)
      return 'left' in end ? this.#wasLeft(log, end) : this.#wasEnded(log, end)
    })
    const live = { log, driving, result, workspace: workshop.workspace }
    this.#live.set(state.runId, live)
    return live
  }

  /** Where a caller acts, also when it is not driven here: a child never stands outside of that. */
  async #workspaceOf(runId: RunId | undefined): Promise<Workspace | undefined> {
    if (!runId) return undefined
    const live = this.#live.get(runId)
    if (live) return live.workspace()
    const state = await readState(this.#ports.store, runId)
    if (!state || !this.#ports.sandbox) return undefined
    const caller = await this.#workspaceOf(state.parentId)
    return this.#ports.sandbox.enter({ runId, brief: state.brief, ...(caller && { caller }) })
  }

  async #wasEnded(log: RunLog, result: Result): Promise<Result> {
    const { state } = log
    await log.release().catch(() => {})
    for (const child of state.children.values()) {
      if (child.isEnded || (child.isBackground && !state.brief.waitsForChildren)) continue
      await this.stop(child.runId, 'its caller has ended', 'caller').catch(() => {})
    }
    if (state.parentId) await this.#tellCaller(state, result)
    if (!state.brief.waitsForChildren) await this.#collectEnds(state)
    if (this.#isClosing) return result
    // What cannot be read now stays in the inbox, and the next process finds it there.
    await this.#wake(state.runId).catch(() => {})
    this.#resumeAfterLimit(state, result)
    return result
  }

  /** Children that ended while this run was storing its own end saw it live, and told nobody. */
  async #collectEnds({ runId, children }: RunState): Promise<void> {
    for (const child of children.values()) {
      const { attempt } = child
      if (child.isEnded || !(await this.#resultOf(child.runId, attempt))) continue
      const id = `${child.runId}#${attempt}`
      await this.#ports.store.post(runId, { id, kind: 'child-ended', runId: child.runId, attempt })
    }
  }

  /** Only a root: a child's caller has read the failure and goes its own way. */
  #resumeAfterLimit({ runId, parentId }: RunState, { error }: Result): void {
    const waitMs = (error?.resetsAt ?? 0) - this.now()
    if (parentId || waitMs <= 0 || waitMs > this.#ports.policy.resumeAfterLimitMs) return
    const close = this.#ports.clock.after(waitMs, () => {
      this.#alarms.delete(close)
      void this.resume(runId).catch(() => {})
    })
    this.#alarms.add(close)
  }

  async #wasLeft(log: RunLog, left: Left): Promise<Result> {
    if (left.left === 'by-us') await log.release().catch(() => {})
    return leftResult(log.state, left)
  }

  /** A caller driven here hears of it by its own wait; any other finds it in its inbox. */
  async #tellCaller(state: RunState, result: Result): Promise<void> {
    if (!state.parentId || this.#live.has(state.parentId)) return
    await this.#ports.store
      .post(state.parentId, {
        id: `${result.runId}#${state.attempt}`,
        kind: 'child-ended',
        runId: result.runId,
        attempt: state.attempt,
      })
      .catch(() => {})
    if (!this.#isClosing) await this.#wake(state.parentId).catch(() => {})
  }

  /** V4: what lies in the inbox of an ended run and wants an answer begins another attempt. */
  async #wake(runId: RunId): Promise<Refusal | undefined> {
    const items = await this.#ports.store.inbox(runId)
    if (items.length === 0 || this.#live.has(runId)) return undefined
    const summary = await this.#ports.store.summary(runId)
    if (summary?.status !== 'ended') return undefined
    const state = await this.readState(runId)
    const isConversation = state?.brief.waitsForChildren === false
    const isCalled = (kind: InboxItem['kind']) =>
      kind === 'message' || (isConversation && (kind === 'child-ended' || kind === 'question'))
    if (!items.some(({ kind }) => isCalled(kind))) return undefined
    if (summary.parentId) await this.#tellWoken(summary.parentId, runId, summary.attempt + 1)
    return this.resume(runId)
  }

  /** Before it goes on: a crash in between finds the caller waiting for an attempt that its inbox still asks for. */
  async #tellWoken(callerId: RunId, runId: RunId, attempt: number): Promise<void> {
    await this.#ports.store.post(callerId, { id: `woken/${runId}#${attempt}`, kind: 'child-woken', runId, attempt })
    this.#live.get(callerId)?.driving.look()
  }

  /** Sees that a child of `caller` exists and is driven, and waits for its end. */
  async joinChild(
    caller: RunState,
    child: ChildState,
    prepareAgain: (child: ChildState) => Promise<Refusal | undefined>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const summary = await this.#ports.store.summary(child.runId)
    const isReady = summary && (summary.attempt >= child.attempt || this.#prepared.has(child.runId))
    if (!isReady && !this.#prepared.has(child.runId)) {
      // The process died between the two logs. A message for it says why it goes on; otherwise the delegation tool
      // is asked once more for what it had decided.
      const refusal = await (summary && (await this.#hasMail(child.runId))
        ? this.resume(child.runId)
        : prepareAgain(child))
      if (refusal) return refusedResult(child, refusal)
    }
    const prepared = this.#prepared.get(child.runId)
    if (!summary && prepared?.kind === 'new') {
      const { runId: parentId, rootId } = caller
      await this.create({ runId: child.runId, rootId, parentId, callId: child.callId }, prepared.brief, prepared.prompt)
    }
    const ended =
      summary?.status === 'ended' && summary.attempt === child.attempt ? await this.readResult(child.runId) : undefined
    return ended ?? this.join(child.runId, signal)
  }

  async #hasMail(runId: RunId): Promise<boolean> {
    return (await this.#ports.store.inbox(runId)).some(({ kind }) => kind === 'message')
  }

  #heard(state: RunState, events: readonly DurableEvent[]): void {
    this.approvals.heard(state, events)
    this.questions.heard(state, events)
    this.purses.heard(state, events)
    this.census.heard(state, events)
  }

  async #readTree(rootId: RunId): Promise<readonly RunState[]> {
    const runs = await this.#ports.store.list({ rootId })
    const states = await Promise.all(runs.map(({ runId }) => this.readState(runId)))
    return states.filter(state => state !== undefined)
  }

  async #resultOf(runId: RunId, attempt: number): Promise<Result | undefined> {
    const summary = await this.#ports.store.summary(runId)
    return summary?.attempt === attempt ? this.readResult(runId) : undefined
  }

  /** Ended already, or in another process's hands: then its end is seen in the store, or it is left to us. */
  async #waitElsewhere(runId: RunId, first: Left, signal?: AbortSignal): Promise<Result> {
    for (let left = first; ; ) {
      const result = await this.readResult(runId)
      if (result) return result
      if (left.left === 'log-broken') return lostResult(runId, left)
      await this.#ports.clock.sleep(500, signal)
      const live = await this.#ensure(runId)
      if (!('left' in live)) return live.result
      left = live
    }
  }
}

/** Items that mean the run, not one attempt of it. */
const outliveAttempts: ReadonlySet<InboxItem['kind']> = new Set([
  'message',
  'question',
  'child-ended',
  'child-woken',
] as const)
