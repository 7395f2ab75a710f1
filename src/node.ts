/**
 * Offshoot with the default adapters: real files, shells, models, SQLite. What a program or a library user on Node opens.
 * Everything heavy is loaded when it is first used.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ApprovalRules } from './adapters/approvers/approval-rules.js'
import { createJudge, type ExplainingJudge } from './adapters/judge.js'
import { createScout } from './adapters/models/offline/scout.js'
import { createModels, type Models } from './adapters/models/registry.js'
import { type Directories, offshootDirectories } from './adapters/os/directories.js'
import { type BlockedLoop, startLoopWatchdog } from './adapters/processes/loop-watchdog.js'
import { createRunProcesses } from './adapters/processes/run-processes.js'
import { openBubblewrap } from './adapters/sandboxes/bubblewrap.js'
import { createPlainSandbox } from './adapters/sandboxes/none.js'
import { createWorktreeSandbox } from './adapters/sandboxes/worktree.js'
import { currentOwner } from './adapters/stores/process-owner.js'
import type { AskUser } from './adapters/tools/ask-user.js'
import { webFetchBy } from './adapters/tools/judged-fetch.js'
import { createShells, type Shells } from './adapters/tools/shells.js'
import type { ShowTodos } from './adapters/tools/todo-write.js'
import { createWorkspaceTools } from './adapters/tools/workspace-tools.js'
import type { Catalog } from './core/catalog.js'
import type { NetworkRules } from './core/network-policy.js'
import type { RuleLayer } from './core/permission-rules.js'
import type { Policy } from './core/policy.js'
import type { Approver, Hooks, Judge, RunStore, Sandbox, Tool } from './core/ports.js'
import type { Portable } from './core/run-process.js'
import type { AgentDefinition, PermissionRule } from './core/types.js'
import { createOffshoot, type Offshoot } from './offshoot.js'

export interface NodeOptions {
  readonly cwd?: string
  /** Further directories to work in. */
  readonly addedDirectories?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly agents?: readonly AgentDefinition[] | (() => Catalog)
  /** Rules as they are now; asked at every call. */
  readonly rules?: () => readonly RuleLayer[]
  /** Keeps an "always allow". */
  readonly saveRule?: (rule: PermissionRule) => void
  /** Settings for models and providers, from the user's own files only. */
  readonly modelSettings?: unknown
  readonly policy?: Partial<Policy>
  readonly store?: RunStore | 'sqlite' | 'jsonl' | 'memory'
  readonly approver?: Approver
  readonly askUser?: AskUser
  readonly showTodos?: ShowTodos
  readonly hooks?: Hooks
  readonly tools?: readonly Tool[]
  readonly sandbox?: {
    readonly kind: 'none' | 'bubblewrap'
    readonly network?: boolean
    readonly writable?: readonly string[]
  }
  readonly network?: NetworkRules
  /** Told which run and tool blocked the event loop, and where. Starts a thread that watches; absent: none. */
  readonly onBlockedLoop?: (report: BlockedLoop) => void
  readonly onError?: (error: unknown) => void
}

export interface NodeOffshoot {
  readonly offshoot: Offshoot
  readonly models: Models
  readonly directories: Directories
  readonly judge: ExplainingJudge
  readonly store: RunStore
  close(how?: 'stop' | 'leave'): Promise<void>
}

export async function openOffshoot(options: NodeOptions = {}): Promise<NodeOffshoot> {
  const env = options.env ?? process.env
  const cwd = options.cwd ?? process.cwd()
  const directories = offshootDirectories(env)
  const models = createModels({ env, settings: options.modelSettings, offline: createScout() })
  const shells = createShells({ source: env })
  const store = await openStore(options.store ?? 'sqlite', directories)
  const sandbox = await openSandbox(options, cwd, directories, shells)
  const explaining = createJudge({
    layers: () => [...(options.rules?.() ?? []), ...approvals.layers()],
    stateDirs: [directories.config, directories.data],
  })
  const approvals: ApprovalRules = new ApprovalRules({ judge: explaining, save: options.saveRule })
  const tools = [...workspaceTools(options, shells), ...(options.tools ?? [])]
  const { onBlockedLoop } = options
  const watchdog = onBlockedLoop && startLoopWatchdog({ onBlocked: onBlockedLoop })
  const offshoot = createOffshoot({
    model: models.model,
    models: models.infos,
    agents: options.agents,
    tools: watchdog ? watchdog.around(tools) : tools,
    policy: { cwd, defaultModel: models.defaultModel.id, ...options.policy },
    store,
    owner: currentOwner(crypto.randomUUID()),
    judge: atShell(approvals, shells),
    approver: options.approver,
    hooks: options.hooks,
    sandbox,
    processes: createRunProcesses({ source: env }),
    onError: options.onError,
  })
  offshoot.subscribe({}, approvals.hear)
  offshoot.subscribe({}, ({ runId, event }) => {
    if (event.type === 'run.ended') void shells.endRun(runId).catch(options.onError)
  })
  return {
    offshoot,
    models,
    directories,
    judge: explaining,
    store,
    async close(how) {
      await offshoot.close(how)
      await watchdog?.close()
      await shells.close()
      models.close()
    },
  }
}

/** Commands are judged by where the run's shell stands now, not by where the run began. */
function atShell(judge: Judge, shells: Shells): Judge {
  return {
    judge: call => {
      if (call.spec.name !== 'Bash') return judge.judge(call)
      const cwd = shells.directoryOf(call.runId, call.workspace)
      return judge.judge({ ...call, workspace: { ...call.workspace, cwd } })
    },
  }
}

/** Tools that talk to a person stay here; every other one is made anew in the process of a run that has its own. */
function workspaceTools(options: NodeOptions, shells: Shells): readonly Tool[] {
  const network = options.network ?? { allow: [], deny: [] }
  const portable: Portable = {
    module: 'offshoot:workspace',
    options: { network: { ...network } },
    heard: (report, run) => void shells.moveTo((report as { directory?: string }).directory, run),
  }
  const { askUser, showTodos } = options
  return createWorkspaceTools({ shells, askUser, showTodos, webFetch: webFetchBy(network) }).map(tool =>
    tool.spec.effect === 'interactive' || tool.spec.isMainOnly ? tool : { ...tool, portable },
  )
}

async function openStore(store: NonNullable<NodeOptions['store']>, { data }: Directories): Promise<RunStore> {
  if (typeof store !== 'string') return store
  if (store === 'memory') return (await import('./adapters/stores/memory.js')).memoryStore()
  if (store === 'jsonl')
    return (await import('./adapters/stores/jsonl.js')).jsonlStore({ directory: join(data, 'runs') })
  return (await import('./adapters/stores/sqlite.js')).sqliteStore({ path: join(data, 'runs.db') })
}

async function openSandbox(
  options: NodeOptions,
  cwd: string,
  directories: Directories,
  shells: Shells,
): Promise<Sandbox> {
  const plain = createPlainSandbox({ cwd, roots: options.addedDirectories })
  const worktree = createWorktreeSandbox({ otherwise: plain, cwd, directory: join(directories.data, 'worktrees') })
  const wish = options.sandbox ?? { kind: 'none' }
  if (wish.kind === 'none') return worktree
  return openBubblewrap({
    inside: worktree,
    scratch: shells.scratch,
    network: wish.network ?? false,
    writable: wish.writable,
    hidden: [directories.config, directories.data],
  })
}

/** The nearest directory upwards that holds a repository; the directory itself when there is none. */
export function projectRoot(cwd: string): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return cwd
  }
}
