/**
 * Everything a directory and its user bring along for runs: hooks, skills, MCP servers, instructions, memory and plan
 * files, loaded once and handed to the house as ports. What is not configured costs a look at the disk and no more.
 */
import { join } from 'node:path'
import type { AgentDefinition } from '../../core/agent-definition.js'
import { planFileOf } from '../../core/brief/plan-file.js'
import type { PromptParts } from '../../core/brief/prompt-parts.js'
import type { Catalog } from '../../core/catalog/catalog.js'
import type { Hooks } from '../../core/hooks/hooks.js'
import { areAgentsHooksOff, hooksOffBy } from '../../core/hooks/hooks-off.js'
import { givenGuards } from '../../core/permission/given-bounds.js'
import type { WrittenDeny } from '../../core/permission/written-deny.js'
import type { AgentTools, CallToJudge, Diagnostic, Tool } from '../../core/ports.js'
import type { RunStore } from '../../core/run-store.js'
import { type Settings, settingsIn } from '../../core/settings/settings.js'
import type { Brief, PermissionLink } from '../../core/types.js'
import { combineHooks } from '../hooks/combine-hooks.js'
import { commandHooks } from '../hooks/command-hooks.js'
import { planHooks } from '../hooks/plan-hooks.js'
import { scriptsOf } from '../hooks/script-seal.js'
import { transcriptFiles } from '../hooks/transcript-files.js'
import { type ConfiguredServers, loadMcpServers } from '../mcp/mcp-files.js'
import { type McpHub, mcpHub } from '../mcp/mcp-hub.js'
import { ownProviderKeys } from '../mcp/provider-keys.js'
import { filePins } from '../mcp/tool-pins.js'
import { commandEnvironment } from '../os/command-environment.js'
import { realPath } from '../os/real-path.js'
import { createReaper, type Reaper } from '../os/reaper.js'
import type { LoadedPlugins } from '../plugins/load-plugins.js'
import { type MemoryPlaces, memoryOpener, memoryPart } from '../sources/agent-memory.js'
import { type DeniedBy, loadInstructions } from '../sources/instructions.js'
import { loadSkills } from '../sources/skills.js'
import type { TrustStore } from '../sources/trust.js'
import type { PathGuard } from '../tools/file-access.js'
import { createSkillTool, skillParts } from '../tools/skill.js'
import { setVariables } from './set-variables.js'

export interface SurroundingsOptions {
  readonly cwd: string
  readonly projectDir: string
  readonly home: string
  readonly directories: { readonly config: string; readonly data: string }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly settings: Settings
  readonly trust: Pick<TrustStore, 'isTrusted'>
  readonly version?: string
  readonly plugins?: LoadedPlugins
  /** Folders of agents that settings name: what is written there may run at the next start. */
  readonly agentsDirs?: readonly string[]
  /** Nothing but what settings name and agents bring along: no instructions, no skills, no `.mcp.json`. */
  readonly isBare?: boolean | undefined
}

type WatchedOptions = SurroundingsOptions & { readonly reaper: Reaper }

export interface Surroundings {
  readonly hooks: Hooks
  /** Where the logs of runs lie: from then on hooks find the conversation in a file. */
  readLogsFrom(store: Pick<RunStore, 'read'>): void
  readonly promptParts: PromptParts
  /** The same without what a rule denies the run: imports of instructions by their path, skills by their name. */
  promptPartsUnder(denies: PromptDenies): PromptParts
  readonly agentTools: AgentTools
  readonly mcp: McpHub
  /** The host's own tools with those of skills and servers, as they are now: the same array until that changes. */
  withTools(own: readonly Tool[], guard?: PathGuard): () => readonly Tool[]
  /** Where the agent of a run keeps its memory: open for writing. Asks the catalog for a brief that does not say. */
  memoryOf(brief: Pick<Brief, 'agent' | 'memory'>, catalog: Pick<Catalog, 'find'>): readonly string[]
  /** Where plans are written. */
  readonly plansDir: string
  /** The file a run in plan mode may write. */
  planFile(call: CallToJudge): string | undefined
  /**
   * What decides what runs later, as the user: the scripts of hooks, those of these agents and of the guards that a tree was
   * begun with included, plugins that are on, and folders of agents that settings name.
   */
  decisive(agents: readonly { readonly agent: AgentDefinition }[], chain?: readonly PermissionLink[]): readonly string[]
  /** Folders of skills: open for reading. */
  readonly skillDirs: readonly string[]
  diagnostics(): readonly Diagnostic[]
  close(): Promise<void>
}

/** What rules deny one run. */
export type PromptDenies = (...run: Parameters<PromptParts>) => {
  readonly reading: DeniedBy
  readonly skill: (name: string) => WrittenDeny | undefined
}

const nothingDenied = { reading: () => undefined, skill: () => undefined }

