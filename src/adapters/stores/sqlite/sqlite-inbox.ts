/** Items that wait for runs, in SQLite. Every method is synchronous; writing ones run inside a transaction. */
import type { RunId } from '../../../core/message.js'
import type { InboxItem } from '../../../core/run-store.js'
import { StoredJson } from '../stored-json.js'
import type { SqlDatabase, SqlStatement } from './sqlite-driver.js'

export class SqliteInbox {
  readonly #stored: StoredJson
  readonly #ref: SqlStatement
  readonly #insert: SqlStatement
  readonly #any: SqlStatement
  readonly #items: SqlStatement
  readonly #consume: SqlStatement
  readonly #last: SqlStatement
  readonly #since: SqlStatement

  constructor(database: SqlDatabase, path: string) {
    this.#stored = new StoredJson(path)
    this.#ref = database.prepare('SELECT ref FROM runs WHERE run_id = ?')
    this.#insert = database.prepare(
      'INSERT INTO inbox (ref, item_id, body) VALUES (?, ?, ?) ON CONFLICT (ref, item_id) DO NOTHING',
    )
    this.#any = database.prepare('SELECT 1 FROM inbox LIMIT 1')
    this.#items = database.prepare(
      'SELECT item_id, body FROM inbox WHERE ref = (SELECT ref FROM runs WHERE run_id = ?) ORDER BY number',
    )
    this.#consume = database.prepare('DELETE FROM inbox WHERE ref = ? AND item_id = ?')
    this.#last = database.prepare("SELECT seq AS number FROM sqlite_sequence WHERE name = 'inbox'")
    this.#since = database.prepare('SELECT DISTINCT run_id FROM inbox JOIN runs USING (ref) WHERE number > ?')
  }

  /** False when there is no such run. */
  post(runId: RunId, item: InboxItem): boolean {
    const row = this.#ref.get(runId)
    if (row) this.#insert.run(Number(row.ref), item.id, JSON.stringify(item))
    return row !== undefined
  }

  items(runId: RunId): readonly InboxItem[] {
    // Mostly nothing waits for anybody, and a list without rows costs four times as much.
    if (this.#any.get() === undefined) return []
    return this.#items
      .all(runId)
      .map(({ item_id, body }) => this.#stored.read(body, `what waits for run ${runId} as ${item_id}`))
  }

  consume(ref: number, itemIds: readonly string[]): void {
    for (const id of itemIds) this.#consume.run(ref, id)
  }

  /** The number of the newest post ever; numbers are never used again. */
  lastNumber(): number {
    return Number(this.#last.get()?.number ?? 0)
  }

  runsWithPostsAfter(number: number): readonly RunId[] {
    return this.#since.all(number).map(row => row.run_id as RunId)
  }
}
