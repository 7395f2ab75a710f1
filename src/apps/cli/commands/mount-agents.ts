/** The agents and models commands, given what they need from this program. */
import { join } from 'node:path'
import type { Command } from 'commander'
import { furtherFolders, openGround, pluginsOf } from '../../../adapters/ground/ground.js'
import { modelOptions } from '../../../adapters/ground/model-options.js'
import { modeCeilingOf } from '../../../adapters/ground/policy-settings.js'
import type { Site } from '../../../adapters/ground/site.js'
import { lazyScout } from '../../../adapters/models/offline/lazy-scout.js'
import { createModels } from '../../../adapters/models/registry.js'
import { homeDirectory, offshootDirectories } from '../../../adapters/os/directories.js'
import { openAgentsOnDisk } from '../../../adapters/sources/agents-on-disk.js'
import type { Catalog } from '../../../core/catalog/catalog.js'
import type { RunId } from '../../../core/message.js'
import type { Brief, Caller } from '../../../core/types.js'
import type { openOnGround } from '../../../node/on-ground.js'
import { errorsIn, sayDiagnostics } from '../../session/say-diagnostics.js'
import { registerAgentsCommands } from '../agents/agents-command.js'
import type { AllAgents } from '../agents/output.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'
import { registerModelsCommands } from './models.js'

export function mountAgents(program: Command, deps: CommandDeps): void {
  const { cwd, env, write, warn, look, setExitCode } = deps
  registerAgentsCommands(program, {
    cwd,
    userAgentsDir: join(offshootDirectories(env).config, 'agents'),
    write,
    warn,
    setExitCode,
    style: (how, text) => look[how](text),
    ...(deps.isTerminal && { terminal: { width: deps.width, home: homeDirectory(env) } }),
    isRefused: what => refusedInsideRun(deps, what),
    loadAgents: () => loadAgents(deps, warn),
    async prepareBrief(task, catalog) {
      const house = await openForExplaining({ cwd, env }, catalog)
      if ('fault' in house) return { refused: house.fault, rule: 'settings-unreadable' }
      // Their tools are missing below.
      sayDiagnostics(
        house.diagnostics.filter(({ code }) => code.startsWith('mcp-')),
        warn,
        Number.POSITIVE_INFINITY,
      )
      const main = house.explain({ agent: 'main', prompt: 'explain', description: 'explain' })
      const isRoot = task.agent === 'main'
      const brief = 'refused' in main ? main : house.explain(task, isRoot ? undefined : callerFrom(main))
      await house.close()
      return brief
    },
  })
}

/**
 * The house a conversation would have, with its skills, servers and instructions: another would decide otherwise. Where
 * settings open none, which `loadAgents` has told, one without them.
 */
async function openForExplaining(site: Site, catalog: Catalog): ReturnType<typeof openOnGround> {
  const { openOnGround } = await import('../../../node/on-ground.js')
  const ground = await openGround(site)
  const house = await openOnGround({
    site,
    ground,
    plugins: await pluginsOf(site, ground),
    agents: () => catalog,
    agentDiagnostics: [],
    chosen: {},
    brought: { store: 'memory', policy: { modeCeiling: modeCeilingOf(ground.settings, {}) } },
  })
  return 'fault' in house && !site.isBare ? openForExplaining({ ...site, isBare: true }, catalog) : house
}

/** Those of plugins that are on are among them. */
export async function loadAgents(
  { cwd, env }: Pick<CommandDeps, 'cwd' | 'env'>,
  warn?: CommandDeps['warn'],
): Promise<AllAgents> {
  const ground = await openGround({ cwd, env })
  const { settings, trust } = ground
  if (warn) sayDiagnostics(errorsIn(settings.diagnostics), warn)
  const plugins = await pluginsOf({ cwd, env }, ground)
  const folders = furtherFolders({ cwd, env }, settings, plugins)
  const loaded = await openAgentsOnDisk({ cwd, env, trust, folders }).load()
  return { ...loaded, pluginsOff: plugins.diagnostics.filter(({ code }) => offCodes.has(code)) }
}

const offCodes: ReadonlySet<string> = new Set(['plugin-untrusted', 'plugin-changed'])

/** Main at the start of a conversation, as a caller. */
const callerFrom = (main: Brief): Caller => ({
  runId: 'explain' as RunId,
  rootId: 'explain' as RunId,
  depth: 0,
  path: main.path,
  tools: main.allowed,
  delegateTools: main.delegateTools,
  canSpawn: main.canSpawn,
  isBackground: false,
  model: main.model,
  chain: main.chain,
  messages: [],
})

export async function mountModels(program: Command, deps: CommandDeps): Promise<void> {
  const { write, warn, env, cwd, now, setExitCode } = deps
  const { settings } = await openGround({ cwd, env })
  registerModelsCommands(program, {
    createModels() {
      sayDiagnostics(errorsIn(settings.diagnostics), warn)
      return createModels({ ...modelOptions(settings, env), offline: lazyScout() })
    },
    write,
    warn,
    now,
    setExitCode,
  })
}
