/**
 * Who may have a model request or a tool in flight. Memory only: a crash leaks nothing.
 *
 * Q1 All slots a run needs (total, its root's, its model's) are taken together or not at all.
 * Q2 Runs that come back from waiting go before new ones and are never refused.
 * Q3 Roots take turns, so one tree's thousand children cannot starve another's first.
 * Q4 The queue of new runs is bounded; whoever creates runs asks before (see Supervisor.isFull).
 */
import type { RunId } from '../../core/message.js'

export interface SlotCaps {
  readonly total: number
  readonly perRoot?: number
  readonly perModel?: number
  readonly queue: number
}
export interface SlotRequest {
  readonly runId: RunId
  readonly rootId: RunId
  readonly model: string
  readonly isReturning: boolean
}
export interface Slot {
  isHeld(): boolean
  /** How many go first; 0 once held. */
  position(): number
  /** Gives it back, or leaves the queue. Twice is once. */
  release(): void
}

interface Waiter extends SlotRequest {
  onHeld: () => void
  state: 'waiting' | 'held' | 'gone'
}

export class Slots {
  readonly #caps: SlotCaps
  readonly #inUse = { total: 0, byRoot: new Map<string, number>(), byModel: new Map<string, number>() }
  readonly #returning = new FairQueue()
  readonly #fresh = new FairQueue()

  constructor(caps: SlotCaps) {
    this.#caps = caps
  }

  get waiting(): number {
    return this.#fresh.size + this.#returning.size
  }

  /** The place somebody who asked now would get, when so many others are about to ask as well; 0: a slot is free. */
  expectedPosition(coming = 0): number {
    const ahead = this.waiting + coming
    const free = Math.max(0, this.#caps.total - this.#inUse.total)
    return Math.max(0, ahead + 1 - free)
  }

  /** Held at once when there is room and nobody waits before it; otherwise `onHeld` is called later. */
  acquire(request: SlotRequest, onHeld: () => void): Slot {
    const waiter: Waiter = { ...request, onHeld, state: 'waiting' }
    const queue = request.isReturning ? this.#returning : this.#fresh
    queue.add(waiter)
    this.#grant(waiter)
    return {
      isHeld: () => waiter.state === 'held',
      position: () =>
        waiter.state !== 'waiting' ? 0 : queue.before(waiter) + 1 + (request.isReturning ? 0 : this.#returning.size),
      release: () => this.#release(waiter, queue),
    }
  }

  #release(waiter: Waiter, queue: FairQueue): void {
    if (waiter.state === 'held') this.#count(waiter, -1)
    else if (waiter.state === 'waiting') queue.remove(waiter)
    waiter.state = 'gone'
    this.#grant()
  }

  #grant(justAsked?: Waiter): void {
    for (const queue of [this.#returning, this.#fresh]) {
      for (;;) {
        if (this.#inUse.total >= this.#caps.total) return
        const waiter = queue.takeFirst(candidate => this.#hasRoom(candidate))
        if (!waiter) break
        waiter.state = 'held'
        this.#count(waiter, 1)
        // Whoever asked just now sees it in the slot itself; a callback would arrive before the slot does.
        if (waiter !== justAsked) waiter.onHeld()
      }
    }
  }

  #hasRoom({ rootId, model }: SlotRequest): boolean {
    const { perRoot = Number.POSITIVE_INFINITY, perModel = Number.POSITIVE_INFINITY } = this.#caps
    return (this.#inUse.byRoot.get(rootId) ?? 0) < perRoot && (this.#inUse.byModel.get(model) ?? 0) < perModel
  }

  #count({ rootId, model }: SlotRequest, by: 1 | -1): void {
    this.#inUse.total += by
    for (const [map, key] of [
      [this.#inUse.byRoot, rootId],
      [this.#inUse.byModel, model],
    ] as const) {
      const left = (map.get(key) ?? 0) + by
      if (left === 0) map.delete(key)
      else map.set(key, left)
    }
  }
}

/** One line for each root; the roots take turns. */
class FairQueue {
  readonly #lines = new Map<RunId, Set<Waiter>>()
  size = 0

  add(waiter: Waiter): void {
    const line = this.#lines.get(waiter.rootId)
    if (line) line.add(waiter)
    else this.#lines.set(waiter.rootId, new Set([waiter]))
    this.size += 1
  }

  remove(waiter: Waiter): void {
    const line = this.#lines.get(waiter.rootId)
    if (!line?.delete(waiter)) return
    this.size -= 1
    if (line.size === 0) this.#lines.delete(waiter.rootId)
  }

  takeFirst(hasRoom: (waiter: Waiter) => boolean): Waiter | undefined {
    for (const [rootId, line] of this.#lines) {
      for (const waiter of line) {
        if (!hasRoom(waiter)) continue
        this.remove(waiter)
        // This root has had its turn: it goes to the end.
        if (this.#lines.delete(rootId)) this.#lines.set(rootId, line)
        return waiter
      }
    }
    return undefined
  }

  /** How many would be served before it, taking turns. */
  before(waiter: Waiter): number {
    const own = this.#lines.get(waiter.rootId)
    if (!own) return 0
    let index = 0
    for (const other of own) {
      if (other === waiter) break
      index += 1
    }
    let count = index
    let isAfterOwn = false
    for (const [rootId, line] of this.#lines) {
      if (rootId === waiter.rootId) isAfterOwn = true
      else count += Math.min(line.size, isAfterOwn ? index : index + 1)
    }
    return count
  }
}
