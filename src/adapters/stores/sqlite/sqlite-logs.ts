/** Runs and their events in SQLite. Every method is synchronous; writing ones run inside a transaction. */
import { noUsage } from '../../../core/budget/usage.js'
import type { StoredEvent } from '../../../core/events.js'
import type { RunId } from '../../../core/message.js'
import { isWholeSummary, type RunSummary, summarise } from '../../../core/run/run-summary.js'
import { firstEpoch, type RunQuery } from '../../../core/run-store.js'
import { judgeAppend } from '../append-rules.js'
import { link } from '../hash-chain.js'
import type { TreeFigures } from '../prune.js'
import { StoreError } from '../store-error.js'
import { StoredJson } from '../stored-json.js'
import type { SqlDatabase, SqlRow, SqlStatement, SqlValue } from './sqlite-driver.js'

/** What was written, for those who look for addresses in it. */
export interface Written {
  readonly ref: number
  readonly texts: readonly string[]
}

export class SqliteLogs {
  readonly #database: SqlDatabase
  readonly #stored: StoredJson
  readonly #head: SqlStatement
  readonly #insertRun: SqlStatement
  readonly #insertEvent: SqlStatement
  readonly #updateRun: SqlStatement
  readonly #extendRun: SqlStatement
  readonly #eventId: SqlStatement
  readonly #page: SqlStatement
  readonly #lists = new Map<string, SqlStatement>()
  /** The heads of logs that are written here, as they were left. */
  readonly #heads = new Map<RunId, Head>()

