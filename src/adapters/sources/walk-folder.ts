/**
 * The files of an agents folder, sorted, within bounds.
 * W1 nothing that is no ordinary file is ever opened. W2 links are followed only to files and folders inside the
 * folder, or anywhere for the user's own folders. W3 a folder is entered once, however many links lead to it.
 */
import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Code, diagnose } from '../../core/agent-file/diagnostic-codes.js'
import type { Diagnostic } from '../../core/ports.js'

export interface FolderWalk {
  readonly files: readonly string[]
  /** Those of them that are links themselves. */
  readonly linked: ReadonlySet<string>
  /** Links that lead nowhere. */
  readonly broken: readonly string[]
  /** Every folder entered: what a watcher has to look at. */
  readonly directories: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface WalkOptions {
  /** Whether links may leave the folder. */
  readonly isOwn: boolean
}

const maxDepth = 12
const maxEntries = 20_000
const skippedFolders = new Set(['node_modules', '.git', '.hg', '.svn'])

/** A missing folder is an empty one. */
export function walkFolder(root: string, options: WalkOptions): FolderWalk {
  const walk: Walk = {
    root,
    files: [],
    linked: new Set(),
    broken: [],
    directories: [],
    diagnostics: [],
    entered: new Set(),
    left: maxEntries,
    options,
  }
  const kind = kindOf(root)
  if (kind === 'file') {
    walk.files.push(root)
    walk.linked.add(root)
  } else if (kind === 'directory') enter(root, 0, walk)
  else if (kind === 'other') note(walk, 'special-file', 'neither a file nor a folder', root)
  return walk
}

interface Walk {
  readonly root: string
  readonly files: string[]
  readonly linked: Set<string>
  readonly broken: string[]
  readonly directories: string[]
  readonly diagnostics: Diagnostic[]
  readonly entered: Set<string>
  left: number
  readonly options: WalkOptions
}

function enter(directory: string, depth: number, walk: Walk): void {
  const real = realPath(directory)
  if (real === undefined || walk.entered.has(real)) {
    if (real !== undefined) note(walk, 'symlink-refused', 'a link back to a folder already read', directory)
    return
  }
  walk.entered.add(real)
  walk.directories.push(directory)
  const entries = listDirectory(directory, walk)
  // Made once: `join` looks at every letter of every path, which is most of what a walk costs.
  const place = join(directory, sep)
  for (const entry of entries) {
    if (walk.left-- <= 0) {
      if (walk.left === -1)
        note(walk, 'folder-too-large', `more than ${maxEntries} entries; the rest is not read`, directory)
      return
    }
    visit(`${place}${entry.name}`, entry, depth, walk)
  }
}

function visit(path: string, entry: Dirent, depth: number, walk: Walk): void {
  if (entry.isFile()) walk.files.push(path)
  else if (entry.isDirectory()) descend(path, entry.name, depth, walk)
  else if (entry.isSymbolicLink()) follow(path, entry.name, depth, walk)
  else note(walk, 'special-file', 'neither a file nor a folder; it is not opened', path)
}

function descend(path: string, name: string, depth: number, walk: Walk): void {
  if (skippedFolders.has(name)) return
  if (depth >= maxDepth) note(walk, 'folder-too-large', `deeper than ${maxDepth} folders; not read`, path)
  else enter(path, depth + 1, walk)
}

function follow(path: string, name: string, depth: number, walk: Walk) {
  const real = realPath(path)
  const top = realPath(walk.root)
  if (real === undefined || top === undefined) {
    walk.broken.push(path)
    return note(walk, 'symlink-refused', 'a link that leads nowhere', path)
  }
  if (!walk.options.isOwn && real !== top && !real.startsWith(top + sep)) {
    return note(walk, 'symlink-refused', 'a link that leaves the folder', path)
  }
  const kind = kindOf(real)
  if (kind === 'file') {
    walk.files.push(path)
    walk.linked.add(path)
  } else if (kind === 'directory') descend(path, name, depth, walk)
  else note(walk, 'special-file', 'a link to neither a file nor a folder', path)
}

function listDirectory(directory: string, walk: Walk): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    note(walk, 'unreadable-file', 'the folder cannot be read', directory)
    return []
  }
}

/** Most folders that are looked for are missing: to make an error of each would be most of what a walk costs. */
function kindOf(path: string): 'file' | 'directory' | 'other' | 'missing' {
  try {
    const stat = statSync(path, ifThere)
    if (stat === undefined) return lstatSync(path, ifThere) === undefined ? 'missing' : 'other'
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other'
  } catch {
    return isThere(path) ? 'other' : 'missing'
  }
}

const ifThere = { throwIfNoEntry: false } as const

function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function note(walk: Walk, code: Code, message: string, file: string): void {
  walk.diagnostics.push(diagnose(code, message, { file, line: 1 }))
}
