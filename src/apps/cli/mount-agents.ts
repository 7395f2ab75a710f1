/** The agents and models commands, given what they need from this program. */
import { join } from 'node:path'
import type { Command } from 'commander'
import { lazyScout } from '../../adapters/models/offline/lazy-scout.js'
import { createModels } from '../../adapters/models/registry.js'
import { offshootDirectories } from '../../adapters/os/directories.js'
import { loadPlugins } from '../../adapters/plugins/load-plugins.js'
import { openAgentsOnDisk } from '../../adapters/sources/agents-on-disk.js'
import type { RunId } from '../../core/message.js'
import { settingsIn } from '../../core/settings.js'
import type { Brief, Caller } from '../../core/types.js'
import { registerAgentsCommands } from './agents/agents-command.js'
import type { CommandDeps } from './command-deps.js'
import { registerModelsCommands } from './models.js'
import { openGround, pluginPlaces } from './open-session.js'

export function mountAgents(program: Command, deps: CommandDeps): void {
  const { cwd, env, write, warn, look, setExitCode } = deps
  registerAgentsCommands(program, {
    cwd,
    userAgentsDir: join(offshootDirectories(env).config, 'agents'),
    write,
    warn,
    setExitCode,
    style: (how, text) => look[how](text),
    loadAgents: () => loadAgents(deps),
    async prepareBrief(task, catalog) {
      const { openOffshoot } = await import('../../node.js')
      const house = await openOffshoot({ cwd, env, store: 'memory', agents: () => catalog })
      const main = house.offshoot.explain({ agent: 'main', prompt: 'explain', description: 'explain' })
      const brief = 'refused' in main ? main : house.offshoot.explain(task, callerFrom(main))
      await house.close()
      return brief
    },
  })
}

/** Those of plugins that are on are among them. */
async function loadAgents({ cwd, env }: CommandDeps) {
  const { settings, trust } = await openGround({ cwd, env, flags: {} })
  const plugins = await loadPlugins(pluginPlaces({ cwd, env }, settings), trust)
  return openAgentsOnDisk({ cwd, env, trust, folders: { plugins: plugins.agents } }).load()
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
  const { settings } = await openGround({ cwd, env, flags: {} })
  const section = (name: string) =>
    Object.fromEntries(settingsIn(settings, name).map(({ name: key, value }) => [key, value]))
  registerModelsCommands(program, {
    createModels: () =>
      createModels({
        env,
        offline: lazyScout(),
        settings: { models: section('models'), providers: section('providers') },
      }),
    write,
    warn,
    now,
    setExitCode,
  })
}
