/**
 * What a killed process left in a JSONL store's directory: drafts that were never renamed, locks nobody holds any more, and
 * its own name. Only what is certainly nobody's is removed; the rest waits for the next opening.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LockFiles } from '../../os/file-lock.js'
import { isDraftOfDead } from '../../os/process-owner.js'
import type { JsonlFiles } from './jsonl-files.js'

/** A process says that it lives every few seconds. */
const silentMs = 86_400_000

export async function sweepLeftovers(files: JsonlFiles, locks: LockFiles, now: number): Promise<void> {
  for (const folder of files.folders) {
    const names = await readdir(folder)
    for (const name of names) if (isDraftOfDead(name)) await rm(join(folder, name), { force: true })
  }
  for (const name of await readdir(files.locks)) locks.breakIfDead(join(files.locks, name))
  for (const name of await readdir(files.owners)) {
    const path = join(files.owners, name)
    const found = await stat(path).catch(() => undefined)
    if (found && now - found.mtimeMs > silentMs) await rm(path, { force: true })
  }
}
