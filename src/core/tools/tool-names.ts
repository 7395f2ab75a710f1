/**
 * The names of our tools, and the names other products give them. A name is looked up without regard to case and
 * separators. One foreign word may stand for several of our tools only in the dialect where it names a set.
 */

import { looseKey } from '../text/nearest.js'
import { claudeNames, exactAliases, foreignNames, toolAliases } from './foreign-tool-names.js'

/** Tools that exist in a full installation; a host may add its own. */
export const toolNames: readonly string[] = [
  'Read',
  'Write',
  'Edit',
  'MultiEdit',
  'NotebookEdit',
  'Glob',
  'Grep',
  'LS',
  'Bash',
  'BashOutput',
  'KillShell',
  'WebFetch',
  'WebSearch',
  'Skill',
  'TodoWrite',
  'AskUser',
  'AskCaller',
  'EnterPlanMode',
  'ExitPlanMode',
  'Task',
  'TaskOutput',
  'TaskWait',
  'TaskSend',
  'TaskStop',
  'TaskList',
]

/** What models that know another product call our tools; a tool that has such a name itself is meant by it. */
const calledAs: ReadonlyMap<string, string> = new Map([
  ['Agent', 'Task'],
  ['SendMessage', 'TaskSend'],
  ['ListAgents', 'TaskList'],
])

/** The tool that a model's call means. */
export function calledTool(name: string, declared: readonly { readonly name: string }[]): string {
  return declared.some(tool => tool.name === name) ? name : (calledAs.get(name) ?? name)
}

/**
 * Every name Claude Code has had for a tool of ours, beside our own: a pattern written for it there is held against all.
 * A pattern that excludes one of them does not exclude the tool.
 */
export const namesThere = (tool: string): readonly string[] => [
  ...[...calledAs].flatMap(([name, ours]) => (ours === tool ? [name] : [])),
  ...(renamedTools.get(tool) ?? []),
]

/** What other products call a tool of ours, which may write its name small. Their one tool for files is about all editing. */
export const namesElsewhere = (tool: string): readonly string[] => [
  tool.toLowerCase(),
  ...(toolAliases[tool] ?? []),
  ...(exactAliases[tool] ?? []),
  ...(editingTools.includes(tool) ? exactAliases.Write! : []),
]

const renamedTools: ReadonlyMap<string, readonly string[]> = new Map([
  ['AskUser', ['AskUserQuestion']],
  ['KillShell', ['KillBash']],
])

/** `Bash` of `Bash(git *)`. */
export function withoutPattern(word: string): string {
  const at = word.indexOf('(')
  return at < 0 ? word : word.slice(0, at)
}

/**
 * Our name for a tool however it is written, or undefined when no tool of ours is meant: `subagent-` is a scrap of another
 * name.
 */
export function canonicalToolName(written: string): string | undefined {
  const key = looseKey(written)
  const name = toolsByKey.get(key) ?? toolsByExactKey.get(key)
  return name === undefined || /^[-_]|[-_]$/.test(written) ? undefined : name
}

/** Every tool of ours a word stands for in Copilot's files, where `search` and `edit` name sets. */
export function copilotTools(written: string): readonly string[] | undefined {
  // `Edit` is the tool of that name; Copilot writes its words small.
  if (toolNames.includes(written)) return undefined
  const key = written.toLowerCase().trim()
  if (!isCopilotTool(key)) return copilotSets.get(key)
  // `read/edit`: what stands behind the slash is a part of the set before it, or nothing we know.
  const [set, name, more] = key.split('/')
  if (more !== undefined) return undefined
  const tools = copilotSets.get(name!)
  const whole = [...(copilotSets.get(set!) ?? []), ...(besideSet.get(set!) ?? [])]
  return tools?.every(tool => whole.includes(tool)) ? tools : undefined
}

/** What a set has there, though by its bare name it does not stand for it here. */
const besideSet: ReadonlyMap<string, readonly string[]> = new Map([
  ['execute', ['BashOutput', 'KillShell']],
  ['search', ['Read']],
])

/** A word for a tool, or for several, that only Copilot's files have. */
export function isCopilotWord(written: string): boolean {
  return copilotWords.has(written.trim())
}

