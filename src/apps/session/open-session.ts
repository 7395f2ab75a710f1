/**
 * Everything a session stands on: settings, trust, agents, rules, and the house opened with them. The one-shot answer,
 * the terminal UI and `runs resume` all come through here.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { furtherFolders, type Ground, openGround, pluginsOf } from '../../adapters/ground/ground.js'
import { modeCeilingOf, split } from '../../adapters/ground/policy-settings.js'
import { ownerBy } from '../../adapters/os/run-mark.js'
import type { LoadedPlugins } from '../../adapters/plugins/load-plugins.js'
import { type LoadedAgents, openAgentsOnDisk } from '../../adapters/sources/agents-on-disk.js'
import type { GivenSettings, LoadedSettings } from '../../adapters/sources/settings.js'
import type { TrustStore } from '../../adapters/sources/trust.js'
import type { AskUser } from '../../adapters/tools/ask-user.js'
import type { ShowTodos } from '../../adapters/tools/todo-write.js'
import type { AgentScope } from '../../core/agent-definition.js'
import { repeatedKeys } from '../../core/agent-file/text/repeated-keys.js'
import { type Catalog, createCatalog } from '../../core/catalog/catalog.js'
import type { Close } from '../../core/message.js'
import type { Approver, Diagnostic } from '../../core/ports.js'
import type { RunStore } from '../../core/run-store.js'
import { visible } from '../../core/text/shell-word.js'
import { messageOf } from '../../core/thrown.js'
import { type HouseOnGround, openOnGround } from '../../node/on-ground.js'
import type { NodeOffshoot } from '../../node/options.js'
import { agentRemarks } from './agent-remarks.js'
import { agentsLost } from './agents-lost.js'
import { changeRoot, readCommandLineAgents } from './command-line-agents.js'
import { strayCommands } from './custom-commands.js'
import type { SessionFlags } from './flags.js'
import { type JsonObject, readJsonArgument } from './json-argument.js'

export interface SessionOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags: Partial<SessionFlags>
  /** Opened already, because a run was looked up in it. Whoever opened it closes it, after the house. */
  readonly store?: RunStore
  readonly approver?: Approver
  readonly askUser?: AskUser
  readonly showTodos?: ShowTodos
  /** Told, in a line, what no run hears of: a hook that fails at the end of a session. */
  readonly warn?: (text: string) => void
  /** Told, in a line, of an agent that breaks, or loses its trust, while the session goes on. */
  readonly sayAgents?: (words: string) => void
}

export interface Session {
  readonly house: NodeOffshoot
  readonly cwd: string
  /** The agent we are. */
  readonly agent: string
  readonly settings: LoadedSettings
  readonly trust: TrustStore
  /** The file of what was approved "always". */
  readonly savedIn: string
  readonly diagnostics: readonly Diagnostic[]
  readonly mcpServers: HouseOnGround['mcpServers']
  /** Commands of plugins that are on. */
  readonly pluginCommands: LoadedPlugins['commands']
}

interface LiveAgents {
  catalog(): Catalog
  /** Worth a word at every start: not what is wrong inside files that nobody trusts and nothing uses. */
  readonly diagnostics: readonly Diagnostic[]
  follow(): Close
}

export async function openSession(options: SessionOptions): Promise<Session | { readonly fault: string }> {
  const { cwd, env, flags } = options
  // Depth, budget and rules of that run would not bind a second Offshoot inside it.
  if (env.OFFSHOOT_RUN)
    return {
      fault: `a command that belongs to ${ownerBy(env.OFFSHOOT_RUN)} cannot start runs: hand on work with Task.`,
    }
  const given = await readArguments(flags, cwd)
  if ('fault' in given) return given
  const site = { cwd, env, trustsProject: flags.trustProject }
  const ground = await openGround(site, given.settings)
  const plugins = await pluginsOf(site, ground)
  const agents = await openAgents(options, ground, given, plugins)
  if ('fault' in agents) return agents
  const house = await openOnGround({
    site,
    ground,
    plugins,
    agents: agents.catalog,
    followAgents: agents.follow,
    agentDiagnostics: agents.diagnostics,
    chosen: flags,
    brought: {
      policy: { modeCeiling: modeCeilingOf(ground.settings, flags) },
      addedDirectories: flags.addDir ?? [],
      store: options.store,
      approver: options.approver,
      askUser: options.askUser,
      showTodos: options.showTodos,
      onError: error => options.warn?.(`offshoot: ${visible(messageOf(error))}\n`),
    },
  })
  if ('fault' in house) return house
  return {
    ...ground,
    house,
    cwd,
    agent: flags.agent ?? 'main',
    savedIn: house.savedIn,
    mcpServers: house.mcpServers,
    pluginCommands: plugins.commands,
    diagnostics: [...house.diagnostics, ...strayCommands(site)],
  }
}

interface Arguments {
  readonly agents: JsonObject
  readonly schema?: JsonObject
  readonly settings: readonly GivenSettings[]
}

