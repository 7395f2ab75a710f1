/**
 * Files on which this process has locks: the databases of its stores. As soon as a process closes any handle of such a file,
 * POSIX takes every lock on it away; so whoever reads files here asks first, and leaves these alone. Other processes may
 * read them.
 */
import type { Close } from '../../core/message.js'

/** As the system tells files apart. */
export interface FileId {
  readonly dev: number | bigint
  readonly ino: number | bigint
}

const held = new Map<string, number>()

/** Until it is given back. The same file may be held more than once. */
export function holdFile(file: FileId): Close {
  const key = keyOf(file)
  held.set(key, (held.get(key) ?? 0) + 1)
  let isHeld = true
  return () => {
    if (!isHeld) return
    isHeld = false
    const others = held.get(key)! - 1
    if (others > 0) held.set(key, others)
    else held.delete(key)
  }
}

export const isHeldHere = (file: FileId): boolean => held.size > 0 && held.has(keyOf(file))

/** Nearly always nothing is held in a place where files are read, and then nothing has to be looked at. */
export const isAnyHeld = (): boolean => held.size > 0

/** After the name of the file. */
export const whyHeld =
  'is the store that this process keeps its runs in, and opening it here would take its locks away; `offshoot runs` shows what it holds'

const keyOf = ({ dev, ino }: FileId): string => `${dev}:${ino}`
