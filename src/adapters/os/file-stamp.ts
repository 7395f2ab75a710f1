import { statSync } from 'node:fs'

/** What a file looks like from outside: another one when it was written, replaced, made or removed. */
export function fileStamp(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}
