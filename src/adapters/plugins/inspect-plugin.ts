/** What a plugin holds, item by item, before anything of it counts. Reads, and never runs anything. */
import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FileState } from '../../core/agent-file/read-agent-file.js'
import {
  hookItems,
  lostGuard,
  type PluginItem,
  type PluginManifest,
  readPluginManifest,
  serverItems,
} from '../../core/catalog/plugin.js'
import type { Diagnostic } from '../../core/ports.js'
import { firstRepeat } from '../../core/text/repeated-keys.js'
import { canonicalJson } from '../../core/text/text.js'
import type { Refusal } from '../../core/types.js'
import { contentHash } from '../os/content-hash.js'
import { createAgentSource } from '../sources/agent-source.js'
import { readGuardedFile } from '../sources/guarded-file.js'
import { memoryTrustStore } from '../sources/trust.js'
import { type PluginTree, readPluginTree } from './plugin-tree.js'

/** Everything a plugin holds, with a hash over all of it: trust is given to that. */
export interface PluginInventory extends Pick<PluginManifest, 'name' | 'version' | 'description'> {
  readonly path: string
  readonly hasManifest: boolean
  /** Of everything in it. */
  readonly hash: string
  readonly agents: readonly InventoryEntry[]
  readonly skills: readonly InventoryEntry[]
  readonly commands: readonly InventoryEntry[]
  /** Where its agents and skills lie: folders, and single ones its manifest names. Absolute. */
  readonly places: { readonly agents: readonly string[]; readonly skills: readonly string[] }
  readonly items: readonly (PluginItem & { /** What consent is given to. */ readonly hash: string })[]
  readonly diagnostics: readonly Diagnostic[]
}
/** An agent, a skill or a command of a plugin. */
export interface InventoryEntry {
  /** `plugin:name`. */
  readonly name: string
  /** Absolute. */
  readonly path: string
  readonly description?: string
  readonly state?: FileState
  /** Of the file. */
  readonly hash?: string
}

const maxJsonBytes = 1024 * 1024
const maxTextBytes = 512 * 1024

/** What a folder holds as a plugin, item by item, before anything of it counts. */
export async function inspectPlugin(folder: string): Promise<PluginInventory | Refusal> {
  const path = resolve(folder)
  if (!(await stat(path).catch(() => undefined))?.isDirectory())
    return { refused: `there is no folder ${path}`, rule: 'plugin-missing' }
  const tree = await readPluginTree(path)
  if ('refused' in tree) return tree
  const diagnostics: Diagnostic[] = []
  const manifestPath = join(path, '.claude-plugin', 'plugin.json')
  const written = await readJson(manifestPath, diagnostics)
  if (written === unreadable)
    return { refused: `its plugin.json cannot be read: ${diagnostics.at(-1)?.message}`, rule: 'plugin-manifest' }
  const manifest = readPluginManifest(written, basename(path))
  if ('refused' in manifest) return manifest
  const { name, version, description } = manifest
  const shelf = { path, manifest, tree, diagnostics }
  const hooks = await readHooks(shelf)
  if ('refused' in hooks) return hooks
  const inventory = {
    name,
    ...(version && { version }),
    ...(description && { description }),
    path,
    hasManifest: written !== undefined,
    hash: tree.hash,
    agents: await agentsOf(shelf),
    skills: await skillsOf(shelf),
    commands: await commandsOf(shelf),
    places: placesOf(shelf),
    items: await itemsOf(shelf, hooks.configs),
    diagnostics,
  }
  const isEmpty = [inventory.agents, inventory.skills, inventory.commands, inventory.items].every(
    all => all.length === 0,
  )
  return isEmpty && !inventory.hasManifest
    ? { refused: 'it holds neither a manifest nor anything a plugin brings', rule: 'plugin-empty' }
    : inventory
}

interface Shelf {
  readonly path: string
  readonly manifest: PluginManifest
  readonly tree: PluginTree
  readonly diagnostics: Diagnostic[]
}

function placesOf({ path, manifest }: Pick<Shelf, 'path' | 'manifest'>): PluginInventory['places'] {
  const within = (places: readonly string[]) => [...new Set(places.map(plain))].map(place => join(path, place))
  return {
    agents: within(['agents', ...manifest.agents]),
    skills: within(['skills', ...manifest.skills]),
  }
}

async function agentsOf(shelf: Shelf): Promise<readonly InventoryEntry[]> {
  const { path, manifest, diagnostics } = shelf
  const { name } = manifest
  const folders = placesOf(shelf).agents.map(place => ({
    path: place,
    scope: 'plugin' as const,
    owner: path,
    prefix: name,
  }))
  const source = createAgentSource({ folders: () => folders, trust: memoryTrustStore() })
  const { files, diagnostics: faults } = await source.loadFiles()
  diagnostics.push(...faults)
  return files.flatMap(({ reading, source: { contentHash: hash } }) => {
    diagnostics.push(...reading.diagnostics)
    return reading.agents
      .filter(({ state }) => state !== 'not-an-agent')
      .map(({ agent, state }) => ({
        name: agent?.name ?? `${name}:${basename(reading.path).replace(/\.\w+$/, '')}`,
        path: reading.path,
        state,
        ...(hash && { hash }),
        ...(agent?.description && { description: agent.description }),
      }))
  })
}