  constructor(database: SqlDatabase, path: string) {
    this.#database = database
    this.#stored = new StoredJson(path)
    this.#head = database.prepare(
      'SELECT ref, run_id, epoch, owner_id, last_seq, last_hash, summary FROM runs WHERE run_id = ?',
    )
    this.#insertRun = database.prepare(
      'INSERT INTO runs (run_id, root_id, parent_id, agent, created_at, updated_at, is_ended, last_seq, last_hash, ' +
        'bytes, summary, epoch, owner_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run_id) DO NOTHING',
    )
    this.#insertEvent = database.prepare('INSERT INTO events (ref, seq, event_id, body) VALUES (?, ?, ?, ?)')
    this.#updateRun = database.prepare(
      'UPDATE runs SET updated_at = ?, is_ended = ?, last_seq = ?, last_hash = ?, bytes = bytes + ?, summary = ? ' +
        'WHERE ref = ?',
    )
    this.#extendRun = database.prepare(
      'UPDATE runs SET updated_at = ?, is_ended = ?, last_seq = ?, last_hash = ?, bytes = bytes + ?, summary = ? ' +
        'WHERE ref = ? AND last_seq = ? AND last_hash = ? AND epoch = ? AND owner_id IS NOT NULL',
    )
    this.#eventId = database.prepare('SELECT event_id FROM events WHERE ref = ? AND seq = ?')
    this.#page = database.prepare(
      'SELECT seq, body FROM events WHERE ref = (SELECT ref FROM runs WHERE run_id = ?) AND seq >= ? ORDER BY seq LIMIT ?',
    )
  }

  /** Undefined when the log exists. */
  create(first: StoredEvent): Written | undefined {
    return this.#open([first], { epoch: 0, owner: null })
  }

  /** The same, with what follows at once, held by an owner. */
  begin(first: StoredEvent, entry: readonly StoredEvent[], owner: string): Written | undefined {
    return this.#open([first, ...entry], { epoch: firstEpoch, owner })
  }

  #open(events: readonly StoredEvent[], claim: { readonly epoch: number; readonly owner: string | null }) {
    const [first] = events
    const { runId, rootId, parentId, agent, at } = first!
    const chained = chain(undefined, undefined, events)
    if (!chained.summary) throw new Error(`Event ${first!.eventId} opens no log`)
    const fixed = [runId, rootId, parentId ?? null, agent, at] as const
    const added = this.#insertRun.run(...fixed, ...columnsOf(chained, events), claim.epoch, claim.owner)
    return added.changes === 0 ? undefined : this.#insert(runId, Number(added.lastInsertRowid), chained, events)
  }

  append(
    runId: RunId,
    epoch: number,
    expectedSeq: number,
    events: readonly StoredEvent[],
  ): { readonly verdict: 'ok'; readonly written: Written } | { readonly verdict: 'lost' } {
    const known = this.#heads.get(runId)
    const extended =
      known?.lastSeq === expectedSeq && events.length > 0 ? this.#store(runId, known, events, epoch) : undefined
    if (extended) return { verdict: 'ok', written: extended }
    const row = this.#rowOf(runId)
    if (!row) return { verdict: 'lost' }
    const head = this.#headOf(row)
    const judged = {
      lastSeq: head.lastSeq,
      epoch: row.owner_id === null ? undefined : Number(row.epoch),
      idAt: (seq: number) => this.#eventId.get(head.ref, seq)?.event_id as string | undefined,
    }
    const verdict = judgeAppend(judged, epoch, expectedSeq, events)
    if (verdict === 'lost') return { verdict }
    const isNew = verdict === 'store' && events.length > 0
    const written = isNew ? this.#store(runId, head, events) : undefined
    return { verdict: 'ok', written: written ?? { ref: head.ref, texts: [] } }
  }

  /** Whoever writes it now begins with what is stored. */
  forget(runId: RunId): void {
    this.#heads.delete(runId)
  }

  page(runId: RunId, fromSeq: number, limit: number): readonly StoredEvent[] {
    // Asked for first: a log only grows, so that what it had by then has to be there.
    const lastSeq = this.#lastSeq(runId)
    let seq = Math.max(fromSeq, 1) - 1
    const events = this.#page.all(runId, fromSeq, limit).map(row => {
      seq += 1
      if (Number(row.seq) !== seq) throw this.#stored.missing(`event ${seq} of run ${runId}`)
      const isSound = (stored: StoredEvent) => stored.seq === seq && typeof stored.event?.type === 'string'
      return this.#stored.read(row.body, `event ${seq} of run ${runId}`, isSound)
    })
    const isLast = limit < 0 || events.length < limit
    // Removed meanwhile, it has no events because it has no log.
    if (isLast && seq < lastSeq && this.#lastSeq(runId) > 0)
      throw this.#stored.missing(`event ${seq + 1} of run ${runId}`)
    return events
  }

  #lastSeq(runId: RunId): number {
    return Number(this.#prepared('SELECT last_seq FROM runs WHERE run_id = ?').get(runId)?.last_seq ?? 0)
  }

  summary(runId: RunId): RunSummary | undefined {
    const row = this.#rowOf(runId)
    return row && this.#summaryOf(row)
  }

  headHash(runId: RunId): string | undefined {
    return this.#rowOf(runId)?.last_hash as string | undefined
  }

  list(query: RunQuery): readonly RunSummary[] {
    const conditions: [sql: string, value: SqlValue][] = []
    if (query.rootId !== undefined) conditions.push(['root_id = ?', query.rootId])
    if (query.parentId !== undefined) conditions.push(['parent_id = ?', query.parentId])
    if (query.agent !== undefined) conditions.push(['agent = ?', query.agent])
    if (query.since !== undefined) conditions.push(['created_at >= ?', query.since])
    // As a literal, so that the index of unfinished runs can serve it.
    const ended = query.isEnded === undefined ? [] : [`is_ended = ${query.isEnded ? 1 : 0}`]
    const where = [...conditions.map(([sql]) => sql), ...ended].join(' AND ')
    const columns = 'run_id, root_id, parent_id, agent, created_at, updated_at, is_ended, last_seq, summary'
    const sql = `SELECT ${columns} FROM runs ${where && `WHERE ${where}`} ORDER BY created_at DESC, ref DESC LIMIT ?`
    const values = conditions.map(([, value]) => value)
    return this.#prepared(sql)
      .all(...values, query.limit ?? -1)
      .map(row => this.#listed(row))
  }

  trees(): readonly TreeFigures[] {
    const sql =
      'SELECT root_id, count(*) AS runs, sum(runs.bytes + coalesce(snapshots.bytes, 0)) AS bytes, ' +
      'max(updated_at) AS updated_at, min(is_ended) AS is_ended ' +
      'FROM runs LEFT JOIN snapshots USING (ref) GROUP BY root_id'
    return this.#prepared(sql)
      .all()
      .map(row => ({
        rootId: row.root_id as RunId,
        runs: Number(row.runs),
        bytes: Number(row.bytes),
        updatedAt: Number(row.updated_at),
        isEnded: row.is_ended === 1,
      }))
  }

  /** Everything of a tree; false when there is none. */
  remove(rootId: RunId): boolean {
    this.#heads.clear()
    for (const table of ['events', 'inbox', 'uses', 'snapshots']) {
      this.#prepared(`DELETE FROM ${table} WHERE ref IN (SELECT ref FROM runs WHERE root_id = ?)`).run(rootId)
    }
    return this.#prepared('DELETE FROM runs WHERE root_id = ?').run(rootId).changes > 0
  }

  /** Hands free pages back to the file system, a bounded number at a time. True: there are more. */
  giveSpaceBack(): boolean {
    const before = this.#freePages()
    if (before > 0) this.#database.exec('PRAGMA incremental_vacuum(2000)')
    const after = this.#freePages()
    return after > 0 && after < before
  }

  #freePages(): number {
    return Number(this.#prepared('PRAGMA freelist_count').get()?.freelist_count ?? 0)
  }

  /**
   * Writes events behind a head. With an epoch the head is only remembered: nothing is written, and nothing given back,
   * unless the log still ends there and is held under that epoch. The answer is remembered before it is committed; should
   * it be rolled back, the next writer expects another end than the one remembered, and reads what is stored.
   */
  #store(runId: RunId, head: Head, events: readonly StoredEvent[], epoch?: number): Written | undefined {
    const chained = chain(head.summary, head.hash, events)
    const columns = columnsOf(chained, events)
    if (epoch === undefined) this.#updateRun.run(...columns, head.ref)
    else if (this.#extendRun.run(...columns, head.ref, head.lastSeq, head.hash ?? '', epoch).changes === 0)
      return undefined
    return this.#insert(runId, head.ref, chained, events)
  }

  #insert(runId: RunId, ref: number, { texts, hash, summary }: Chained, events: readonly StoredEvent[]): Written {
    events.forEach((event, index) => {
      this.#insertEvent.run(ref, event.seq, event.eventId, texts[index]!)
    })
    this.#heads.set(runId, { ref, lastSeq: events.at(-1)!.seq, hash, summary: summary! })
    return { ref, texts }
  }

  #rowOf(runId: RunId): SqlRow | undefined {
    return this.#head.get(runId)
  }

  #headOf(row: SqlRow): Head {
    return {
      ref: Number(row.ref),
      lastSeq: Number(row.last_seq),
      hash: row.last_hash === '' ? undefined : String(row.last_hash),
      summary: this.#summaryOf(row),
    }
  }

  /** One run that nobody can read any more takes no other from a list: what its row says of it stands for it there. */
  #listed(row: SqlRow): RunSummary {
    try {
      return this.#summaryOf(row)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      return damagedSummary(row)
    }
  }

  /** One that is damaged is worked out anew: the log is the truth. */
  #summaryOf(row: SqlRow): RunSummary {
    const runId = row.run_id as RunId
    const isSound = (summary: RunSummary) => summary.runId === runId && isWholeSummary(summary)
    try {
      return this.#stored.read(row.summary, `the summary of run ${runId}`, isSound)
    } catch (error) {
      const events = this.page(runId, 1, -1)
      const summary = events.reduce<RunSummary | undefined>((sum, event) => summarise(sum, event) ?? sum, undefined)
      if (!summary) throw error
      return summary
    }
  }

  #prepared(sql: string): SqlStatement {
    let statement = this.#lists.get(sql)
    if (!statement) {
      statement = this.#database.prepare(sql)
      this.#lists.set(sql, statement)
    }
    return statement
  }
}

