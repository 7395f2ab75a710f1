/**
 * `offshoot plugins list|add|remove|inspect|trust`: what plugins there are, and agreeing to what they bring.
 * Texts are agreed to together; each hook and each server by itself, because it runs as the user.
 */
import type { Command } from 'commander'
import { openGround, pluginPlaces } from '../../../adapters/ground/ground.js'
import { offshootDirectories } from '../../../adapters/os/directories.js'
import { type FetchOptions, fetchPlugin } from '../../../adapters/plugins/fetch-plugin.js'
import { addedPluginsDir, type FoundPlugin, findPlugins } from '../../../adapters/plugins/find-plugins.js'
import { inspectPlugin, type PluginInventory } from '../../../adapters/plugins/inspect-plugin.js'
import { trustPlugin } from '../../../adapters/plugins/load-plugins.js'
import { addPlugin, removePlugin } from '../../../adapters/plugins/plugin-shelf.js'
import type { TrustStore } from '../../../adapters/sources/trust.js'
import { commandLine, visible } from '../../../core/text/shell-word.js'
import type { Refusal } from '../../../core/types.js'
import { columns } from '../../session/columns.js'
import { exitCodes } from '../../session/exit-codes.js'
import { errorsIn, sayDiagnostics } from '../../session/say-diagnostics.js'
import { askAtTerminal } from '../ask-at-terminal.js'
import { type CommandDeps, refusedInsideRun } from '../command-deps.js'
import { inventoryText } from './plugin-text.js'

export interface PluginsDeps extends CommandDeps {
  /** Asks a person; absent: asked at the terminal, and a no where there is none. */
  readonly ask?: (question: string) => Promise<boolean>
  readonly packNpm?: FetchOptions['packNpm']
}
interface Consent {
  /** The plugin's texts, without asking. */
  readonly yes?: boolean
  /** Names of hooks and servers, or `all`, without asking. */
  readonly allow?: readonly string[]
}

export function registerPluginsCommands(program: Command, deps: PluginsDeps): void {
  const plugins = program.command('plugins').description('plugins: list, look into, add, trust, remove')
  const run = async (act: Promise<number>) => deps.setExitCode(await act)
  plugins
    .command('list')
    .description('every plugin found from here, and what of it is on')
    .option('--json', 'print as JSON')
    .action((options: { json?: boolean }) => run(listPlugins(options, deps)))
  plugins
    .command('inspect <plugin>')
    .description('what a plugin holds, item by item; a folder or the name of one that is here')
    .option('--json', 'print as JSON')
    .action((plugin: string, options: { json?: boolean }) => run(showPlugin(plugin, options, deps)))
  plugins
    .command('add <source>')
    .description('add a plugin from a folder, a tarball or the npm registry (npm:NAME); no script of it is run')
    .option('--replace', 'in place of one of the same name')
    .option('--yes', 'trust its texts without asking; never its hooks and servers')
    .option('--allow <items...>', 'let these hooks and servers act without asking, or "all"')
    .action((source: string, options: Consent & { replace?: boolean }) => run(add(source, options, deps)))
  plugins
    .command('trust <plugin>')
    .description('look at a plugin that is here, and let it act')
    .option('--yes', 'trust its texts without asking; never its hooks and servers')
    .option('--allow <items...>', 'let these hooks and servers act without asking, or "all"')
    .action((plugin: string, options: Consent) => run(trustNamed(plugin, options, deps)))
  plugins
    .command('remove <plugin>')
    .description('remove a plugin that was added, and everything that was agreed to')
    .action((plugin: string) => run(remove(plugin, deps)))
}

export async function listPlugins({ json }: { json?: boolean }, deps: PluginsDeps): Promise<number> {
  const { plugins, diagnostics, trust } = await openPlugins(deps)
  if (json) deps.write(`${JSON.stringify(plugins, null, 2)}\n`)
  else if (plugins.length === 0) deps.warn('There are no plugins here. offshoot plugins add FOLDER adds one.\n')
  else
    deps.write(
      columns(
        plugins.map(plugin => [plugin.name, plugin.version ?? '', plugin.from, stateOf(plugin, trust), plugin.path]),
      ),
    )
  sayDiagnostics(diagnostics, deps.warn, Number.POSITIVE_INFINITY)
  return exitCodes.ok
}

export async function showPlugin(wanted: string, { json }: { json?: boolean }, deps: PluginsDeps): Promise<number> {
  const { plugins } = await openPlugins(deps)
  const inventory = named(plugins, wanted) ?? (await inspectPlugin(wanted))
  if ('refused' in inventory) return refuse(inventory, deps)
  deps.write(json ? `${JSON.stringify(inventory, null, 2)}\n` : inventoryText(inventory))
  return exitCodes.ok
}

