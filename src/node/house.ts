/** Offshoot with the default adapters: real files, shells, models, SQLite. Everything heavy is loaded when it is first used. */
import { join } from 'node:path'
import { ApprovalRules, type ApprovalRulesOptions } from '../adapters/approvers/approval-rules.js'
import { type Decisive, decisiveNow } from '../adapters/ground/decisive-now.js'
import { withoutAbsent } from '../adapters/ground/policy-settings.js'
import { programFolders } from '../adapters/ground/program-folders.js'
import type { PromptDenies, Surroundings } from '../adapters/ground/surroundings.js'
import { combineHooks } from '../adapters/hooks/combine-hooks.js'
import { hooksInMode } from '../adapters/hooks/hooks-in-mode.js'
import { agentsOf, createJudge, type ExplainingJudge } from '../adapters/judge/judge.js'
import { lazyScout } from '../adapters/models/offline/lazy-scout.js'
import { createModels, type Models } from '../adapters/models/registry.js'
import { type Directories, homeDirectory, offshootDirectories } from '../adapters/os/directories.js'
import { createKeptOutputs, type KeptOutputs } from '../adapters/os/kept-outputs.js'
import { currentOwner } from '../adapters/os/process-owner.js'
import { hasProxyLogin } from '../adapters/os/proxy.js'
import { bothNames } from '../adapters/os/real-path.js'
import { systemClock } from '../adapters/os/system-clock.js'
import { startLoopWatchdog } from '../adapters/processes/loop-watchdog.js'
import { createRunProcesses } from '../adapters/processes/run-processes.js'
import { openBubblewrap } from '../adapters/sandboxes/bubblewrap.js'
import { createGivenSandbox } from '../adapters/sandboxes/given-sandbox.js'
import { createPlainSandbox } from '../adapters/sandboxes/none.js'
import { createWorktreeSandbox } from '../adapters/sandboxes/worktree.js'
import { manualFor } from '../adapters/sources/built-in-agents.js'
import type { PathGuard } from '../adapters/tools/file-access.js'
import { webFetchBy } from '../adapters/tools/judged-fetch.js'
import { createJudgedPaths, type JudgedPaths } from '../adapters/tools/judged-paths.js'
import { switchedMode, switchedModesIn, switchMode } from '../adapters/tools/mode-switch.js'
import { overflowFiles } from '../adapters/tools/overflow-file.js'
import { createPlanSwitch, type PlanSwitch, planMarksIn } from '../adapters/tools/plan-switch.js'
import { createShells, type Shells } from '../adapters/tools/shells.js'
import { createWorkspaceTools } from '../adapters/tools/workspace-tools.js'
import type { PermissionRule } from '../core/agent-definition.js'
import { ceilingOf, isAtMost, modeInForce, type SwitchedMode } from '../core/brief/mode.js'
import type { Catalog } from '../core/catalog/catalog.js'
import type { Hooks } from '../core/hooks/hooks.js'
import type { CallId, RunId } from '../core/message.js'
import type { GivenSandbox } from '../core/permission/given-bounds.js'
import { networkRulesOf, type RuleLayer } from '../core/permission/permission-rules.js'
import type { Policy } from '../core/policy.js'
import type { Judge, Subscriber, Tool } from '../core/ports.js'
import type { Portable } from '../core/run-process.js'
import type { RunStore } from '../core/run-store.js'
import type { PermissionLink } from '../core/types.js'
import type { Sandbox } from '../core/workspace.js'
import { createOffshoot, type Offshoot } from '../offshoot.js'
import type { NodeOffshoot, NodeOptions } from './options.js'

/** What a house is made of, once everything is read. */
export interface HouseOptions extends Omit<NodeOptions, 'settings' | 'isBare' | 'trustsProject'> {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What `~` means in rules and paths. Default: that of this process. */
  readonly home?: string
  readonly agents: NonNullable<NodeOptions['agents']>
  /** Variables in which settings say a provider's key is: no command and no process gets to see one. */
  readonly withheld?: readonly string[]
  /** Variables that settings set: in `env` already, and for commands whatever they are called. */
  readonly setVariables?: Readonly<Record<string, string>>
  /** Settings for models and providers, from the user's own files only. */
  readonly modelSettings?: unknown
  /** Longest wait for the request that opens a provider's prompt cache; 0: none. */
  readonly cacheWaitMs?: number
  /** Hooks, skills, servers, instructions and memory of this directory; closed with the house. */
  readonly surroundings?: Surroundings
  /** Has `rules` give those of this moment; awaited before a call is judged. A rejection denies the call. */
  readonly refreshRules?: () => Promise<void>
  /** In place of `saveRule`. True: `rules` have it from now on. */
  readonly keepRule?: (rule: PermissionRule) => boolean
}

