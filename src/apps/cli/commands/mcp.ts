/** `offshoot mcp list|approve`: which servers there are, what they offer, and letting in what has changed. */

import { join } from 'node:path'
import type { Command } from 'commander'
import { furtherFolders, openGround, pluginsOf, trustOf } from '../../../adapters/ground/ground.js'
import { setVariables } from '../../../adapters/ground/set-variables.js'
import { serversOfAgents } from '../../../adapters/mcp/agent-servers.js'
import { type ConfiguredServers, loadMcpServers } from '../../../adapters/mcp/mcp-files.js'
import { type McpHub, mcpHub } from '../../../adapters/mcp/mcp-hub.js'
import { ownProviderKeys } from '../../../adapters/mcp/provider-keys.js'
import { filePins } from '../../../adapters/mcp/tool-pins.js'
import { homeDirectory, offshootDirectories } from '../../../adapters/os/directories.js'
import { projectRoot } from '../../../adapters/os/project-root.js'
import { openAgentsOnDisk } from '../../../adapters/sources/agents-on-disk.js'
import type { McpServer } from '../../../core/mcp/mcp-config.js'
import { type Settings, settingsIn } from '../../../core/settings/settings.js'
import { visible } from '../../../core/text/shell-word.js'
import { columns, wrapWords } from '../../session/columns.js'
import { readCommandLineAgents } from '../../session/command-line-agents.js'
import { exitCodes } from '../../session/exit-codes.js'
import { countWords } from '../../session/figures.js'
import { repeated } from '../../session/flags.js'
import { readJsonArgument } from '../../session/json-argument.js'
import { readGivenSettings } from '../../session/open-session.js'
import { errorsIn, sayDiagnostics } from '../../session/say-diagnostics.js'
import { version } from '../../session/version.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'

/** What a session would be started with, as far as it brings servers. */
interface ServerFlags {
  readonly mcpConfig?: readonly string[]
  readonly settings?: readonly string[]
  readonly agents?: string
  readonly trustProject?: boolean
}

export function registerMcpCommands(program: Command, deps: CommandDeps): void {
  const mcp = program.command('mcp').description('MCP servers: what is configured, and what it offers')
  withServerOptions(mcp.command('list'))
    .description('start every server and list its tools')
    .option('--json', 'print as JSON')
    .action(async (_, command: Command) => deps.setExitCode(await listServers(command.optsWithGlobals(), deps)))
  withServerOptions(mcp.command('approve <server>'))
    .description("let in what a server's tools look like now, be it configured, a plugin's or an agent's own")
    .option('--agents <json>', 'further agents that may bring it along')
    .action(async (server: string, _, command: Command) =>
      deps.setExitCode(await approveServer(server, command.optsWithGlobals(), deps)),
    )
}

const withServerOptions = (command: Command): Command =>
  command
    .option('--mcp-config <file>', 'MCP servers from a file or JSON (may be repeated)', repeated)
    .option('--settings <file>', 'further settings from a file or JSON (may be repeated)', repeated)
    .option('--trust-project', 'also servers that this folder brings along, this time')

async function listServers(flags: ServerFlags & { readonly json?: boolean }, deps: CommandDeps): Promise<number> {
  if (flags.trustProject && refusedInsideRun(deps, 'trusting a folder')) return exitCodes.permission
  const found = await findServers(flags, deps)
  if ('fault' in found) return refuse(found.fault, deps)
  const { servers, diagnostics } = found.configured
  const waiting = await waitingServers(flags, found, deps)
  return withHub(servers, found.settings, deps, async hub => {
    if (flags.json)
      deps.write(
        `${JSON.stringify(
          [
            ...servers.map(server => asJson(hub, server)),
            ...waiting.map(server => ({ ...asJson(hub, server), isWaitingForTrust: true })),
          ],
          null,
          2,
        )}\n`,
      )
    else if (servers.length + waiting.length === 0)
      deps.warn('No MCP server is configured here. Name some in .mcp.json ("mcpServers"), or with --mcp-config FILE.\n')
    else deps.write(serverRows(hub, servers, waiting, deps))
    sayDiagnostics([...diagnostics, ...hub.diagnostics()], deps.warn, Number.POSITIVE_INFINITY)
    return servers.every(({ name }) => isUsable(hub, name)) ? exitCodes.ok : exitCodes.error
  })
}

/** A row a server; below it the tools it offers, by the names it has for them. */
function serverRows(
  hub: McpHub,
  servers: readonly McpServer[],
  waiting: readonly McpServer[],
  { isTerminal, width }: CommandDeps,
): string {
  const rows = columns(
    [
      ...servers.map(({ name, origin }) => [name, stateOf(hub, name), origin]),
      ...waiting.map(({ name, origin }) => [name, 'waits for trust', origin]),
    ].map(row => row.map(visible)),
  ).split('\n')
  const toolRows = ({ name }: McpServer) => {
    const names = toolsOf(hub, name).map(visible).join(', ')
    if (names === '') return []
    return (isTerminal ? wrapWords(names, width - toolInset.length) : [names]).map(line => `${toolInset}${line}\n`)
  }
  return [...servers, ...waiting].flatMap((server, at) => [`${rows[at]}\n`, ...toolRows(server)]).join('')
}

const toolInset = '    '