export async function add(
  source: string,
  options: Consent & { replace?: boolean },
  deps: PluginsDeps,
): Promise<number> {
  if (refusedInsideRun(deps, 'adding a plugin')) return exitCodes.permission
  const fetched = await fetchPlugin(source, { cwd: deps.cwd, env: deps.env, packNpm: deps.packNpm })
  if ('refused' in fetched) return refuse(fetched, deps)
  try {
    const added = await addPlugin(fetched.path, addedPluginsDir(offshootDirectories(deps.env).data), {
      isReplacing: options.replace ?? false,
      fallbackName: source.replace(/^npm:/, ''),
    })
    if ('refused' in added) return refuse(added, deps)
    const { trust } = await openPlugins(deps)
    trust.revoke(added.path)
    deps.warn(`Added ${added.name} from ${fetched.origin}.\n`)
    return await agree(added, options, trust, deps)
  } finally {
    await fetched.release()
  }
}

export async function trustNamed(wanted: string, options: Consent, deps: PluginsDeps): Promise<number> {
  if (refusedInsideRun(deps, 'trusting a plugin')) return exitCodes.permission
  const { trust, ...found } = await openPlugins(deps)
  const plugin = named(found.plugins, wanted)
  return plugin ? agree(plugin, options, trust, deps) : unknown(wanted, found, deps)
}

export async function remove(wanted: string, deps: PluginsDeps): Promise<number> {
  if (refusedInsideRun(deps, 'removing a plugin')) return exitCodes.permission
  const { trust, ...found } = await openPlugins(deps)
  const plugin = named(found.plugins, wanted)
  if (!plugin) return unknown(wanted, found, deps)
  if (plugin.from !== 'added') {
    const refused = `${plugin.name} was not added; it lies in ${plugin.path}. Remove it there.`
    return refuse({ refused, rule: 'plugin-not-added' }, deps)
  }
  await removePlugin(plugin.path)
  trust.revoke(plugin.path)
  deps.warn(`${plugin.name} is removed.\n`)
  return exitCodes.ok
}

/** Shows everything, then asks: once for the texts, once for each item that would run. */
async function agree(plugin: PluginInventory, consent: Consent, trust: TrustStore, deps: PluginsDeps): Promise<number> {
  deps.write(inventoryText(plugin))
  const ask = deps.ask ?? askAtTerminal
  const isTrusted = consent.yes || (await ask(`Trust what ${plugin.name} tells models, as it is now?`))
  if (!isTrusted) {
    deps.warn(`${plugin.name} is off. To switch it on: ${commandLine('offshoot', 'plugins', 'trust', plugin.name)}\n`)
    return exitCodes.ok
  }
  const agreed = []
  for (const item of plugin.items) {
    const isAllowed = consent.allow?.some(name => name === 'all' || name === item.name)
    if (isAllowed || (await ask(`Let the ${item.kind} ${item.name} run as you: ${item.does} ?`))) agreed.push(item)
  }
  trustPlugin(plugin, agreed, trust)
  const off = plugin.items.length - agreed.length
  deps.warn(`${plugin.name} is on${off > 0 ? `, without ${off} of its hooks and servers` : ''}.\n`)
  return exitCodes.ok
}

async function openPlugins({ cwd, env, warn }: CommandDeps) {
  const { settings, trust } = await openGround({ cwd, env })
  sayDiagnostics(errorsIn(settings.diagnostics), warn)
  return { ...(await findPlugins(pluginPlaces({ cwd, env }, settings), trust)), trust }
}

function stateOf(plugin: FoundPlugin, trust: TrustStore): string {
  if (!trust.isTrusted(plugin.path, plugin.hash)) return 'off'
  const off = plugin.items.filter(item => !trust.isTrusted(plugin.path, item.hash)).length
  return off === 0 ? 'on' : `on, ${off} items off`
}

const named = (plugins: readonly FoundPlugin[], wanted: string): FoundPlugin | undefined =>
  plugins.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())

function refuse({ refused, rule }: Refusal, { warn }: CommandDeps): number {
  warn(`offshoot: ${visible(refused)} (${rule}).\n`)
  return exitCodes.error
}

/** It may be one of those that were left out: why is said. */
function unknown(
  wanted: string,
  { plugins, diagnostics }: Awaited<ReturnType<typeof findPlugins>>,
  { warn }: CommandDeps,
): number {
  sayDiagnostics(diagnostics, warn)
  const known = plugins.map(({ name }) => name).join(', ') || 'none'
  warn(`offshoot: there is no plugin "${wanted}". Known: ${known}.\n`)
  return exitCodes.usage
}
