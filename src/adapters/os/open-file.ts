/**
 * An open file. What is small is read in place: the kernel has it at hand, and the way to a thread and back costs more
 * than the reading. Large pieces are read beside the event loop.
 */
import { type BigIntStats, closeSync, fstatSync, read, readSync, type Stats } from 'node:fs'

const inPlaceBytes = 256 * 1024

export class OpenFile {
  readonly fd: number
  #isClosed = false

  constructor(fd: number) {
    this.fd = fd
  }

  stat(): Stats
  stat(options: { readonly bigint: true }): BigIntStats
  stat(options?: { readonly bigint: true }): Stats | BigIntStats {
    return options ? fstatSync(this.fd, options) : fstatSync(this.fd)
  }

  async read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    if (length <= inPlaceBytes) return { bytesRead: readSync(this.fd, buffer, offset, length, position) }
    return new Promise((resolve, reject) => {
      read(this.fd, buffer, offset, length, position, (error, bytesRead) =>
        error ? reject(error) : resolve({ bytesRead }),
      )
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    closeSync(this.fd)
  }
}