async function skillsOf({ path, manifest, tree, diagnostics }: Shelf): Promise<readonly InventoryEntry[]> {
  const places = ['skills', ...manifest.skills].map(plain)
  const files = tree.files.filter(file => places.some(place => isSkillFile(file.path, place)))
  if (files.length === 0) return []
  const [{ readSkill }, { parsers }] = await Promise.all([
    import('../../core/brief/read-skill.js'),
    import('../sources/parsers.js'),
  ])
  const skills: InventoryEntry[] = []
  for (const file of files) {
    const full = join(path, file.path)
    const text = await readText(full, path, diagnostics)
    if (typeof text !== 'string') continue
    const read = readSkill({ path: full, directory: dirname(full), text, scope: 'plugin' }, parsers.yaml)
    diagnostics.push(...read.diagnostics)
    if (read.skill)
      skills.push({ name: `${manifest.name}:${read.skill.name}`, path: full, description: read.skill.description })
  }
  return skills
}

/** `skills/<name>/SKILL.md`, or the folder of one skill named by the manifest. */
const isSkillFile = (path: string, place: string): boolean =>
  path === `${place}/SKILL.md` ||
  (path.startsWith(`${place}/`) && /^[^/]+\/SKILL\.md$/.test(path.slice(place.length + 1)))

/** `commands/name.md` is `plugin:name`, `commands/folder/name.md` is `plugin:folder:name`. */
async function commandsOf({ path, manifest, tree }: Shelf): Promise<readonly InventoryEntry[]> {
  const places = ['commands', ...manifest.commands].map(plain)
  return tree.files
    .filter(
      file =>
        file.path.endsWith('.md') && places.some(place => file.path === place || file.path.startsWith(`${place}/`)),
    )
    .map(file => {
      const place = places.find(each => file.path.startsWith(`${each}/`))
      const below = place === undefined ? basename(file.path) : file.path.slice(place.length + 1)
      const parts = below.replace(/\.md$/, '').split('/')
      return { name: [manifest.name, ...parts].join(':'), path: join(path, file.path) }
    })
}

/** Its hooks, or why a guard among them would be missing: then nothing of the plugin acts. */
async function readHooks({ path, manifest, diagnostics }: Shelf): Promise<{ readonly configs: unknown[] } | Refusal> {
  const configs: unknown[] = []
  const refuse = (source: unknown, why: string): Refusal => ({
    refused: `a guard of it may be lost in ${typeof source === 'string' ? source : 'its plugin.json'}: ${why}`,
    rule: 'plugin-guard',
  })
  for (const source of new Set([usualHooks, ...manifest.hooks.map(plainOr)])) {
    const config = typeof source === 'string' ? await readJson(join(path, source), diagnostics) : source
    if (config === unreadable) return refuse(source, diagnostics.at(-1)?.message ?? 'it cannot be read')
    if (config === undefined && source !== usualHooks) return refuse(source, 'there is no such file')
    const lost = lostGuard(config, path)
    if (lost !== undefined) return refuse(source, lost)
    configs.push(config)
  }
  return { configs }
}

const usualHooks = 'hooks/hooks.json'

async function itemsOf(
  { path, manifest, tree, diagnostics }: Shelf,
  hooks: readonly unknown[],
): Promise<PluginInventory['items']> {
  const servers: PluginItem[] = []
  for (const source of new Set(['.mcp.json', ...manifest.mcpServers.map(plainOr)])) {
    const config = typeof source === 'string' ? await readJson(join(path, source), diagnostics) : source
    if (config !== unreadable) servers.push(...serverItems(config))
  }
  return [...hooks.flatMap(hookItems), ...servers].map(item => ({
    ...item,
    hash: contentHash(`${tree.hash}\n${canonicalJson(item)}`),
  }))
}

const plain = (path: string): string => path.replace(/^(\.\/)+/, '').replace(/\/+$/, '')
const plainOr = (source: unknown): unknown => (typeof source === 'string' ? plain(source) : source)

const unreadable = Symbol('unreadable')

/** Undefined when it is not there; what is wrong with it is the last diagnostic. */
async function readJson(path: string, diagnostics: Diagnostic[]): Promise<unknown> {
  const text = await readText(path, undefined, diagnostics, maxJsonBytes)
  if (typeof text !== 'string') return text
  const fail = (code: string, message: string) => {
    diagnostics.push({ code, severity: 'error', message, file: path })
    return unreadable
  }
  try {
    const value: unknown = JSON.parse(text)
    const twice = firstRepeat(text)
    return twice ? fail('plugin-key-twice', `"${twice.key}" stands twice in it (again in line ${twice.line})`) : value
  } catch {
    return fail('plugin-no-json', 'no valid JSON; it is left out')
  }
}

async function readText(
  path: string,
  within: string | undefined,
  diagnostics: Diagnostic[],
  maxBytes = maxTextBytes,
): Promise<string | undefined | typeof unreadable> {
  const file = await readGuardedFile(path, { maxBytes, ...(within && { within: [within] }) })
  if (!file) return undefined
  if (!('fault' in file)) return file.text
  diagnostics.push({ code: `plugin-${file.code}`, severity: 'error', message: `left out: ${file.fault}`, file: path })
  return unreadable
}
