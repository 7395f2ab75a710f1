/**
 * The default store: one SQLite file, shared by every process of a user.
 * Writes are grouped and durable when they resolve (sqlite-writer.ts); nothing here ever blocks on a lock.
 */
import type { StoredEvent } from '../../core/events.js'
import type { Close, RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import { firstEpoch, type InboxItem, type Owner, type RunQuery, type Snapshot } from '../../core/run-store.js'
import { OwnerWatch, ownerKey } from '../os/process-owner.js'
import { checkConsecutive, checkFirst } from './append-rules.js'
import type { ChainedStore } from './hash-chain.js'
import type { MeasuredStore, TreeFigures } from './prune.js'
import { SqliteClaims } from './sqlite/sqlite-claims.js'
import { type SqlDatabase, type SqlDriver, toStoreError } from './sqlite/sqlite-driver.js'
import { SqliteInbox } from './sqlite/sqlite-inbox.js'
import { SqliteKept } from './sqlite/sqlite-kept.js'
import { SqliteLogs } from './sqlite/sqlite-logs.js'
import { findFaults, openConnection } from './sqlite/sqlite-open.js'
import { PostPoll } from './sqlite/sqlite-poll.js'
import { SqliteSnapshots } from './sqlite/sqlite-snapshots.js'
import { GroupedWriter, retryBusy, type SqlConnection } from './sqlite/sqlite-writer.js'
import { closedStore, type StoreError, unknownRun } from './store-error.js'
import { Watchers } from './watchers.js'

/** Where the file lies, and how long other processes are waited for. */
export interface SqliteStoreOptions {
  readonly path: string
  /** @internal */
  readonly driver?: SqlDriver
  /** How long a lock held by another process is waited for (60 s). */
  readonly busyLimitMs?: number
  /** How often posts of other processes are looked for (100 ms). */
  readonly pollMs?: number
  /** How often this process says that it lives (5 s), and after what silence another host may take over (30 s). */
  readonly heartbeatMs?: number
  readonly expiryMs?: number
  /** Epoch milliseconds. */
  readonly now?: () => number
  /**
   * Called, with why, when the place takes no writes and the store was opened for reading alone: every write is refused.
   * Without it such a place is refused at once.
   */
  readonly onReadOnly?: (reason: StoreError) => void
}

/** One database file for all runs, shared by processes. */
export interface SqliteStore extends ChainedStore, MeasuredStore {
  /** Looks at every page of the file; no lines mean that it is sound. */
  checkIntegrity(): Promise<readonly string[]>
  /** `await using` closes it. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens the database, or makes it. Rejects with a StoreError where the file cannot be used, naming it and what to do.
 */
export async function sqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const now = options.now ?? Date.now
  const connection = await openConnection({ ...options, busyLimitMs: options.busyLimitMs ?? 60_000, now })
  const { pollMs = 100, heartbeatMs = 5_000, expiryMs = 30_000 } = options
  return new Store(connection, { pollMs, heartbeatMs, expiryMs, now })
}

const pageSize = 500
/** Into how many groups a round of writes by all runs falls; of a crowd all that one tick brings, since it never waits. */
const groupsARound = 4
const crowd = 40
const dayMs = 86_400_000

class Store implements SqliteStore {
  readonly #connection: SqlConnection
  readonly #writer: GroupedWriter
  readonly #logs: SqliteLogs
  readonly #claims: SqliteClaims
  readonly #inbox: SqliteInbox
  readonly #kept: SqliteKept
  readonly #snapshots: SqliteSnapshots
  readonly #now: () => number
  readonly #watchers = new Watchers()
  readonly #poll: PostPoll
  readonly #heartbeat: NodeJS.Timeout
  /** Keys of owners that claimed through this store: it speaks for them. */
  readonly #owners = new Set<string>()
  /** What they hold as far as they know, by epoch. */
  readonly #held = new Map<RunId, number>()
  #closing: Promise<void> | undefined

  constructor(
    connection: SqlConnection,
    options: Required<Omit<SqliteStoreOptions, 'path' | 'driver' | 'busyLimitMs' | 'onReadOnly'>>,
  ) {
    const { database, path } = connection
    this.#connection = connection
    this.#now = options.now
    this.#writer = new GroupedWriter(connection, () => shareOf(this.#held.size))
    this.#logs = new SqliteLogs(database, path)
    this.#claims = new SqliteClaims(database, new OwnerWatch(options.expiryMs))
    this.#inbox = new SqliteInbox(database, path)
    this.#kept = new SqliteKept(database)
    this.#snapshots = new SqliteSnapshots(database)
    this.#poll = new PostPoll(database, this.#inbox, this.#watchers, options.pollMs)
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs).unref()
  }

  async create(first: StoredEvent): Promise<'created' | 'exists'> {
    checkFirst(first)
    return this.#writer.write(() => {
      const written = this.#logs.create(first)
      if (written) this.#kept.noteUses(written.ref, written.texts, this.#now())
      return written ? 'created' : 'exists'
    })
  }

  async begin(first: StoredEvent, owner: Owner, entry: readonly StoredEvent[]): Promise<'begun' | 'exists'> {
    checkFirst(first)
    checkConsecutive(first.runId, first.seq, entry)
    const isBegun = await this.#writer.write(() => {
      const written = this.#logs.begin(first, entry, this.#claims.enter(owner, this.#now()))
      if (written) this.#kept.noteUses(written.ref, written.texts, this.#now())
      return written !== undefined
    })
    if (isBegun) this.#hold(first.runId, owner, firstEpoch)
    return isBegun ? 'begun' : 'exists'
  }

  async append(
    runId: RunId,
    epoch: number,
    expectedSeq: number,
    events: readonly StoredEvent[],
    consumed: readonly string[] = [],
  ): Promise<'ok' | 'lost'> {
    checkConsecutive(runId, expectedSeq, events)
    return this.#writer.write(() => {
      const answer = this.#logs.append(runId, epoch, expectedSeq, events)
      if (answer.verdict === 'ok') {
        this.#kept.noteUses(answer.written.ref, answer.written.texts, this.#now())
        this.#inbox.consume(answer.written.ref, consumed)
      }
      return answer.verdict
    })
  }

  async *read(runId: RunId, fromSeq = 1): AsyncIterable<StoredEvent> {
    for (let next = fromSeq; ; ) {
      const page = await this.#read(() => this.#logs.page(runId, next, pageSize))
      yield* page
      const last = page.at(-1)
      if (!last) return
      next = last.seq + 1
    }
  }

  summary(runId: RunId): Promise<RunSummary | undefined> {
    return this.#read(() => this.#logs.summary(runId))
  }

  list(query: RunQuery): Promise<readonly RunSummary[]> {
    return this.#read(() => this.#logs.list(query))
  }

  trees(): Promise<readonly TreeFigures[]> {
    return this.#read(() => this.#logs.trees())
  }

  isHeld(rootId: RunId): Promise<boolean> {
    return this.#read(() => this.#claims.isTreeHeld(rootId, this.#now()))
  }

  isAbandoned(rootId: RunId): Promise<boolean> {
    return this.#read(() => this.#claims.isTreeAbandoned(rootId, this.#now()))
  }

  headHash(runId: RunId): Promise<string | undefined> {
    return this.#read(() => this.#logs.headHash(runId))
  }

  async claim(runId: RunId, owner: Owner): Promise<{ readonly epoch: number } | { readonly heldBy: Owner }> {
    const answer = await this.#writer.write(() => this.#claims.claim(runId, owner, this.#now()), { isPatient: true })
    if (!answer) throw unknownRun(runId)
    if ('epoch' in answer) this.#hold(runId, owner, answer.epoch)
    return answer
  }

  #hold(runId: RunId, owner: Owner, epoch: number): void {
    this.#owners.add(ownerKey(owner))
    this.#held.set(runId, epoch)
  }

  release(runId: RunId, epoch: number): Promise<void> {
    if (this.#held.get(runId) === epoch) this.#held.delete(runId)
    const release = () => {
      this.#logs.forget(runId)
      this.#claims.release(runId, epoch)
    }
    return this.#writer.write(release, { isPatient: true })
  }

  async post(runId: RunId, item: InboxItem): Promise<void> {
    if (!(await this.#writer.write(() => this.#inbox.post(runId, item)))) throw unknownRun(runId)
    this.#watchers.notify(runId)
  }

  inbox(runId: RunId): Promise<readonly InboxItem[]> {
    return this.#read(() => this.#inbox.items(runId))
  }

  unread(): Promise<readonly RunId[]> {
    return this.#read(() => this.#inbox.runsWithPostsAfter(0))
  }

  watch(onPost: (runId: RunId) => void): Close {
    if (this.#closing) throw closedStore()
    const close = this.#watchers.add(onPost)
    this.#poll.start()
    return close
  }

  keep(content: string): Promise<string> {
    return this.#writer.write(() => this.#kept.keep(content, this.#now()), { isPatient: true })
  }

  fetch(address: string): Promise<string | undefined> {
    return this.#read(() => this.#kept.fetch(address))
  }

  saveSnapshot(runId: RunId, snapshot: Snapshot): Promise<void> {
    return this.#writer.write(() => this.#snapshots.save(runId, snapshot), { isPatient: true })
  }

  loadSnapshot(runId: RunId, version: number): Promise<Snapshot | undefined> {
    return this.#read(() => this.#snapshots.load(runId, version))
  }

  async remove(rootId: RunId): Promise<'removed' | 'held' | 'unknown'> {
    const answer = await this.#writer.write(() => {
      const now = this.#now()
      if (this.#claims.isTreeHeld(rootId, now)) return 'held'
      if (!this.#logs.remove(rootId)) return 'unknown'
      this.#kept.sweep(now)
      return 'removed'
    })
    // A step at a time, so that others get to write in between.
    while (answer === 'removed' && (await this.#writer.write(() => this.#logs.giveSpaceBack())));
    return answer
  }

  checkIntegrity(): Promise<readonly string[]> {
    return this.#read(() => findFaults(this.#connection.database))
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    clearInterval(this.#heartbeat)
    this.#poll.stop()
    this.#watchers.clear()
    const farewell = this.#writer.write(() => this.#claims.leave(this.#owners, this.#now() - dayMs))
    // A full or broken disk must not keep a program from ending: an owner left behind is found dead later.
    const told = this.#owners.size > 0 ? tellLoss : () => {}
    await Promise.all([farewell.catch(told), this.#writer.close()])
    closeTidily(this.#connection.database)
    this.#connection.file.close()
  }

  #beat(): void {
    if (this.#owners.size === 0) return
    const before = [...this.#held]
    const beat = () => {
      this.#claims.beat(this.#owners, this.#now())
      return this.#claims.heldBy(this.#owners)
    }
    // A heartbeat that fails is no news: the next append hears of the broken medium.
    this.#writer.write(beat).then(
      held => this.#noteLost(before.filter(([runId, epoch]) => held.get(runId) !== epoch)),
      () => {},
    )
  }

  /** After a sleep somebody else may hold what was held here: whoever still works on it is told to look. */
  #noteLost(lost: readonly (readonly [runId: RunId, epoch: number])[]): void {
    for (const [runId, epoch] of lost) {
      if (this.#held.get(runId) !== epoch) continue
      this.#held.delete(runId)
      this.#watchers.notify(runId)
    }
  }

  async #read<T>(query: () => T): Promise<T> {
    if (this.#closing) throw closedStore()
    try {
      return await retryBusy(this.#connection, query)
    } catch (error) {
      throw toStoreError(this.#connection.driver, error, this.#connection.path)
    }
  }
}

const shareOf = (runs: number): number => (runs > crowd ? Number.POSITIVE_INFINITY : runs / groupsARound)

/** Who stored something and now finds the file or its log gone: nobody writes any more who would hear of it. */
function tellLoss(error: unknown): void {
  const { code, message } = error as { readonly code?: unknown; readonly message: string }
  if (code === 'io' || code === 'corrupt')
    process.emitWarning(`${message} What was stored last may be lost.`, { code: 'OFFSHOOT_STORE' })
}

/** The log beside the file is folded into it where nobody else is at work; the next one to open finds less to do. */
function closeTidily(database: SqlDatabase): void {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Busy, full or read-only: the log stays, and is as good as the file.
  }
  database.close()
}
