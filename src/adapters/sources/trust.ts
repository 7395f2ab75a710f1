/**
 * What the user has looked at and trusts: content hashes, kept by folder. A changed file is a new hash, and untrusted
 * until it was looked at again. Agents, hooks, servers and settings of a project all go by this.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isOursAlone, replacePrivately } from '../os/private-file.js'

/** What a person trusts, by folder and content: a change of the content is not trusted. */
export interface TrustStore {
  isTrusted(folder: string, contentHash: string): boolean
  /** Adds to what is trusted in the folder. Throws when it cannot be written: trust that is not kept is none. */
  trust(folder: string, contentHashes: readonly string[]): void
  revoke(folder: string): void
  /** Folders with anything trusted in them. */
  folders(): readonly string[]
}

type Trusted = Readonly<Record<string, readonly string[]>>

/** Trust kept in a file of the user's config directory; it and its folder are the user's alone. */
export function fileTrustStore(path: string): TrustStore {
  let known: { readonly stamp: string; readonly trusted: Trusted } | undefined
  const read = (): Trusted => {
    const stamp = stampOf(path)
    if (known?.stamp !== stamp) known = { stamp, trusted: readTrusted(path) }
    return known.trusted
  }
  const write = (trusted: Trusted) => {
    replacePrivately(path, `${JSON.stringify({ version: 1, trusted }, null, 2)}\n`)
    known = undefined
  }
  return {
    isTrusted: (folder, hash) => read()[realFolder(folder)]?.includes(hash) ?? false,
    trust: (folder, hashes) => {
      const trusted = read()
      const key = realFolder(folder)
      write({ ...trusted, [key]: [...new Set([...(trusted[key] ?? []), ...hashes])].sort() })
    },
    revoke: folder => {
      const { [realFolder(folder)]: _, ...rest } = read()
      write(rest)
    },
    folders: () => Object.keys(read()).sort(),
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

/** A store that cannot be read, or that others can write to, trusts nothing. */
function readTrusted(path: string): Trusted {
  try {
    if (!isOursAlone(statSync(path))) return {}
    const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const trusted = typeof parsed === 'object' && parsed !== null && 'trusted' in parsed ? parsed.trusted : {}
    const pairs = Object.entries(typeof trusted === 'object' && trusted !== null ? trusted : {})
    return Object.fromEntries(pairs.filter(([, hashes]) => Array.isArray(hashes) && hashes.every(isHash)))
  } catch {
    return {}
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
