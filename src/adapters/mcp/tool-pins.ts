/**
 * What each tool of a server looked like when the server was let in. A tool that says something else later is not
 * offered until a person has looked at it again: words and schemas of a tool steer a model.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contentHash } from '../os/content-hash.js'
import { createFileLocks } from '../os/file-lock.js'
import { isMissing } from '../os/real-file.js'

/** A hash for each tool of a server. */
export type Pins = Readonly<Record<string, string>>

/** Where it is kept what each tool looked like when its server was let in. */
export interface ToolPins {
  /** Undefined for a server never seen: what it offers first is what was let in. Throws when it cannot be read. */
  get(serverKey: string): Pins | undefined
  /**
   * Keeps what `change` makes of what is kept, in one step: nobody else's comes in between. Throws or rejects when it
   * cannot be kept.
   */
  update(serverKey: string, change: (known: Pins | undefined) => Pins): void | Promise<void>
}

/** For this process only: every server is new to it. */
export function memoryPins(): ToolPins {
  const all = new Map<string, Pins>()
  return { get: key => all.get(key), update: (key, change) => void all.set(key, change(all.get(key))) }
}

/** Pins in a file of the user's data directory, which programs that start at once write one after the other. */
export function filePins(path: string): ToolPins {
  const read = (): Record<string, Pins> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Pins>
    } catch (error) {
      if (isMissing(error)) return {}
      throw new Error(`${path} cannot be read; look at it, or remove it to begin anew`, { cause: error })
    }
  }
  const locks = createFileLocks(join(dirname(path), 'mcp-locks'))
  const pinsIn = (all: Record<string, Pins>, key: string) => (Object.hasOwn(all, key) ? all[key] : undefined)
  return {
    get: key => pinsIn(read(), key),
    update: (key, change) =>
      locks.withLock(path, async () => {
        const all = read()
        const draft = `${path}.${process.pid}`
        writeFileSync(draft, `${JSON.stringify({ ...all, [key]: change(pinsIn(all, key)) }, null, 2)}\n`, {
          mode: 0o600,
        })
        renameSync(draft, path)
      }),
  }
}

export const pinOf = (fingerprint: string): string => contentHash(fingerprint)