/** Whoever goes on to read the run hears what is damaged, and what to do. */
const damagedSummary = (row: SqlRow): RunSummary => ({
  runId: row.run_id as RunId,
  rootId: row.root_id as RunId,
  ...(row.parent_id !== null && { parentId: row.parent_id as RunId }),
  agent: String(row.agent),
  description: '(its log is damaged)',
  depth: row.parent_id === null ? 0 : 1,
  status: row.is_ended === 1 ? 'ended' : 'running',
  attempt: 1,
  isBackground: false,
  createdAt: Number(row.created_at),
  updatedAt: Number(row.updated_at),
  lastSeq: Number(row.last_seq),
  turns: 0,
  toolCalls: 0,
  usage: noUsage,
})

/** Events as they are written, and what they make of the run. */
interface Chained {
  readonly texts: readonly string[]
  readonly hash: string | undefined
  readonly summary: RunSummary | undefined
}

function chain(summary: RunSummary | undefined, hash: string | undefined, events: readonly StoredEvent[]): Chained {
  const texts: string[] = []
  for (const event of events) {
    const linked = link(event, hash)
    texts.push(linked.text)
    hash = linked.hash
    summary = summarise(summary, event) ?? summary
  }
  return { texts, hash, summary }
}

/** What changes in the row of a run with every entry; `bytes` is what is added. */
function columnsOf({ texts, hash, summary }: Chained, events: readonly StoredEvent[]) {
  const { at, seq } = events.at(-1)!
  const bytes = texts.reduce((sum, text) => sum + text.length, 0)
  return [at, summary?.status === 'ended' ? 1 : 0, seq, hash ?? '', bytes, JSON.stringify(summary)] as const
}

interface Head {
  readonly ref: number
  readonly lastSeq: number
  readonly hash: string | undefined
  readonly summary: RunSummary
}
