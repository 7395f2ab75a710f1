/**
 * `@agent` and `@file` in a prompt. A file's text is put below the prompt; an agent's name becomes a plain request to
 * hand the work to it, or, where that agent cannot run, a remark for the person. A word that is neither (`@types/node`,
 * a mail address) is left alone.
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Catalog, CatalogEntry } from '../../core/catalog.js'
import { cutToBytes } from '../../core/text.js'

export interface MentionSources {
  readonly agents: Pick<Catalog, 'lookup'>
  /** The text of a file, a folder's name, or nothing. */
  readonly read: (path: string) => string | undefined
}

const mention = /(?<=^|[\s(])@([\p{L}\p{N}_./~:-]*[\p{L}\p{N}_/])/gu

export interface Expanded {
  readonly prompt: string
  /** For the person: agents that were named and will not be asked, why, and what to do. */
  readonly remarks: readonly string[]
}

export function expandMentions(prompt: string, { agents, read }: MentionSources): Expanded {
  const additions: string[] = []
  const remarks: string[] = []
  for (const word of new Set([...prompt.matchAll(mention)].map(match => match[1]!))) {
    const entry = agents.lookup(word)
    if (entry?.state === 'active') {
      const { name } = entry.agent
      additions.push(`(The user names the agent ${name}: hand this to it with Task, subagent_type "${name}".)`)
      continue
    }
    if (entry) remarks.push(`@${word}: ${whyNotAsked(entry)}`)
    const text = read(word)
    if (text !== undefined) additions.push(`<file path="${word}">\n${text}\n</file>`)
  }
  return { prompt: [prompt, ...additions].join('\n\n'), remarks }
}

function whyNotAsked(entry: CatalogEntry): string {
  const { name, source } = entry.agent
  const file = source.path === undefined ? '' : ` (${source.path})`
  const { state, remedy } = hindrance(entry)
  return `the agent ${name}${file} is ${state}, so nothing is handed to it${remedy && `; ${remedy}`}`
}

/** What a list of suggestions says beside an agent that cannot run. Its own words are not shown: nobody trusts them yet. */
export function shortWhyNot(entry: CatalogEntry): string {
  const { state, remedy } = hindrance(entry)
  return remedy ? `${state}; ${remedy}` : state
}

function hindrance({ agent, state }: CatalogEntry): { readonly state: string; readonly remedy: string } {
  const { isTrusted, scope } = agent.source
  const isBrought = scope === 'project' || scope === 'plugin'
  if (!isTrusted && isBrought) return { state: 'not trusted yet', remedy: 'read it, then: offshoot trust' }
  const lint = '"offshoot agents lint" says why'
  if (!isTrusted) return { state: 'not trusted', remedy: lint }
  return state === 'quarantined' ? { state, remedy: lint } : { state: 'switched off', remedy: '' }
}

/** Agents that have a name for themselves and cannot run. */
export const unusableAgents = (catalog: Pick<Catalog, 'all'>): readonly CatalogEntry[] =>
  catalog.all().filter(({ state, shadowedBy }) => state !== 'active' && shadowedBy === undefined)

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
