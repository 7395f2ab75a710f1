/**
 * What each tool of a server looked like when the server was let in. A tool that says something else later is not
 * offered until a person has looked at it again: words and schemas of a tool steer a model.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { contentHash } from '../os/content-hash.js'
import { makeDirectories } from '../os/make-directories.js'
import { isMissing } from '../os/real-file.js'

/** A hash for each tool of a server. */
export type Pins = Readonly<Record<string, string>>

/** Where it is kept what each tool looked like when its server was let in. */
export interface ToolPins {
  /** Undefined for a server never seen: what it offers first is what was let in. Throws when it cannot be read. */
  get(serverKey: string): Pins | undefined
  /** Throws when it cannot be kept. */
  set(serverKey: string, pins: Pins): void
}

/** For this process only: every server is new to it. */
export function memoryPins(): ToolPins {
  const all = new Map<string, Pins>()
  return { get: key => all.get(key), set: (key, pins) => void all.set(key, pins) }
}

/** Pins in a file of the user's data directory. */
export function filePins(path: string): ToolPins {
  const read = (): Record<string, Pins> => {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Pins>
    } catch (error) {
      if (isMissing(error)) return {}
      throw new Error(`${path} cannot be read; look at it, or remove it to begin anew`, { cause: error })
    }
  }
  return {
    get(key) {
      const all = read()
      return Object.hasOwn(all, key) ? all[key] : undefined
    },
    set(key, pins) {
      makeDirectories(dirname(path), 0o700)
      const draft = `${path}.${process.pid}`
      writeFileSync(draft, `${JSON.stringify({ ...read(), [key]: pins }, null, 2)}\n`, { mode: 0o600 })
      renameSync(draft, path)
    },
  }
}

export const pinOf = (fingerprint: string): string => contentHash(fingerprint)
