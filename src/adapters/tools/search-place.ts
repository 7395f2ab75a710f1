import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { ToolContext } from '../../core/ports.js'
import { isMissing } from '../os/real-file.js'
import { ToolFailure } from './define-tool.js'
import type { FileAccess } from './file-access.js'

/** Where to search: a directory, or one file of it. Throws `ToolFailure` when there is no such place. */
export async function placeOf(
  path: string | undefined,
  access: FileAccess,
  context: ToolContext,
): Promise<{ directory: string; file?: string }> {
  const real = await access.resolve(path ?? context.workspace.cwd, 'read', context)
  try {
    const stats = await lstat(real)
    if (stats.isDirectory()) return { directory: real }
    if (stats.isFile()) return { directory: dirname(real), file: basename(real) }
  } catch (error) {
    if (isMissing(error)) throw new ToolFailure(`No such file or directory: ${path}`, 'not found')
    throw error
  }
  throw new ToolFailure(`${path} is neither a file nor a directory.`, 'not a file')
}
