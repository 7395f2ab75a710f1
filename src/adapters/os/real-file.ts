/**
 * Opening what was checked, and nothing else.
 * A path is resolved and judged first, and opened later; in between a link may be swapped in. So the last component is
 * never followed, and after the open the kernel is asked what was really opened. A directory is held open while things
 * are made inside it, so that a swap of one of its parents leads nowhere.
 * Outside Linux the kernel cannot be asked for the name of a descriptor; there the path is resolved a second time.
 */
import { constants, existsSync, fsync, lstatSync, openSync, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isAnyHeld, isHeldHere, whyHeld } from './held-files.js'
import { OpenFile } from './open-file.js'

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
export function openRealFile(path: string): OpenFile {
  return openVerified(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
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
  const file = openVerified(path, flags)
  return {
    at: name => (canAskKernel ? join(descriptors, String(file.fd), name) : join(path, name)),
    sync: () => promisify(fsync)(file.fd),
    close: async () => file.close(),
  }
}

function openVerified(path: string, flags: number): OpenFile {
  refuseHeld(path)
  const file = openPlain(path, flags)
  try {
    const opened = canAskKernel ? readlinkSync(join(descriptors, String(file.fd))) : resolveAgain(file, path)
    if (opened !== path) throw new FileRefused(`${path} led to ${opened} when it was opened`)
    return file
  } catch (error) {
    file.close()
    throw error
  }
}

function openPlain(path: string, flags: number): OpenFile {
  try {
    return new OpenFile(openSync(path, flags))
  } catch (error) {
    if (codeOf(error) === 'ELOOP') throw new FileRefused(`${path} turned into a link while it was being opened`)
    throw error
  }
}

/** Before it is opened: to close it again is what does the harm. `at`: where it is found, if by another path. */
export function refuseHeld(path: string, at = path): void {
  if (!isAnyHeld()) return
  const found = lstatSync(at, { throwIfNoEntry: false })
  if (found && isHeldHere(found)) throw new FileRefused(`${path} ${whyHeld}`)
}

function resolveAgain(file: OpenFile, path: string): string {
  const resolved = realpathSync.native(path)
  const [found, opened] = [lstatSync(resolved), file.stat()]
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
