/** Whether a folder that is trusted for being the user's own really is only theirs to write. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** What is wrong, or undefined. A folder others can write to holds what others wrote. */
export function unsafeOwner(path: string): string | undefined {
  const uid = process.getuid?.()
  if (uid === undefined) return undefined
  for (const place of [path, dirname(path)]) {
    const stat = statSync(place, { throwIfNoEntry: false })
    if (stat === undefined) continue
    if (stat.uid !== uid && stat.uid !== 0) return `${place} belongs to another user (uid ${stat.uid})`
    // A sticky folder (/tmp) protects what lies in it; the folder itself must not be open.
    if ((stat.mode & 0o002) !== 0 && (stat.mode & 0o1000) === 0) return `everybody can write to ${place}`
  }
  return undefined
}
