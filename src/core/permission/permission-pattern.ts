/**
 * The patterns of permission rules as globs.
 * P1 A command: `npm run *` covers `npm run` and what follows it after a blank; `npm run:*` is a prefix, which ends at
 *    the word when it is one word (`git:*` is no `gitk`), and for rules that allow also when it is a command of git: what
 *    `git logx` runs the repository decides. Any other `*` covers anything.
 * P2 A path: `//x` absolute, `~/x` below home, `/x` below the project, `./x` and `a/x` below the directory of whom the
 *    rule was given to (see standpoint), a name without a slash anywhere below it.
 * P3 What forbids reads generously: `/x` also as absolute, relative also below every root and directory of the chain and
 *    what they are copies of, a directory with all in it, links followed as far as it is spelled out, case and look-alikes
 *    folded. What allows reads narrowly.
 */

import type { WordPattern } from '../shell/words-in-order.js'
import { alternativesOf, commandGlob, type Glob, pathGlobs } from '../text/glob.js'
import { foldPath, resolvePath } from '../text/path-text.js'
import { quoteWord } from '../text/shell-word.js'
import type { Place } from './path-policy.js'
import { basesOf, type RuleStart } from './standpoint.js'

export interface CommandPattern {
  readonly globs: readonly Glob[]
  /** The same for rules that allow, where it is narrower. */
  readonly allowing?: readonly Glob[]
  /** The same for rules that forbid. */
  readonly forbidding: readonly Glob[]
  /** Without a wildcard: covers one command and nothing else. */
  readonly isExact: boolean
  /** Covers every command. */
  readonly isAll: boolean
  /** The program it is about, when it starts with one. */
  readonly head?: string
  /** The same word by word, for rules that forbid: options may stand between. Any of them counts. */
  readonly inOrder: readonly WordPattern[]
}

export function commandPattern(pattern: string): CommandPattern {
  const known = knownPatterns.get(pattern)
  if (known) return known
  if (knownPatterns.size >= 2_000) knownPatterns.clear()
  const read = readCommandPattern(pattern)
  knownPatterns.set(pattern, read)
  return read
}

/** Patterns are read again at every call, and they are the same ones. */
const knownPatterns = new Map<string, CommandPattern>()

function readCommandPattern(pattern: string): CommandPattern {
  const written = readAsWritten(pattern.trim())
  const parted = withColonsParted(pattern)
  if (parted === undefined) return written
  const other = readAsWritten(parted)
  return {
    ...written,
    forbidding: [...written.forbidding, ...other.forbidding],
    inOrder: [...written.inOrder, ...other.inOrder],
  }
}

/** `gh pr merge *--admin*` for `gh pr merge:*--admin*`; undefined where no colon stands but for a prefix. */
export function withColonsParted(pattern: string): string | undefined {
  const text = pattern.trim()
  const parted = text.replace(/ *: *\*(?=.)|: +\*$|:$/g, ' *').trim()
  return text === ':*' || parted === text ? undefined : parted
}

function readAsWritten(text: string): CommandPattern {
  const isAll = text === '' || text === '*' || text === ':*'
  const head = /^[^\s*:]+/.exec(text)?.[0]
  const about = head === undefined ? {} : { head }
  const inOrder = [wordPattern(text)]
  const asGlobs = (texts: readonly string[]) => {
    const globs = texts.map(commandGlob)
    return { globs, forbidding: globs, isExact: false, isAll: false, inOrder, ...about }
  }
  if (isAll) return { ...asGlobs(['*']), isAll }
  if (text.endsWith(':*')) {
    const prefix = text.slice(0, -2).trimEnd()
    const globs = /\s/.test(prefix) ? [`${prefix}*`] : [prefix, `${prefix} *`]
    const isGitCommand = /^(\S*\/)?git\s+[\w-]+$/.test(prefix)
    const allowing = isGitCommand ? { allowing: [prefix, `${prefix} *`].map(commandGlob) } : {}
    return { ...asGlobs(globs), ...allowing }
  }
  if (text.endsWith(' *')) return asGlobs([text.slice(0, -2).trimEnd(), text])
  return { ...asGlobs([text]), isExact: !text.replaceAll('\\*', '').includes('*') }
}

/** `git push:*` ends in a prefix; after `git push *` and `git push --f*` anything may follow, and before `*--force` anything stand. */
function wordPattern(text: string): WordPattern {
  const isOpen = text.endsWith('*') && !text.endsWith('\\*')
  const words = text
    .replace(/:\*$/, '*')
    .split(/\s+/)
    .flatMap(word => (word === '*' ? [undefined] : [...(word.startsWith('*') ? [undefined] : []), commandGlob(word)]))
  return { words: isOpen && words.at(-1) === undefined ? words.slice(0, -1) : words, isOpen }
}

