/**
 * Pipes as a shell makes them. What Node calls a pipe is a socket, and a command that opens /dev/stdout or /dev/stderr
 * by name fails on a socket. So the ends are taken from named pipes, made a batch at a time and unlinked when opened.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, constants, openSync, unlinkSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface OutputPipe {
  readonly read: Socket
  /** A descriptor for the child; close it after the start. */
  readonly write: number
}
export interface OutputPipes {
  open(): Promise<OutputPipe>
}

const batch = 32

/** `directory` must be private and exist when the first pipe is opened. */
export function createOutputPipes(directory: () => Promise<string>): OutputPipes {
  const ready: string[] = []
  let making: Promise<void> | undefined
  async function make(): Promise<void> {
    const place = await directory()
    const paths = Array.from({ length: batch }, () => join(place, `pipe-${randomUUID()}`))
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths])
    ready.push(...paths)
  }
  return {
    async open() {
      while (ready.length === 0) {
        making ??= make().finally(() => {
          making = undefined
        })
        await making
      }
      return openBothEnds(ready.pop()!)
    },
  }
}

function openBothEnds(path: string): OutputPipe {
  // The reader first and without waiting: otherwise each end waits for the other.
  const read = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  let write: number | undefined
  try {
    write = openSync(path, constants.O_WRONLY)
    unlinkSync(path)
    return { read: new Socket({ fd: read, readable: true, writable: false }), write }
  } catch (error) {
    // Too few descriptors: what is held back here would be missing for good.
    for (const end of [read, write]) if (end !== undefined) closeSync(end)
    throw error
  }
}
