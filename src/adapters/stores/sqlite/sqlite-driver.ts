/** The little of SQLite that the store needs, so that two libraries can stand behind it. */
import { messageOf } from '../../../core/thrown.js'
import { StoreError, type StoreErrorCode } from '../store-error.js'

export type SqlValue = string | number | null
export interface SqlRow {
  readonly [column: string]: unknown
}
export interface SqlStatement {
  run(...values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
  get(...values: readonly SqlValue[]): SqlRow | undefined
  all(...values: readonly SqlValue[]): readonly SqlRow[]
}
export interface SqlDatabase {
  exec(sql: string): void
  prepare(sql: string): SqlStatement
  close(): void
}
export interface SqlDriver {
  readonly name: string
  /** Waits for no lock: a lock held elsewhere is an error at once, so that the event loop never stands still. */
  open(path: string): SqlDatabase
  /** SQLite's own number for an error, extended or not; undefined for anything else. */
  codeOf(error: unknown): number | undefined
}

/** `node:sqlite` where this Node has it, else libsql. Loaded only when a store is opened. */
export async function defaultDriver(): Promise<SqlDriver> {
  const { nodeDriver } = await import('./sqlite-node.js')
  const own = nodeDriver()
  if (own) return own
  const { libsqlDriver } = await import('./sqlite-libsql.js')
  return libsqlDriver()
}

export const isBusy = (driver: SqlDriver, error: unknown): boolean => {
  const code = driver.codeOf(error)
  return code !== undefined && codes[code & 0xff] === 'busy'
}

/** Never throws: what it would say is not why the transaction failed. */
export function rollBack(database: SqlDatabase): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // A full disk or a failed write ends the transaction by itself: nothing is left to roll back.
  }
}

export function toStoreError(driver: SqlDriver, error: unknown, path: string): unknown {
  const code = driver.codeOf(error)
  if (code === undefined) return error
  const kind = extendedCodes[code] ?? codes[code & 0xff] ?? 'io'
  const detail = messageOf(error)
  return new StoreError(kind, `${path}: ${detail}. ${remedies[kind] ?? ''}`.trim(), { path, cause: error })
}

const codes: { readonly [code: number]: StoreErrorCode } = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'io',
  26: 'corrupt',
}
const extendedCodes: { readonly [code: number]: StoreErrorCode } = {
  /** SQLITE_READONLY_DBMOVED: the file was moved or deleted under us. */
  [8 | (4 << 8)]: 'io',
  /** SQLITE_IOERR_SHMSIZE: the index beside the log could not grow. */
  [10 | (19 << 8)]: 'full',
}

const remedies: { readonly [kind in StoreErrorCode]?: string } = {
  busy: 'Another process kept it locked for too long; find it (`lsof` names it), then try again.',
  'read-only': 'Make the file and its directory writable, or choose another place for the data.',
  full: 'Nothing of this write was stored. Free some space (`pruneRuns` removes old runs, once a little is free), then resume the run.',
  io: 'The file is gone, may not grow (`ulimit -f`), or the disk failed; nothing of this write was stored.',
  corrupt:
    'Move the file away (with its -wal and -shm) to start afresh; `sqlite3 FILE .recover` can save what is readable.',
}