async function approveServer(name: string, flags: ServerFlags, deps: CommandDeps): Promise<number> {
  if (refusedInsideRun(deps, 'letting in a changed tool')) return exitCodes.permission
  const found = await findServers(flags, deps)
  if ('fault' in found) return refuse(found.fault, deps)
  const own = await agentsServers(flags, found, deps)
  if ('fault' in own) return refuse(own.fault, deps)
  const known = [...found.configured.servers, ...own]
  const meant = known.filter(server => server.name === name)
  if (meant.length === 0) {
    const names = [...new Set(known.map(each => each.name))].join(', ')
    return refuse(`there is no server "${name}". Known: ${names || 'none'}. ${elsewhere}`, deps)
  }
  return withHub(meant, found.settings, deps, async hub => {
    const changed = hub.diagnostics().filter(({ code }) => code === 'mcp-tool-changed')
    await hub.approve(name)
    sayDiagnostics(hub.diagnostics(), deps.warn)
    if (hub.servers().some(({ isUsable }) => !isUsable)) return exitCodes.error
    for (const { message } of changed) deps.warn(`${message}; it is let in as it is now.\n`)
    deps.warn(`${name}: ${countWords(toolsOf(hub, name).length, 'tool')}.\n`)
    return exitCodes.ok
  })
}

const elsewhere = 'One that came with --mcp-config, --settings or --agents is named together with that option.'

const asJson = (hub: McpHub, { name, origin }: McpServer) => ({
  name,
  origin,
  isUsable: isUsable(hub, name),
  tools: hub.tools().flatMap(({ spec }) => (spec.name.startsWith(`mcp__${name}__`) ? [spec.name] : [])),
})

const isUsable = (hub: McpHub, name: string): boolean =>
  hub.servers().some(server => server.name === name && server.isUsable)

const stateOf = (hub: McpHub, name: string): string =>
  isUsable(hub, name) ? countWords(toolsOf(hub, name).length, 'tool') : 'failed'

/** By the names the server has for them. */
const toolsOf = (hub: McpHub, name: string): readonly string[] => {
  const prefix = `mcp__${name}__`
  return hub.tools().flatMap(({ spec }) => (spec.name.startsWith(prefix) ? [spec.name.slice(prefix.length)] : []))
}

function refuse(fault: string, { warn }: CommandDeps): number {
  warn(`offshoot: ${fault}\n`)
  return exitCodes.usage
}

type Found = Exclude<Awaited<ReturnType<typeof findServers>>, { readonly fault: string }>

async function findServers(flags: ServerFlags, { cwd, env, warn }: CommandDeps) {
  const given = readGivenSettings(flags, cwd)
  if ('fault' in given) return given
  const site = { cwd, env, trustsProject: flags.trustProject }
  const ground = await openGround(site, given)
  const { settings, trust } = ground
  sayDiagnostics(errorsIn(settings.diagnostics), warn)
  const plugins = await pluginsOf(site, ground)
  const places = { projectDir: projectRoot(cwd), settings, trust: trustOf(trust, site), plugins: plugins.servers }
  const configured: ConfiguredServers = await loadMcpServers(places)
  return { settings, trust, plugins, configured, given }
}

/** Those that the project would bring along once it is trusted. They are named, and nothing of them is started. */
async function waitingServers(
  { trustProject }: ServerFlags,
  { plugins, configured, given }: Found,
  { cwd, env }: CommandDeps,
): Promise<readonly McpServer[]> {
  if (trustProject) return []
  const { settings } = await openGround({ cwd, env, trustsProject: true }, given)
  const trust = { isTrusted: () => true }
  const all = await loadMcpServers({ projectDir: projectRoot(cwd), settings, trust, plugins: plugins.servers })
  return all.servers.filter(({ name }) => !configured.servers.some(server => server.name === name))
}

/** Agents that are not trusted bring nothing along. */
async function agentsServers(
  flags: ServerFlags,
  { settings, trust, plugins, configured }: Found,
  { cwd, env }: CommandDeps,
): Promise<readonly McpServer[] | { readonly fault: string }> {
  const read = flags.agents === undefined ? undefined : readJsonArgument('--agents', flags.agents, cwd)
  if (read && 'fault' in read) return read
  const written = read ? await readCommandLineAgents(read.value) : { agents: [] }
  if ('fault' in written) return written
  const folders = furtherFolders({ cwd, env }, settings, plugins)
  const { catalog } = await openAgentsOnDisk({
    ...{ cwd, env, trust, folders },
    given: written.agents,
    trustsProjects: flags.trustProject === true,
  }).load()
  const active = catalog.all().filter(({ state }) => state === 'active')
  return serversOfAgents(
    active.map(({ agent }) => agent),
    configured,
  )
}

async function withHub(
  servers: readonly McpServer[],
  settings: Settings,
  { cwd, env }: CommandDeps,
  act: (hub: McpHub) => Promise<number>,
): Promise<number> {
  const pins = filePins(join(offshootDirectories(env).data, 'mcp-tools.json'))
  const own = Object.fromEntries(settingsIn(settings, 'env').map(({ name, value }) => [name, String(value)]))
  const projectDir = projectRoot(cwd)
  const all = { ...env, HOME: homeDirectory(env), ...own }
  const keys = ownProviderKeys(settings, all)
  const passed = Object.keys(setVariables(settings, all))
  const hub = mcpHub({ servers, env: all, projectDir, ownProviderKeys: keys, passed, pins, version })
  try {
    await hub.load()
    return await act(hub)
  } finally {
    await hub.close()
  }
}
