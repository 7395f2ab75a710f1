/**
 * `[tools]` of a Codex role: switches of two tools beside all the others, and no list of them. True where it was one, and
 * was read.
 */
import type { ToolGrant } from '../../agent-definition.js'
import { isRecord } from '../../record.js'
import { looseKey } from '../../text/nearest.js'
import { flagOf, type Given, refuse } from './field-reader.js'

export function readCodexTools(value: unknown, given: Given): boolean {
  if (given.dialect !== 'codex-role' || !isRecord(value)) return false
  const switches = Object.entries(value)
  if (switches.length === 0 || !switches.every(([name]) => toolSwitches.has(looseKey(name)))) return false
  for (const [name, setting] of switches) {
    const isSearch = looseKey(name) !== 'viewimage'
    if (isRecord(setting) && isSearch) readSearch(setting, given)
    else if (flagOf(setting) === undefined) refuse(given, `"${name}" must be true or false`)
    else if (isSearch && flagOf(setting) === false) denySearch(given)
  }
  return true
}

const toolSwitches: ReadonlySet<string> = new Set(['websearch', 'websearchrequest', 'viewimage'])

function readSearch(settings: Readonly<Record<string, unknown>>, given: Given): void {
  if (settings.allowed_domains === undefined) return
  denySearch(given)
  given.note('permission-narrowed', 'sites cannot be told apart in a search here: WebSearch is denied')
}

function denySearch({ draft }: Given): void {
  const search: ToolGrant = { name: 'WebSearch' }
  draft.disallowedTools = [...(draft.disallowedTools ?? []), search]
}
