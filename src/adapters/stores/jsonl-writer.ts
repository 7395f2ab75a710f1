/** Writing to log files: an append is there as a whole, or not at all. */
import { type FileHandle, open } from 'node:fs/promises'
import { fromSystemError } from './private-files.js'

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
    let file: FileHandle | undefined
    try {
      file = await open(path, 'a', 0o600)
      await writeAll(file, Buffer.from(text, 'utf8'), this.#isSynced)
      if (this.#timer) this.#dirty.add(path)
    } catch (error) {
      throw fromSystemError(error, path)
    } finally {
      await file?.close()
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

async function writeAll(file: FileHandle, bytes: Buffer, isSynced: boolean): Promise<void> {
  const { size } = await file.stat()
  try {
    // A disk that fills up takes a part and then refuses the rest.
    for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten
    if (isSynced) await file.datasync()
  } catch (error) {
    // Where even that fails, the torn line is skipped by readers and the next append starts on a new one.
    await file.truncate(size).catch(() => {})
    throw error
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
