/**
 * Which files a repository tracks, read from git's index: no program is started, and nothing of the repository's
 * configuration is obeyed. What is not understood for certain (split indexes, other hashes) is "cannot tell".
 */
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Repository } from '../../core/permission/path-policy.js'
import { borrowedDirectory, linkedDirectory } from './git-links.js'

export interface TrackedFiles extends Repository {
  /** Repositories inside it, which git goes into when it compares. True when it cannot be told. */
  readonly hasSubmodules: boolean
}

/** The repository of a directory, linked worktrees and submodules included. Never throws. */
export function repositoryOf(directory: string): TrackedFiles | undefined {
  for (let place = directory; ; place = dirname(place)) {
    const gitDir = gitDirOf(place)
    if (gitDir !== undefined) {
      const borrowed = borrowedDirectory(place, gitDir)
      return { top: place, ...trackedBy(join(gitDir, 'index'), place), ...(borrowed !== undefined && { borrowed }) }
    }
    if (dirname(place) === place) return undefined
  }
}

/** Where the repository of this very directory lies. */
export function gitDirOf(place: string): string | undefined {
  const path = join(place, '.git')
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : linkedDirectory(place)
  } catch {
    return undefined
  }
}

type Tracked = Pick<TrackedFiles, 'tracked' | 'hasSubmodules'>

interface Known {
  readonly version: string
  readonly tracked: Tracked
}

const unknown: Tracked = { tracked: undefined, hasSubmodules: true }
const known = new Map<string, Known>()
const maxKnown = 32
const maxBytes = 64 * 1024 * 1024

function trackedBy(index: string, top: string): Tracked {
  try {
    const { mtimeMs, size, ino } = statSync(index)
    const version = `${mtimeMs}/${size}/${ino}/${top}`
    const before = known.get(index)
    if (before?.version === version) return before.tracked
    const entries = size > maxBytes ? undefined : entriesIn(readFileSync(index))
    const tracked = entries
      ? {
          tracked: entries.map(({ name }) => `${top}/${name}`),
          hasSubmodules: entries.some(entry => entry.isRepository),
        }
      : unknown
    if (known.size >= maxKnown) known.clear()
    known.set(index, { version, tracked })
    return tracked
  } catch (error) {
    // A repository without an index tracks nothing yet.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? { tracked: [], hasSubmodules: false } : unknown
  }
}

interface Entry {
  readonly name: string
  readonly isRepository: boolean
  /** Where the next one begins. */
  readonly end: number
}

/** Undefined when the file is not what it should be. */
export function entriesIn(index: Buffer): readonly Entry[] | undefined {
  if (index.length < headerBytes || index.toString('latin1', 0, 4) !== 'DIRC') return undefined
  const version = index.readUInt32BE(4)
  const count = index.readUInt32BE(8)
  if (version < 2 || version > 4) return undefined
  const entries: Entry[] = []
  while (entries.length < count) {
    const last = entries.at(-1)
    const at = last?.end ?? headerBytes
    const entry = version === 4 ? packedEntry(index, at, last?.name ?? '') : plainEntry(index, at)
    if (!entry) return undefined
    entries.push(entry)
  }
  return isSplit(index, entries.at(-1)?.end ?? headerBytes) ? undefined : entries
}

const headerBytes = 12
/** Times, device, owner, size and hash come before the flags. */
const flagsAt = 60
const modeAt = 24

function isRepository(index: Buffer, at: number): boolean {
  return index.readUInt32BE(at + modeAt) >>> 12 === 0o16
}

function nameStart(index: Buffer, at: number): number | undefined {
  if (at + flagsAt + 4 > index.length) return undefined
  const kind = index.readUInt32BE(at + modeAt) >>> 12
  // Files, links, submodules, and directories of a sparse index.
  if (![0o10, 0o12, 0o16, 0o4].includes(kind)) return undefined
  const isExtended = (index.readUInt16BE(at + flagsAt) & 0x4000) !== 0
  return at + flagsAt + (isExtended ? 4 : 2)
}

function plainEntry(index: Buffer, at: number): Entry | undefined {
  const start = nameStart(index, at)
  const end = start === undefined ? -1 : index.indexOf(0, start)
  if (start === undefined || end <= start) return undefined
  const next = at + Math.ceil((end + 1 - at) / 8) * 8
  return { name: index.toString('utf8', start, end), isRepository: isRepository(index, at), end: next }
}

/** A name says how many letters of the one before it to drop. */
function packedEntry(index: Buffer, at: number, previous: string): Entry | undefined {
  let start = nameStart(index, at)
  if (start === undefined) return undefined
  let byte = index[start++]!
  let drop = byte & 0x7f
  while (byte & 0x80) {
    byte = index[start++] ?? 0
    drop = (drop + 1) * 128 + (byte & 0x7f)
  }
  const end = index.indexOf(0, start)
  const kept = Buffer.from(previous)
  if (end < start || drop > kept.length) return undefined
  const name = kept.toString('utf8', 0, kept.length - drop) + index.toString('utf8', start, end)
  return { name, isRepository: isRepository(index, at), end: end + 1 }
}

/** The rest of a split index lies in another file. */
function isSplit(index: Buffer, from: number): boolean {
  for (let at = from; at + 8 <= index.length - hashBytes; at += 8 + index.readUInt32BE(at + 4))
    if (index.toString('latin1', at, at + 4) === 'link') return true
  return false
}

const hashBytes = 20
