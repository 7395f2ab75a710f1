/** Who drives which run, in SQLite. Every method is synchronous and runs inside a transaction. */
import type { RunId } from '../../../core/message.js'
import type { Owner } from '../../../core/run-store.js'
import { idInKey, type OwnerRecord, type OwnerWatch, ownerKey, recordOwner } from '../../os/process-owner.js'
import type { SqlDatabase, SqlRow, SqlStatement } from './sqlite-driver.js'

export class SqliteClaims {
  readonly #watch: OwnerWatch
  readonly #holder: SqlStatement
  readonly #saveOwner: SqlStatement
  readonly #take: SqlStatement
  readonly #release: SqlStatement
  readonly #beat: SqlStatement
  readonly #heldBy: SqlStatement
  readonly #holdersOfTree: SqlStatement
  readonly #releaseAll: SqlStatement
  readonly #forgetOwner: SqlStatement
  readonly #forgetSilent: SqlStatement

  constructor(database: SqlDatabase, watch: OwnerWatch) {
    this.#watch = watch
    this.#holder = database.prepare(
      'SELECT runs.ref, runs.epoch, owners.* FROM runs LEFT JOIN owners USING (owner_id) WHERE run_id = ?',
    )
    this.#saveOwner = database.prepare(
      'INSERT INTO owners (owner_id, host, pid, started_at, place, ticks, heartbeat) VALUES (?, ?, ?, ?, ?, ?, ?) ' +
        'ON CONFLICT (owner_id) DO UPDATE SET host = excluded.host, pid = excluded.pid, ' +
        'started_at = excluded.started_at, place = excluded.place, ticks = excluded.ticks, ' +
        'heartbeat = excluded.heartbeat',
    )
    this.#take = database.prepare('UPDATE runs SET epoch = epoch + 1, owner_id = ? WHERE ref = ?')
    this.#release = database.prepare('UPDATE runs SET owner_id = NULL WHERE run_id = ? AND epoch = ?')
    this.#beat = database.prepare('UPDATE owners SET heartbeat = ? WHERE owner_id = ?')
    this.#heldBy = database.prepare('SELECT run_id, epoch FROM runs WHERE owner_id = ?')
    this.#holdersOfTree = database.prepare(
      'SELECT DISTINCT owners.* FROM runs JOIN owners USING (owner_id) WHERE root_id = ?',
    )
    this.#releaseAll = database.prepare('UPDATE runs SET owner_id = NULL WHERE owner_id = ?')
    this.#forgetOwner = database.prepare('DELETE FROM owners WHERE owner_id = ?')
    this.#forgetSilent = database.prepare(
      'DELETE FROM owners WHERE heartbeat < ? AND NOT EXISTS ' +
        '(SELECT 1 FROM runs WHERE runs.owner_id = owners.owner_id)',
    )
  }

  /** Undefined when there is no such run. */
  claim(runId: RunId, owner: Owner, now: number): { epoch: number } | { heldBy: Owner } | undefined {
    const row = this.#holder.get(runId)
    if (!row) return undefined
    const holder = recordOf(row)
    const isOwn = holder && ownerKey(holder.owner) === ownerKey(owner)
    if (holder && !isOwn && this.#watch.isAlive(holder, now)) return { heldBy: holder.owner }
    this.#take.run(this.enter(owner, now), Number(row.ref))
    return { epoch: Number(row.epoch) + 1 }
  }

  /** Notes that an owner lives, and gives the key it holds runs under. */
  enter(owner: Owner, now: number): string {
    const key = ownerKey(owner)
    const { place, ticks } = recordOwner(owner, now)
    this.#saveOwner.run(key, owner.host, owner.pid, owner.startedAt, place ?? null, ticks ?? null, now)
    return key
  }

  release(runId: RunId, epoch: number): void {
    this.#release.run(runId, epoch)
  }

  beat(keys: Iterable<string>, now: number): void {
    for (const key of keys) this.#beat.run(now, key)
  }

  /** Every run these owners hold, with its epoch. */
  heldBy(keys: Iterable<string>): ReadonlyMap<RunId, number> {
    const rows = [...keys].flatMap(key => this.#heldBy.all(key))
    return new Map(rows.map(row => [row.run_id as RunId, Number(row.epoch)]))
  }

  isTreeHeld(rootId: RunId, now: number): boolean {
    return this.#holders(rootId).some(holder => this.#watch.isAlive(holder, now))
  }

  isTreeAbandoned(rootId: RunId, now: number): boolean {
    return this.#holders(rootId).some(holder => !this.#watch.isAlive(holder, now))
  }

  #holders(rootId: RunId): readonly OwnerRecord[] {
    return this.#holdersOfTree.all(rootId).flatMap(row => recordOf(row) ?? [])
  }

  /** Gives back all that these owners hold. Rows of others that hold nothing and were silent since `before` go too. */
  leave(keys: Iterable<string>, before: number): void {
    for (const key of keys) {
      this.#releaseAll.run(key)
      this.#forgetOwner.run(key)
    }
    this.#forgetSilent.run(before)
  }
}

function recordOf(row: SqlRow): OwnerRecord | undefined {
  if (typeof row.owner_id !== 'string') return undefined
  const process = { host: String(row.host), pid: Number(row.pid), startedAt: Number(row.started_at) }
  return {
    owner: { id: idInKey(row.owner_id, process), ...process },
    heartbeat: Number(row.heartbeat),
    ...(typeof row.place === 'string' && { place: row.place }),
    ...(typeof row.ticks === 'number' && { ticks: row.ticks }),
  }
}
