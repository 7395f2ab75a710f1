/**
 * The names of our tools, and the names other products give them. A name is looked up without regard to case and
 * separators. One foreign word may stand for several of our tools only in the dialect where it names a set.
 */
import { looseKey } from './nearest.js'

/** Tools that exist in a full installation; a host may add its own. */
export const TOOL_NAMES: readonly string[] = [
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

/** Our name for a tool however it is written, or undefined when no tool of ours is meant: `subagent-` is a scrap of another name. */
export function canonicalToolName(written: string): string | undefined {
  return /^[-_]|[-_]$/.test(written) ? undefined : NAMES.get(looseKey(written))
}

/** Every tool of ours a word stands for in Copilot's files, where `search` and `edit` name sets. */
export function copilotTools(written: string): readonly string[] | undefined {
  // `Edit` is the tool of that name; Copilot writes its words small.
  if (TOOL_NAMES.includes(written)) return undefined
  const key = written.toLowerCase().trim()
  if (!isCopilotTool(key)) return COPILOT_SETS.get(key)
  // `read/edit`: what stands behind the slash is a part of the set before it, or nothing we know.
  const [set, name] = key.split('/')
  const tools = COPILOT_SETS.get(name!)
  const whole = [...(COPILOT_SETS.get(set!) ?? []), ...(set === 'execute' ? ['BashOutput', 'KillShell'] : [])]
  return tools?.every(tool => whole.includes(tool)) ? tools : undefined
}

/** `search/usages`: a tool of one of its sets. What stands before the slash is a server's name otherwise. */
export function isCopilotTool(written: string): boolean {
  return /^(?:search|edit|read|execute|web|agent|vscode|todo|runCommands|runTasks)\//i.test(written)
}

/** Known elsewhere, and without a counterpart here: worth a better word than "unknown". */
export function isForeignTool(written: string): boolean {
  return FOREIGN.has(looseKey(written))
}

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  Read: ['read_file', 'read_many_files', 'view', 'view_file', 'open_file', 'cat', 'NotebookRead', 'FileRead'],
  Write: ['write_to_file', 'write_file', 'create_file', 'create', 'save_file', 'FileWrite'],
  Edit: [
    'edit_file',
    'replace_string_in_file',
    'EditTool',
    'replace_in_file',
    'replace',
    'str_replace',
    'str_replace_editor',
    'apply_patch',
    'patch',
    'update_file',
    'FileEdit',
  ],
  MultiEdit: ['multi_edit', 'multi_replace_string_in_file'],
  NotebookEdit: ['notebook_edit', 'edit_notebook'],
  Glob: ['find', 'glob_file_search', 'glob_files', 'find_files', 'file_search', 'GlobTool'],
  Grep: [
    'grep_files',
    'search_in_file',
    'search_file_content',
    'grep_search',
    'search_files',
    'text_search',
    'ripgrep',
    'rg',
    'GrepTool',
  ],
  LS: ['LSTool', 'list_dir', 'list_directory', 'list_files', 'list', 'dir'],
  Bash: [
    'shell',
    'exec_command',
    'run_shell_command',
    'run_command',
    'execute_command',
    'run_in_terminal',
    'local_shell',
    'terminal',
    'execute',
    'BashTool',
  ],
  WebFetch: ['WebFetchTool', 'web_fetch', 'fetch_webpage', 'fetch', 'fetch_url'],
  WebSearch: ['WebSearchTool', 'web_search', 'google_web_search', 'web_search_request'],
  Skill: ['activate_skill'],
  TodoWrite: ['todo_write', 'todo', 'todos', 'write_todos', 'update_plan', 'TodoRead', 'todo_read'],
  AskUser: ['AskUserQuestion', 'ask_user', 'ask_followup_question', 'question'],
  Task: ['Agent', 'delegate', 'delegate_task', 'delegate_to_agent', 'spawn_agent', 'run_subagent', 'subagent'],
  BashOutput: ['bash_output'],
  KillShell: ['KillBash', 'kill_shell'],
  TaskOutput: ['AgentOutput', 'task_status', 'AgentOutputTool'],
  TaskStop: ['KillTask'],
  TaskSend: ['SendMessage'],
  TaskWait: ['wait_agent'],
  TaskList: ['ListAgents'],
}

/** Every name a tool of ours has, without case and separators. */
export const NAMES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ALIASES).flatMap(([name, aliases]) => aliases.map(alias => [looseKey(alias), name] as const)),
  ...TOOL_NAMES.map(name => [looseKey(name), name] as const),
])

/** Tools of other products that have no counterpart here. */
export const FOREIGN_NAMES: readonly string[] = [
  ...['AskQuestion', 'Await', 'Delete', 'MCPSearch', 'REPL', 'Sleep', 'batch', 'runTask', 'getTaskOutput', 'think'],
  ...['gh_grep', 'fetch_rules', 'execute_sql', 'push_files', 'list_tables', 'search_nodes', 'exa_search', 'move_file'],
  'TaskCreate',
  'TaskGet',
  'TaskUpdate',
  'LSP',
  'Workflow',
  'TeamCreate',
  'TeamDelete',
  'SlashCommand',
  'ListMcpResourcesTool',
  'ReadMcpResourceTool',
  'ToolSearch',
  'Monitor',
  'CronCreate',
  'CronDelete',
  'CronList',
  'EnterWorktree',
  'ExitWorktree',
  'save_memory',
  'get_internal_docs',
  'view_image',
  'problems',
  'usages',
  'changes',
  'testFailure',
  'runTests',
  'extensions',
  'vscodeAPI',
  'openSimpleBrowser',
  'githubRepo',
  'new',
  'runTasks',
  'codesearch',
  'plan_enter',
  'plan_exit',
  'doom_loop',
  'external_directory',
]
const FOREIGN: ReadonlySet<string> = new Set(FOREIGN_NAMES.map(looseKey))

export const EDITING_TOOLS: readonly string[] = ['Edit', 'MultiEdit', 'Write', 'NotebookEdit']
export const SEARCHING_TOOLS: readonly string[] = ['Grep', 'Glob', 'LS']
const COPILOT_SETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['edit', EDITING_TOOLS],
  ['editfiles', ['Edit', 'MultiEdit']],
  ['createfile', ['Write']],
  ['createdirectory', ['Write']],
  ['editnotebook', ['NotebookEdit']],
  ['createjupyternotebook', ['NotebookEdit']],
  ['search', SEARCHING_TOOLS],
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
