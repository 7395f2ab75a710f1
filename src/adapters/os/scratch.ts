import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateDir, type PrivateDir } from './private-dir.js'

/** A private directory for each run: what its commands put in $TMPDIR, and outputs too long to show. */
export interface Scratch {
  /** Made when first asked for. Short, because sockets made there have short names. */
  of(runId: string): Promise<string>
  /** Where a run's directory is, if it has one. */
  known(runId: string): string | undefined
  release(runId: string): Promise<void>
  close(): Promise<void>
}

/** `parent`: where to make it; default the system's place for temporary files. `onMade` hears of the folder of them all. */
export function createScratch(parent?: string, onMade?: (folder: string) => void): Scratch {
  const directories = new Map<string, Promise<string>>()
  const ready = new Map<string, string>()
  let root: Promise<PrivateDir> | undefined
  let count = 0

  let isClosed = false
  async function make(runId: string): Promise<string> {
    // Nobody would remove it any more.
    if (isClosed) throw new Error('the house is closed: there is no place for temporary files any more')
    root ??= createPrivateDir('offshoot-', parent, onMade)
    const path = join((await root).path, `r${++count}`)
    await mkdir(path, { mode: 0o700 })
    ready.set(runId, path)
    return path
  }
  return {
    of(runId) {
      const made = directories.get(runId) ?? make(runId)
      directories.set(runId, made)
      return made
    },
    known: runId => ready.get(runId),
    async release(runId) {
      const path = await directories.get(runId)
      directories.delete(runId)
      ready.delete(runId)
      if (path !== undefined) await rm(path, { recursive: true, force: true })
    },
    async close() {
      isClosed = true
      await (await root)?.remove()
      root = undefined
      directories.clear()
      ready.clear()
    },
  }
}
