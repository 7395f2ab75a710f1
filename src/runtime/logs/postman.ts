/**
 * Brings items to the inboxes of runs, and wakes who has to hear of them.
 *
 * M1 An item is stored first; then a run driven here looks, and one that has ended is woken if the item wants an answer.
 * M2 A message that comes after the end begins another attempt; none vanishes.
 *    Whoever was stopped is woken by words alone: the ends of its children wait for them.
 * M3 The caller of a woken child is told before the child goes on: a crash in between finds the caller waiting for an
 *    attempt that the child's inbox still asks for.
 */
import type { RunId } from '../../core/message.js'
import { type ChildState, callerIdOf, type RunState, wantedChildren } from '../../core/run/run-state.js'
import type { InboxItem, RunStore } from '../../core/run-store.js'
import type { Refusal, Result } from '../../core/types.js'
import { tellFailure, tellRefusal } from '../tell-failure.js'
import type { RunReader } from './run-reader.js'

export interface PostmanPorts {
  readonly store: RunStore
  readonly reader: RunReader
  /** Makes a run driven here read its inbox; false: nobody drives it here. */
  look(runId: RunId): boolean
  /** Resolves when a run that is just being begun can be written to. */
  isBorn(runId: RunId): Promise<void>
  /** Begins to drive a run that has not ended. */
  begin(runId: RunId): Promise<unknown>
  /** Begins another attempt of one that has. */
  resume(runId: RunId): Promise<Refusal | undefined>
  /** Nobody is woken any more. */
  isClosing(): boolean
  onError(error: unknown): void
}

export class Postman {
  readonly #ports: PostmanPorts

  constructor(ports: PostmanPorts) {
    this.#ports = ports
  }

