/** A file's bytes, never more than a bound, never from anything that is no ordinary file. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import type { Code } from '../../core/agent-file/diagnostic-codes.js'

const maxAgentFile = 1024 * 1024

export type BoundedRead =
  | { readonly bytes: Uint8Array; readonly stat: Stats }
  | { readonly fault: Code; readonly message: string }

/**
 * Opened without blocking, so that a FIFO put in the file's place cannot hold us up. With `scratch`, a small file's bytes
 * lie in it: they hold only until the next read.
 */
export function readBounded(path: string, scratch?: Buffer, maxBytes = maxAgentFile): BoundedRead {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return { fault: 'special-file', message: 'no ordinary file; it is not read' }
    if (stat.size > maxBytes) {
      return { fault: 'file-too-large', message: `${stat.size} bytes; at most ${maxBytes} are read` }
    }
    return { bytes: readAll(descriptor, stat.size, scratch), stat }
  } catch (error) {
    return { fault: 'unreadable-file', message: `the file cannot be read (${codeOf(error)})` }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function readAll(descriptor: number, size: number, scratch: Buffer | undefined): Uint8Array {
  const bytes = scratch && size <= scratch.length ? scratch : Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
}
