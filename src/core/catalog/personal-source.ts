import type { AgentSource } from '../agent-definition.js'

/**
 * Whether all of a definition is by the person it runs for, or by those who gave the program: only then are its servers
 * believed and given the keys of model providers. What is inherited from a project's file counts as the project's.
 */
export function isPersonalSource({ scope, isForeign }: AgentSource): boolean {
  return !isForeign && scope !== 'project' && scope !== 'plugin'
}
