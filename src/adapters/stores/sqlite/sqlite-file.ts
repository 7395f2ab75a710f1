/**
 * Whether a database is still the one that was opened: its file there and not shorter than it says of itself, its log
 * (`-wal`) there and as long as the index of it (`-shm`) says.
 */
import { fstatSync, readlinkSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StoreError } from '../store-error.js'
import type { FileHandle } from './sqlite-handles.js'

export class FileWatch {
  readonly #path: string
  readonly #handle: FileHandle
  readonly #inode: number
  #log: LogWatch | undefined
  #size: number
  #wasCut = false

  constructor(path: string, handle: FileHandle) {
    const { ino, size } = statSync(path)
    this.#path = path
    this.#handle = handle
    this.#inode = ino
    this.#size = size
  }

  /** From here on the log is watched as well: it is there once the database was read in WAL mode. */
  watchLog(): void {
    this.#log = new LogWatch(realFile(this.#path), this.#handle)
  }

  /** Throws when the file is gone. */
  checkThere(): void {
    this.#look()
  }

  /** Throws when the log is gone or was cut. To be asked by whoever may write: nobody else changes it meanwhile. */
  checkLog(): void {
    this.#log?.check()
  }

  /** False: it has become shorter, for whatever reason. Throws when it is gone. */
  isAsLong(): boolean {
    const { size } = this.#look()
    if (size < this.#size) return false
    this.#size = size
    return true
  }

  /**
   * For a file that has become shorter: resolves where free pages were given back, and rejects where pages are missing.
   * While another process folds its log into the file, the first page may name some that come a moment later.
   */
  async checkCut(): Promise<void> {
    for (let looks = this.#wasCut ? 1 : 10; looks > 0; looks -= 1) {
      const { pageBytes, size } = measure(this.#handle.main)
      if (pageBytes <= size) {
        this.#size = size
        return
      }
      if (looks > 1) await new Promise(resolve => setTimeout(resolve, 20))
    }
    this.#wasCut = true
    throw fileCut(this.#path)
  }

  /** After the database was closed. */
  close(): void {
    this.#handle.close()
  }

  #look(): Stats {
    const found = statSync(this.#path, { throwIfNoEntry: false })
    if (found?.ino !== this.#inode) throw fileGone(this.#path)
    return found
  }
}

/** Where a database really lies: its log and the index of that lie there, too, and not beside a link to it. */
export function realFile(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // Nothing is there: by a link it may be gone from where the link leads.
  }
  try {
    return resolve(dirname(path), readlinkSync(path))
  } catch {
    return path
  }
}

/** 0 also where the path leads nowhere: why it cannot be opened is told by whoever tries to. */
export function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}

/** https://sqlite.org/walformat.html: both files are what it says there, whichever library is at work. */
class LogWatch {
  readonly #path: string
  readonly #files: readonly (readonly [path: string, inode: number])[]
  readonly #index: number
  readonly #head = new Uint8Array(20)

  constructor(path: string, handle: FileHandle) {
    this.#path = `${path}-wal`
    this.#files = [this.#path, `${path}-shm`].map(file => [file, inodeOf(file)])
    this.#index = handle.indexAt(`${path}-shm`)
  }

  check(): void {
    const [log] = this.#files.map(([path, inode]) => {
      const found = statSync(path, { throwIfNoEntry: false })
      if (found?.ino !== inode) throw logGone(path)
      return found
    })
    readSync(this.#index, this.#head, 0, this.#head.byteLength, 0)
    // In the machine's own byte order; a page of 64 KiB does not fit into its field, and is written as 1.
    const pageSize = new Uint16Array(this.#head.buffer)[7]!
    const frames = new Uint32Array(this.#head.buffer)[4]!
    const bytes = frames && 32 + frames * (24 + (pageSize === 1 ? 65_536 : pageSize))
    if (log!.size < bytes) throw logCut(this.#path)
  }
}

function inodeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw logGone(path)
  return found.ino
}

/** The bytes its first page says it has, and those it has. */
function measure(file: number): { readonly pageBytes: number; readonly size: number } {
  const header = Buffer.alloc(32)
  const isWhole = readSync(file, header, 0, 32, 0) === 32
  const pageSize = header.readUInt16BE(16)
  const pageBytes = (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28)
  return { pageBytes: isWhole ? pageBytes : Number.POSITIVE_INFINITY, size: fstatSync(file).size }
}

function fileGone(path: string): StoreError {
  const reason = `${path} was moved or deleted while it was in use, so nothing can be stored in it.`
  return new StoreError('io', `${reason} Put it back, or start again.`, { path })
}

function fileCut(path: string): StoreError {
  const reason = `${path} was cut short while it was in use, so what is stored in it cannot be read back.`
  const remedy = `Put a copy back, or move it away (with ${path}-wal and ${path}-shm) to start afresh`
  return new StoreError('corrupt', `${reason} ${remedy}; \`sqlite3 ${path} .recover\` saves what is readable.`, {
    path,
  })
}

function logGone(path: string): StoreError {
  const reason = `${path} was moved or deleted while the database was in use, so nothing can be stored.`
  return new StoreError('io', `${reason} Put it back, or end every program that uses the database and start again.`, {
    path,
  })
}

function logCut(path: string): StoreError {
  const reason = `${path} was cut short while the database was in use, so the newest of what was stored is lost.`
  const remedy =
    'Nothing more is stored: end every program that uses the database, then start again, or put a copy back.'
  return new StoreError('corrupt', `${reason} ${remedy}`, { path })
}
