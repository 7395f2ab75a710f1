/**
 * Lines of a list or a map of a limit that a line between them took away: below `disallowedTools:` stands `x: "`, or
 * `memory: project` slipped in, and what comes behind belongs to that. Only where the block had to be mended: valid YAML
 * says whose they are.
 */
import type { Entry, Problem } from '../../block.js'
import { fieldOf, fieldTable, isSecurityKey } from '../../field-table.js'
import { goesOn } from '../../text/goes-on.js'

export function lostLines(lines: readonly string[], firstLine: number, entries: readonly Entry[]): readonly Problem[] {
  const limits = entries.filter(({ key, value }) => isSecurityKey(key) && (value === null || typeof value === 'object'))
  if (limits.length === 0) return []
  const written = new Map(limits.map(limit => [limit, JSON.stringify(limit.value)?.replaceAll('\\', '') ?? '']))
  const held = new Map(entries.map(entry => [entry.key, entry]))
  let owner: string | undefined
  let above: Entry | undefined
  for (const [at, line] of lines.entries()) {
    const key = edgeKey.exec(line)?.[2]
    if (key !== undefined) {
      owner = key
      above = limits.find(limit => limit.key === key) ?? above
      if (mayHold(held.get(key), key) && above?.key !== key) above = undefined
      continue
    }
    if (above === undefined || line.length > maxLine || !goesOn(inward(line), above)) continue
    const text = line.trim().replace(/^-\s+|\s#.*$/g, '')
    const inner = (/^["']?[^"':]+["']?\s*:\s*(.+)$/.exec(text)?.[1] ?? text).replace(/^["']|["'],?$|:$/g, '')
    const name = /^["']?([^"':]+)["']?\s*:/.exec(text)?.[1]
    const has = (part: string) => written.get(above!)!.includes(part)
    if (has(inner) && (name === undefined || has(name))) continue
    const message =
      owner === above.key ? `a line of "${owner}" is not read` : `a line of "${above.key}" stands below "${owner}"`
    return [{ code: 'security-key-damaged', message, line: firstLine + at }]
  }
  return []
}

const maxLine = 1000
/** A list may stand at the edge of its key. */
const inward = (line: string): string => (line.startsWith('- ') ? ` ${line}` : line)
const edgeKey = /^(["']?)([^\s"'#-][^"':]{0,60}?)\1\s*:(?=\s|$)/

/** A text goes on in any lines, and what has lines of its own has them. */
function mayHold(entry: Entry | undefined, key: string): boolean {
  const field = fieldOf(key)
  if (field !== undefined && fieldTable[field].kind === 'text') return true
  return entry !== undefined && typeof entry.value === 'object' && entry.value !== null
}
