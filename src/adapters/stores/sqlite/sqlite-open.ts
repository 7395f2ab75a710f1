/** From a path to a database that can be relied on: private, in WAL mode, sound, of the right version. */
import { readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fromSystemError, prepareDirectory, tighten } from '../private-files.js'
import { StoreError } from '../store-error.js'
import { defaultDriver, rollBack, type SqlDatabase, type SqlDriver, toStoreError } from './sqlite-driver.js'
import { FileWatch, realFile, sizeOf } from './sqlite-file.js'
import { FileHandle } from './sqlite-handles.js'
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
    return { database, driver, path, file: new FileWatch(path, FileHandle.of(path, 'r')), busyLimitMs }
  }
}

async function openWhole(options: OpenOptions): Promise<SqlConnection> {
  const { path, busyLimitMs } = options
  checkLogHasFile(path)
  const handle = await prepareFile(path)
  let driver: SqlDriver | undefined
  let database: SqlDatabase | undefined
  try {
    checkHeader(path, handle)
    const chosen = options.driver ?? (await defaultDriver())
    driver = chosen
    database = await retryBusy({ driver, busyLimitMs }, () => chosen.open(path))
    const connection = { database, driver, path, file: new FileWatch(path, handle), busyLimitMs }
    await prepareDatabase(connection, statSync(path).size, options.now)
    connection.file.watchLog()
    return connection
  } catch (error) {
    database?.close()
    handle.close()
    throw driver ? toStoreError(driver, error, path) : error
  }
}

/** Makes the file (0600) where it is missing, and closes it and what lies beside it to others. */
async function prepareFile(path: string): Promise<FileHandle> {
  await prepareDirectory(dirname(path))
  try {
    const handle = FileHandle.of(path, 'a+')
    const place = realFile(path)
    await Promise.all(['', '-wal', '-shm'].map(ending => tighten(`${place}${ending}`)))
    return handle
  } catch (error) {
    throw fromSystemError(error, path)
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
    rollBack(database)
    throw error
  }
}

/** A file that is no database at all is told apart before any library gets to see it. */
function checkHeader(path: string, { main }: FileHandle): void {
  const header = Buffer.alloc(16)
  const bytes = readSync(main, header, 0, 16, 0)
  if (bytes > 0 && header.toString('latin1') !== 'SQLite format 3\0') throw damaged(path, 'no SQLite header')
}

/** SQLite deletes a log whose file is missing or empty. Looked for first: whoever makes a database makes the file first. */
function checkLogHasFile(path: string): void {
  const place = realFile(path)
  const log = `${place}-wal`
  const bytes = sizeOf(log)
  if (bytes === 0 || sizeOf(place) > 0) return
  throw new StoreError(
    'corrupt',
    `${path} is missing or empty, but ${log} beside it holds ${bytes} bytes of what was stored. Nothing was touched. ` +
      `Put ${path} back where it was moved away, or a copy of both; to start afresh, move ${log} away.`,
    { path },
  )
}

function damaged(path: string, fault: string): StoreError {
  return new StoreError(
    'corrupt',
    `${path} is damaged (${fault}). Move it away (with ${path}-wal and ${path}-shm) to start afresh; ` +
      `\`sqlite3 ${path} .recover\` can save what is readable.`,
    { path },
  )
}
