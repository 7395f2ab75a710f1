/** Sets of tools that one word stands for where something is taken away, and the features that can be switched off. */
import type { AgentDefinition, ToolGrant } from '../../agent-definition.js'
import { looseKey } from '../../text/nearest.js'
import { editingTools, toolNames } from '../../tools/tool-names.js'
import { outsideInOpencode } from '../../tools/tool-slips.js'

export const webTools = ['WebSearch', 'WebFetch']
export const shellTools = ['Bash', 'BashOutput', 'KillShell']
export const delegationTools = ['Task', 'TaskOutput', 'TaskWait', 'TaskSend', 'TaskStop', 'TaskList']

/** What `disabledFeatures` may name. */
const features: Readonly<Record<string, readonly string[]>> = {
  websearch: ['WebSearch'],
  websearchrequest: ['WebSearch'],
  webfetch: ['WebFetch'],
  web: webTools,
  network: webTools,
  shell: shellTools,
  bash: shellTools,
  execute: shellTools,
  write: editingTools,
  edit: editingTools,
  applypatch: editingTools,
  notebooks: ['NotebookEdit'],
  skills: ['Skill'],
  todo: ['TodoWrite'],
  delegation: delegationTools,
  subagents: delegationTools,
  mcp: ['mcp__*'],
  viewimagetool: [],
}

export function toolsOfFeature(written: string): readonly string[] | undefined {
  const key = looseKey(written)
  return Object.hasOwn(features, key) ? features[key] : undefined
}

/** The one feature that is no tool: to reach files outside the roots. */
export const reachingOut = 'outside-roots'

/** The feature by any of its names; `external_*` is about it as well. */
export function isReachingOut(word: string): boolean {
  if (word.endsWith('*')) return word.length > 1 && outsideInOpencode.startsWith(word.slice(0, -1))
  return [reachingOut, outsideInOpencode].some(name => looseKey(name) === looseKey(word))
}

/** It may be switched off, or denied among tools and rules. */
export function staysInRoots({
  disabledFeatures = [],
  disallowedTools = [],
  permissions,
}: Pick<AgentDefinition, 'disabledFeatures' | 'disallowedTools' | 'permissions'>): boolean {
  const denied = [...disallowedTools.map(({ name }) => name), ...(permissions?.deny.map(({ tool }) => tool) ?? [])]
  return [...disabledFeatures, ...denied].some(isReachingOut)
}

export const isFeature = (written: string): boolean =>
  toolsOfFeature(written) !== undefined || (isReachingOut(written) && !written.endsWith('*'))

/** `all`, spelt out: what a full installation has, less delegation, which is never inherited. */
export function everyTool(tools: 'all' | readonly ToolGrant[] | undefined): readonly ToolGrant[] {
  if (tools !== undefined && tools !== 'all') return tools
  return [...toolNames.filter(name => !name.startsWith('Task')), 'mcp__*'].map(name => ({ name }))
}
