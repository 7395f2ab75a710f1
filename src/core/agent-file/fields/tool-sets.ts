/** Sets of tools that one word stands for where something is taken away, and the features that can be switched off. */
import type { ToolGrant } from '../../agent-definition.js'
import { looseKey } from '../../text/nearest.js'
import { isReachingOut } from '../../tools/outside-roots.js'
import { editingTools, toolNames } from '../../tools/tool-names.js'

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

export const isFeature = (written: string): boolean =>
  toolsOfFeature(written) !== undefined || (isReachingOut(written) && !written.endsWith('*'))

/** `all`, spelt out: what a full installation has, less delegation, which is never inherited. */
export function everyTool(tools: 'all' | readonly ToolGrant[] | undefined): readonly ToolGrant[] {
  if (tools !== undefined && tools !== 'all') return tools
  return [...toolNames.filter(name => !name.startsWith('Task')), 'mcp__*'].map(name => ({ name }))
}
