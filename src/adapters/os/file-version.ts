/**
 * What a file holds, and the name of that state. Up to 32 MiB the name is the hash of the content; a larger file is
 * named by size and time of change, so that looking at ten lines of it does not cost a minute.
 */
import type { BigIntStats } from 'node:fs'
import { contentHash } from './content-hash.js'

const wholeFileBytes = 32 * 1024 * 1024
const chunkBytes = 1024 * 1024
const leastBytes = 4096

/** What is asked of an open file, ours or Node's. */
export interface ReadableFile {
  stat(options: { readonly bigint: true }): BigIntStats | Promise<BigIntStats>
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
}

export interface FileState {
  readonly version: string
  /** All of it; absent when it is larger than `wholeFileBytes`. */
  readonly bytes?: Buffer
  readonly size: number
}

/** Reads from the start, whatever the size on record says: files under /proc say 0 and hold more. */
export async function readFileState(file: ReadableFile, signal?: AbortSignal): Promise<FileState> {
  const stats = await file.stat({ bigint: true })
  if (stats.size > BigInt(wholeFileBytes)) return { version: largeVersion(stats), size: Number(stats.size) }
  const bytes = await readUpTo(file, wholeFileBytes + 1, Number(stats.size), signal)
  if (bytes.length > wholeFileBytes) return { version: largeVersion(stats), size: bytes.length }
  return { version: contentHash(bytes), bytes, size: bytes.length }
}

/** Chunks from the start, each valid only until the next is asked for. */
export async function* readChunks(file: ReadableFile, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes)
  for (let position = 0; ; ) {
    signal?.throwIfAborted()
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Room for what the record says and one byte more: a file that has not grown meanwhile is read in one piece. */
async function readUpTo(file: ReadableFile, limit: number, size: number, signal?: AbortSignal): Promise<Buffer> {
  const first = Buffer.allocUnsafe(Math.max(size + 1, leastBytes))
  const { bytesRead } = await file.read(first, 0, first.length, 0)
  const isWhole = bytesRead < first.length && bytesRead >= size
  // A size of 0 is what /proc says of everything: there only a read of nothing is the end.
  if (isWhole && (size > 0 || bytesRead === 0)) return first.subarray(0, bytesRead)
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of readChunks(file, signal)) {
    parts.push(Buffer.from(chunk))
    length += chunk.length
    if (length >= limit) break
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
}

function largeVersion(stats: BigIntStats): string {
  return `large-${stats.size}-${stats.mtimeNs}-${stats.ino}`
}
