/** The one feature that is no tool: to reach files outside the roots. It is switched off, or denied among tools and rules. */
import type { AgentDefinition } from '../agent-definition.js'
import { looseKey } from '../text/nearest.js'

export const reachingOut = 'outside-roots'

/** What opencode calls it. */
export const outsideInOpencode = 'external_directory'

/** The feature by any of its names; `external_*` is about it as well. */
export function isReachingOut(word: string): boolean {
  if (word.endsWith('*')) return word.length > 1 && outsideInOpencode.startsWith(word.slice(0, -1))
  return [reachingOut, outsideInOpencode].some(name => looseKey(name) === looseKey(word))
}

export function staysInRoots({
  disabledFeatures = [],
  disallowedTools = [],
  permissions,
}: Pick<AgentDefinition, 'disabledFeatures' | 'disallowedTools' | 'permissions'>): boolean {
  const denied = [...disallowedTools.map(({ name }) => name), ...(permissions?.deny.map(({ tool }) => tool) ?? [])]
  return [...disabledFeatures, ...denied].some(isReachingOut)
}
