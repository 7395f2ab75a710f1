import { sep } from 'node:path'

/** By path components, both absolute and resolved: `/w/app-secret` is not inside `/w/app`. A directory is inside itself. */
export function isInside(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === sep || root.endsWith(sep))
}
