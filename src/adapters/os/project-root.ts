import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest directory upwards that holds a repository; the directory itself when there is none. */
export function projectRoot(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return cwd
  }
}
