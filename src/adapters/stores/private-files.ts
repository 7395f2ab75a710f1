/** Files and directories that only their owner can read, and errors of the file system in a store's words. */
import { access, chmod, constants, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectories } from '../os/make-directories.js'
import { StoreError, type StoreErrorCode } from './store-error.js'

/** Makes the directory (0700) where it is missing and sees that it can be written to. */
export async function prepareDirectory(directory: string): Promise<void> {
  try {
    makeDirectories(directory, 0o700)
    await access(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw fromSystemError(error, directory)
  }
}

/** Takes away what group and others may do with a file of ours; a missing file is fine. */
export async function tighten(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() && (found.mode & 0o077) !== 0) await chmod(path, 0o600)
}

/**
 * Closes a directory of ours (0700) that others could look into, and the files in it; then it is not looked at again.
 * What belongs to somebody else is theirs to close, and where a file system knows no modes nothing can be.
 */
export async function closeDirectory(directory: string): Promise<void> {
  if (!(await isOpenToOthers(directory))) return
  await chmod(directory, 0o700).catch(() => {})
  for (const name of await readdir(directory)) await closeFile(join(directory, name))
}

export async function closeFile(path: string): Promise<void> {
  if (await isOpenToOthers(path)) await tighten(path).catch(() => {})
}

async function isOpenToOthers(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return (
    found !== undefined && found.uid === process.getuid?.() && !found.isSymbolicLink() && (found.mode & 0o077) !== 0
  )
}

export function fromSystemError(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof StoreError || typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return error
  const kind = kinds[code] ?? 'io'
  return new StoreError(kind, `${path}: ${message}. ${remedies[kind]}`, { path, cause: error })
}

const kinds: { readonly [code: string]: 'read-only' | 'full' } = {
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
}

const remedies: { readonly [kind in Extract<StoreErrorCode, 'read-only' | 'full' | 'io'>]: string } = {
  'read-only': 'Make it readable and writable for you, or choose another place for the data.',
  full: 'Nothing of this write was stored. Free some space (`pruneRuns` removes old runs, once a little is free), then resume the run.',
  io: 'See that the path leads to a directory of yours and that the disk is sound.',
}
