/** Every tool that acts on a workspace, put together from what the host brings. Without a port there is no tool for it. */
import type { Tool } from '../../core/ports.js'
import { createFileLocks, type FileLocks } from '../os/file-lock.js'
import { type AskUser, createAskUserTool } from './ask-user.js'
import { createBashOutputTool, createKillShellTool } from './background-shell.js'
import { createBashTool } from './bash.js'
import { createEditTool, createMultiEditTool } from './edit.js'
import { createFileAccess, type PathGuard, rootsOnly } from './file-access.js'
import { createFileChanges } from './file-changes.js'
import { createFileHistory } from './file-history.js'
import { createGlobTool } from './glob.js'
import { createGrepTool } from './grep.js'
import { createLsTool } from './ls.js'
import { createNotebookEditTool } from './notebook-edit.js'
import { createPlainSearch } from './plain-search.js'
import { createPlanModeTools, type PlanMode } from './plan-mode.js'
import { createReadTool } from './read.js'
import { createRipgrep, findRipgrep } from './ripgrep.js'
import type { SearchEngine } from './search.js'
import { createShells, type Shells } from './shells.js'
import { createTodoWriteTool, type ShowTodos } from './todo-write.js'
import { createWebFetchTool, type WebFetchOptions } from './web-fetch.js'
import { createWebSearchTool, type SearchProvider } from './web-search.js'
import { createWriteTool } from './write.js'

export type { EnvironmentOptions } from '../os/command-environment.js'
export type { CaptureLimits } from '../os/output-capture.js'
export type { AskUser, UserQuestion } from './ask-user.js'
export type { GuardContext, PathGuard, PathUse, Refused } from './file-access.js'
export type { HttpLimits, JudgeUrl, ResolveHost, UrlVerdict } from './http-get.js'
export { createJudgedPaths, type JudgedPaths } from './judged-paths.js'
export type { PlanAnswer, PlanMode } from './plan-mode.js'
export { createShells, type Shells, type ShellsOptions } from './shells.js'
export type { ShowTodos, TodoItem } from './todo-write.js'
export type { WebFetchOptions } from './web-fetch.js'
export type { SearchHit, SearchProvider, SearchRequest } from './web-search.js'

/** What the tools act through. Without a port there is no tool for it. */
export interface WorkspaceToolsOptions {
  /** Asked at the moment of use, with every link resolved. Default: only the workspace's roots. */
  readonly guard?: PathGuard
  /** Owned by whoever makes them: `endRun` when a run ends, `close` at the end. */
  readonly shells?: Shells
  /** @internal */
  readonly locks?: FileLocks
  readonly webFetch?: WebFetchOptions
  readonly webSearch?: SearchProvider
  readonly askUser?: AskUser
  readonly planMode?: PlanMode
  readonly showTodos?: ShowTodos
}

/**
 * Read, Glob, Grep, LS, Edit, MultiEdit, Write, NotebookEdit, Bash, BashOutput, KillShell, and one more for each port
 * given.
 */
export function createWorkspaceTools(options: WorkspaceToolsOptions = {}): readonly Tool[] {
  const shells = options.shells ?? createShells()
  const access = createFileAccess(withOwnFiles(options.guard ?? rootsOnly, shells))
  const history = createFileHistory()
  const changes = createFileChanges(access, history, options.locks ?? createFileLocks())
  const engine = once(chooseEngine)
  return [
    createReadTool(access, history),
    createGlobTool(access, engine),
    createGrepTool(access, engine),
    createLsTool(access),
    createEditTool(changes),
    createMultiEditTool(changes),
    createWriteTool(changes),
    createNotebookEditTool(changes),
    createBashTool(shells),
    createBashOutputTool(shells),
    createKillShellTool(shells),
    ...(options.webFetch ? [createWebFetchTool(options.webFetch, shells)] : []),
    ...(options.webSearch ? [createWebSearchTool(options.webSearch)] : []),
    ...(options.showTodos ? [createTodoWriteTool(options.showTodos)] : []),
    ...(options.askUser ? [createAskUserTool(options.askUser)] : []),
    ...(options.planMode ? createPlanModeTools(options.planMode) : []),
  ]
}

/** What was too long to show, and the run's scratch directory, are its own to look at. */
function withOwnFiles(guard: PathGuard, shells: Shells): PathGuard {
  const own: PathGuard = (path, use, context) =>
    shells.isOwn(path, context.runId) ? undefined : guard(path, use, context)
  const { plainly, many, sees } = guard
  if (!many) return Object.assign(own, { plainly, ...(sees && { sees }) })
  return Object.assign(own, {
    ...(sees && { sees }),
    many: async (paths: readonly string[], context: Parameters<PathGuard>[2]) => {
      const reasons = await many(paths, context)
      return paths.map((path, index) => (shells.isOwn(path, context.runId) ? undefined : reasons[index]))
    },
  })
}

function chooseEngine(): SearchEngine {
  const program = findRipgrep()
  return program === undefined ? createPlainSearch() : createRipgrep(program)
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
