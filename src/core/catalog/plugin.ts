/**
 * Plugins in Claude Code's layout: `.claude-plugin/plugin.json`, `agents/`, `skills/`, `commands/`, `hooks/hooks.json`,
 * `.mcp.json`. What a manifest names must lie inside the plugin; everything it brings is called `plugin:name`.
 *
 * 1. A name or a path that cannot be taken, or a guard that cannot be read, refuses the whole plugin: half of one is not
 *    what its author wrote, and its agents were not meant to work without their guard.
 * 2. Texts (agents, skills, commands) are trusted together; each hook and each server needs a word of its own, because
 *    it runs as the user. A word holds for the plugin as it is: any changed file takes it back.
 */
import { isEventName, isGuardEvent, readHookConfig, unknownEvent } from '../hooks/hook-config.js'
import type { Json } from '../message.js'
import { isRecord } from '../record.js'
import type { Refusal } from '../types.js'

/** `plugin.json`, read. */
export interface PluginManifest {
  readonly name: string
  readonly version?: string
  readonly description?: string
  /** Further files and folders, relative to the plugin. */
  readonly agents: readonly string[]
  readonly skills: readonly string[]
  readonly commands: readonly string[]
  /** A file, or the configuration itself. */
  readonly hooks: readonly (string | Json)[]
  readonly mcpServers: readonly (string | Json)[]
}

/** Something of a plugin that runs as the user, and what it is shown as when a person is asked. */
export interface PluginItem {
  readonly kind: 'hook' | 'server'
  /** `PreToolUse` with its matcher, or the server's name. */
  readonly name: string
  /** The command or the address. */
  readonly does: string
  /** The configuration of this item alone. */
  readonly config: Json
}

/** `folder`: what it is called when its manifest does not say, or is not there. */
export function readPluginManifest(value: unknown, folder: string): PluginManifest | Refusal {
  const written = isRecord(value) ? value : {}
  if (value !== undefined && !isRecord(value)) return refuse('plugin-manifest', 'its plugin.json is no object')
  const name = written.name === undefined ? folder : written.name
  if (typeof name !== 'string' || !isPluginName(name))
    return refuse(
      'plugin-name',
      `${JSON.stringify(name)} cannot be a plugin's name: letters, digits, "." "_" and "-", at most 64`,
    )
  const paths = (key: string) => listOf(written[key]).filter(each => typeof each === 'string')
  const configs = (key: string) => listOf(written[key]).filter(each => typeof each === 'string' || isRecord(each))
  if (configs('hooks').length < listOf(written.hooks).length)
    return refuse('plugin-guard', 'its manifest names hooks that are neither a file nor an object')
  const manifest: PluginManifest = {
    name,
    ...(typeof written.version === 'string' && { version: written.version.slice(0, 64) }),
    ...(typeof written.description === 'string' && { description: written.description.slice(0, 1024) }),
    agents: paths('agents'),
    skills: paths('skills'),
    commands: paths('commands'),
    hooks: configs('hooks') as (string | Json)[],
    mcpServers: configs('mcpServers') as (string | Json)[],
  }
  const named = [
    ...manifest.agents,
    ...manifest.skills,
    ...manifest.commands,
    ...manifest.hooks,
    ...manifest.mcpServers,
  ]
  const outside = named.find(path => typeof path === 'string' && !isInsidePath(path))
  return outside === undefined
    ? manifest
    : refuse('plugin-path', `its manifest names ${JSON.stringify(outside)}, which lies outside of the plugin`)
}

const isPluginName = (name: string): boolean => /^[a-z0-9][\w.-]{0,63}$/i.test(name)

/** Relative, and never above where it starts, also not in between. */
export function isInsidePath(path: string): boolean {
  if (path === '' || /^[/\\]|^[a-z]:|\0|\\/i.test(path)) return false
  return !path.split('/').includes('..')
}

/** Hooks stand below `hooks`, or at the top. */
const eventsOf = (config: unknown): Readonly<Record<string, unknown>> =>
  isRecord(config) ? (isRecord(config.hooks) ? config.hooks : config) : {}

/** Why a guard in these hooks would be missing, or nothing when none would; `root` is where the plugin lies. */
export function lostGuard(config: unknown, root: string): string | undefined {
  if (config === undefined) return undefined
  if (!isRecord(config) || ('hooks' in config && !isRecord(config.hooks))) return 'hooks must be an object by event'
  for (const [event, groups] of Object.entries(eventsOf(config))) {
    if (!isEventName(event)) {
      const { isGuard, message } = unknownEvent(event)
      if (isGuard) return message
    } else if (isGuardEvent(event)) {
      const written = withPluginRoot({ [event]: listed(groups) } as Json, root)
      const fault = readHookConfig(written).faults.find(({ isGuard }) => isGuard)
      if (fault) return fault.message
    }
  }
  return undefined
}

/** A group or a hook that stands alone counts as a list of one, as it does for the items. */
function listed(groups: unknown): unknown {
  const all = isRecord(groups) ? [groups] : groups
  if (!Array.isArray(all)) return all
  return all.map(group => (isRecord(group) && isRecord(group.hooks) ? { ...group, hooks: [group.hooks] } : group))
}

/** One item for each hook, so that each can be agreed to by itself. */
export function hookItems(config: unknown): readonly PluginItem[] {
  return Object.entries(eventsOf(config)).flatMap(([event, groups]) =>
    listOf(groups).flatMap(group => {
      if (!isRecord(group)) return []
      const { matcher } = group
      return listOf(group.hooks).flatMap((hook): readonly PluginItem[] => {
        if (!isRecord(hook)) return []
        const name = typeof matcher === 'string' && matcher !== '' ? `${event} ${matcher}` : event
        const entry = { ...(matcher !== undefined && { matcher }), hooks: [hook] }
        return [
          { kind: 'hook', name, does: String(hook.command ?? hook.type ?? '?'), config: { [event]: [entry] } as Json },
        ]
      })
    }),
  )
}

/** Servers stand below `mcpServers` or, in plugins, at the top. */
export function serverItems(config: unknown): readonly PluginItem[] {
  const servers = isRecord(config) ? (isRecord(config.mcpServers) ? config.mcpServers : config) : {}
  return Object.entries(servers).flatMap(([name, server]): readonly PluginItem[] => {
    if (!isRecord(server)) return []
    const command = [server.command, ...listOf(server.args)].filter(part => typeof part === 'string').join(' ')
    return [{ kind: 'server', name, does: command || String(server.url ?? '?'), config: { [name]: server } as Json }]
  })
}

/** Where a plugin lies, put in for the names its files use for it. */
export function withPluginRoot(value: Json, root: string): Json {
  if (typeof value === 'string')
    return value.replace(/\$\{(?:CLAUDE|OFFSHOOT)_PLUGIN_ROOT\}|\$(?:CLAUDE|OFFSHOOT)_PLUGIN_ROOT\b/g, () => root)
  if (Array.isArray(value)) return value.map(each => withPluginRoot(each as Json, root))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withPluginRoot(each as Json, root)]))
}

const refuse = (rule: string, refused: string): Refusal => ({ refused, rule })

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
