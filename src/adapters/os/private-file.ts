/** Small files of the user's own, written whole, which nobody else can read or plant. */
import { chmodSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectories } from './make-directories.js'

/** Puts the text in the place of what is there (0600), its directory included. Throws, and leaves what was there. */
export function replacePrivately(path: string, text: string): void {
  makeDirectories(dirname(path), 0o700)
  const draft = join(dirname(path), `.draft-${process.pid}-${Date.now()}`)
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    chmodSync(draft, 0o600)
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Whether nobody but this user could have written it. */
export function isOursAlone(stat: Pick<Stats, 'uid' | 'mode'>): boolean {
  const isForeign = process.getuid !== undefined && stat.uid !== process.getuid()
  return !isForeign && (process.platform === 'win32' || (stat.mode & 0o022) === 0)
}
