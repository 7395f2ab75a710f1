/** Where added plugins lie: one folder each, by name. A plugin appears there whole, or not at all. */
import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Refusal } from '../../core/types.js'
import { makeDirectories } from '../os/make-directories.js'
import { inspectPlugin, type PluginInventory } from './inspect-plugin.js'

export interface AddOptions {
  readonly isReplacing: boolean
  /** What it was asked for by: names a plugin that does not name itself. */
  readonly fallbackName: string
}

export async function addPlugin(from: string, shelf: string, options: AddOptions): Promise<PluginInventory | Refusal> {
  makeDirectories(shelf, 0o700)
  const staged = await mkdtemp(join(shelf, '.new-'))
  try {
    // Its folder names a plugin without a manifest, so it has to stand under a name of its own before it is read.
    const home = join(staged, (await packageName(from)) ?? nameFrom(options.fallbackName))
    await moveFolder(from, home)
    const inventory = await inspectPlugin(home)
    if ('refused' in inventory) return inventory
    const taken = await sameName(shelf, inventory.name)
    if (taken && !options.isReplacing)
      return {
        refused: `a plugin called ${taken.name} is already here (${taken.version ?? 'no version'}); --replace takes this one`,
        rule: 'plugin-name-taken',
      }
    const place = join(shelf, inventory.name)
    if (taken) await rm(taken.path, { recursive: true, force: true })
    await rm(place, { recursive: true, force: true })
    await rename(home, place)
    return inspectPlugin(place)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

export async function removePlugin(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** Names that differ in their letters' case alone are one name: so they are on many disks, and to whoever calls for one. */
async function sameName(shelf: string, name: string): Promise<PluginInventory | undefined> {
  for (const folder of await readdir(shelf)) {
    if (folder.toLowerCase() !== name.toLowerCase()) continue
    const inventory = await inspectPlugin(join(shelf, folder))
    if (!('refused' in inventory)) return inventory
  }
  return undefined
}

async function moveFolder(from: string, to: string): Promise<void> {
  const { cp } = await import('node:fs/promises')
  // Links were refused on the way in; should one be there after all, it stays one and is refused again.
  // The history of a repository is no part of a plugin, and not of what is agreed to.
  const history = join(from, '.git')
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter: path => path !== history })
}

/** An npm package without a manifest of a plugin is called as the package is. */
async function packageName(folder: string): Promise<string | undefined> {
  try {
    const { name } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name?: unknown }
    return typeof name === 'string' ? nameFrom(name) : undefined
  } catch {
    return undefined
  }
}

const nameFrom = (text: string): string =>
  basename(text)
    .replace(/\.t(ar\.)?gz$/, '')
    .replace(/@.*$/, '')
    .replace(/[^\w.-]+/g, '-') || 'plugin'
