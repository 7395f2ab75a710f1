/**
 * Handles of database files that are open in this process. As soon as a process closes any handle of a file, POSIX takes
 * from it every lock it has on that file, SQLite's as well; then another process takes itself for the last one and deletes
 * the log that is still written to. So one handle is opened for all stores here. It stays open when the last of them has
 * closed, too: libsql lets go of a file only when what was prepared for it is collected, and whoever opens it again
 * meanwhile shares what SQLite took for locked.
 */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import type { Close } from '../../../core/message.js'
import { holdFile } from '../../os/held-files.js'

/** How many handles that nobody uses stay open; Windows has other locks, and deletes no file that is open. */
const mostSpare = process.platform === 'win32' ? 0 : 64

export class FileHandle {
  /** Of the file itself. */
  readonly main: number
  readonly #key: string
  #index: number | undefined
  readonly #giveBack: Close
  #giveIndexBack: Close | undefined
  #users = 1

  private constructor(key: string, main: number) {
    this.#key = key
    this.main = main
    this.#giveBack = holdFile(fstatSync(main))
  }

  /** `flags`: how it is opened where no store here has it yet. Throws what the system says. */
  static of(path: string, flags: 'a+' | 'r'): FileHandle {
    const found = statSync(path, { throwIfNoEntry: false })
    const known = found && open.get(keyOf(found))
    if (known) {
      known.#users += 1
      spare.delete(known)
      return known
    }
    const main = openSync(path, flags, 0o600)
    const handle = new FileHandle(keyOf(fstatSync(main)), main)
    open.set(handle.#key, handle)
    return handle
  }

  /** Of the file by which processes share what lies in the log. */
  indexAt(path: string): number {
    if (this.#index !== undefined && fstatSync(this.#index).ino !== statSync(path).ino) this.#dropIndex()
    if (this.#index === undefined) {
      this.#index = openSync(path, 'r')
      this.#giveIndexBack = holdFile(fstatSync(this.#index))
    }
    return this.#index
  }

  /** After the database was closed. */
  close(): void {
    this.#users -= 1
    if (this.#users > 0) return
    spare.add(this)
    for (const oldest of spare) {
      if (spare.size <= mostSpare) break
      oldest.#drop()
    }
    this.#tidy(1)
  }

  /** Locks on a file that was deleted are nobody's: then its handle goes. SQLite deletes the index when it lets go at last. */
  #tidy(seconds: number): void {
    if (!spare.has(this)) return
    if (isDeleted(this.main)) {
      this.#drop()
      return
    }
    if (this.#index !== undefined && isDeleted(this.#index)) this.#dropIndex()
    if (seconds < longestWait) setTimeout(() => this.#tidy(seconds * 2), seconds * 1000).unref()
  }

  #drop(): void {
    spare.delete(this)
    open.delete(this.#key)
    closeSync(this.main)
    this.#giveBack()
    this.#dropIndex()
  }

  #dropIndex(): void {
    if (this.#index !== undefined) closeSync(this.#index)
    this.#giveIndexBack?.()
    this.#index = undefined
  }
}

/** By then libsql has let go, or will not before the process ends. */
const longestWait = 600

const isDeleted = (handle: number): boolean => fstatSync(handle).nlink === 0

const open = new Map<string, FileHandle>()
/** Those of them that no store uses, the longest unused first. */
const spare = new Set<FileHandle>()

const keyOf = ({ dev, ino }: { readonly dev: number; readonly ino: number }): string => `${dev}:${ino}`
