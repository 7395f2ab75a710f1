/** Plugins as values: what one holds, what of those here is on, and what a person agreed to. */
export {
  type FoundPlugin,
  findPlugins,
  type PluginPlaces,
} from './adapters/plugins/find-plugins.js'
export { type InventoryEntry, inspectPlugin, type PluginInventory } from './adapters/plugins/inspect-plugin.js'
export { type LoadedPlugins, loadPlugins, trustPlugin } from './adapters/plugins/load-plugins.js'
export { fileTrustStore, type TrustStore } from './adapters/sources/trust.js'
export type { FileState } from './core/agent-file/read-agent-file.js'
export type { PluginItem, PluginManifest } from './core/catalog/plugin.js'