/** The same text with its stars made plain, so that a saved rule covers exactly what was approved. */
export function escapeCommand(text: string): string {
  return text.replace(/[\\*]/g, letter => `\\${letter}`)
}

/** A line for one directory: what a rule `Bash(in /w/app: rm x)` spells out. Quoted, so that no line is taken for part of it. */
export function lineIn(directory: string, line: string): string {
  return `in ${/^[\w@%+=,./-]+$/.test(directory) ? directory : quoteWord(directory)}: ${line.trim()}`
}

/** A tool of one very server: `mcp__db__query(server:0f1e…)`. */
export function serverPattern(server: string | undefined): string | undefined {
  return server === undefined ? undefined : `server:${server}`
}

/** A rule that forbids. `projectRoot` is what `/x` starts from as well. */
export function forbiddenPaths(pattern: string, place: Place, projectRoot?: string): readonly Glob[] {
  return generous(pattern, place, projectRoot).flatMap(text => pathGlobs(text))
}

/** A rule that allows. `projectRoot` is what `/x` starts from; absent, the root of its start. */
export function allowedPaths(
  pattern: string,
  place: Place,
  start: RuleStart | undefined,
  projectRoot?: string,
): readonly Glob[] {
  return narrow(pattern, place, start, projectRoot).flatMap(text => pathGlobs(text))
}

function generous(pattern: string, place: Place, projectRoot: string | undefined): readonly string[] {
  if (/^\*{0,2}$/.test(pattern)) return ['/**']
  const bases = new Set([...basesOf(place), ...(projectRoot ? [projectRoot] : [])])
  const texts = [...bases].flatMap(base => anchored(pattern, base, base, place.home))
  if (pattern.startsWith('/') && !pattern.startsWith('//')) texts.push(resolvePath('/', pattern))
  // A name alone is about any such name below, and spells out the one at the top.
  if (!/[/~*?[{\\]/.test(pattern.replace(/\/$/, '')))
    texts.push(...[...bases].flatMap(base => realSpelling(resolvePath(base, pattern), place)))
  const spelled = texts.flatMap(alternativesOf).flatMap(text => [text, ...realSpelling(text, place)])
  return [...new Set(spelled.map(foldPattern).flatMap(withDirectory))]
}

/**
 * The same pattern with the links followed in what stands before its first wildcard: calls are known by where they really
 * lead, and a rule may be written by another way (`/home` that leads to `/data/home`).
 */
function realSpelling(text: string, place: Place): readonly string[] {
  const wildcard = text.search(/[*?[\\]/)
  const end = wildcard < 0 ? text.length : text.lastIndexOf('/', wildcard)
  const fixed = text.slice(0, end)
  const real = place.realPath(fixed || '/')
  if (real === (fixed || '/')) return []
  return [(real === '/' ? '' : real).replace(/[*?[\]{}\\]/g, '\\$&') + text.slice(end)]
}

/** With all that lies in it; and where a pattern is about all in a directory, with the directory. */
function withDirectory(text: string): readonly string[] {
  const directory = text.replace(/\/(\*\*)?$/, '')
  return [text, directory, `${directory}/**`]
}

function narrow(
  pattern: string,
  place: Place,
  start: RuleStart | undefined,
  projectRoot: string | undefined,
): readonly string[] {
  const isAnchored = /^(\/\/|~($|\/))/.test(pattern) || (pattern.startsWith('/') && projectRoot !== undefined)
  if (!start && !isAnchored) return []
  const base = start?.directory ?? '/'
  const root = projectRoot ?? start?.root ?? '/'
  const texts = [
    ...anchored(pattern, base, root, place.home),
    ...anchored(pattern, place.realPath(base), place.realPath(root), place.home && place.realPath(place.home)),
  ]
  return [...new Set(texts)].map(text => (pattern.endsWith('/') ? `${text}/**` : text))
}

function anchored(pattern: string, cwd: string, root: string, home: string | undefined): string[] {
  if (pattern.startsWith('//')) return [resolvePath('/', pattern)]
  if (pattern === '~' || pattern.startsWith('~/'))
    return home === undefined ? [] : [resolvePath(home, `.${pattern.slice(1)}`)]
  if (pattern.startsWith('/')) return [resolvePath(root, `.${pattern}`)]
  const isName = !pattern.replace(/\/$/, '').includes('/')
  return [isName ? `${cwd === '/' ? '' : cwd}/**/${pattern.replace(/\/$/, '')}` : resolvePath(cwd, pattern)]
}

/** Folding must leave the letters of the pattern language alone, and a class like `[.]` at its place. */
function foldPattern(text: string): string {
  return /[[{]/.test(text) ? text.normalize('NFKC').toLowerCase() : foldPath(text)
}
