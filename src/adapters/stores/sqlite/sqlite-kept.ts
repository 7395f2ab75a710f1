/**
 * Texts kept by content, in SQLite. A text stays while a log names it, and for `keptGraceMs` after it was last kept or
 * newly named. Every method is synchronous; writing ones run inside a transaction.
 */
import { addressesIn, addressOf, keptGraceMs } from '../content-address.js'
import type { SqlDatabase, SqlStatement } from './sqlite-driver.js'

export class SqliteKept {
  readonly #insert: SqlStatement
  readonly #fetch: SqlStatement
  readonly #use: SqlStatement
  readonly #touch: SqlStatement
  readonly #sweep: SqlStatement

  constructor(database: SqlDatabase) {
    this.#insert = database.prepare('INSERT INTO kept (address, content, touched_at) VALUES (?, ?, ?)')
    this.#fetch = database.prepare('SELECT content FROM kept WHERE address = ?')
    this.#use = database.prepare(
      'INSERT INTO uses (ref, address) SELECT ?, address FROM kept WHERE address = ? ON CONFLICT DO NOTHING',
    )
    this.#touch = database.prepare('UPDATE kept SET touched_at = ? WHERE address = ?')
    this.#sweep = database.prepare(
      'DELETE FROM kept WHERE touched_at < ? AND NOT EXISTS (SELECT 1 FROM uses WHERE uses.address = kept.address)',
    )
  }

  keep(content: string, now: number): string {
    const address = addressOf(content)
    // Mostly it is there: then the text itself need not be handed over.
    if (this.#touch.run(now, address).changes === 0) this.#insert.run(address, JSON.stringify(content), now)
    return address
  }

  fetch(address: string): string | undefined {
    const row = this.#fetch.get(address)
    return row && JSON.parse(String(row.content))
  }

  /** Notes which kept texts a run's events name. */
  noteUses(ref: number, texts: readonly string[], now: number): void {
    for (const address of addressesIn(texts)) {
      if (this.#use.run(ref, address).changes > 0) this.#touch.run(now, address)
    }
  }

  sweep(now: number): void {
    this.#sweep.run(now - keptGraceMs)
  }
}
