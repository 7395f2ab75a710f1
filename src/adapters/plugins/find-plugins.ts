/**
 * Which plugins there are: named by settings, in the user's folders, in the project's, and those that were added.
 * Of one name one that is trusted as it is now counts before one that is not, then the user's own before a project's: a
 * folder that somebody else made takes nobody's name, and no guard away with it. The other is said.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Diagnostic } from '../../core/ports.js'
import { isInside } from '../os/inside.js'
import { realPath } from '../os/real-path.js'
import type { TrustStore } from '../sources/trust.js'
import { inspectPlugin, type PluginInventory } from './inspect-plugin.js'

/** Where plugins are looked for. */
export interface PluginPlaces {
  readonly projectDir: string
  readonly home: string
  /** Where `plugins add` puts them. */
  readonly addedDir: string
  /** Folders that settings of the user or an administrator name, relative to the project. */
  readonly configured?: readonly string[]
  /** Those that settings of the project name: a plugin there takes no name from the user's own. */
  readonly configuredByProject?: readonly string[]
}
/** A plugin, and how it came here. */
export interface FoundPlugin extends PluginInventory {
  readonly from: 'settings' | 'project' | 'user' | 'added'
}

export const addedPluginsDir = (dataDir: string): string => join(dataDir, 'plugins')

/**
 * Every plugin that can be seen from these places, on or off. Reads; runs nothing. Never rejects: what is wrong is in
 * `diagnostics`. Without `trust` none counts as trusted, and of one name the user's own is found.
 */
export async function findPlugins(
  places: PluginPlaces,
  trust?: Pick<TrustStore, 'isTrusted'>,
): Promise<{ readonly plugins: readonly FoundPlugin[]; readonly diagnostics: readonly Diagnostic[] }> {
  const found: FoundPlugin[] = []
  const diagnostics: Diagnostic[] = []
  const warn = (code: string, message: string, file: string) =>
    void diagnostics.push({ code, severity: code === 'plugin-guard' ? 'error' : 'warning', message, file })
  for (const { path, from } of candidates(places)) {
    const inventory = await inspectPlugin(path)
    if ('refused' in inventory) {
      warn(inventory.rule, `this plugin is left out: ${inventory.refused}`, path)
      continue
    }
    found.push({ ...inventory, from })
  }
  const isOn = ({ path, hash }: FoundPlugin) => trust?.isTrusted(path, hash) ?? false
  const plugins = new Map<string, FoundPlugin>()
  for (const plugin of [...found.filter(isOn), ...found.filter(each => !isOn(each))]) {
    const { name, path } = plugin
    const other = plugins.get(name.toLowerCase())
    if (other) warn('plugin-name-taken', `left out: ${other.path} is already called ${name}`, path)
    else plugins.set(name.toLowerCase(), plugin)
  }
  return { plugins: [...plugins.values()], diagnostics }
}

function candidates({ projectDir, home, addedDir, configured = [], configuredByProject = [] }: PluginPlaces) {
  const seen = new Set<string>()
  const isOfProject = (path: string) => isInside(path, projectDir) || isInside(realPath(path), realPath(projectDir))
  const named = [...configured, ...configuredByProject].map((path, at) => ({
    path: resolve(projectDir, path),
    from: 'settings' as const,
    isOwn: at < configured.length && !isOfProject(resolve(projectDir, path)),
  }))
  const all = [
    ...named.filter(({ isOwn }) => isOwn),
    ...below(home).map(path => ({ path, from: 'user' as const })),
    ...foldersIn(addedDir).map(path => ({ path, from: 'added' as const })),
    ...named.filter(({ isOwn }) => !isOwn),
    ...below(projectDir).map(path => ({ path, from: 'project' as const })),
  ]
  return all.filter(({ path }) => !seen.has(path) && seen.add(path))
}

const below = (root: string): readonly string[] =>
  ['.offshoot/plugins', '.claude/plugins'].flatMap(place => foldersIn(join(root, place))).filter(hasManifest)

/** Other programs keep caches in places of this name: only what says that it is a plugin is one. */
const hasManifest = (path: string): boolean => existsSync(join(path, '.claude-plugin', 'plugin.json'))

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(entry => join(folder, entry.name))
      .sort()
  } catch {
    return []
  }
}
