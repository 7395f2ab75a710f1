/** Whether a database file is still the one that was opened, and not shorter than it says of itself. */
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { StoreError } from '../store-error.js'

export class FileWatch {
  readonly #path: string
  readonly #inode: number
  #size: number
  #wasCut = false

  constructor(path: string) {
    const { ino, size } = statSync(path)
    this.#path = path
    this.#inode = ino
    this.#size = size
  }

  /** Throws when the file is gone. */
  checkThere(): void {
    this.#look()
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
      const { pageBytes, size } = measure(this.#path)
      if (pageBytes <= size) {
        this.#size = size
        return
      }
      if (looks > 1) await new Promise(resolve => setTimeout(resolve, 20))
    }
    this.#wasCut = true
    throw fileCut(this.#path)
  }

  #look(): Stats {
    const found = statSync(this.#path, { throwIfNoEntry: false })
    if (found?.ino !== this.#inode) throw fileGone(this.#path)
    return found
  }
}

/** The bytes its first page says it has, and those it has. */
function measure(path: string): { readonly pageBytes: number; readonly size: number } {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(32)
    const isWhole = readSync(file, header, 0, 32, 0) === 32
    const pageSize = header.readUInt16BE(16)
    const pageBytes = (pageSize === 1 ? 65_536 : pageSize) * header.readUInt32BE(28)
    return { pageBytes: isWhole ? pageBytes : Number.POSITIVE_INFINITY, size: statSync(path).size }
  } finally {
    closeSync(file)
  }
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
