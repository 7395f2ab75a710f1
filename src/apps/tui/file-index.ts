/** Files that can be mentioned with `@`: what git knows of, or else a bounded walk. Looked up once, when first needed. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

const most = 20_000

export function fileIndex(cwd: string): {
  readonly files: () => readonly string[]
  readonly load: (onLoaded: () => void) => void
} {
  let files: readonly string[] | undefined
  let isLoading = false
  return {
    files: () => files ?? [],
    load(onLoaded) {
      if (files || isLoading) return
      isLoading = true
      const args = ['-c', 'core.quotepath=off', 'ls-files', '--cached', '--others', '--exclude-standard']
      execFile('git', args, { cwd, maxBuffer: 16 * 1024 * 1024, timeout: 5000 }, (error, stdout) => {
        files = error ? walk(cwd) : stdout.split('\n').filter(Boolean).slice(0, most)
        isLoading = false
        onLoaded()
      })
    },
  }
}

const skipped = new Set(['node_modules', '.git', 'dist', 'build', 'target', '.venv', '__pycache__'])

function walk(cwd: string, folder = cwd, depth = 0): readonly string[] {
  if (depth > 6) return []
  try {
    return readdirSync(folder, { withFileTypes: true })
      .flatMap(entry => {
        if (skipped.has(entry.name)) return []
        const path = join(folder, entry.name)
        return entry.isDirectory() ? walk(cwd, path, depth + 1) : [relative(cwd, path)]
      })
      .slice(0, most)
  } catch {
    return []
  }
}
