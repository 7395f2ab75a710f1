/**
 * What the user has looked at and trusts: content hashes, kept by folder, and which file each was. A changed file is a new
 * hash, and untrusted until it was looked at again; then the older one counts no longer, should it come back. Agents,
 * hooks, servers and settings of a project all go by this.
 */
import { realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { isRecord } from '../../core/record.js'
import { messageOf } from '../../core/thrown.js'
import { asOnlyWriter } from '../os/file-lock.js'
import { isOursAlone } from '../os/private-file.js'
import { readPrivateJson, writePrivateJson } from '../os/private-json.js'

/** What a person trusts, by folder and content: a change of the content is not trusted. */
export interface TrustStore {
  /** With `path`: as this file. Content that was trusted as another one, or before a newer one of it, does not count. */
  isTrusted(folder: string, contentHash: string, path?: string): boolean
  /** Whether a file of this path was trusted, whatever it holds now: one that cannot be read has no content to go by. */
  wasTrusted?(folder: string, path: string): boolean
  /**
   * Adds to what is trusted in the folder. Throws when it cannot be written: trust that is not kept is none. `files` says
   * by path which content is which file: what was trusted as that file before counts no longer.
   */
  trust(folder: string, contentHashes: readonly string[], files?: Readonly<Record<string, string>>): void
  revoke(folder: string): void
  /** Folders with anything trusted in them. */
  folders(): readonly string[]
  /** Why what is kept cannot be read: then nothing counts as trusted, and nothing is written over it. */
  fault?(): string | undefined
}

/** Trust kept in a file of the user's config directory; it and its folder are the user's alone. */
export function fileTrustStore(path: string): TrustStore {
  let known: ({ readonly stamp: string } & Read) | undefined
  const look = (): Read => {
    const stamp = stampOf(path)
    if (known?.stamp !== stamp) known = { stamp, ...readTrusted(path) }
    return known
  }
  /** What cannot be read must not be overwritten: it may hold the trust of every other folder. */
  const change = (make: (trusted: Trusted) => Trusted): void =>
    asOnlyWriter(path, join(dirname(path), '.locks'), () => {
      known = undefined
      const { trusted, fault } = look()
      if (fault !== undefined) throw new Error(`nothing was changed: ${fault}`)
      writePrivateJson(path, asJson(make(trusted)))
      known = undefined
    })
  return {
    isTrusted: (folder, hash, file) => holds(look().trusted.get(realFolder(folder)), hash, () => keyOf(folder, file)),
    wasTrusted: (folder, file) => look().trusted.get(realFolder(folder))?.files.has(keyOf(folder, file)!) ?? false,
    trust: (folder, hashes, files) =>
      change(trusted => {
        const key = realFolder(folder)
        return new Map(trusted).set(key, withMore(trusted.get(key), hashes, filesBelow(folder, files)))
      }),
    revoke: folder => change(trusted => new Map([...trusted].filter(([key]) => key !== realFolder(folder)))),
    folders: () => [...look().trusted.keys()].sort(),
    fault: () => look().fault,
  }
}

/** For tests, and for hosts that keep trust elsewhere. */
export function memoryTrustStore(): TrustStore {
  const trusted = new Map<string, TrustedFolder>()
  return {
    isTrusted: (folder, hash, file) => holds(trusted.get(resolve(folder)), hash, () => keyOf(folder, file)),
    wasTrusted: (folder, file) => trusted.get(resolve(folder))?.files.has(keyOf(folder, file)!) ?? false,
    trust: (folder, hashes, files) => {
      const key = resolve(folder)
      trusted.set(key, withMore(trusted.get(key), hashes, filesBelow(folder, files)))
    },
    revoke: folder => {
      trusted.delete(resolve(folder))
    },
    folders: () => [...trusted.keys()].sort(),
  }
}

interface TrustedFolder {
  readonly hashes: ReadonlySet<string>
  /** By path from the folder. What was trusted by an older program, or is no file, stands in none. */
  readonly files: ReadonlyMap<string, string>
  /** Those of `hashes` that are files. */
  readonly bound: ReadonlySet<string>
}
type Trusted = ReadonlyMap<string, TrustedFolder>

const trustedFolder = (hashes: Iterable<string>, files: ReadonlyMap<string, string>): TrustedFolder => ({
  hashes: new Set(hashes),
  files,
  bound: new Set(files.values()),
})

const keyOf = (folder: string, path: string | undefined): string | undefined =>
  path === undefined ? undefined : relative(resolve(folder), resolve(path))

const filesBelow = (folder: string, files: Readonly<Record<string, string>> = {}): readonly [string, string][] =>
  Object.entries(files).map(([path, hash]) => [keyOf(folder, path)!, hash])

function holds(folder: TrustedFolder | undefined, hash: string, pathOf: () => string | undefined): boolean {
  if (!folder?.hashes.has(hash)) return false
  const path = pathOf()
  if (path === undefined || folder.files.get(path) === hash) return true
  return !folder.bound.has(hash) && !folder.files.has(path)
}

function withMore(
  before: TrustedFolder | undefined,
  hashes: readonly string[],
  files: readonly [string, string][],
): TrustedFolder {
  const together = new Map([...(before?.files ?? []), ...files])
  const still = new Set([...hashes, ...together.values()])
  const older = files.flatMap(([path]) => before?.files.get(path) ?? []).filter(hash => !still.has(hash))
  const all = new Set([...(before?.hashes ?? []), ...hashes])
  for (const hash of older) all.delete(hash)
  return trustedFolder(all, together)
}

/** `files` came later: whoever does not know them still finds every hash in `trusted`. */
function asJson(trusted: Trusted): unknown {
  const folders = [...trusted]
  const files = folders.filter(([, folder]) => folder.files.size > 0)
  return {
    version: 1,
    trusted: Object.fromEntries(folders.map(([key, { hashes }]) => [key, [...hashes].sort()])),
    ...(files.length > 0 && {
      files: Object.fromEntries(files.map(([key, folder]) => [key, Object.fromEntries(folder.files)])),
    }),
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
    if (stat === undefined) return { trusted: new Map() }
    if (!isOursAlone(stat)) throw new Error(`others can write to ${path}. Take that right away, or move the file away.`)
    const { trusted, files = {} } = readPrivateJson(path) ?? {}
    if (!isRecord(trusted)) throw new Error(`${path} holds no "trusted". Mend it, or move it away.`)
    // Without them older content would count again.
    if (!isRecord(files) || !Object.values(files).every(each => isRecord(each) && Object.values(each).every(isHash)))
      throw new Error(`"files" in ${path} cannot be read. Mend it, or move the file away.`)
    const pairs = Object.entries(trusted).filter(([, hashes]) => Array.isArray(hashes) && hashes.every(isHash))
    const filesOf = (folder: string) => new Map(Object.entries((files[folder] ?? {}) as Record<string, string>))
    return { trusted: new Map(pairs.map(([key, hashes]) => [key, trustedFolder(hashes as string[], filesOf(key))])) }
  } catch (error) {
    return { trusted: new Map(), fault: messageOf(error) }
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
