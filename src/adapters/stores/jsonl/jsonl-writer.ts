/** Writing to log files: an append is there as a whole, or not at all. */
import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { fromSystemError } from '../private-files.js'

/** When what was appended is forced to the disk. */
export type FsyncPolicy = 'always' | 'never' | { readonly everyMs: number }

export class JsonlWriter {
  readonly #isSynced: boolean
  readonly #timer: NodeJS.Timeout | undefined
  /** Files with appends that may not be on the disk yet. */
  readonly #dirty = new Set<string>()

  constructor(policy: FsyncPolicy) {
    this.#isSynced = policy === 'always'
    if (typeof policy === 'object') this.#timer = setInterval(() => void this.#syncDirty(), policy.everyMs).unref()
  }

  /** Adds `text` at the end of the file; where that fails, the file is as it was. */
  async append(path: string, text: string): Promise<void> {
    let file: number | undefined
    try {
      file = openSync(path, 'a', 0o600)
      await writeAll(file, Buffer.from(text, 'utf8'), this.#isSynced)
      if (this.#timer) this.#dirty.add(path)
    } catch (error) {
      throw fromSystemError(error, path)
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#syncDirty()
  }

  async #syncDirty(): Promise<void> {
    const paths = [...this.#dirty]
    this.#dirty.clear()
    for (const path of paths) await syncFile(path).catch(() => this.#dirty.add(path))
  }
}

// Only the syncing is worth a trip to the background: the write itself ends in memory.
async function writeAll(file: number, bytes: Buffer, isSynced: boolean): Promise<void> {
  const { size } = fstatSync(file)
  try {
    // A disk that fills up takes a part and then refuses the rest.
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
    if (isSynced) await datasync(file)
  } catch (error) {
    cutBack(file, size)
    throw error
  }
}

const datasync = promisify(fdatasync)

/** Where even that fails, readers skip the torn line and the next append starts on a new one. */
function cutBack(file: number, size: number): void {
  try {
    ftruncateSync(file, size)
  } catch {
    // The error that led here is the one to hear of.
  }
}

/** A file that is gone needs no syncing. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => undefined)
  try {
    await file?.datasync()
  } finally {
    await file?.close()
  }
}
