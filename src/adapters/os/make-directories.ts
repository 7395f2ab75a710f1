/**
 * `mkdir -p` that ends. Node's own goes round for ever where the kernel says of a directory that it is missing and will
 * not make it (below /proc, for instance): then it makes the one above, which is there, and tries again.
 */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Rejects with the kernel's word on the directory that cannot be made. One that is there is left as it is. */
export async function makeDirectories(path: string, mode?: number): Promise<void> {
  const fault = await make(path, mode)
  if (fault?.code !== 'ENOENT' || dirname(path) === path) {
    if (fault) throw fault
    return
  }
  await makeDirectories(dirname(path), mode)
  const again = await make(path, mode)
  if (again) throw again
}

async function make(path: string, mode: number | undefined): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode })
    return undefined
  } catch (error) {
    const isThere = (await stat(path).catch(() => undefined))?.isDirectory()
    return isThere ? undefined : (error as NodeJS.ErrnoException)
  }
}
