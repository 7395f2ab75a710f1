import { statSync } from 'node:fs'

/** What a file looks like from outside: another one when it was written, replaced, made or removed. */
export function fileStamp(path: string): string {
  try {
    // Looked at before every call, and most are not there: an error thrown for each would cost more than the look.
    const seen = statSync(path, { bigint: true, throwIfNoEntry: false })
    return seen ? `${seen.ino}:${seen.size}:${seen.mtimeNs}:${seen.ctimeNs}` : 'ENOENT'
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
