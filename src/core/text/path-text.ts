/** Paths as text, with forward slashes: what `node:path` does, without the disk and the current directory. */
import { foldLetters } from './fold-letters.js'

/** Absolute and without `.` and `..`. `base` must be absolute. */
export function resolvePath(base: string, path: string): string {
  const whole = path.startsWith('/') ? path : `${base}/${path}`
  // Judging asks this of most paths several times, and most are resolved already.
  if (!unresolved.test(whole)) return whole
  const segments: string[] = []
  for (const segment of whole.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

/** An empty segment, `.` or `..`. */
const unresolved = /\/\.{0,2}(?:\/|$)|^(?!\/)/

/** The directory itself or anything below it. `/w/app-secret` is not within `/w/app`. */
export function isWithin(path: string, directory: string): boolean {
  if (directory === '/') return true
  return path === directory || path.startsWith(`${directory}/`)
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return slash <= 0 ? '/' : path.slice(0, slash)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * One spelling for every name some file system takes for the same: case, composed and compatible letters, letters
 * nobody sees, trailing dots and blanks, streams (`.git::$DATA`) and short names (`GIT~1`).
 */
export function foldPath(path: string): string {
  const seen = plainLetters.test(path) ? path.toLowerCase() : foldLetters(path)
  if (!/[~:]|[. ](\/|$)/.test(seen)) return seen
  return seen.split('/').map(foldSegment).join('/')
}

/** All of them folded, one a line. Lists are kept between calls, so each is folded once. */
export function foldedText(paths: readonly string[]): string {
  const text = foldedTexts.get(paths) ?? paths.map(foldPath).join('\n')
  foldedTexts.set(paths, text)
  return text
}

const foldedTexts = new WeakMap<readonly string[], string>()

const plainLetters = /^[\x20-\x7e]*$/

function foldSegment(segment: string): string {
  if (segment === '.' || segment === '..') return segment
  const stream = segment.indexOf(':')
  const name = stream > 0 ? segment.slice(0, stream) : segment
  let end = name.length
  while (end > 1 && (name[end - 1] === '.' || name[end - 1] === ' ')) end--
  return shortNames.get(name.slice(0, end)) ?? name.slice(0, end)
}

const shortNames: ReadonlyMap<string, string> = new Map([
  ['git~1', '.git'],
  ['claude~1', '.claude'],
  ['offsho~1', '.offshoot'],
  ['mcp~1.jso', '.mcp.json'],
])
