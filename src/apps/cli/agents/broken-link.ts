/**
 * What lies at a path and is of no use there: a link, or something else where a file or a folder should be.
 * A project may bring links along: nothing is written through one to a place its writer chose.
 */
import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isInside } from '../../../adapters/os/inside.js'
import { projectRoot } from '../../../adapters/os/project-root.js'
import { realPath } from '../../../adapters/os/real-path.js'
import { visible } from '../../../core/text/shell-word.js'
import { shortPath } from './output.js'

/** `a.md is a link that leads nowhere: there is no b.md`. Undefined for what is there, and for what is not even a link. */
export function brokenLink(path: string, cwd: string): string | undefined {
  const fault = faultOf(path)
  const target = fault === undefined ? undefined : targetOf(path)
  if (target === undefined) return undefined
  const why =
    fault === 'ELOOP'
      ? `a link that leads back to itself (it names ${visible(target)})`
      : fault === 'EACCES'
        ? `a link to ${visible(target)}, which cannot be reached`
        : `a link that leads nowhere: there is no ${visible(target)}`
  return `${shortPath(path, cwd)} is ${why}`
}

/** Why no file can be written there, and what to do: of the path, or of a folder above it. The user’s own folders may be links. */
export function whatIsInTheWay(path: string, cwd: string, isUsers = false): string | undefined {
  const away = () => (isUsers ? undefined : linkAway(dirname(path), cwd))
  for (let at = path; ; at = dirname(at)) {
    const found = entryAt(at)
    if (found === undefined && dirname(at) !== at) continue
    const link = found?.isSymbolicLink() ? brokenLink(at, cwd) : undefined
    if (link !== undefined) return `${link}. Remove the link first.`
    if (at === path) return found?.isFile() === false ? notReplaced(at, found, cwd) : away()
    const isFolder = faultOf(at) !== undefined || statSync(at).isDirectory()
    return isFolder ? away() : `${shortPath(at, cwd)} is no folder. Move it away first.`
  }
}

function notReplaced(path: string, found: Stats, cwd: string): string {
  const shown = shortPath(path, cwd)
  if (found.isSymbolicLink())
    return `${shown} is a link to ${visible(targetOf(path) ?? '')}, which is not written through it. Remove the link first.`
  return `${shown} is ${found.isDirectory() ? 'a folder' : 'no ordinary file'}. Move it away first.`
}

/** A folder that is named as one of the project, and lies elsewhere. */
function linkAway(folder: string, cwd: string): string | undefined {
  const top = projectRoot(cwd)
  const real = realPath(folder)
  if (!isInside(folder, top) || isInside(real, realPath(top))) return undefined
  return `${shortPath(folder, cwd)} leads out of the project, to ${visible(real)}. Remove the link first.`
}

/** The system's word on what a path leads to; undefined where it leads to something. */
function faultOf(path: string): string | undefined {
  try {
    statSync(path)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