export async function openSurroundings(given: SurroundingsOptions): Promise<Surroundings> {
  // Started with the first process: however we die, no hook and no server outlives us.
  const options = { ...given, reaper: createReaper() }
  const { cwd, projectDir, home, directories, settings, trust, plugins } = options
  const { config: configDir, data } = directories
  const isBare = options.isBare === true
  const [instructions, shelf, configured] = await Promise.all([
    isBare ? { partsUnder: () => [], diagnostics: [] } : loadInstructions({ cwd, projectDir, home, configDir }),
    isBare
      ? { skills: [], diagnostics: [] }
      : loadSkills({ projectDir, home, configDir, trust, further: plugins?.skills }),
    loadMcpServers({ ...(!isBare && { projectDir }), settings, trust, plugins: plugins?.servers }),
  ])
  const mcp = openMcp(options, configured)
  if (configured.servers.length > 0) await mcp.load()
  const places: MemoryPlaces = { projectDir, home, dataDir: data }
  const openMemory = memoryOpener(places)
  // By its real name: no link is followed where a plan is written.
  const plansDir = realPath(join(data, 'plans'))
  const promptPartsUnder: Surroundings['promptPartsUnder'] = denies => (agent, chain) => {
    const { reading, skill } = denies(agent, chain)
    const memory = [memoryPart(agent, places)].filter(part => part !== undefined)
    return [...instructions.partsUnder(reading), ...memory, ...skillParts(agent, shelf.skills, skill)]
  }
  let transcripts: ReturnType<typeof transcriptFiles> = () => ''
  return {
    hooks: combineHooks(
      openHooks(options, runId => transcripts(runId)),
      planHooks(plansDir),
    ),
    readLogsFrom(store) {
      transcripts = transcriptFiles(store, join(data, 'transcripts'))
    },
    promptParts: promptPartsUnder(() => nothingDenied),
    promptPartsUnder,
    agentTools: mcp.agentTools,
    mcp,
    withTools: (own, guard) =>
      joined([...own, ...[createSkillTool(shelf.skills, guard)].filter(tool => tool !== undefined)], mcp),
    memoryOf: ({ agent: name, memory }, catalog) =>
      openMemory({ name, memory: (memory ?? catalog.find(name)?.memory) || undefined }),
    plansDir,
    planFile: call => call.rootId && planFileOf(plansDir, { ...call, rootId: call.rootId, depth: call.brief.depth }),
    decisive: decisivePaths(options),
    skillDirs: shelf.skills.map(({ directory }) => directory),
    diagnostics: () => [
      ...instructions.diagnostics,
      ...shelf.diagnostics,
      ...configured.diagnostics,
      ...(plugins?.diagnostics ?? []),
      ...mcp.diagnostics(),
    ],
    async close() {
      await mcp.close()
      await options.reaper.close()
    },
  }
}

function openMcp(options: WatchedOptions, { servers, unused }: ConfiguredServers): McpHub {
  const { env, projectDir, directories, reaper, version, settings } = options
  return mcpHub({
    servers,
    unused,
    env: { ...env, ...ownVariables(options) },
    projectDir,
    ownProviderKeys: ownProviderKeys(settings, { ...env, ...ownVariables(options) }),
    passed: Object.keys(setVariables(settings, env)),
    pins: filePins(join(directories.data, 'mcp-tools.json')),
    reaper,
    ...(version && { version }),
  })
}

type HookOptions = Pick<SurroundingsOptions, 'projectDir' | 'env' | 'settings' | 'plugins'>

/** Asked at every call, so each configuration is read once. */
export function decisivePaths(
  options: HookOptions & Pick<SurroundingsOptions, 'agentsDirs'>,
): Surroundings['decisive'] {
  const env = hookVariables(options)
  const known = new WeakMap<object, readonly string[]>()
  const scripts = (config: unknown): readonly string[] => {
    if (typeof config !== 'object' || config === null) return []
    const found = known.get(config) ?? scriptsOf(config, options.projectDir, env)
    known.set(config, found)
    return found
  }
  const { plugins, agentsDirs = [] } = options
  const own = [...hooksIn(options).flatMap(({ hooks }) => scripts(hooks)), ...(plugins?.folders ?? []), ...agentsDirs]
  return (agents, chain = []) => [
    ...own,
    ...agents.flatMap(({ agent }) => scripts(agent.hooks)),
    ...givenGuards(chain).flatMap(scripts),
  ]
}

const hooksIn = ({ settings, plugins }: HookOptions) => [
  ...settings.hooks,
  ...(hooksOffBy(settings) ? [] : (plugins?.hooks ?? [])),
]

const hookVariables = (options: HookOptions) => {
  const withheld = ownProviderKeys(options.settings, options.env).map(({ name }) => name)
  return commandEnvironment(options.env, { set: setVariables(options.settings, options.env), withheld })
}

function openHooks(options: WatchedOptions, transcriptPath: ReturnType<typeof transcriptFiles>): Hooks {
  const { projectDir, reaper } = options
  const off = hooksOffBy(options.settings)
  return commandHooks({
    settings: hooksIn(options),
    projectDir,
    env: hookVariables(options),
    transcriptPath,
    reaper,
    runsHooksOf: ({ source }) => !areAgentsHooksOff(off, source),
  })
}

const ownVariables = ({ settings }: HookOptions): Record<string, string> =>
  Object.fromEntries(settingsIn(settings, 'env').map(({ name, value }) => [name, String(value)]))

function joined(own: readonly Tool[], mcp: McpHub): () => readonly Tool[] {
  let made: { readonly from: readonly Tool[]; readonly all: readonly Tool[] } | undefined
  return () => {
    const from = mcp.tools()
    if (made?.from !== from) made = { from, all: [...own, ...from] }
    return made.all
  }
}
