import { join } from 'node:path'

/** Where something about the tree of a root lies in a directory: one file a root, whatever its id is made of. */
export const rootFile = (directory: string, rootId: string): string =>
  join(directory, rootId.replace(/[^A-Za-z0-9_-]/g, '_'))
