/**
 * Which program a bare name runs, by PATH. A directory of a project in it (an activated environment,
 * `node_modules/.bin`, a relative entry) makes any name the project's own code.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path'
import { isCertain } from '../../core/text/glob.js'
import { isInside } from './inside.js'
import { realPath } from './real-path.js'

/** The first program of that name when it belongs to one of `places`. `bases` are where relative entries may start. */
export function ownProgram(
  name: string,
  path: string | undefined,
  places: readonly string[],
  bases: readonly string[],
): string | undefined {
  if (!path || name.includes('/')) return undefined
  const entries = path.split(delimiter)
  const isOwn = ownEntry(places)
  if (!entries.some(isOwn)) return undefined
  for (const entry of entries) {
    // Where nobody knows from where, nobody knows what.
    if (!isAbsolute(entry) && !bases.every(isCertain)) return join(entry || '.', name)
    const found = (isAbsolute(entry) ? [entry] : bases.map(base => resolve(base, entry)))
      .map(directory => join(directory, name))
      .find(isProgram)
    if (found === undefined) continue
    const real = realPath(found)
    // An environment's `python` is a link to the system's.
    if (isOfSystem(real) && isNamed(basename(real), name)) return undefined
    return isOwn(entry) || places.some(place => isInside(real, place)) ? found : undefined
  }
  return undefined
}

/** By its own name, or with a version after it: `python3.11` is `python`, and `truncate` is no `tr`. */
function isNamed(program: string, name: string): boolean {
  return program.startsWith(name) && /^[-.\d]*$/.test(program.slice(name.length))
}

/** PATH without the entries of `places`, and without those that depend on where a program starts. */
export function pathWithout(path: string, places: readonly string[]): string {
  const isOwn = ownEntry(places)
  return path
    .split(delimiter)
    .filter(entry => !isOwn(entry))
    .join(delimiter)
}

/** The program as `PATH` without those entries names it; the bare name where that is the same. */
export function programOutside(name: string, path: string, places: readonly string[]): string {
  const outside = pathWithout(path, places)
  if (outside === path) return name
  const directories = outside.split(delimiter)
  return directories.map(directory => join(directory, name)).find(isProgram) ?? name
}

function ownEntry(places: readonly string[]): (entry: string) => boolean {
  const all = [...new Set([...places, ...places.map(place => realPath(place))])]
  return entry => {
    if (!isAbsolute(entry)) return true
    const spellings = [resolve(entry), realPath(entry)]
    if (spellings.every(one => isOfSystem(join(one, 'x')))) return false
    return spellings.some(one => all.some(place => isInside(one, place)))
  }
}

/** The system's own directories, whatever the workspace is: it may be `/`. */
function isOfSystem(path: string): boolean {
  return /^(\/usr)?(\/local)?\/s?bin\/[^/]+$/.test(path)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
