/**
 * Everything in this process's memory, gone with it. Several hosts may share one store, as several processes share a
 * database: that is how tests crash a host and let the next one take over (`isAlive`).
 */
import { frozenCopy } from '../../core/copies.js'
import type { StoredEvent } from '../../core/events.js'
import type { Close, RunId } from '../../core/message.js'
import { type RunSummary, summarise } from '../../core/run/run-summary.js'
import { firstEpoch, type InboxItem, type Owner, type RunQuery, type RunStore } from '../../core/run-store.js'
import { ownerKey } from '../os/process-owner.js'
import { checkConsecutive, checkFirst, judgeAppend } from './append-rules.js'
import { addressesIn, addressOf } from './content-address.js'
import { selectRuns } from './run-query.js'
import { closedStore, unknownRun } from './store-error.js'
import { Watchers } from './watchers.js'

/** For tests of claims. */
export interface MemoryStoreOptions {
  /** Whether the process behind a claim still lives. Default: every owner does. */
  readonly isAlive?: (owner: Owner) => boolean
}

/** Keeps runs as long as the process lives. Never rejects for a broken medium. */
export function memoryStore(options: MemoryStoreOptions = {}): RunStore & { [Symbol.asyncDispose](): Promise<void> } {
  return new MemoryStore(options.isAlive ?? (() => true))
}

interface Log {
  readonly events: StoredEvent[]
  summary: RunSummary
  epoch: number
  owner: Owner | undefined
  readonly inbox: Map<string, InboxItem>
  readonly addresses: Set<string>
}
interface Kept {
  readonly content: string
  /** How often it was kept for a run whose log does not name it yet. */
  awaited: number
  users: number
}

class MemoryStore implements RunStore {
  readonly #isAlive: (owner: Owner) => boolean
  readonly #logs = new Map<RunId, Log>()
  readonly #kept = new Map<string, Kept>()
  readonly #watchers = new Watchers()
  #isClosed = false

  constructor(isAlive: (owner: Owner) => boolean) {
    this.#isAlive = isAlive
  }

  async create(first: StoredEvent): Promise<'created' | 'exists'> {
    return this.#open(first) ? 'created' : 'exists'
  }

  async begin(first: StoredEvent, owner: Owner, entry: readonly StoredEvent[]): Promise<'begun' | 'exists'> {
    checkConsecutive(first.runId, first.seq, entry)
    const log = this.#open(first)
    if (!log) return 'exists'
    log.epoch = firstEpoch
    log.owner = owner
    this.#store(log, entry)
    return 'begun'
  }

  async append(
    runId: RunId,
    epoch: number,
    expectedSeq: number,
    events: readonly StoredEvent[],
    consumed: readonly string[] = [],
  ): Promise<'ok' | 'lost'> {
    this.#checkOpen()
    checkConsecutive(runId, expectedSeq, events)
    const log = this.#logs.get(runId)
    if (!log) return 'lost'
    const head = {
      lastSeq: log.events.length,
      epoch: log.owner && log.epoch,
      idAt: (seq: number) => log.events[seq - 1]?.eventId,
    }
    const verdict = judgeAppend(head, epoch, expectedSeq, events)
    if (verdict === 'lost') return 'lost'
    if (verdict === 'store') this.#store(log, events)
    for (const id of consumed) log.inbox.delete(id)
    return 'ok'
  }

  async *read(runId: RunId, fromSeq = 1): AsyncIterable<StoredEvent> {
    this.#checkOpen()
    const events = this.#logs.get(runId)?.events ?? []
    for (let index = Math.max(fromSeq, 1) - 1; index < events.length; index += 1) yield events[index]!
  }

