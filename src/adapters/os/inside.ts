import { isAbsolute, relative, sep } from 'node:path'

/** By path components, both resolved: `/w/app-secret` is not inside `/w/app`. A directory is inside itself. */
export function isInside(path: string, root: string): boolean {
  const inner = relative(root, path)
  return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner))
}
