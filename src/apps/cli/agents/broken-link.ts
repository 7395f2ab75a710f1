/** What lies at a path and is of no use there: a link that leads nowhere, or something else where a folder should be. */
import { lstatSync, readlinkSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
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

/** Why no new file can be made there, and what to do: of the path, or of a folder above it. */
export function whatIsInTheWay(path: string, cwd: string): string | undefined {
  for (let at = path; ; at = dirname(at)) {
    const found = entryAt(at)
    if (found === undefined && dirname(at) !== at) continue
    const link = found?.isSymbolicLink() ? brokenLink(at, cwd) : undefined
    if (link !== undefined) return `${link}. Remove the link first.`
    const isFolder = at === path || faultOf(at) !== undefined || statSync(at).isDirectory()
    return isFolder ? undefined : `${shortPath(at, cwd)} is no folder. Move it away first.`
  }
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