async function readArguments(
  flags: Partial<SessionFlags>,
  cwd: string,
): Promise<Arguments | { readonly fault: string }> {
  if (flags.addDir?.some(path => path.trim() === ''))
    return { fault: '--add-dir: no directory is named; name one, or leave the option out.' }
  const noDirectory = flags.addDir?.find(path => !isDirectory(resolve(cwd, path)))
  if (noDirectory !== undefined) return { fault: `--add-dir: there is no directory ${resolve(cwd, noDirectory)}.` }
  const settings = readGivenSettings(flags, cwd)
  if ('fault' in settings) return settings
  const agents = flags.agents === undefined ? undefined : readJsonArgument('--agents', flags.agents, cwd)
  if (agents && 'fault' in agents) return agents
  const twice = agents && repeatedKeys(agents.text).find(({ isLimit }) => isLimit)
  if (twice) return { fault: `--agents: "${twice.key}" stands twice, and only the last would count. Write it once.` }
  const schema = flags.jsonSchema === undefined ? undefined : readJsonArgument('--json-schema', flags.jsonSchema, cwd)
  if (schema && 'fault' in schema) return schema
  // Found out at the end, it would have cost a whole run.
  const schemaFault = schema && (await import('../../adapters/schema/ajv.js')).schemaFaults()(schema.value)
  if (schemaFault) return { fault: `--json-schema is no valid JSON Schema: ${schemaFault}.` }
  return { agents: agents?.value ?? {}, settings, ...(schema && { schema: schema.value }) }
}

/** What `--settings` and `--mcp-config` bring. */
export function readGivenSettings(
  flags: Pick<Partial<SessionFlags>, 'settings' | 'mcpConfig'>,
  cwd: string,
): readonly GivenSettings[] | { readonly fault: string } {
  const settings: GivenSettings[] = []
  for (const [option, texts] of [
    ['--settings', flags.settings],
    ['--mcp-config', flags.mcpConfig],
  ] as const) {
    for (const text of texts ?? []) {
      const read = readJsonArgument(option, text, cwd)
      if ('fault' in read) return read
      const { value } = read
      settings.push(
        option === '--mcp-config'
          ? { origin: option, content: { mcpServers: value.mcpServers ?? value } }
          : { origin: option, content: value, text: read.text },
      )
    }
  }
  return settings
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The agents of this directory, as they are now: files that change reach new runs once `follow` is called. */
async function openAgents(
  { cwd, env, flags, sayAgents }: SessionOptions,
  ground: Ground,
  given: Arguments,
  plugins: LoadedPlugins,
): Promise<LiveAgents | { readonly fault: string }> {
  const written =
    Object.keys(given.agents).length > 0
      ? await readCommandLineAgents(given.agents)
      : ({ agents: [], diagnostics: [] } as const)
  if ('fault' in written) return written
  const disk = openAgentsOnDisk({
    cwd,
    env,
    trust: ground.trust,
    trustsProjects: flags.trustProject === true,
    given: written.agents,
    keepsReadings: true,
    folders: {
      ...furtherFolders({ cwd, env }, ground.settings, plugins),
      ...(flags.addDir && { addedDirs: flags.addDir }),
    },
  })
  const changed = (loaded: LoadedAgents) => changeCatalog(loaded.catalog, flags, given.schema)
  const first = await disk.load()
  let catalog = changed(first)
  return {
    catalog: () => catalog,
    diagnostics: [...written.diagnostics, ...withoutUntrusted(first), ...(flags.trustProject ? beyondFlag(first) : [])],
    follow: () =>
      disk.follow(fresh => {
        const before = catalog
        catalog = changed(fresh)
        for (const words of agentsLost(before, catalog)) sayAgents?.(words)
      }),
  }
}

/** That one of the user's own folders is not trusted, because others can write to it, is said all the same. */
function withoutUntrusted({ files, diagnostics }: LoadedAgents): readonly Diagnostic[] {
  const isForeign = ({ source }: LoadedAgents['files'][number]) => !source.isTrusted && !isOwnScope(source.scope)
  const untrusted = new Set(files.filter(isForeign).map(({ reading }) => reading.path))
  return agentRemarks(
    files,
    diagnostics.filter(({ file }) => file === undefined || !untrusted.has(file)),
  )
}

/** Agents of added directories outside the project: whoever gave `--trust-project` may think that it speaks for them. */
export function beyondFlag({ files }: Pick<LoadedAgents, 'files'>): readonly Diagnostic[] {
  const waiting = files.filter(({ folder, source }) => folder.isElsewhere && !source.isTrusted)
  return [...new Set(waiting.map(({ folder }) => folder.owner))].map(owner => ({
    code: 'agents-untrusted',
    severity: 'warning',
    message: 'its agents are not trusted: --trust-project is for what lies in the project',
    file: owner,
    hint: 'read them, then say there: offshoot trust',
  }))
}

const isOwnScope = (scope: AgentScope): boolean => scope !== 'project' && scope !== 'plugin'

function changeCatalog(catalog: Catalog, flags: Partial<SessionFlags>, outputSchema: JsonObject | undefined): Catalog {
  const root = catalog.find(flags.agent ?? 'main')
  const disallowedTools = split(flags.disallowedTools ?? [])
  const { appendSystemPrompt } = flags
  if (!root || !(appendSystemPrompt || outputSchema || disallowedTools.length > 0)) return catalog
  const changed = changeRoot(root, { appendSystemPrompt, outputSchema, disallowedTools })
  // What they extend is in them already: taken in once more it would be there twice, or not be found.
  const settled = [changed, ...catalog.all().map(entry => entry.agent)].map(({ extends: _, ...agent }) => agent)
  return createCatalog(settled, catalog.diagnostics)
}