  async post(runId: RunId, item: InboxItem): Promise<Refusal | undefined> {
    const { store, reader, begin, isClosing } = this.#ports
    await this.#ports.isBorn(runId)
    await store.post(runId, item)
    if (this.#ports.look(runId)) return undefined
    if (item.kind === 'message' || item.kind === 'question') return this.wake(runId)
    // A run that nobody drives has to be driven to hear that it should stop.
    if (item.kind === 'stop' && !isClosing() && (await reader.summary(runId))?.status !== 'ended') await begin(runId)
    return undefined
  }

  /** Puts an item into an inbox and wakes nobody. */
  leave(runId: RunId, item: InboxItem): Promise<void> {
    return this.#ports.store.post(runId, item)
  }

  /** M2: what lies in the inbox of an ended run and wants an answer begins another attempt. */
  async wake(runId: RunId): Promise<Refusal | undefined> {
    const { store, reader } = this.#ports
    // It waits in the inbox for whoever comes next.
    if (this.#ports.isClosing()) return undefined
    // Nearly always nothing is there.
    if ((await store.inbox(runId)).length === 0 || reader.live(runId)) return undefined
    const summary = await reader.summary(runId)
    if (summary?.status !== 'ended' || summary.damage !== undefined) return undefined
    // Only what still lies there after the end was not read by the attempt that came to it.
    const items = await store.inbox(runId)
    if (items.length === 0 || reader.live(runId)) return undefined
    const state = summary.outcome === 'cancelled' ? undefined : await reader.state(runId)
    const isCalled = (item: InboxItem) => item.kind === 'message' || (state !== undefined && isNews(item, state))
    if (!items.some(isCalled)) return undefined
    if (summary.parentId) await this.#tellWoken(summary.parentId, runId, summary.attempt + 1)
    const refusal = await this.#ports.resume(runId)
    // Whoever has it finds what wakes it: they look before they let go of it, and after.
    return refusal?.rule === 'claim-lost' ? undefined : refusal
  }

  inbox(runId: RunId): Promise<readonly InboxItem[]> {
    return this.#ports.store.inbox(runId)
  }

  async hasMessage(runId: RunId): Promise<boolean> {
    return (await this.inbox(runId)).some(({ kind }) => kind === 'message')
  }

  /** Whoever wanted this attempt, and the run that began it, which may be two. */
  async tellCallers(state: RunState, { runId }: Result): Promise<void> {
    const { parentId, attempt } = state
    for (const callerId of new Set([callerIdOf(state), parentId]))
      if (callerId) await this.#tellCaller(callerId, runId, attempt)
  }

  /** A caller that is driven here and waits hears of the end by that; any other finds it in its inbox. */
  async #tellCaller(callerId: RunId, runId: RunId, attempt: number): Promise<void> {
    const caller = this.#ports.reader.live(callerId)
    if (caller ? !isUntold(caller, runId, attempt) : await this.#hasHeard(callerId, runId, attempt)) return
    const tell = tellFailure(this.#ports.onError, `run ${callerId} could not be told of the end of run ${runId}`)
    // M4: it is found by whoever takes the caller up.
    await this.#postEnd(callerId, runId, attempt).catch(tell)
    if (this.#ports.look(callerId)) return
    if (!this.#ports.isClosing()) await this.wake(callerId).then(tellRefusal(tell), tell)
  }

  /** Whoever took the caller up may have found the end in the child's log before anybody could bring it. */
  async #hasHeard(callerId: RunId, runId: RunId, attempt: number): Promise<boolean> {
    // What cannot be read now is told: to be told twice is no harm.
    const caller = await this.#ports.reader.state(callerId).catch(() => undefined)
    return caller !== undefined && isHeard(caller, runId, attempt)
  }

  /** Of an attempt that the host began, once that is stored: nobody waits for one that was not. M5 finds what is not told. */
  async tellResumed({ parentId, runId, attempt }: RunState): Promise<void> {
    if (!parentId) return
    const tell = tellFailure(this.#ports.onError, `run ${parentId} could not be told that run ${runId} goes on`)
    await this.#tellWoken(parentId, runId, attempt).catch(tell)
  }

  /**
   * M4 Ends that nobody brought: of children that saw this run live when it stored its own end, or whose process, or this
   *    run's, was gone before the end was posted. Whoever takes the run up looks for them.
   */
  async collectEnds(state: RunState): Promise<void> {
    for (const { runId, attempt } of untold(state)) await this.#collectEnd(state.runId, runId, attempt)
    await this.#collectResumed(state).catch(this.#ports.onError)
  }

  /** One that cannot be read now holds nobody up: whoever takes the run up next looks again. */
  async #collectEnd(callerId: RunId, runId: RunId, attempt: number): Promise<void> {
    const { onError, reader } = this.#ports
    try {
      if (await reader.result(runId, attempt)) await this.#postEnd(callerId, runId, attempt)
    } catch (error) {
      onError(error)
    }
  }

  /** M5 Attempts of children that others began, a person or another process, and that this run was not told of. */
  async #collectResumed({ runId: callerId, children }: RunState): Promise<void> {
    if (children.size === 0) return
    for (const { runId, attempt: newest, status } of await this.#ports.reader.list({ parentId: callerId })) {
      const known = children.get(runId)?.attempt ?? newest
      for (let attempt = known + 1; attempt <= newest; attempt++) {
        const isEnded = attempt < newest || status === 'ended'
        await (isEnded ? this.#collectEnd(callerId, runId, attempt) : this.#tellWoken(callerId, runId, attempt))
      }
    }
  }

  #postEnd(callerId: RunId, runId: RunId, attempt: number): Promise<void> {
    return this.leave(callerId, { id: `${runId}#${attempt}`, kind: 'child-ended', runId, attempt })
  }

  async #tellWoken(callerId: RunId, runId: RunId, attempt: number): Promise<void> {
    await this.leave(callerId, { id: `woken/${runId}#${attempt}`, kind: 'child-woken', runId, attempt })
    this.#ports.look(callerId)
  }
}

/** What a conversation that has ended goes on for, besides words. */
function isNews(item: InboxItem, state: RunState): boolean {
  if (state.brief.waitsForChildren) return false
  return item.kind === 'question' || (item.kind === 'child-ended' && !isHeard(state, item.runId, item.attempt))
}

const isHeard = ({ children }: RunState, runId: RunId, attempt: number): boolean => {
  const known = children.get(runId)
  return known !== undefined && (known.attempt > attempt || (known.attempt === attempt && known.isEnded))
}

/** No wait of this caller brings the end of this attempt, and it is not in its log. */
function isUntold(caller: RunState, runId: RunId, attempt: number): boolean {
  const known = caller.children.get(runId)
  if (known && known.attempt < attempt) return true
  return untold(caller).some(child => child.runId === runId && child.attempt === attempt)
}

/** Children without an end in this log, which no wait of it will bring. */
function untold(state: RunState): readonly ChildState[] {
  const awaited = new Set(state.result ? [] : wantedChildren(state))
  return [...state.children.values()].filter(child => !child.isEnded && !awaited.has(child))
}
