/**
 * Directories nobody else can look into, and files nobody else can plant.
 * P1 Directories are 0700 and files 0600 whatever the umask says.
 * P2 A name that can be guessed is never trusted: what lies there must be our own directory, not a link.
 * P3 A file is created, never opened: something that was put there first is an error.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { chmod, lstat, mkdir, open, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectories } from './make-directories.js'

export interface PrivateDir {
  readonly path: string
  /** Creates a file that must not exist yet and gives its path. */
  write(name: string, content: Uint8Array | string): Promise<string>
  remove(): Promise<void>
}

/**
 * A new directory with an unguessable name. Whoever makes it removes it. `onNamed` hears of it before it is there, so that
 * somebody else can remove it, whenever this process is killed.
 */
export async function createPrivateDir(
  prefix = 'offshoot-',
  parent = tmpdir(),
  onNamed: (path: string) => void = () => {},
): Promise<PrivateDir> {
  // Short, because sockets made in there have short names.
  const path = join(await realpath(parent), `${prefix}${randomBytes(9).toString('base64url').slice(0, 8)}`)
  onNamed(path)
  await mkdir(path, { mode: 0o700 })
  await chmod(path, 0o700)
  return {
    path,
    write: (name, content) => createPrivateFile(join(path, name), content),
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** Makes sure a directory of a known name is ours alone. Throws when it is a link or somebody else's. */
export async function ensurePrivateDir(path: string): Promise<string> {
  makeDirectories(path, 0o700)
  const found = await lstat(path)
  if (!found.isDirectory()) throw new Error(`${path} must be a directory and is not: remove it and try again`)
  const uid = process.getuid?.()
  if (uid !== undefined && found.uid !== uid) {
    throw new Error(`${path} belongs to another user (uid ${found.uid}): it cannot be trusted`)
  }
  if ((found.mode & 0o077) !== 0) await chmod(path, 0o700)
  return path
}

export async function createPrivateFile(path: string, content: Uint8Array | string): Promise<string> {
  const handle = await openPrivateFile(path)
  try {
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
  return path
}

/** Open for writing, created by this very call. The caller closes it. */
async function openPrivateFile(path: string) {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const handle = await open(path, flags, 0o600)
  await handle.chmod(0o600)
  return handle
}
