/** Prompts typed before, kept for the next time. A file that cannot be read or written costs only the history. */
import { appendFileSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectories } from '../../adapters/os/make-directories.js'

const kept = 500

export interface HistoryFile {
  read(): readonly string[]
  add(prompt: string): void
}

export function historyFile(dataDir: string): HistoryFile {
  const path = join(dataDir, 'history.jsonl')
  return {
    read() {
      try {
        return readFileSync(path, 'utf8')
          .split('\n')
          .slice(-kept - 1)
          .flatMap(line => (line.startsWith('"') ? [JSON.parse(line) as string] : []))
      } catch {
        return []
      }
    },
    add(prompt) {
      try {
        makeDirectories(dirname(path), 0o700)
        appendFileSync(path, `${JSON.stringify(prompt)}\n`, { mode: 0o600 })
      } catch {
        // The conversation goes on without it.
      }
    },
  }
}
