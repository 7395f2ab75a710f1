import type { AgentDefinition } from '../agent-definition.js'
import { canonicalJson } from '../text/text.js'

/**
 * Whether what a name finds is this very definition and no other of its name: as it is, as a copy, or with what it has from
 * the one it extends.
 */
export function isSameDefinition(found: AgentDefinition, wanted: AgentDefinition): boolean {
  if (found === wanted || canonicalJson(found) === canonicalJson(wanted)) return true
  const isHeir = wanted.extends !== undefined && found.extends === wanted.extends
  return isHeir && originOf(found) === originOf(wanted) && found.systemPrompt.endsWith(wanted.systemPrompt)
}

const originOf = ({ name, source: { scope, path, contentHash } }: AgentDefinition): string =>
  canonicalJson([name, scope, path, contentHash])
