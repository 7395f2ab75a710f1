/**
 * Keeps the beginning and the end of what a command prints, and all of it in a file once that is not enough.
 * Memory is bounded by head and tail, the file by `fileBytes` and by the room there is; what comes after still reaches the
 * tail. Nothing here throws: it is called where a stream hands out its data, and an error there ends the host. A disk that
 * takes no more is a `fault` of this output alone.
 */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { messageOf } from '../../core/thrown.js'

/** How much of a command's output is shown from its beginning and its end, and how much is kept. */
export interface CaptureLimits {
  readonly headBytes: number
  readonly tailBytes: number
  readonly fileBytes: number
  /** How much may be kept at all. Asked once, when the file is needed. */
  room?(): number
}

/** The disk, as far as it is needed here. */
export interface CaptureDisk {
  open(path: string): number
  /** May take less than it is given: says how many bytes. */
  write(file: number, piece: Buffer): number
  close(file: number): void
}
const ownDisk: CaptureDisk = {
  open: path => openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600),
  write: (file, piece) => writeSync(file, piece),
  close: closeSync,
}

export class OutputCapture {
  totalBytes = 0
  /** Why the rest is not in the file, when the disk did not take it. */
  fault: string | undefined
  private readonly limits: CaptureLimits
  private readonly disk: CaptureDisk
  private readonly path: string
  private readonly head: Buffer[] = []
  private readonly tail: Buffer[] = []
  private headBytes = 0
  private tailBytes = 0
  private file: number | undefined
  private fileBytes = 0
  private maxBytes = 0
  private isFull = false
  private isClosed = false

  /** `path` must not exist, in a private directory; it is created when needed. */
  constructor(path: string, limits: CaptureLimits, disk: CaptureDisk = ownDisk) {
    this.path = path
    this.limits = limits
    this.disk = disk
  }

  push(chunk: Buffer): void {
    this.totalBytes += chunk.length
    if (this.totalBytes > this.limits.headBytes + this.limits.tailBytes) this.spill(chunk)
    const room = this.limits.headBytes - this.headBytes
    const forHead = chunk.subarray(0, Math.max(0, room))
    if (forHead.length > 0) {
      this.head.push(forHead)
      this.headBytes += forHead.length
    }
    if (forHead.length < chunk.length) this.pushTail(chunk.subarray(forHead.length))
  }

  /** Where all of it lies (or as much as fits), when it did not fit into head and tail. */
  get filePath(): string | undefined {
    return this.keptBytes === 0 ? undefined : this.path
  }

  /** How many bytes of it, from the beginning, are in the file. */
  get keptBytes(): number {
    return this.fileBytes
  }

  /** There was no room to keep anything. */
  get isUnkept(): boolean {
    return this.isFull
  }

  get isFileCut(): boolean {
    return this.fileBytes < this.totalBytes
  }

  /** The beginning and the end; the same when everything fits. */
  ends(): { readonly head: string; readonly tail: string; readonly leftOutBytes: number } {
    const head = Buffer.concat(this.head)
    const all = Buffer.concat(this.tail)
    const tail = all.subarray(Math.max(0, all.length - this.limits.tailBytes))
    if (this.totalBytes === head.length + tail.length)
      return { head: Buffer.concat([head, tail]).toString('utf8'), tail: '', leftOutBytes: 0 }
    const [first, last] = [withoutTornEnd(head), withoutTornStart(tail)]
    const leftOutBytes = this.totalBytes - first.length - last.length
    return { head: first.toString('utf8'), tail: last.toString('utf8'), leftOutBytes }
  }

  /** Nothing is written to the file any more; what still comes reaches the tail alone. Twice is once. */
  close(): void {
    const { file } = this
    if (file !== undefined && !this.isClosed) this.attempt(() => this.disk.close(file))
    this.isClosed = true
  }

  private pushTail(piece: Buffer): void {
    this.tail.push(piece)
    this.tailBytes += piece.length
    while (this.tail.length > 1 && this.tailBytes - this.tail[0]!.length >= this.limits.tailBytes) {
      this.tailBytes -= this.tail.shift()!.length
    }
  }

  private spill(chunk: Buffer): void {
    if (this.isClosed || this.isFull || this.fault !== undefined) return
    if (this.file === undefined) {
      this.maxBytes = Math.min(this.limits.fileBytes, this.limits.room?.() ?? this.limits.fileBytes)
      this.isFull = this.maxBytes === 0
      if (this.isFull) return
      this.attempt(() => {
        this.file = this.disk.open(this.path)
      })
      // Everything before this chunk is still here: the bounds are passed only now.
      for (const piece of [...this.head, ...this.tail]) this.writeOut(piece)
    }
    this.writeOut(chunk)
  }

  private writeOut(piece: Buffer): void {
    let left = piece.subarray(0, Math.max(0, this.maxBytes - this.fileBytes))
    while (left.length > 0 && this.file !== undefined && this.fault === undefined) {
      const { file } = this
      this.attempt(() => {
        const written = this.disk.write(file, left)
        if (written === 0) throw new Error('the disk took nothing')
        this.fileBytes += written
        left = left.subarray(written)
      })
    }
  }

  private attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.fault ??= messageOf(error)
    }
  }
}

/** Up to the last whole line, or at least the last whole character. */
function withoutTornEnd(bytes: Buffer): Buffer {
  const line = bytes.lastIndexOf(10)
  return bytes.subarray(0, line > bytes.length / 2 ? line + 1 : bytes.length - tornBytes(bytes))
}

function withoutTornStart(bytes: Buffer): Buffer {
  const line = bytes.indexOf(10)
  if (line !== -1 && line < bytes.length / 2) return bytes.subarray(line + 1)
  let start = 0
  while (start < 3 && isContinuation(bytes[start])) start++
  return bytes.subarray(start)
}

/** How many bytes at the end begin a letter of UTF-8 that is not all there. */
export function tornBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (isContinuation(byte)) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
