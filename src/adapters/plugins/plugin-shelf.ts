/** Where added plugins lie: one folder each, by name. A plugin appears there whole, or not at all. */
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Refusal } from '../../core/types.js'
import { inspectPlugin, type PluginInventory } from './inspect-plugin.js'

export interface AddOptions {
  readonly isReplacing: boolean
  /** What it was asked for by: names a plugin that does not name itself. */
  readonly fallbackName: string
}

export async function addPlugin(from: string, shelf: string, options: AddOptions): Promise<PluginInventory | Refusal> {
  await mkdir(shelf, { recursive: true, mode: 0o700 })
  const staged = await mkdtemp(join(shelf, '.new-'))
  try {
    // Its folder names a plugin without a manifest, so it has to stand under a name of its own before it is read.
    const home = join(staged, (await packageName(from)) ?? nameFrom(options.fallbackName))
    await moveFolder(from, home)
    const inventory = await inspectPlugin(home)
    if ('refused' in inventory) return inventory
    const place = join(shelf, inventory.name)
    const other = await inspectPlugin(place)
    if (!('refused' in other) && !options.isReplacing)
      return {
        refused: `a plugin called ${inventory.name} is already here (${other.version ?? 'no version'}); --replace takes this one`,
        rule: 'plugin-name-taken',
      }
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

async function moveFolder(from: string, to: string): Promise<void> {
  const { cp } = await import('node:fs/promises')
  // Links were refused on the way in; should one be there after all, it stays one and is refused again.
  await cp(from, to, { recursive: true, verbatimSymlinks: true })
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
