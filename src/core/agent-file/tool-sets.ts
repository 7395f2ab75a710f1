/**
 * Words that stand for several tools where something is taken away: features that are switched off, and what people deny
 * by such a word. A set holds every tool whose name may have become the word by losing a piece: `search` was perhaps
 * `WebSearch`.
 */
import { looseKey } from '../nearest.js'
import { canonicalToolName } from '../tool-names.js'

const WEB = ['WebSearch', 'WebFetch']
const SHELL = ['Bash', 'BashOutput', 'KillShell']
const EDITING = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit']
const SEARCHING = ['Grep', 'Glob', 'LS']
const DELEGATION = ['Task', 'TaskOutput', 'TaskWait', 'TaskSend', 'TaskStop', 'TaskList']

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
  write: EDITING,
  edit: EDITING,
  applypatch: EDITING,
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

const DENIED: Readonly<Record<string, readonly string[]>> = {
  web: WEB,
  network: WEB,
  internet: WEB,
  search: [...SEARCHING, 'WebSearch'],
  command: SHELL,
  commands: SHELL,
  exec: SHELL,
  file: ['Read', ...EDITING, ...SEARCHING],
  files: ['Read', ...EDITING, ...SEARCHING],
  filesystem: ['Read', ...EDITING, ...SEARCHING],
  editor: EDITING,
  agents: DELEGATION,
  subagents: DELEGATION,
  delegation: DELEGATION,
  mcp: ['mcp__*'],
}

/** Undefined for the name of a tool, and for what is no word of these. */
export function deniedSet(written: string): readonly string[] | undefined {
  const key = looseKey(written)
  return Object.hasOwn(DENIED, key) && canonicalToolName(written) === undefined ? DENIED[key] : undefined
}
