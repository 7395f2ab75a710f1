/** Every tool that acts on a workspace, put together from what the host brings. */
import type { Tool } from '../../core/ports.js'
import { createFileAccess, type PathGuard } from './file-access.js'
import { createFileHistory, type FileHistory } from './file-history.js'
import { createGlobTool } from './glob.js'
import { createGrepTool } from './grep.js'
import { createLsTool } from './ls.js'
import { createPlainSearch } from './plain-search.js'
import { createReadTool } from './read.js'
import { createRipgrep, findRipgrep } from './ripgrep.js'
import type { SearchEngine } from './search.js'

export interface WorkspaceToolsOptions {
  /** Asked at the moment of use, with every link resolved. Default: only the workspace's roots. */
  readonly guard?: PathGuard
  readonly history?: FileHistory
}

export function createWorkspaceTools(options: WorkspaceToolsOptions = {}): readonly Tool[] {
  const access = createFileAccess(options.guard)
  const history = options.history ?? createFileHistory()
  const engine = once(() => {
    const program = findRipgrep()
    return program === undefined ? createPlainSearch() : createRipgrep(program)
  })
  return [
    createReadTool(access, history),
    createGlobTool(access, engine),
    createGrepTool(access, engine),
    createLsTool(access),
  ]
}

function once(make: () => SearchEngine): () => SearchEngine {
  let made: SearchEngine | undefined
  return () => {
    made ??= make()
    return made
  }
}
