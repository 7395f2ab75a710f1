/** Every agent there is for a working directory: built-in ones, the user's, the project's, plugins', one catalog. */
import { join } from 'node:path'
import type { AgentDefinition } from '../../core/agent-definition.js'
import { type Catalog, createCatalog } from '../../core/catalog/catalog.js'
import type { Close } from '../../core/message.js'
import type { Diagnostic } from '../../core/ports.js'
import { looseKey } from '../../core/text/nearest.js'
import { messageOf } from '../../core/thrown.js'
import { homeDirectory, offshootDirectories } from '../os/directories.js'
import { buildName } from '../os/package-root.js'
import { agentFolders, type FolderOptions } from './agent-folders.js'
import { type AgentFilesSource, createAgentSource, type LoadedFile } from './agent-source.js'
import { builtInAgents } from './built-in-agents.js'
import { type KeptReadings, openKeptReadings } from './kept-readings.js'
import { fileTrustStore, type TrustStore } from './trust.js'
import { type UnreadFolder, unreadFolders } from './unread-folders.js'

export interface AgentsOnDiskOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly folders?: Omit<FolderOptions, 'cwd' | 'home' | 'configDir'>
  /** From the command line or the library: above every project. */
  readonly given?: readonly AgentDefinition[]
  /** Names of the tools there are: a deny of those given that is a slip for one keeps its agent from running. */
  readonly tools?: readonly string[]
  /** Names the settings switch off. */
  readonly disabled?: readonly string[]
  readonly trustsProjects?: boolean
  readonly trust?: TrustStore
  /** Whether what a file was found to say is kept for the next start, in the data directory. */
  readonly keepsReadings?: boolean
}

export interface AgentsOnDisk {
  load(): Promise<LoadedAgents>
  /**
   * From now on loads again whenever a file may have changed. Keeps no process alive. What `onLoaded` throws is a warning
   * of the process, and the next change is told all the same.
   */
  follow(onLoaded: (loaded: LoadedAgents) => void): Close
  readonly trust: TrustStore
}

export interface LoadedAgents {
  readonly catalog: Catalog
  readonly files: readonly LoadedFile[]
  /** Everything found wrong, the catalog's own findings included. */
  readonly diagnostics: readonly Diagnostic[]
  /** Folders of other products from which nothing is read. Asked for by those who list agents. */
  unread(): readonly UnreadFolder[]
}

export function openAgentsOnDisk(options: AgentsOnDiskOptions): AgentsOnDisk {
  const { config: configDir, data } = offshootDirectories(options.env)
  const trust = options.trust ?? fileTrustStore(join(configDir, 'trust.json'))
  const home = homeDirectory(options.env)
  const places = { ...options.folders, cwd: options.cwd, home, configDir }
  const source = createAgentSource({
    folders: () => agentFolders(places),
    trust,
    trustsProjects: options.trustsProjects ?? false,
    kept: options.keepsReadings ? keptReadings(data) : undefined,
  })
  const builtIn = builtInAgents()
  const load = async (): Promise<LoadedAgents> => {
    const [own, disk] = await Promise.all([builtIn.load(), source.loadFiles()])
    const off = (agent: AgentDefinition) => switchOff(agent, options.disabled)
    const read = [...disk.agents, ...own.agents].map(off)
    const agents = [...(options.given ?? []).map(off), ...read]
    const diagnostics = [...disk.diagnostics, ...disk.files.flatMap(file => file.reading.diagnostics)]
    const catalog = createCatalog(agents, diagnostics, new Set(read), options.tools)
    return { catalog, files: disk.files, diagnostics: catalog.diagnostics, unread: () => unreadFolders(places) }
  }
  return { trust, load, follow: onLoaded => follow({ source, load, onLoaded }) }
}

interface Following {
  readonly source: Pick<AgentFilesSource, 'watch'>
  readonly load: () => Promise<LoadedAgents>
  readonly onLoaded: (loaded: LoadedAgents) => void
}

/** Who is done sooner pays nothing for watching. */
const unwatchedMs = 1_000

function follow({ source, load, onLoaded }: Following): Close {
  let last = Promise.resolve()
  let stopWatching: Close | undefined
  // One after the other: an older look must not have the last word.
  const lookAgain = () => {
    last = last.then(load).then(onLoaded).catch(sayMissed)
  }
  const timer = setTimeout(() => {
    stopWatching = source.watch(lookAgain)
    // For what changed before.
    lookAgain()
  }, unwatchedMs)
  timer.unref()
  return () => {
    clearTimeout(timer)
    stopWatching?.()
  }
}

/** What cannot be had now, or whoever hears of it cannot take, stays as it was until the next change. */
function sayMissed(error: unknown): void {
  process.emitWarning(`Agent files may have changed, and what was known of them stays: ${messageOf(error)}`, {
    code: 'OFFSHOOT_AGENTS',
  })
}

function keptReadings(data: string): KeptReadings | undefined {
  const build = buildName()
  return build === undefined ? undefined : openKeptReadings(join(data, 'agent-readings.json'), build)
}

function switchOff(agent: AgentDefinition, disabled: readonly string[] | undefined): AgentDefinition {
  const isOff = disabled?.some(name => looseKey(name) === looseKey(agent.name))
  return isOff ? { ...agent, isDisabled: true } : agent
}