function savingOf({ keepRule, saveRule }: HouseOptions): ApprovalRulesOptions['save'] {
  if (keepRule) return keepRule
  return rule => {
    saveRule?.(rule)
    return undefined
  }
}

/** A model of the host's own is not the one that needs no key and costs nothing: under that name its costs would be 0. */
function defaultModelOf({ model }: HouseOptions, { defaultModel: { id } }: Models): Pick<Policy, 'defaultModel'> {
  return model && id.startsWith('offline/') ? {} : { defaultModel: id }
}

/** Rejects where the store cannot be opened or the sandbox that was asked for cannot be had. Whoever opens it closes it. */
export async function openHouse(options: HouseOptions): Promise<Omit<NodeOffshoot, 'diagnostics'>> {
  const { cwd, env, surroundings, withheld = [], setVariables = {} } = options
  const directories = offshootDirectories(env)
  const models = openModels(options)
  const outputs = keptOutputs(options, directories)
  const environment = { withheld, allow: Object.keys(setVariables) }
  const shells = createShells({ source: env, environment, ...(outputs && { outputs }) })
  const store = await openStore(options.store ?? 'sqlite', directories)
  surroundings?.readLogsFrom(store)
  const decisive = decisiveNow(placesOf(options), surroundings, () => offshoot.catalog())
  const sandbox = await openSandbox(options, directories, shells, decisive)
  const chainOf = async (rootId: string) => (await offshoot.run(rootId).brief())?.chain ?? []
  const modes = openModes(options, directories, chainOf)
  const layers = () => [...(options.rules?.() ?? []), ...approvals.layers()]
  const parts = { shells, layers, ...modes, directories, outputs, decisive }
  const explaining = openJudge(options, parts, () => offshoot.catalog())
  const approvals: ApprovalRules = new ApprovalRules({ judge: explaining, save: savingOf(options) })
  const judgedPaths = createJudgedPaths(explaining)
  const watchdog = options.onBlockedLoop && startLoopWatchdog({ onBlocked: options.onBlockedLoop })
  const own = [...workspaceTools(options, parts, judgedPaths.guard), ...(options.tools ?? [])]
  const watched = watchdog ? watchdog.around(own) : own
  const offshoot: Offshoot = createOffshoot({
    model: options.model ?? models.model,
    models: options.model ? [] : models.infos,
    // A table that cannot be read leaves the price unknown, and a money budget is refused.
    estimateCost: (model, usage) => models.prices.cost(model, usage).catch(() => undefined),
    agents: options.agents,
    tools: surroundings?.withTools(watched, judgedPaths.guard) ?? watched,
    policy: { cwd, ...defaultModelOf(options, models), ...withoutAbsent(options.policy ?? {}) },
    store,
    overflow: overflowFiles(shells.outputsFor, systemClock().id),
    owner: currentOwner(systemClock().id()),
    judge: freshened(judgedPaths.around(approvals), options.refreshRules),
    approver: options.approver,
    hooks: joinHooks(options.hooks, surroundings?.hooks, modes.modeNow),
    promptParts: surroundings?.promptPartsUnder(promptDenies(options, explaining)),
    agentTools: surroundings?.agentTools,
    sandbox,
    processes: createRunProcesses({ source: env, withheld }),
    onError: options.onError,
  })
  offshoot.subscribe({}, approvals.hear)
  offshoot.subscribe({}, clearUp(shells, judgedPaths, options.onError))
  const held = [surroundings, watchdog, shells]
  const close: NodeOffshoot['close'] = how =>
    closeHouse(offshoot, held, how).finally(async () => {
      models.close()
      if (typeof options.store !== 'object') await store.close()
    })
  return {
    ...offshoot,
    ...{ models, directories, store },
    judge: explaining,
    rules: layers,
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/** Whatever becomes of the runs: processes we started would keep the program alive. */
async function closeHouse(
  offshoot: Offshoot,
  held: readonly ({ close(): Promise<unknown> } | undefined)[],
  how: Parameters<Offshoot['close']>[0],
): Promise<void> {
  try {
    await offshoot.close(how)
  } finally {
    await Promise.allSettled(held.map(each => each?.close()))
  }
}

/** Once a call: what it opens is then judged by the rules it was let through by. */
const freshened = (judge: Judge, refresh: HouseOptions['refreshRules']): Judge => ({
  async judge(call) {
    await refresh?.()
    return judge.judge(call)
  },
})

/** A prompt is made before there is a call: what it takes in is held against the rules as if the run had asked for it. */
function promptDenies({ cwd, addedDirectories = [] }: HouseOptions, judge: ExplainingJudge): PromptDenies {
  return (agent, chain) => {
    const deny = (name: string, input: object) =>
      judge.writtenDeny({
        ...{ runId: '' as RunId, callId: '' as CallId, effect: 'read', input },
        spec: { name, description: '', inputSchema: {}, effect: 'read' },
        brief: {
          agent: agent.name,
          path: [],
          depth: 0,
          allowed: [name],
          chain,
          source: agent.source,
          isBackground: false,
        },
        workspace: { cwd, roots: [cwd, ...addedDirectories] },
      })
    return { reading: path => deny('Read', { file_path: path }), skill: name => deny('Skill', { skill: name }) }
  }
}

const openModels = ({ env, modelSettings, cacheWaitMs }: HouseOptions): Models =>
  createModels({
    env,
    settings: modelSettings,
    offline: lazyScout(),
    promptCache: { maxWaitMs: cacheWaitMs },
  })

/** What is remembered of a run, and what it left running, goes when it ends. */
const clearUp =
  (shells: Shells, judgedPaths: JudgedPaths, onError: HouseOptions['onError']): Subscriber =>
  ({ runId, depth, event }) => {
    if (event.type !== 'run.ended') return
    judgedPaths.forget(runId)
    // A root may be spoken to again: what it left running goes on until the end of the session.
    if (depth > 0) void shells.endRun(runId).catch(onError)
  }

/** With a store that forgets, what was too long to show goes with the run. */
function keptOutputs({ store }: HouseOptions, { outputs }: Directories): KeptOutputs | undefined {
  return store === 'memory' ? undefined : createKeptOutputs(outputs)
}

interface Modes {
  readonly planSwitch: PlanSwitch
  /** What the tree of a root was switched to. */
  readonly modeNow: (rootId: string) => SwitchedMode | undefined
}

function openModes(
  { surroundings, askUser }: HouseOptions,
  { data }: Directories,
  chainOf: (rootId: string) => Promise<readonly PermissionLink[]>,
): Modes {
  const modes = switchedModesIn(data)
  const planSwitch = createPlanSwitch({
    directory: planMarksIn(data),
    ...(surroundings && { plansDir: surroundings.plansDir }),
    ask: askUser ?? (async () => undefined),
    async leaveForGood(rootId) {
      const chain = await chainOf(rootId)
      if (chain.length === 0) return false
      if (modeInForce(chain, switchedMode(modes, rootId)) !== 'plan') return true
      if (!isAtMost('default', ceilingOf(chain))) return false
      await switchMode(modes, rootId, 'default')
      return true
    },
  })
  const planning: SwitchedMode = { mode: 'plan', isOfThisSession: false }
  return { planSwitch, modeNow: rootId => (planSwitch.isOn(rootId) ? planning : switchedMode(modes, rootId)) }
}

/** What the tools and the judge share. */
interface WorkspaceParts extends Modes {
  readonly shells: Shells
  readonly layers: () => readonly RuleLayer[]
  readonly directories: Directories
  readonly outputs: KeptOutputs | undefined
  /** What a hook, a plugin or git runs later. */
  readonly decisive: Decisive
}

function openJudge(
  options: HouseOptions,
  { shells, layers, modeNow, directories, outputs, decisive }: WorkspaceParts,
  catalog: () => Catalog,
): ExplainingJudge {
  const { surroundings, home, env } = options
  const kept = outputs ? bothNames(directories.outputs).map(directory => createKeptOutputs(directory)) : []
  return createJudge({
    layers,
    ...(home !== undefined && { home }),
    stateDirs: [directories.config, directories.data, directories.outputs],
    shellDirectory: call => shells.directoryOf(call.runId, call.workspace, call.shellDirectory),
    writable: call => [
      ...[shells.scratch.known(call.runId)].filter(path => path !== undefined),
      ...(surroundings?.memoryOf(call.brief, catalog()) ?? []),
    ],
    readable: call => [
      ...(surroundings?.skillDirs ?? []),
      ...manualFor(catalog().find(call.brief.agent)),
      ...kept.flatMap(({ of }) => (call.rootId ? [of({ runId: call.runId, rootId: call.rootId })] : [])),
    ],
    decisive,
    programs: programFolders(placesOf(options)),
    searchPath: () => env.PATH,
    planFile: surroundings?.planFile,
    ...agentsOf(catalog),
    switched: call => (call.rootId === undefined ? undefined : modeNow(call.rootId)),
  })
}

function joinHooks(first: Hooks | undefined, second: Hooks | undefined, modeNow: Modes['modeNow']): Hooks | undefined {
  const hooks = first && second ? combineHooks(first, second) : (first ?? second)
  return hooks && hooksInMode(hooks, modeNow)
}

/** Tools that talk to a person stay here; nearly every other one is made anew in the process of a run that has its own. */
function workspaceTools(
  { askUser, showTodos, env, setVariables = {} }: HouseOptions,
  { shells, layers, planSwitch, directories, outputs }: WorkspaceParts,
  guard: PathGuard,
): readonly Tool[] {
  const portable: Portable = {
    module: 'offshoot:workspace',
    guard,
    // As the rules are when a process is started, and again at each call.
    get options() {
      const network = { ...networkRulesOf(layers()) }
      return { network, variables: setVariables, ...(outputs && { outputs: directories.outputs }) }
    },
    heard: (report, run) => void shells.moveTo((report as { directory?: string | null }).directory ?? undefined, run),
  }
  // Without a person plan mode could be entered and never left.
  const planMode = askUser && planSwitch.mode
  const webFetch = webFetchBy(() => networkRulesOf(layers()), env)
  // The password of a proxy is in no process of a run.
  const staysHere = ({ spec }: Tool) =>
    spec.effect === 'interactive' || spec.isMainOnly || (spec.effect === 'network' && hasProxyLogin(env))
  return createWorkspaceTools({ guard, shells, askUser, planMode, showTodos, webFetch }).map(tool =>
    staysHere(tool) ? tool : { ...tool, portable },
  )
}

async function openStore(store: NonNullable<HouseOptions['store']>, { data }: Directories): Promise<RunStore> {
  if (typeof store !== 'string') return store
  if (store === 'memory') return (await import('../adapters/stores/memory.js')).memoryStore()
  if (store === 'jsonl')
    return (await import('../adapters/stores/jsonl.js')).jsonlStore({ directory: join(data, 'runs') })
  return (await import('../adapters/stores/sqlite.js')).sqliteStore({ path: join(data, 'runs.db') })
}

const placesOf = ({ cwd, env, addedDirectories = [], home = homeDirectory(process.env) }: HouseOptions) => ({
  home,
  env,
  roots: [cwd, ...addedDirectories],
})

async function openSandbox(
  options: HouseOptions,
  directories: Directories,
  shells: Shells,
  decisive: Decisive,
): Promise<Sandbox> {
  const { cwd } = options
  const plain = createPlainSandbox({ cwd, roots: options.addedDirectories })
  const worktree = createWorktreeSandbox({ otherwise: plain, cwd, directory: directories.worktrees })
  const open = (wish: GivenSandbox): Promise<Sandbox> =>
    openBubblewrap({
      inside: worktree,
      scratch: shells.scratch,
      network: wish.network ?? false,
      writable: wish.writable,
      hidden: [directories.config, directories.data, directories.outputs],
      decisive,
    })
  const wish = options.sandbox
  const own = wish?.kind === 'bubblewrap' ? { ...wish, kind: wish.kind } : undefined
  return createGivenSandbox({ own, usual: own ? await open(own) : worktree, open })
}
