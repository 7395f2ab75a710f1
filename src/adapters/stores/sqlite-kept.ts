/**
 * Texts kept by content, in SQLite. A text lives while a log names it or is about to: every `keep` awaits one log that
 * will. Every method is synchronous; writing ones run inside a transaction.
 */
import { addressesIn, addressOf } from './content-address.js'
import type { SqlDatabase, SqlStatement } from './sqlite-driver.js'

export class SqliteKept {
  readonly #insert: SqlStatement
  readonly #fetch: SqlStatement
  readonly #use: SqlStatement
  readonly #arrived: SqlStatement
  readonly #sweep: SqlStatement

  constructor(database: SqlDatabase) {
    this.#insert = database.prepare(
      'INSERT INTO kept (address, content, awaited, kept_at) VALUES (?, ?, 1, ?) ' +
        'ON CONFLICT (address) DO UPDATE SET awaited = awaited + 1, kept_at = excluded.kept_at',
    )
    this.#fetch = database.prepare('SELECT content FROM kept WHERE address = ?')
    this.#use = database.prepare(
      'INSERT INTO uses (ref, address) SELECT ?, address FROM kept WHERE address = ? ON CONFLICT DO NOTHING',
    )
    this.#arrived = database.prepare('UPDATE kept SET awaited = awaited - 1 WHERE address = ? AND awaited > 0')
    this.#sweep = database.prepare(
      'DELETE FROM kept WHERE (awaited = 0 OR kept_at < ?) AND NOT EXISTS ' +
        '(SELECT 1 FROM uses WHERE uses.address = kept.address)',
    )
  }

  keep(content: string, now: number): string {
    const address = addressOf(content)
    this.#insert.run(address, JSON.stringify(content), now)
    return address
  }

  fetch(address: string): string | undefined {
    const row = this.#fetch.get(address)
    return row && JSON.parse(String(row.content))
  }

  /** Notes which kept texts a run's events name. */
  noteUses(ref: number, texts: readonly string[]): void {
    for (const address of addressesIn(texts)) {
      if (this.#use.run(ref, address).changes > 0) this.#arrived.run(address)
    }
  }

  /** Deletes what no log names; what a log was awaited for since `before` stays. */
  sweep(before: number): void {
    this.#sweep.run(before)
  }
}
