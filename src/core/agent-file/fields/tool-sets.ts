/** Sets of tools that one word stands for where something is taken away, and the features that can be switched off. */
import { looseKey } from '../../text/nearest.js'
import { EDITING_TOOLS } from '../../tools/tool-names.js'

export const WEB = ['WebSearch', 'WebFetch']
export const SHELL = ['Bash', 'BashOutput', 'KillShell']
export const DELEGATION = ['Task', 'TaskOutput', 'TaskWait', 'TaskSend', 'TaskStop', 'TaskList']

/** What `disabledFeatures` may name. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  websearch: ['WebSearch'],
  websearchrequest: ['WebSearch'],
  webfetch: ['WebFetch'],
  web: WEB,
  network: WEB,
  shell: SHELL,
  bash: SHELL,
  execute: SHELL,
  write: EDITING_TOOLS,
  edit: EDITING_TOOLS,
  applypatch: EDITING_TOOLS,
  notebooks: ['NotebookEdit'],
  skills: ['Skill'],
  todo: ['TodoWrite'],
  delegation: DELEGATION,
  subagents: DELEGATION,
  mcp: ['mcp__*'],
  viewimagetool: [],
}

export function toolsOfFeature(written: string): readonly string[] | undefined {
  const key = looseKey(written)
  return Object.hasOwn(FEATURES, key) ? FEATURES[key] : undefined
}
