/**
 * Opening what was checked, and nothing else.
 * A path is resolved and judged first, and opened later; in between a link may be swapped in. So the last component is
 * never followed, and after the open the kernel is asked what was really opened. A directory is held open while things
 * are made inside it, so that a swap of one of its parents leads nowhere.
 * Outside Linux the kernel cannot be asked for the name of a descriptor; there the path is resolved a second time.
 */
import { constants, existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const descriptors = '/proc/self/fd'
const canAskKernel = process.platform === 'linux' && existsSync(descriptors)

/** What lies at a path is not what was checked, or nothing that may be opened. Nothing was read or written. */
export class FileRefused extends Error {}

/**
 * Links resolved as far as the path exists; what does not exist yet is kept as it was written. In place, not beside the
 * event loop: the answer comes from the kernel's memory, and the way to a thread and back costs ten times as much.
 */
export function resolveRealPath(path: string): string {
  const missing: string[] = []
  for (let current = path; ; current = dirname(current)) {
    try {
      return join(realpathSync.native(current), ...missing)
    } catch (error) {
      if (!isMissing(error) || dirname(current) === current) throw error
      if (isLink(current)) throw new FileRefused(`${current} is a link to something that does not exist`)
      missing.unshift(basename(current))
    }
  }
}

/** Opens for reading the file at `path`, which must be fully resolved. A FIFO or device does not block the open. */
export async function openRealFile(path: string): Promise<FileHandle> {
  const handle = await openPlain(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  return verified(handle, path)
}

export interface HeldDirectory {
  /** A path to `name` inside this very directory, wherever its own path leads by now. */
  at(name: string): string
  sync(): Promise<void>
  close(): Promise<void>
}

/** Holds the directory at `path`, which must be fully resolved. The caller closes it. */
export async function holdDirectory(path: string): Promise<HeldDirectory> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  const handle = await verified(await openPlain(path, flags), path)
  return {
    at: name => (canAskKernel ? join(descriptors, String(handle.fd), name) : join(path, name)),
    sync: () => handle.sync(),
    close: () => handle.close(),
  }
}

async function openPlain(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags)
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new FileRefused(`${path} turned into a link while it was being opened`)
    throw error
  }
}

async function verified(handle: FileHandle, path: string): Promise<FileHandle> {
  try {
    const opened = canAskKernel ? readlinkSync(join(descriptors, String(handle.fd))) : await resolveAgain(handle, path)
    if (opened !== path) throw new FileRefused(`${path} led to ${opened} when it was opened`)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function resolveAgain(handle: FileHandle, path: string): Promise<string> {
  const resolved = await realpath(path)
  const [found, opened] = [await lstat(resolved), await handle.stat()]
  return found.ino === opened.ino && found.dev === opened.dev ? resolved : 'another file'
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** Nothing is there: the name, or a directory on the way to it, does not exist. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
}
