/** `offshoot mcp list|approve`: which servers there are, what they offer, and letting in what has changed. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { openGround } from '../../adapters/ground/ground.js'
import { loadMcpServers } from '../../adapters/mcp/mcp-files.js'
import { type McpHub, mcpHub } from '../../adapters/mcp/mcp-hub.js'
import { filePins } from '../../adapters/mcp/tool-pins.js'
import { offshootDirectories } from '../../adapters/os/directories.js'
import { projectRoot } from '../../adapters/os/project-root.js'
import type { McpServer } from '../../core/mcp-config.js'
import type { Diagnostic } from '../../core/ports.js'
import { type CommandDeps, refusedInsideRun } from './command-deps.js'
import { exitCodes } from './exit-codes.js'
import { columns } from './figures.js'
import { errorsIn, sayDiagnostics } from './say-diagnostics.js'
import { version } from './version.js'

export function registerMcpCommands(program: Command, deps: CommandDeps): void {
  const mcp = program.command('mcp').description('MCP servers: what is configured, and what it offers')
  mcp
    .command('list')
    .description('start every server and list its tools')
    .action(async () => deps.setExitCode(await listServers(deps)))
  mcp
    .command('approve <server>')
    .description("let in what a server's tools look like now")
    .action(async (server: string) => deps.setExitCode(await approveServer(server, deps)))
}

async function listServers(deps: CommandDeps): Promise<number> {
  return withServers(deps, async (servers, hub, diagnostics) => {
    if (servers.length === 0) deps.warn('No MCP server is configured here.\n')
    const toolsOf = ({ name }: McpServer) =>
      hub
        .tools()
        .map(({ spec }) => spec.name)
        .filter(tool => tool.startsWith(`mcp__${name}__`))
    if (servers.length > 0)
      deps.write(columns(servers.map(server => [server.name, `${toolsOf(server).length} tools`, server.origin])))
    sayDiagnostics([...diagnostics, ...hub.diagnostics()], deps.warn)
    return exitCodes.ok
  })
}

async function approveServer(name: string, deps: CommandDeps): Promise<number> {
  if (refusedInsideRun(deps, 'letting in a changed tool')) return exitCodes.permission
  return withServers(deps, async (servers, hub) => {
    const changed = hub.diagnostics().filter(({ code }) => code === 'mcp-tool-changed')
    if (!(await hub.approve(name))) {
      deps.warn(
        `offshoot: there is no server "${name}". Known: ${servers.map(each => each.name).join(', ') || 'none'}.\n`,
      )
      return exitCodes.usage
    }
    for (const { message } of changed) deps.warn(`${message}; it is let in as it is now.\n`)
    deps.warn(`${name}: ${hub.tools().filter(({ spec }) => spec.name.startsWith(`mcp__${name}__`)).length} tools.\n`)
    return exitCodes.ok
  })
}

async function withServers(
  { cwd, env, warn }: CommandDeps,
  act: (servers: readonly McpServer[], hub: McpHub, diagnostics: readonly Diagnostic[]) => Promise<number>,
): Promise<number> {
  const { settings, trust } = await openGround({ cwd, env })
  sayDiagnostics(errorsIn(settings.diagnostics), warn)
  const projectDir = projectRoot(cwd)
  const { servers, diagnostics } = await loadMcpServers({ projectDir, settings, trust })
  const pins = filePins(join(offshootDirectories(env).data, 'mcp-tools.json'))
  const hub = mcpHub({ servers, env: { HOME: homedir(), ...env }, projectDir, pins, version })
  try {
    await hub.load()
    return await act(servers, hub, diagnostics)
  } finally {
    await hub.close()
  }
}
