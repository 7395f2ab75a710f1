/** Agent files that a command makes. */
import { closeSync, constants, openSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectories } from '../../../adapters/os/make-directories.js'
import { messageOf } from '../../../core/thrown.js'
import { shortPath } from './output.js'

const { O_CREAT, O_EXCL, O_TRUNC, O_WRONLY } = constants
// Windows has none.
const noFollow = constants.O_NOFOLLOW ?? 0

/** What keeps it from being written, in words. A link that has come there meanwhile is not followed. */
export function writeAgentText(
  path: string,
  text: string,
  { replaces, cwd }: { readonly replaces: boolean; readonly cwd: string },
): string | undefined {
  try {
    makeDirectories(dirname(path))
    const file = openSync(path, O_WRONLY | O_CREAT | noFollow | (replaces ? O_TRUNC : O_EXCL))
    try {
      writeFileSync(file, text)
    } finally {
      closeSync(file)
    }
    return undefined
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    return `${shortPath(path, cwd)} was not written: ${faults[code] ?? messageOf(error)}`
  }
}

const noLeave = 'you may not write there'
const faults: Readonly<Record<string, string>> = {
  EACCES: noLeave,
  EPERM: noLeave,
  ENOENT: 'no folder can be made there',
  EROFS: 'the file system there is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'there is a file now',
  ELOOP: 'there is a link now',
  ENAMETOOLONG: 'its name is too long for a file',
}
