/** Snapshots of runs in SQLite, one a run. Every method is synchronous; `save` runs inside a transaction. */
import type { RunId } from '../../../core/message.js'
import type { Snapshot } from '../../../core/run-store.js'
import { sha256 } from '../content-address.js'
import type { SqlDatabase, SqlStatement } from './sqlite-driver.js'

export class SqliteSnapshots {
  readonly #event: SqlStatement
  readonly #save: SqlStatement
  readonly #load: SqlStatement

  constructor(database: SqlDatabase) {
    this.#event = database.prepare(
      'SELECT events.ref, body FROM events JOIN runs USING (ref) WHERE run_id = ? AND seq = ?',
    )
    this.#save = database.prepare(
      'INSERT OR REPLACE INTO snapshots (ref, seq, event_hash, version, text_hash, bytes, state) ' +
        'VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    this.#load = database.prepare(
      'SELECT snapshots.* FROM snapshots JOIN runs USING (ref) WHERE run_id = ? AND version = ?',
    )
  }

  save(runId: RunId, { seq, version, text }: Snapshot): void {
    const event = this.#event.get(runId, seq)
    if (!event) return
    this.#save.run(Number(event.ref), seq, sha256(String(event.body)), version, sha256(text), text.length, text)
  }

  load(runId: RunId, version: number): Snapshot | undefined {
    const row = this.#load.get(runId, version)
    const event = row && this.#event.get(runId, Number(row.seq))
    if (!row || !event || row.event_hash !== sha256(String(event.body))) return undefined
    const text = String(row.state)
    return row.text_hash === sha256(text) ? { seq: Number(row.seq), version, text } : undefined
  }
}
