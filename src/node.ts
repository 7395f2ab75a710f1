/** The door for programs on Node: the house as the command-line program opens it, with what this machine brings along. */
import { statSync } from 'node:fs'
import { furtherFolders, type Ground, openGround, pluginsOf } from './adapters/ground/ground.js'
import type { Site } from './adapters/ground/site.js'
import type { LoadedPlugins } from './adapters/plugins/load-plugins.js'
import type { Catalog } from './core/catalog/catalog.js'
import type { Close } from './core/message.js'
import type { Diagnostic } from './core/ports.js'
import { toolNames } from './core/tools/tool-names.js'
import { checkNodeOptions } from './node/check-options.js'
import { openOnGround } from './node/on-ground.js'
import type { NodeOffshoot, NodeOptions } from './node/options.js'

export type { ExplainingJudge } from './adapters/judge/judge.js'
export type { Directories } from './adapters/os/directories.js'
export { projectRoot } from './adapters/os/project-root.js'
export type { BlockedLoop } from './adapters/processes/loop-watchdog.js'
export type { Explanation } from './core/permission/permission.js'
export type { Consideration } from './core/permission/permission-link.js'
export type { RuleLayer, RuleScope } from './core/permission/permission-rules.js'
export type { NodeOffshoot, NodeOptions, SandboxWish } from './node/options.js'

/**
 * Opens a house on this machine: settings, agent files, hooks, skills, MCP servers, plugins and instructions count as they
 * do for the program. Rejects for an option that is none or of another form, and where settings cannot be read for certain
 * (which denials are in them?), the store cannot be opened, or the sandbox that was asked for cannot be had. Whoever opens
 * it closes it.
 */
export async function openOffshoot(options: NodeOptions = {}): Promise<NodeOffshoot> {
  checkNodeOptions(options)
  const site = siteOf(options)
  const given = options.settings ? [{ origin: 'the settings given to openOffshoot', content: options.settings }] : []
  const ground = await openGround(site, given)
  const plugins = await pluginsOf(site, ground)
  const { catalog, diagnostics, follow } = await agentsOf(options, site, ground, plugins)
  const house = await openOnGround({
    site,
    ground,
    plugins,
    agents: catalog,
    followAgents: follow,
    agentDiagnostics: diagnostics,
    chosen: {},
    brought: options,
  })
  if ('fault' in house) throw new Error(house.fault)
  return house
}

function siteOf({ cwd = process.cwd(), env = process.env, trustsProject, isBare }: NodeOptions): Site {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`openOffshoot: there is no directory ${cwd}.`)
  return { cwd, env, trustsProject, isBare }
}

interface FoundAgents {
  readonly catalog: () => Catalog
  readonly diagnostics: readonly Diagnostic[]
  readonly follow?: () => Close
}

async function agentsOf(
  { agents, tools = [] }: NodeOptions,
  { cwd, env, trustsProject }: Site,
  { settings, trust }: Ground,
  plugins: LoadedPlugins,
): Promise<FoundAgents> {
  if (typeof agents === 'function') return { catalog: agents, diagnostics: [] }
  const { openAgentsOnDisk } = await import('./adapters/sources/agents-on-disk.js')
  const disk = openAgentsOnDisk({
    cwd,
    env,
    trust,
    trustsProjects: trustsProject === true,
    given: agents ?? [],
    tools: [...toolNames, ...tools.flatMap(tool => tool?.spec?.name ?? [])],
    folders: furtherFolders({ cwd, env }, settings, plugins),
  })
  const first = await disk.load()
  let { catalog } = first
  return {
    catalog: () => catalog,
    diagnostics: first.diagnostics,
    follow: () =>
      disk.follow(fresh => {
        catalog = fresh.catalog
      }),
  }
}
