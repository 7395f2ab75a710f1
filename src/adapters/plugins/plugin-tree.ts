/**
 * Every file of a plugin, within bounds, by content. Links are refused: what they lead to was not looked at, and may
 * be something else tomorrow.
 */

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Refusal } from '../../core/types.js'
import { contentHash } from '../os/content-hash.js'

export const pluginBounds = { files: 5_000, bytes: 50 * 1024 * 1024, depth: 16 }

export interface PluginTree {
  /** Relative paths, sorted. */
  readonly files: readonly { readonly path: string; readonly hash: string; readonly size: number }[]
  /** Of all of it: another one as soon as any file changes. */
  readonly hash: string
}

export async function readPluginTree(root: string): Promise<PluginTree | Refusal> {
  const found: { path: string; size: number }[] = []
  const fault = await walk(root, '', 0, found)
  if (fault) return fault
  const files = []
  for (const { path, size } of found.sort((a, b) => (a.path < b.path ? -1 : 1)))
    files.push({ path, size, hash: await hashOf(join(root, path)) })
  return { files, hash: contentHash(files.map(({ path, hash }) => `${path}\0${hash}\n`).join('')) }
}

async function walk(
  root: string,
  below: string,
  depth: number,
  found: { path: string; size: number }[],
): Promise<Refusal | undefined> {
  if (depth > pluginBounds.depth)
    return { refused: `it has more than ${pluginBounds.depth} folders inside each other`, rule: 'plugin-size' }
  for (const { name } of await readdir(join(root, below), { withFileTypes: true })) {
    const path = below === '' ? name : `${below}/${name}`
    if (path === '.git') continue
    const stat = await lstat(join(root, path))
    if (stat.isSymbolicLink())
      return { refused: `${path} is a link; a plugin must hold its files itself`, rule: 'plugin-link' }
    const fault = stat.isDirectory() ? await walk(root, path, depth + 1, found) : addFile(path, stat, found)
    if (fault) return fault
  }
  return undefined
}

function addFile(
  path: string,
  stat: { readonly size: number; isFile(): boolean },
  found: { path: string; size: number }[],
): Refusal | undefined {
  if (!stat.isFile()) return { refused: `${path} is no ordinary file`, rule: 'plugin-link' }
  found.push({ path, size: stat.size })
  const bytes = found.reduce((sum, file) => sum + file.size, 0)
  return tooMuch(found.length, bytes)
}

/** Why so much is not taken. */
export function tooMuch(files: number, bytes: number): Refusal | undefined {
  if (files > pluginBounds.files)
    return { refused: `it has more than ${pluginBounds.files} files`, rule: 'plugin-size' }
  if (bytes > pluginBounds.bytes)
    return { refused: `it is larger than ${pluginBounds.bytes / 1024 / 1024} MB`, rule: 'plugin-size' }
  return undefined
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
