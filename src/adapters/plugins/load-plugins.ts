/**
 * Plugins as a session takes them up: only what was agreed to. Texts count when the plugin, as it is now, is trusted;
 * a hook or a server when it was agreed to by itself. What is off is said, with how to switch it on.
 */

import { type PluginItem, withPluginRoot } from '../../core/catalog/plugin.js'
import { isGuardEvent } from '../../core/hooks/hook-config.js'
import type { Json } from '../../core/message.js'
import type { Diagnostic } from '../../core/ports.js'
import { commandLine } from '../../core/text/shell-word.js'
import { contentHash } from '../os/content-hash.js'
import { realPath } from '../os/real-path.js'
import type { TrustStore } from '../sources/trust.js'
import { type FoundPlugin, findPlugins, type PluginPlaces } from './find-plugins.js'
import type { PluginInventory } from './inspect-plugin.js'

/** What plugins bring along, in the form each part of the house takes. */
export interface LoadedPlugins {
  /** For the folders of agents. */
  readonly agents: readonly { readonly name: string; readonly path: string; readonly places: readonly string[] }[]
  readonly skills: readonly { readonly folder: string; readonly scope: 'plugin'; readonly prefix: string }[]
  /** Texts a person can ask for by `/plugin:name`; `root` is the folder of the plugin. */
  readonly commands: readonly { readonly name: string; readonly path: string; readonly root: string }[]
  readonly hooks: readonly { readonly origin: string; readonly hooks: Json }[]
  readonly servers: readonly { readonly origin: string; readonly servers: Json }[]
  /** Of those that are on: one changed file in them, and they are off. */
  readonly folders: readonly string[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * What of the plugins here counts: those trusted as they are now, and of their hooks and servers those a person
 * agreed to.
 */
export async function loadPlugins(
  places: PluginPlaces,
  trust: Pick<TrustStore, 'isTrusted' | 'folders'>,
): Promise<LoadedPlugins> {
  const { plugins, diagnostics } = await findPlugins(places, trust)
  const trusted = plugins.filter(plugin => trust.isTrusted(plugin.path, plugin.hash))
  const agreed = (kind: 'hook' | 'server') =>
    trusted.flatMap(plugin =>
      plugin.items
        .filter(item => item.kind === kind && trust.isTrusted(plugin.path, item.hash))
        .map(item => ({
          origin: `plugin ${plugin.name}`,
          name: `${plugin.name}:${item.name}`,
          config: withPluginRoot(item.config, plugin.path),
        })),
    )
  return {
    agents: trusted.map(({ name, path, places }) => ({ name, path, places: places.agents })),
    skills: trusted.flatMap(({ name, places }) =>
      places.skills.map(folder => ({ folder, scope: 'plugin' as const, prefix: name })),
    ),
    commands: trusted.flatMap(({ commands, path: root }) => commands.map(({ name, path }) => ({ name, path, root }))),
    hooks: agreed('hook').map(({ origin, config }) => ({ origin, hooks: config })),
    servers: agreed('server').map(({ origin, name, config }) => ({
      origin,
      servers: { [name]: Object.values(config as object)[0] as Json },
    })),
    folders: trusted.map(({ path }) => path),
    diagnostics: [
      ...diagnostics.map(each => withLostGuard(each, trust)),
      ...plugins.flatMap(plugin => whatIsOff(plugin, trust)),
    ],
  }
}

type KnownTrust = Pick<TrustStore, 'isTrusted' | 'folders'>

/** Kept beside what was agreed to: from hashes alone nobody could tell that there was a guard. */
const hadGuard = contentHash('a guard of this plugin was agreed to')

const isGuard = ({ kind, config }: Partial<Pick<PluginItem, 'kind' | 'config'>>): boolean =>
  kind === 'hook' && Object.keys(config ?? {}).some(isGuardEvent)

/** A plugin that is left out with a guard that once was agreed to. */
const withLostGuard = (diagnostic: Diagnostic, trust: KnownTrust): Diagnostic =>
  diagnostic.file !== undefined && trust.isTrusted(diagnostic.file, hadGuard)
    ? { ...diagnostic, severity: 'error' }
    : diagnostic

function whatIsOff(plugin: FoundPlugin, trust: KnownTrust): readonly Diagnostic[] {
  const note = (code: string, message: string, severity: Diagnostic['severity'] = 'info'): Diagnostic => ({
    code,
    severity,
    message,
    file: plugin.path,
    hint: commandLine('offshoot', 'plugins', 'trust', plugin.name),
  })
  const isOn = trust.isTrusted(plugin.path, plugin.hash)
  if (!isOn && [plugin.path, realPath(plugin.path)].some(path => trust.folders().includes(path))) {
    const isGuarding = plugin.items.some(isGuard) || trust.isTrusted(plugin.path, hadGuard)
    const message = `the plugin ${plugin.name} is off${isGuarding ? ', and its guards guard nothing' : ''}: it was changed since it was trusted`
    return [note('plugin-changed', message, isGuarding ? 'error' : 'warning')]
  }
  if (!isOn) return [note('plugin-untrusted', `the plugin ${plugin.name} is off: it is not trusted as it is now`)]
  return plugin.items
    .filter(item => !trust.isTrusted(plugin.path, item.hash))
    .map(item => note('plugin-item-off', `${item.kind} ${item.name} of ${plugin.name} is off: ${item.does}`))
}

/** Keeps what a person agreed to, in one step: the plugin as it is now, its agents, and these of its items. */
export function trustPlugin(
  { path, hash, agents }: Pick<PluginInventory, 'path' | 'hash' | 'agents'>,
  items: readonly ({ readonly hash: string } & Partial<Pick<PluginItem, 'kind' | 'config'>>)[],
  trust: Pick<TrustStore, 'trust'>,
): void {
  const files = agents.flatMap(agent => agent.hash ?? [])
  const hashes = [hash, ...files, ...items.map(item => item.hash), ...(items.some(isGuard) ? [hadGuard] : [])]
  // As it was when it was trusted before, it counts no longer.
  trust.trust(path, hashes, { [path]: hash })
}
