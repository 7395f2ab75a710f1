/**
 * What the user has looked at and trusts: content hashes, kept by folder. A changed file is a new hash, and untrusted
 * until it was looked at again. Agents, hooks, servers and settings of a project all go by this.
 */
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { messageOf } from '../../core/thrown.js'
import { isOursAlone } from '../os/private-file.js'
import { readPrivateJson, writePrivateJson } from '../os/private-json.js'

/** What a person trusts, by folder and content: a change of the content is not trusted. */
export interface TrustStore {
  isTrusted(folder: string, contentHash: string): boolean
  /** Adds to what is trusted in the folder. Throws when it cannot be written: trust that is not kept is none. */
  trust(folder: string, contentHashes: readonly string[]): void
  revoke(folder: string): void
  /** Folders with anything trusted in them. */
  folders(): readonly string[]
  /** Why what is kept cannot be read: then nothing counts as trusted, and nothing is written over it. */
  fault?(): string | undefined
}

type Trusted = Readonly<Record<string, readonly string[]>>

/** Trust kept in a file of the user's config directory; it and its folder are the user's alone. */
export function fileTrustStore(path: string): TrustStore {
  let known: ({ readonly stamp: string } & Read) | undefined
  const look = (): Read => {
    const stamp = stampOf(path)
    if (known?.stamp !== stamp) known = { stamp, ...readTrusted(path) }
    return known
  }
  const read = (): Trusted => look().trusted
  /** What cannot be read must not be overwritten: it may hold the trust of every other folder. */
  const readToWrite = (): Trusted => {
    const { trusted, fault } = look()
    if (fault !== undefined) throw new Error(`nothing was changed: ${fault}`)
    return trusted
  }
  const write = (trusted: Trusted) => {
    writePrivateJson(path, { version: 1, trusted })
    known = undefined
  }
  return {
    isTrusted: (folder, hash) => read()[realFolder(folder)]?.includes(hash) ?? false,
    trust: (folder, hashes) => {
      const trusted = readToWrite()
      const key = realFolder(folder)
      write({ ...trusted, [key]: [...new Set([...(trusted[key] ?? []), ...hashes])].sort() })
    },
    revoke: folder => {
      const { [realFolder(folder)]: _, ...rest } = readToWrite()
      write(rest)
    },
    folders: () => Object.keys(read()).sort(),
    fault: () => look().fault,
  }
}

/** For tests, and for hosts that keep trust elsewhere. */
export function memoryTrustStore(): TrustStore {
  const trusted = new Map<string, Set<string>>()
  return {
    isTrusted: (folder, hash) => trusted.get(resolve(folder))?.has(hash) ?? false,
    trust: (folder, hashes) => {
      trusted.set(resolve(folder), new Set([...(trusted.get(resolve(folder)) ?? []), ...hashes]))
    },
    revoke: folder => {
      trusted.delete(resolve(folder))
    },
    folders: () => [...trusted.keys()].sort(),
  }
}

interface Read {
  readonly trusted: Trusted
  readonly fault?: string
}

/** A store that cannot be read, or that others can write to, trusts nothing. */
function readTrusted(path: string): Read {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return { trusted: {} }
    if (!isOursAlone(stat)) throw new Error(`others can write to ${path}. Take that right away, or move the file away.`)
    const { trusted } = readPrivateJson(path) ?? {}
    if (typeof trusted !== 'object' || trusted === null)
      throw new Error(`${path} holds no "trusted". Mend it, or move it away.`)
    const pairs = Object.entries(trusted as Trusted)
    return {
      trusted: Object.fromEntries(pairs.filter(([, hashes]) => Array.isArray(hashes) && hashes.every(isHash))),
    }
  } catch (error) {
    return { trusted: {}, fault: messageOf(error) }
  }
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
}

function stampOf(path: string): string {
  try {
    const stat = statSync(path)
    return `${stat.ino}:${stat.mtimeMs}:${stat.size}:${stat.mode}`
  } catch {
    return 'missing'
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return resolve(folder)
  }
}