const copilotWords: ReadonlySet<string> = new Set(
  ['codebase', 'usages', 'editFiles', 'runCommands', 'runTasks', 'runInTerminal', 'findTestFiles'].concat(
    ['githubRepo', 'vscodeAPI', 'searchResults', 'terminalLastCommand', 'terminalSelection', 'testFailure'],
    ['openSimpleBrowser', 'runNotebooks'],
  ),
)

/** `search/usages`: a tool of one of its sets. What stands before the slash is a server's name otherwise. */
export function isCopilotTool(written: string): boolean {
  const at = written.indexOf('/')
  return at > 0 && copilotHomes.has(written.slice(0, at).toLowerCase())
}

const copilotHomes: ReadonlySet<string> = new Set(
  ['search', 'edit', 'read', 'execute', 'web', 'agent', 'vscode', 'todo'].concat('runcommands', 'runtasks'),
)

/** Known elsewhere, and without a counterpart here: worth a better word than "unknown". */
export function isForeignTool(written: string): boolean {
  const isPart = (set: string, name: string | undefined) =>
    name !== undefined && isCopilotTool(`${set}/`) && foreignKeys.has(name)
  const key = looseKey(written)
  return foreignKeys.has(key) || (key.includes('/') && isPart(...(key.split('/', 2) as [string, string])))
}

/** Claude Code's, and without a counterpart here. */
export const isAbsentClaudeTool = (written: string): boolean => claudeKeys.has(looseKey(written))
const claudeKeys: ReadonlySet<string> = new Set(claudeNames.map(looseKey))

/** Searches by meaning: they show what Grep and Glob would find, and no more. */
export function searchTools(written: string): readonly string[] | undefined {
  return searches.has(looseKey(written)) ? ['Grep', 'Glob'] : undefined
}

const searches: ReadonlySet<string> = new Set(['semanticsearch', 'codebaseretrieval', 'semsearch', 'fssearch'])

/** What stands for the tools of all servers. A bare `mcp` may be what is left of one server's name. */
export function isEveryServer(written: string): boolean {
  return written.includes('_') && everyServer.has(written.toLowerCase())
}

const everyServer: ReadonlySet<string> = new Set(['mcp_*', 'use_mcp_tool'])

const named = (aliases: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(aliases).flatMap(([name, words]) => words.map(word => [looseKey(word), name] as const))
const toolsByExactKey: ReadonlyMap<string, string> = new Map(named(exactAliases))
/** Every name a tool of ours has, without case and separators. */
export const toolsByKey: ReadonlyMap<string, string> = new Map([
  ...named(toolAliases),
  ...toolNames.map(name => [looseKey(name), name] as const),
])

const foreignKeys: ReadonlySet<string> = new Set(foreignNames.map(looseKey))

export const editingTools: readonly string[] = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit']
export const searchingTools: readonly string[] = ['Grep', 'Glob', 'LS']
const copilotSets: ReadonlyMap<string, readonly string[]> = new Map([
  ['edit', editingTools],
  ['editfiles', ['Edit', 'MultiEdit']],
  ['createfile', ['Write']],
  ['createdirectory', ['Write']],
  ['editnotebook', ['NotebookEdit']],
  ['createjupyternotebook', ['NotebookEdit']],
  ['search', searchingTools],
  ['codebase', ['Grep', 'Glob']],
  ['searchresults', ['Grep']],
  ['textsearch', ['Grep']],
  ['usages', ['Grep']],
  ['filesearch', ['Glob']],
  ['listdirectory', ['LS']],
  ['read', ['Read']],
  ['readfile', ['Read']],
  ['readnotebookcelloutput', ['Read']],
  ['execute', ['Bash']],
  ['shell', ['Bash']],
  // The shell of Windows is all the shell that such a file knows.
  ['powershell', ['Bash']],
  ['runcommands', ['Bash']],
  ['runinterminal', ['Bash']],
  ['getterminaloutput', ['BashOutput']],
  ['killterminal', ['KillShell']],
  ['web', ['WebFetch', 'WebSearch']],
  ['fetch', ['WebFetch']],
  ['agent', ['Task']],
  ['runsubagent', ['Task']],
  ['custom-agent', ['Task']],
  ['todo', ['TodoWrite']],
  ['todos', ['TodoWrite']],
])
