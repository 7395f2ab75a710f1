/**
 * A database on a medium that takes no writes (a full disk, a read-only mount), opened to be looked at. SQLite itself wants
 * to write then: the file by which processes share what lies in its log. Where that is there, or nobody else is at work, or
 * the log beside it is empty, it can be read without; otherwise what the log holds would be missing, and it is not opened.
 */
import { pathToFileURL } from 'node:url'
import { StoreError } from '../store-error.js'
import type { SqlDatabase, SqlDriver } from './sqlite-driver.js'
import { realFile, sizeOf } from './sqlite-file.js'
import { isCurrent, versionOf } from './sqlite-schema.js'

/** Undefined when there is no way. */
export function openForReading(driver: SqlDriver, path: string): SqlDatabase | undefined {
  if (sizeOf(path) === 0) return undefined
  const ways = [() => driver.open(path), () => openAlone(driver, path)]
  if (sizeOf(`${realFile(path)}-wal`) === 0) ways.push(() => driver.open(`${pathToFileURL(path).href}?immutable=1`))
  for (const open of ways) {
    const database = readable(open, path)
    if (database) return database
  }
  return undefined
}

export const takesNoWrites = (error: unknown): error is StoreError =>
  error instanceof StoreError && (error.code === 'full' || error.code === 'read-only' || error.code === 'io')

/** Keeps others out meanwhile, and shares nothing with them. */
function openAlone(driver: SqlDriver, path: string): SqlDatabase {
  const database = driver.open(path)
  database.exec('PRAGMA locking_mode = EXCLUSIVE')
  return database
}

function readable(open: () => SqlDatabase, path: string): SqlDatabase | undefined {
  let database: SqlDatabase | undefined
  try {
    database = open()
    if (isCurrent(versionOf(database, path))) return database
  } catch {
    // The next way, or none: what is told is why it could not be opened to be written.
  }
  database?.close()
  return undefined
}