  async summary(runId: RunId): Promise<RunSummary | undefined> {
    this.#checkOpen()
    return frozenCopy(this.#logs.get(runId)?.summary)
  }

  async list(query: RunQuery): Promise<readonly RunSummary[]> {
    this.#checkOpen()
    return selectRuns(
      Array.from(this.#logs.values(), log => log.summary),
      query,
    ).map(frozenCopy)
  }

  async claim(runId: RunId, owner: Owner): Promise<{ readonly epoch: number } | { readonly heldBy: Owner }> {
    const log = this.#logOf(runId)
    if (log.owner && ownerKey(log.owner) !== ownerKey(owner) && this.#isAlive(log.owner)) return { heldBy: log.owner }
    log.epoch += 1
    log.owner = owner
    return { epoch: log.epoch }
  }

  async release(runId: RunId, epoch: number): Promise<void> {
    this.#checkOpen()
    const log = this.#logs.get(runId)
    if (log?.epoch === epoch) log.owner = undefined
  }

  async post(runId: RunId, item: InboxItem): Promise<void> {
    const { inbox } = this.#logOf(runId)
    if (!inbox.has(item.id)) inbox.set(item.id, frozenCopy(item))
    this.#watchers.notify(runId)
  }

  async inbox(runId: RunId): Promise<readonly InboxItem[]> {
    this.#checkOpen()
    return [...(this.#logs.get(runId)?.inbox.values() ?? [])]
  }

  async unread(): Promise<readonly RunId[]> {
    this.#checkOpen()
    return [...this.#logs].flatMap(([runId, log]) => (log.inbox.size > 0 ? [runId] : []))
  }

  watch(onPost: (runId: RunId) => void): Close {
    this.#checkOpen()
    return this.#watchers.add(onPost)
  }

  async keep(content: string): Promise<string> {
    this.#checkOpen()
    const address = addressOf(content)
    const kept = this.#kept.get(address)
    if (kept) kept.awaited += 1
    else this.#kept.set(address, { content, awaited: 1, users: 0 })
    return address
  }

  async fetch(address: string): Promise<string | undefined> {
    this.#checkOpen()
    return this.#kept.get(address)?.content
  }

  async remove(rootId: RunId): Promise<'removed' | 'held' | 'unknown'> {
    this.#checkOpen()
    const tree = [...this.#logs.values()].filter(log => log.summary.rootId === rootId)
    if (tree.length === 0) return 'unknown'
    if (tree.some(log => log.owner && this.#isAlive(log.owner))) return 'held'
    for (const log of tree) {
      this.#logs.delete(log.summary.runId)
      for (const address of log.addresses) this.#dropUse(address)
    }
    return 'removed'
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#logs.clear()
    this.#kept.clear()
    this.#watchers.clear()
  }

  /** Undefined when the log exists. */
  #open(first: StoredEvent): Log | undefined {
    this.#checkOpen()
    checkFirst(first)
    if (this.#logs.has(first.runId)) return undefined
    const summary = summarise(undefined, first)
    if (!summary) throw new Error(`Event ${first.eventId} opens no log`)
    const log: Log = { events: [], summary, epoch: 0, owner: undefined, inbox: new Map(), addresses: new Set() }
    this.#logs.set(first.runId, log)
    this.#store(log, [first])
    return log
  }

  #store(log: Log, events: readonly StoredEvent[]): void {
    for (const event of events) {
      // A log gives frozen ones; nobody else may change theirs afterwards either.
      log.events.push(Object.isFrozen(event) ? event : frozenCopy(event))
      log.summary = summarise(log.summary, event) ?? log.summary
      for (const address of addressesIn(event.event)) this.#use(log, address)
    }
  }

  #use(log: Log, address: string): void {
    const kept = this.#kept.get(address)
    if (!kept || log.addresses.has(address)) return
    log.addresses.add(address)
    kept.users += 1
    kept.awaited = Math.max(0, kept.awaited - 1)
  }

  #dropUse(address: string): void {
    const kept = this.#kept.get(address)
    if (!kept) return
    kept.users -= 1
    if (kept.users === 0 && kept.awaited === 0) this.#kept.delete(address)
  }

  #logOf(runId: RunId): Log {
    this.#checkOpen()
    const log = this.#logs.get(runId)
    if (!log) throw unknownRun(runId)
    return log
  }

  #checkOpen(): void {
    if (this.#isClosed) throw closedStore()
  }
}
