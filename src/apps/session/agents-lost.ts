/** Agents that a session had and has no more, since their files changed meanwhile, and those that came back: a line each. */
import type { Catalog, CatalogEntry } from '../../core/catalog/catalog.js'
import { visible } from '../../core/text/shell-word.js'
import { oneLine } from '../../core/text/text.js'

export function agentsLost(before: Catalog, after: Catalog): readonly string[] {
  return before.all().flatMap(entry => {
    if (entry.state === 'shadowed') return []
    const now = after.lookup(entry.agent.name)
    return now === undefined || now.state === entry.state ? [] : (wordsOf(entry, now) ?? [])
  })
}

function wordsOf({ state }: CatalogEntry, now: CatalogEntry): string | undefined {
  const { name, quarantine = '', source } = now.agent
  const place = source.path === undefined ? '' : ` (${source.path})`
  const isLost = state === 'active'
  if (isLost && now.state === 'quarantined') return line(`Agent "${name}" will not run: ${quarantine}${place}`)
  if (isLost && now.state === 'untrusted')
    return line(`Agent "${name}" has changed, and nobody trusts it as it is now${place}: offshoot trust`)
  return now.state === 'active' && state !== 'disabled' ? line(`Agent "${name}" can be used again${place}`) : undefined
}

const line = (text: string): string => visible(oneLine(text, 400))
