/** The agents and models commands, given what they need from this program. */
import { join } from 'node:path'
import type { Command } from 'commander'
import { furtherFolders, openGround, pluginsOf, surroundingsOf } from '../../../adapters/ground/ground.js'
import { modelOptions } from '../../../adapters/ground/model-options.js'
import { policyOf, ruleLayersOf } from '../../../adapters/ground/policy-settings.js'
import type { Site } from '../../../adapters/ground/site.js'
import { lazyScout } from '../../../adapters/models/offline/lazy-scout.js'
import { createModels } from '../../../adapters/models/registry.js'
import { offshootDirectories } from '../../../adapters/os/directories.js'
import { openAgentsOnDisk } from '../../../adapters/sources/agents-on-disk.js'
import type { Catalog } from '../../../core/catalog/catalog.js'
import type { RunId } from '../../../core/message.js'
import { obstacleIn } from '../../../core/settings/settings.js'
import type { Brief, Caller, Refusal, Task } from '../../../core/types.js'
import { errorsIn, sayDiagnostics } from '../../session/say-diagnostics.js'
import { registerAgentsCommands } from '../agents/agents-command.js'
import type { CommandDeps } from '../command-deps.js'
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
    loadAgents: () => loadAgents(deps, warn),
    prepareBrief: (task, catalog) => explainIn({ cwd, env }, task, () => catalog),
  })
}

/**
 * In a house like the one that would be opened here, so that its skills, instructions and servers are in the brief as they
 * would be. Behind settings that cannot be read for certain no house opens: there the rest is told without them.
 */
async function explainIn(site: Site, task: Task, agents: () => Catalog): Promise<Brief | Refusal> {
  const { cwd, env } = site
  const { openHouse } = await import('../../../node/house.js')
  const ground = await openGround(site)
  const { settings } = ground
  const models = modelOptions(settings, env)
  const rules = ruleLayersOf(settings, {})
  const isOpen = obstacleIn(settings) === undefined
  const house = await openHouse({
    cwd,
    env: models.env,
    store: 'memory',
    agents,
    modelSettings: models.settings,
    policy: policyOf(settings, {}, env),
    ...('layers' in rules && { rules: () => rules.layers }),
    ...(isOpen && { surroundings: await surroundingsOf(site, ground, await pluginsOf(site, ground)) }),
  })
  try {
    const main = house.explain({ agent: 'main', prompt: 'explain', description: 'explain' })
    return 'refused' in main ? main : house.explain(task, callerFrom(main))
  } finally {
    await house.close()
  }
}

/** Those of plugins that are on are among them. */
export async function loadAgents({ cwd, env }: Pick<CommandDeps, 'cwd' | 'env'>, warn?: CommandDeps['warn']) {
  const ground = await openGround({ cwd, env })
  const { settings, trust } = ground
  if (warn) sayDiagnostics(errorsIn(settings.diagnostics), warn)
  const plugins = await pluginsOf({ cwd, env }, ground)
  return openAgentsOnDisk({ cwd, env, trust, folders: furtherFolders({ cwd, env }, settings, plugins) }).load()
}

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
