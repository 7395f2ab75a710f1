/** From a path to a database that can be relied on: private, in WAL mode, sound, of the right version. */
import { open as openFile, stat } from 'node:fs/promises'
import { preparePrivateFile, tighten } from '../private-files.js'
import { StoreError } from '../store-error.js'
import { defaultDriver, type SqlDatabase, type SqlDriver, toStoreError } from './sqlite-driver.js'
import { FileWatch } from './sqlite-file.js'
import { openForReading, takesNoWrites } from './sqlite-read-only.js'
import { isCurrent, migrate, versionOf } from './sqlite-schema.js'
import { retryBusy, type SqlConnection } from './sqlite-writer.js'

export interface OpenOptions {
  readonly path: string
  readonly driver?: SqlDriver
  readonly busyLimitMs: number
  readonly now: () => number
  readonly onReadOnly?: (reason: StoreError) => void
}

export async function openConnection(options: OpenOptions): Promise<SqlConnection> {
  const { path, busyLimitMs, onReadOnly } = options
  try {
    return await openWhole(options)
  } catch (error) {
    if (!onReadOnly || !takesNoWrites(error)) throw error
    const driver = options.driver ?? (await defaultDriver())
    const database = openForReading(driver, path)
    if (!database) throw error
    onReadOnly(error)
    return { database, driver, path, file: new FileWatch(path), busyLimitMs }
  }
}

async function openWhole(options: OpenOptions): Promise<SqlConnection> {
  const { path, busyLimitMs } = options
  await preparePrivateFile(path)
  await Promise.all([tighten(`${path}-wal`), tighten(`${path}-shm`)])
  await checkHeader(path)
  const driver = options.driver ?? (await defaultDriver())
  let database: SqlDatabase | undefined
  try {
    database = await retryBusy({ driver, busyLimitMs }, () => driver.open(path))
    const { size } = await stat(path)
    const connection = { database, driver, path, file: new FileWatch(path), busyLimitMs }
    await prepareDatabase(connection, size, options.now)
    return connection
  } catch (error) {
    database?.close()
    throw toStoreError(driver, error, path)
  }
}

async function prepareDatabase(connection: SqlConnection, bytes: number, now: () => number): Promise<void> {
  const { database, path } = connection
  // Has to come before the first table; on a database that has some it does nothing.
  await retryBusy(connection, () => database.exec('PRAGMA auto_vacuum = INCREMENTAL'))
  const mode = await retryBusy(connection, () => database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode)
  if (mode !== 'wal') {
    const reason = `${path}: this file system cannot share memory between processes, which the store needs. `
    throw new StoreError('io', `${reason}Choose a place on a local disk.`, { path })
  }
  database.exec('PRAGMA synchronous = FULL')
  database.exec('PRAGMA wal_autocheckpoint = 4000')
  database.exec(`PRAGMA journal_size_limit = ${16 << 20}`)
  if (bytes <= quickCheckBytes) await retryBusy(connection, () => checkPages(database, path))
  if (isCurrent(await retryBusy(connection, () => versionOf(database, path)))) return
  await retryBusy(connection, () => migrateInTransaction(connection, now()))
}

/** Checking pages costs time in proportion to the file; past this size `checkIntegrity` does it when asked. */
const quickCheckBytes = 4 << 20

export function findFaults(database: SqlDatabase): readonly string[] {
  const rows = database.prepare('PRAGMA quick_check(10)').all()
  return rows.map(row => String(row.quick_check ?? Object.values(row)[0])).filter(line => line !== 'ok')
}

function checkPages(database: SqlDatabase, path: string): void {
  const [fault] = findFaults(database)
  if (fault === undefined) return
  throw damaged(path, fault)
}

function migrateInTransaction({ database, path }: SqlConnection, now: number): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    migrate(database, path, now)
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** A file that is no database at all is told apart before any library gets to see it. */
async function checkHeader(path: string): Promise<void> {
  const file = await openFile(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(16), 0, 16, 0)
    if (bytesRead > 0 && buffer.toString('latin1') !== 'SQLite format 3\0') throw damaged(path, 'no SQLite header')
  } finally {
    await file.close()
  }
}

function damaged(path: string, fault: string): StoreError {
  return new StoreError(
    'corrupt',
    `${path} is damaged (${fault}). Move it away (with ${path}-wal and ${path}-shm) to start afresh; ` +
      `\`sqlite3 ${path} .recover\` can save what is readable.`,
    { path },
  )
}
