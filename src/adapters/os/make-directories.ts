/**
 * `mkdir -p` that ends. Node's own goes round for ever where the kernel says of a directory that it is missing and will
 * not make it (below /proc, for instance): then it makes the one above, which is there, and tries again.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Throws the kernel's word on the directory that cannot be made. One that is there is left as it is. */
export function makeDirectories(path: string, mode?: number): void {
  const fault = make(path, mode)
  if (!fault) return
  if (fault.code !== 'ENOENT' || dirname(path) === path) throw fault
  makeDirectories(dirname(path), mode)
  const again = make(path, mode)
  if (again) throw again
}

function make(path: string, mode: number | undefined): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path, { mode })
    return undefined
  } catch (error) {
    return isDirectory(path) ? undefined : (error as NodeJS.ErrnoException)
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
