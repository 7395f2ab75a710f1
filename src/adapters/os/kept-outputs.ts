/**
 * What was too long to show, kept as long as the tree of runs it belongs to: a run that is resumed finds the files its
 * log points to. `<directory>/<root>/<run>/…`, private; closed to every other run. A tree keeps so much and no more: a
 * child that prints all day must not fill the disk.
 */
import { readdirSync, statSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePrivateDir } from './private-dir.js'

export interface RunOfTree {
  readonly rootId: string
  readonly runId: string
}

export interface KeptOutputs {
  /** The run's directory, made when it is not there. */
  open(run: RunOfTree): Promise<string>
  /** Where that is, made or not. */
  of(run: RunOfTree): string
  /** How many bytes the run's tree may still keep. Looks at the disk: asked only when something is to be kept. */
  room(run: RunOfTree): number
}

export const keptTreeBytes = 1024 ** 3

export function createKeptOutputs(directory: string, treeBytes = keptTreeBytes): KeptOutputs {
  const of = ({ rootId, runId }: RunOfTree) => join(directory, fileName(rootId), fileName(runId))
  return {
    of,
    async open(run) {
      await ensurePrivateDir(directory)
      await ensurePrivateDir(join(directory, fileName(run.rootId)))
      return ensurePrivateDir(of(run))
    },
    room: ({ rootId }) => Math.max(0, treeBytes - bytesBelow(join(directory, fileName(rootId)))),
  }
}

/** Removes what belongs to these trees, and to no other: what is not in one store may be in another. */
export async function removeOfTrees(directory: string, roots: readonly string[]): Promise<void> {
  for (const root of roots) await rm(join(directory, fileName(root)), { recursive: true, force: true })
}

/** Trees that are being removed, noted before they go from the store: what lies beside it is found after a crash, too. */
export interface GoingTrees {
  note(root: string): Promise<void>
  all(): Promise<readonly string[]>
  forget(root: string): Promise<void>
}

export function goingTrees(directory: string): GoingTrees {
  const of = (root: string) => join(directory, fileName(root))
  return {
    async note(root) {
      await ensurePrivateDir(directory)
      await writeFile(of(root), root, { mode: 0o600 })
    },
    async all() {
      const names = await readdir(directory).catch(() => [])
      const roots = await Promise.all(names.map(name => readFile(join(directory, name), 'utf8').catch(() => '')))
      return roots.filter(root => root !== '')
    },
    forget: root => rm(of(root), { force: true }),
  }
}

function bytesBelow(tree: string): number {
  try {
    const files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  } catch {
    // Something went while it was counted, or nothing is there yet.
    return 0
  }
}

/** An id is ours, but a path is made of it: nothing that could lead elsewhere stays in it. */
const fileName = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, '_') || '_'
