/**
 * Which plugins there are: named by settings, in the project's folders, in the user's, and those that were added.
 * Of one name the first counts, and the other is said.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Diagnostic } from '../../core/ports.js'
import { inspectPlugin, type PluginInventory } from './inspect-plugin.js'

/** Where plugins are looked for. */
export interface PluginPlaces {
  readonly projectDir: string
  readonly home: string
  /** Where `plugins add` puts them. */
  readonly addedDir: string
  /** Folders the settings name, relative to the project. */
  readonly configured?: readonly string[]
}
/** A plugin, and how it came here. */
export interface FoundPlugin extends PluginInventory {
  readonly from: 'settings' | 'project' | 'user' | 'added'
}

export const addedPluginsDir = (dataDir: string): string => join(dataDir, 'plugins')

/**
 * Every plugin that can be seen from these places, on or off. Reads; runs nothing. Never rejects: what is wrong is in
 * `diagnostics`.
 */
export async function findPlugins(
  places: PluginPlaces,
): Promise<{ readonly plugins: readonly FoundPlugin[]; readonly diagnostics: readonly Diagnostic[] }> {
  const plugins = new Map<string, FoundPlugin>()
  const diagnostics: Diagnostic[] = []
  const warn = (code: string, message: string, file: string) =>
    void diagnostics.push({ code, severity: code === 'plugin-guard' ? 'error' : 'warning', message, file })
  for (const { path, from } of candidates(places)) {
    const inventory = await inspectPlugin(path)
    if ('refused' in inventory) {
      warn(inventory.rule, `this plugin is left out: ${inventory.refused}`, path)
      continue
    }
    const other = plugins.get(inventory.name.toLowerCase())
    if (other) warn('plugin-name-taken', `left out: ${other.path} is already called ${inventory.name}`, path)
    else plugins.set(inventory.name.toLowerCase(), { ...inventory, from })
  }
  return { plugins: [...plugins.values()], diagnostics }
}

function candidates({ projectDir, home, addedDir, configured = [] }: PluginPlaces) {
  const seen = new Set<string>()
  const all = [
    ...configured.map(path => ({ path: resolve(projectDir, path), from: 'settings' as const })),
    ...below(projectDir).map(path => ({ path, from: 'project' as const })),
    ...below(home).map(path => ({ path, from: 'user' as const })),
    ...foldersIn(addedDir).map(path => ({ path, from: 'added' as const })),
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
