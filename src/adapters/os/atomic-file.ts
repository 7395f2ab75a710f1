/**
 * Changing a file whole or not at all, and only the file that was meant.
 * W1 lock by real path → read and name the version → decide → new file beside it → fsync → rename.
 * W2 The directory is held open and was verified to be the one that was judged, so that swapping one of its parents for
 *    a link cannot move the write elsewhere.
 * W3 Mode and owner of an existing file are kept; a new one gets what the umask says. A hard link is broken by this.
 * W4 A new file never replaces one that appeared meanwhile; a changed one never replaces a version nobody looked at.
 */
import { randomUUID } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, link, lstat, mkdir, open, rename, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { contentHash } from './content-hash.js'
import type { FileLocks } from './file-lock.js'
import { type FileState, readFileState } from './file-version.js'
import { codeOf, FileRefused, type HeldDirectory, holdDirectory, isMissing, refuseHeld } from './real-file.js'

export interface FileChanged {
  readonly version: string
  readonly before: FileState | undefined
}

/**
 * Replaces the content of `path`, which must be fully resolved and judged. `decide` gets the state of the file under
 * the lock (nothing when there is none) and returns the new content; when it throws, nothing is changed.
 */
export function changeFile(
  path: string,
  locks: FileLocks,
  decide: (before: FileState | undefined) => Buffer,
): Promise<FileChanged> {
  return locks.withLock(path, async () => {
    const directory = await holdOrMake(dirname(path))
    try {
      const found = await readExisting(directory, basename(path), path)
      const content = decide(found?.state)
      await replace(directory, basename(path), path, content, found?.stats)
      return { version: contentHash(content), before: found?.state }
    } finally {
      await directory.close()
    }
  })
}

/** What `decide` would get now, without the lock: undefined where there is no file. Throws where it may not be changed. */
export async function lookAtFile(path: string): Promise<FileState | undefined> {
  const directory = await holdDirectory(dirname(path)).catch(error => {
    if (!isMissing(error)) throw error
  })
  if (!directory) return undefined
  try {
    return (await readExisting(directory, basename(path), path))?.state
  } finally {
    await directory.close()
  }
}

async function holdOrMake(path: string): Promise<HeldDirectory> {
  try {
    return await holdDirectory(path)
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error
  }
  const parent = await holdOrMake(dirname(path))
  try {
    await mkdir(parent.at(basename(path))).catch(ignoreExisting)
    return await holdDirectory(path)
  } finally {
    await parent.close()
  }
}

async function readExisting(
  directory: HeldDirectory,
  name: string,
  path: string,
): Promise<{ state: FileState; stats: BigIntStats } | undefined> {
  refuseHeld(path, directory.at(name))
  const handle = await openExisting(directory.at(name), path)
  if (!handle) return undefined
  try {
    const stats = await handle.stat({ bigint: true })
    if (!stats.isFile()) throw new FileRefused(`${path} is not a regular file`)
    // A rename would replace it all the same; whoever made it read-only meant it.
    if ((stats.mode & 0o222n) === 0n) throw new FileRefused(`${path} is read-only`)
    return { state: await readFileState(handle), stats }
  } finally {
    await handle.close()
  }
}

async function openExisting(at: string, path: string): Promise<FileHandle | undefined> {
  try {
    return await open(at, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  } catch (error) {
    if (isMissing(error)) return undefined
    if (codeOf(error) === 'ELOOP') throw new FileRefused(`${path} turned into a link`)
    if (codeOf(error) === 'ENXIO') throw new FileRefused(`${path} is not a regular file`)
    throw error
  }
}

async function replace(
  directory: HeldDirectory,
  name: string,
  path: string,
  content: Buffer,
  before: BigIntStats | undefined,
): Promise<void> {
  const temporary = directory.at(`.${name.slice(0, 100)}.${randomUUID()}.tmp`)
  await writeNew(temporary, content, before)
  try {
    if (before) {
      const now = await lstat(directory.at(name), { bigint: true })
      if (!isSameState(now, before)) throw new FileRefused(`${path} was changed by another program just now`)
      await rename(temporary, directory.at(name))
    } else {
      await placeNew(temporary, directory.at(name), path)
    }
    await directory.sync().catch(() => undefined)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}

async function writeNew(temporary: string, content: Buffer, before: BigIntStats | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(temporary, flags, before ? 0o600 : 0o666)
  try {
    await handle.writeFile(content)
    if (before) await keepOwnerAndMode(handle, before)
    await handle.sync()
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

async function keepOwnerAndMode(handle: FileHandle, before: BigIntStats): Promise<void> {
  const made = await handle.stat({ bigint: true })
  if (made.uid !== before.uid || made.gid !== before.gid) {
    await handle.chown(Number(before.uid), Number(before.gid)).catch(() => undefined)
  }
  await handle.chmod(Number(before.mode & 0o7777n))
}

async function placeNew(temporary: string, target: string, path: string): Promise<void> {
  try {
    await link(temporary, target)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new FileRefused(`${path} appeared just now: somebody else created it`)
    // Some file systems know no hard links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error
    return rename(temporary, target)
  }
  await unlink(temporary)
}

function isSameState(now: BigIntStats, before: BigIntStats): boolean {
  return now.ino === before.ino && now.size === before.size && now.mtimeNs === before.mtimeNs
}

function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}
