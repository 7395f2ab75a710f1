/**
 * Reads a small text file that others may have put there.
 * F1 Only a regular file, of bounded size, whose real place is inside `within`: a link leads nowhere else.
 * F2 `mustBeOurs`: a file or its folder that belongs to somebody else, or that others may write, is not read.
 * F3 What is missing is undefined; everything else that cannot be read is a fault with a code. Never throws.
 */
import { lstatSync, type Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { decodeText } from '../../core/agent-file/text/decode.js'
import { isWithin } from '../../core/text/path-text.js'
import { readFileState } from '../os/file-version.js'
import { codeOf, isMissing, openRealFile, resolveRealPath } from '../os/real-file.js'

export interface GuardedFile {
  readonly text: string
  /** Links resolved. */
  readonly realPath: string
  readonly hash: string
}
export interface FileFault {
  readonly fault: string
  readonly code: 'file-too-large' | 'file-outside' | 'file-not-ours' | 'file-no-text' | 'file-unreadable'
}
export interface GuardOptions {
  readonly maxBytes: number
  /** Directories, as written; links in them are resolved. Absent: anywhere. */
  readonly within?: readonly string[]
  readonly mustBeOurs?: boolean
}

export async function readGuardedFile(
  path: string,
  { maxBytes, within, mustBeOurs }: GuardOptions,
): Promise<GuardedFile | FileFault | undefined> {
  // Most places that are looked at are empty: that must cost next to nothing at start-up.
  if (isNothing(path)) return undefined
  try {
    const realPath = resolveRealPath(path)
    if (within && !(await isInside(realPath, within)))
      return { code: 'file-outside', fault: `it is a link to ${realPath}, outside the folder` }
    const file = openRealFile(realPath)
    try {
      const stats = file.stat()
      if (!stats.isFile()) return { code: 'file-unreadable', fault: 'it is no regular file' }
      const stranger = mustBeOurs ? (whyNotOurs(stats) ?? whyNotOurs(await stat(dirname(realPath)))) : undefined
      if (stranger) return { code: 'file-not-ours', fault: stranger }
      if (stats.size > maxBytes)
        return { code: 'file-too-large', fault: `it has ${stats.size} bytes; at most ${maxBytes} are read` }
      const { bytes, version } = await readFileState(file)
      if (!bytes || bytes.length > maxBytes)
        return { code: 'file-too-large', fault: `it has grown while it was read; at most ${maxBytes} bytes are read` }
      const { text, zeroLine } = decodeText(bytes)
      if (zeroLine !== undefined) return { code: 'file-no-text', fault: 'it is no text' }
      return { text, realPath, hash: version }
    } finally {
      file.close()
    }
  } catch (error) {
    if (isMissing(error)) return undefined
    return { code: 'file-unreadable', fault: `it cannot be read (${codeOf(error) ?? String(error)})` }
  }
}

function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

async function isInside(realPath: string, directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    const real = realOr(directory)
    if (isWithin(realPath, real)) return true
  }
  return false
}

function whyNotOurs(stats: Stats): string | undefined {
  const uid = process.getuid?.()
  if (uid === undefined) return undefined
  const what = stats.isDirectory() ? 'its folder' : 'it'
  // What belongs to root was put there by whoever runs this machine.
  if (stats.uid !== uid && stats.uid !== 0) return `${what} belongs to another user (uid ${stats.uid})`
  return (stats.mode & 0o022) !== 0
    ? `${what} can be written by others (mode ${(stats.mode & 0o777).toString(8)})`
    : undefined
}

function realOr(directory: string): string {
  try {
    return resolveRealPath(directory)
  } catch {
    return directory
  }
}
