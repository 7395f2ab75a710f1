/**
 * `@agent` and `@file` in a prompt. A file's text is put below the prompt; an agent's name becomes a plain request to
 * hand the work to it. A word that is neither (`@types/node`, a mail address) is left alone.
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Catalog } from '../../core/catalog.js'
import { cutToBytes } from '../../core/text.js'

export interface MentionSources {
  readonly agents: Pick<Catalog, 'find'>
  /** The text of a file, a folder's name, or nothing. */
  readonly read: (path: string) => string | undefined
}

const mention = /(?<=^|[\s(])@([\p{L}\p{N}_./~:-]*[\p{L}\p{N}_/])/gu

export function expandMentions(prompt: string, { agents, read }: MentionSources): string {
  const additions: string[] = []
  for (const word of new Set([...prompt.matchAll(mention)].map(match => match[1]!))) {
    const agent = agents.find(word)
    if (agent?.source.isTrusted) {
      additions.push(
        `(The user names the agent ${agent.name}: hand this to it with Task, subagent_type "${agent.name}".)`,
      )
      continue
    }
    const text = read(word)
    if (text !== undefined) additions.push(`<file path="${word}">\n${text}\n</file>`)
  }
  return additions.length === 0 ? prompt : `${prompt}\n\n${additions.join('\n\n')}`
}

const maxFileBytes = 64 * 1024

/** Files as the user sees them from `cwd`. What is too large is cut, and says so. */
export function fileReader(cwd: string): (path: string) => string | undefined {
  return path => {
    try {
      const full = resolve(cwd, path)
      if (!statSync(full).isFile()) return undefined
      const bytes = readFileSync(full)
      if (bytes.includes(0)) return undefined
      const text = bytes.toString('utf8')
      const shown = cutToBytes(text, maxFileBytes)
      return shown.length < text.length ? `${shown}\n[… cut: ${bytes.length} bytes in all; Read shows the rest]` : shown
    } catch {
      return undefined
    }
  }
}
