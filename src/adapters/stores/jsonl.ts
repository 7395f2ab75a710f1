/**
 * One text file a run, one line an append: a store that can be read, copied and mended by hand.
 * Everything that writes holds the run's lock file, so that several processes can share the directory.
 */
import type { StoredEvent } from '../../core/events.js'
import type { Close, RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { InboxItem, Owner, RunQuery } from '../../core/run-store.js'
import { LockFiles } from '../os/file-lock.js'
import { OwnerWatch } from '../os/process-owner.js'
import { checkConsecutive, checkFirst, judgeAppend } from './append-rules.js'
import { type ChainedStore, link } from './hash-chain.js'
import { JsonlCatalog } from './jsonl/jsonl-catalog.js'
import { JsonlClaims } from './jsonl/jsonl-claims.js'
import { checkOpened } from './jsonl/jsonl-damaged.js'
import { JsonlFiles } from './jsonl/jsonl-files.js'
import { JsonlHeads } from './jsonl/jsonl-heads.js'
import { JsonlInbox } from './jsonl/jsonl-inbox.js'
import { JsonlKept } from './jsonl/jsonl-kept.js'
import { formatRecord } from './jsonl/jsonl-lines.js'
import { JsonlNewLogs } from './jsonl/jsonl-new-logs.js'
import { InboxPoll } from './jsonl/jsonl-poll.js'
import { LogReader } from './jsonl/jsonl-reader.js'
import { removeTree } from './jsonl/jsonl-removal.js'
import { sweepLeftovers } from './jsonl/jsonl-sweep.js'
import { LogReporter, type LogWarning } from './jsonl/jsonl-warnings.js'
import { type FsyncPolicy, JsonlWriter } from './jsonl/jsonl-writer.js'
import { fromSystemError } from './private-files.js'
import type { MeasuredStore, TreeFigures } from './prune.js'
import { selectRuns } from './run-query.js'
import { closedStore, heldBy } from './store-error.js'
import { Watchers } from './watchers.js'

/** Where the files lie, and how sure an append is. */
export interface JsonlStoreOptions {
  readonly directory: string
  /** When appends reach the disk: before they resolve (default), now and then, or when the system likes. */
  readonly fsync?: FsyncPolicy
  /** Hears of lines that could not be used and of events that were changed. Default: a warning of the process. */
  readonly onWarning?: (warning: LogWarning) => void
  /** What a claim does when past events were changed: say so (default), or refuse with `tampered`. */
  readonly tampering?: 'report' | 'refuse'
  /** How long a lock held by another process is waited for (60 s). */
  readonly busyLimitMs?: number
  /** How often posts of other processes are looked for (100 ms). */
  readonly pollMs?: number
  /** How often this process says that it lives (5 s), and after what silence another host may take over (30 s). */
  readonly heartbeatMs?: number
  readonly expiryMs?: number
  /** Epoch milliseconds. */
  readonly now?: () => number
}

/** A file a run, one event a line; `jq` reads it. */
export interface JsonlStore extends ChainedStore, MeasuredStore {
  /** `await using` closes it. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens the directory, or makes it. Rejects with a StoreError where it cannot be used, naming it and what to do. */
export async function jsonlStore(options: JsonlStoreOptions): Promise<JsonlStore> {
  const files = new JsonlFiles(options.directory, options.fsync !== 'never')
  await files.prepare()
  const locks = new LockFiles({ limitMs: options.busyLimitMs ?? 60_000, busy: heldBy, fault: fromSystemError })
  await sweepLeftovers(files, locks, (options.now ?? Date.now)())
  return new Store(files, locks, options)
}

class Store implements JsonlStore {
  readonly #files: JsonlFiles
  readonly #locks: LockFiles
  readonly #claims: JsonlClaims
  readonly #inbox: JsonlInbox
  readonly #kept: JsonlKept
  readonly #writer: JsonlWriter
  readonly #newLogs: JsonlNewLogs
  readonly #reporter: LogReporter
  readonly #catalog: JsonlCatalog
  readonly #poll: InboxPoll
  readonly #watchers = new Watchers()
  readonly #now: () => number
  readonly #heartbeat: NodeJS.Timeout
  readonly #heads: JsonlHeads
  #closing: Promise<void> | undefined

  constructor(files: JsonlFiles, locks: LockFiles, options: JsonlStoreOptions) {
    this.#files = files
    this.#locks = locks
    this.#now = options.now ?? Date.now
    this.#reporter = new LogReporter(options.onWarning, options.tampering ?? 'report')
    const watch = new OwnerWatch(options.expiryMs ?? 30_000)
    this.#claims = new JsonlClaims(files, watch, this.#reporter, this.#now)
    this.#inbox = new JsonlInbox(files, this.#reporter)
    this.#kept = new JsonlKept(files, this.#now)
    this.#newLogs = new JsonlNewLogs(files, this.#claims, this.#kept)
    this.#writer = new JsonlWriter(options.fsync ?? 'always')
    this.#catalog = new JsonlCatalog(files, this.#reporter)
    this.#heads = new JsonlHeads(files, this.#reporter)
    this.#poll = new InboxPoll(this.#inbox, this.#watchers, options.pollMs ?? 100)
    this.#heartbeat = setInterval(() => void this.#beat(), options.heartbeatMs ?? 5_000).unref()
  }

  create(first: StoredEvent): Promise<'created' | 'exists'> {
    return this.#locked(first.runId, async () => {
      checkFirst(first)
      return this.#newLogs.create(first)
    })
  }

  begin(first: StoredEvent, owner: Owner, entry: readonly StoredEvent[]): Promise<'begun' | 'exists'> {
    return this.#locked(first.runId, async () => {
      checkFirst(first)
      checkConsecutive(first.runId, first.seq, entry)
      const begun = await this.#newLogs.begin(first, owner, entry)
      if (begun === 'begun') this.#heads.keep(first.runId, this.#heads.readAfresh(first.runId))
      return begun
    })
  }

  append(
    runId: RunId,
    epoch: number,
    expectedSeq: number,
    events: readonly StoredEvent[],
    consumed: readonly string[] = [],
  ): Promise<'ok' | 'lost'> {
    return this.#locked(runId, async () => {
      checkConsecutive(runId, expectedSeq, events)
      const head = this.#heads.of(runId)
      const known = {
        lastSeq: head.lastSeq,
        epoch: this.#claims.epochOf(runId),
        idAt: (seq: number) => head.eventIds.get(seq),
      }
      const verdict = head.lastSeq === 0 ? 'lost' : judgeAppend(known, epoch, expectedSeq, events)
      if (verdict === 'lost') {
        this.#heads.drop(runId)
        return 'lost'
      }
      await this.#store(runId, head, verdict === 'store' ? events : [], consumed)
      return 'ok'
    })
  }

  async *read(runId: RunId, fromSeq = 1): AsyncIterable<StoredEvent> {
    this.#checkOpen()
    let last = fromSeq - 1
    const claimed = this.#heads.takeRead(runId)
    for (const event of claimed) {
      if (event.seq <= last) continue
      yield event
      last = event.seq
    }
    if (claimed.length > 0 && this.#heads.endsAt(runId, last)) return
    const reader = new LogReader(this.#files.log(runId), { isFolding: false })
    for (let before = -1; before < reader.lastSeq; ) {
      before = reader.lastSeq
      for (const events of reader.parts()) for (const event of events) if (event.seq > last) yield event
      this.#reporter.report(reader)
    }
  }

  async summary(runId: RunId): Promise<RunSummary | undefined> {
    this.#checkOpen()
    return (await this.#catalog.entry(this.#files.log(runId)))?.summary
  }

  async list(query: RunQuery): Promise<readonly RunSummary[]> {
    this.#checkOpen()
    const entries = await this.#catalog.entries()
    return selectRuns(
      entries.map(entry => entry.summary),
      query,
    )
  }

  async trees(): Promise<readonly TreeFigures[]> {
    this.#checkOpen()
    return this.#catalog.trees()
  }

  async isHeld(rootId: RunId): Promise<boolean> {
    for (const { runId } of await this.list({ rootId })) if (await this.#claims.isHeld(runId)) return true
    return false
  }

  async isAbandoned(rootId: RunId): Promise<boolean> {
    for (const { runId } of await this.list({ rootId })) if (await this.#claims.isAbandoned(runId)) return true
    return false
  }

  async headHash(runId: RunId): Promise<string | undefined> {
    this.#checkOpen()
    const reader = new LogReader(this.#files.log(runId), { isFolding: false })
    reader.readOn()
    return reader.lastHash
  }

  claim(runId: RunId, owner: Owner): Promise<{ readonly epoch: number } | { readonly heldBy: Owner }> {
    return this.#locked(runId, async () => {
      // Read afresh: a claim is when a changed past has to show.
      const claimed = this.#heads.readAfresh(runId)
      const { head } = claimed
      checkOpened(runId, head)
      this.#reporter.reportAtClaim(head)
      const answer = await this.#claims.claim(runId, owner, head.lastEpoch)
      if ('epoch' in answer) {
        this.#heads.keep(runId, claimed)
        await this.#inbox.deleteConsumed(runId, key => head.consumed.has(key))
      }
      return answer
    })
  }

  release(runId: RunId, epoch: number): Promise<void> {
    return this.#locked(runId, async () => {
      this.#heads.drop(runId)
      await this.#claims.release(runId, epoch)
    })
  }

  async post(runId: RunId, item: InboxItem): Promise<void> {
    await this.#locked(runId, async () => {
      const head = this.#heads.of(runId)
      checkOpened(runId, head)
      await this.#inbox.post(runId, item, key => head.consumed.has(key))
    })
    this.#watchers.notify(runId)
  }

  inbox(runId: RunId): Promise<readonly InboxItem[]> {
    return this.#locked(runId, async () => {
      const head = this.#heads.of(runId)
      return this.#inbox.items(runId, key => head.consumed.has(key))
    })
  }

  unread(): Promise<readonly RunId[]> {
    this.#checkOpen()
    return this.#inbox.runs()
  }

  watch(onPost: (runId: RunId) => void): Close {
    this.#checkOpen()
    const close = this.#watchers.add(onPost)
    this.#poll.start()
    return close
  }

  async keep(content: string): Promise<string> {
    this.#checkOpen()
    return this.#kept.keep(content)
  }

  async fetch(address: string): Promise<string | undefined> {
    this.#checkOpen()
    return this.#kept.fetch(address)
  }

  async remove(rootId: RunId): Promise<'removed' | 'held' | 'unknown'> {
    this.#checkOpen()
    const tree = (await this.list({ rootId })).map(summary => summary.runId)
    if (tree.length === 0) return 'unknown'
    return removeTree(rootId, tree, {
      files: this.#files,
      locks: this.#locks,
      heads: this.#heads,
      inbox: this.#inbox,
      claims: this.#claims,
      catalog: this.#catalog,
      kept: this.#kept,
    })
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
    await this.#locks.settle()
    await this.#writer.close()
    // A full or broken disk must not keep a program from ending: an owner left behind is found dead later.
    await this.#giveBackAll().catch(() => {})
    this.#heads.clear()
  }

  /** After a sleep somebody else may hold what was held here: whoever still works on it is told to look. */
  async #beat(): Promise<void> {
    // One that fails is no news: the next append hears of the broken medium.
    for (const runId of await this.#claims.beat().catch(() => [])) this.#watchers.notify(runId)
  }

  async #giveBackAll(): Promise<void> {
    for (const [runId, epoch] of this.#claims.held) {
      await this.#locks.hold(this.#files.lock(runId), () => this.#claims.release(runId, epoch))
    }
    await this.#claims.leave()
  }

  async #store(
    runId: RunId,
    head: LogReader,
    events: readonly StoredEvent[],
    consumed: readonly string[],
  ): Promise<void> {
    const keys = await this.#inbox.keysOf(runId, consumed)
    if (events.length === 0 && keys.length === 0) return
    let hash = head.lastHash
    const links = events.map(event => {
      const linked = link(event, hash)
      hash = linked.hash
      return linked
    })
    // After a torn line a new one is begun: whatever lies there, this append is whole.
    const text = `${head.endsWithNewline ? '' : '\n'}${formatRecord(links, keys, hash ?? '')}`
    const known = new Set(head.addresses)
    await this.#writer.append(head.path, text)
    head.readOn()
    await this.#kept.noteUses([...head.addresses].filter(address => !known.has(address)))
    if (keys.length > 0) await this.#inbox.deleteConsumed(runId, key => head.consumed.has(key))
  }

  async #locked<T>(runId: RunId, body: () => Promise<T>): Promise<T> {
    this.#checkOpen()
    return this.#locks.hold(this.#files.lock(runId), body)
  }

  #checkOpen(): void {
    if (this.#closing) throw closedStore()
  }
}
