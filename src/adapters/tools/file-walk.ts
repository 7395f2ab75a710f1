/** Walks a tree without ripgrep, by the same rules: hidden files yes, `.git` and ignored ones no, links not followed. */
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import picomatch from 'picomatch'
import { ToolFailure } from './define-tool.js'
import type { FileQuery } from './search.js'

interface IgnoreRules {
  readonly directory: string
  readonly rules: Ignore
}

export async function* walkFiles(query: FileQuery): AsyncGenerator<string> {
  const isWanted = matcher(query)
  if (query.file !== undefined) {
    yield join(query.directory, query.file)
    return
  }
  yield* walk('', [], query, isWanted)
}

async function* walk(
  below: string,
  inherited: readonly IgnoreRules[],
  query: FileQuery,
  isWanted: (path: string) => boolean,
): AsyncGenerator<string> {
  query.signal.throwIfAborted()
  const directory = join(query.directory, below)
  const entries = await list(directory)
  const rules = await ignoreRules(directory, below, entries, inherited)
  const isAskedFor = query.globs.some(glob => !glob.startsWith('!'))
  for (const entry of entries) {
    if (entry.name === '.git') continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) {
      if (!isIgnored(`${path}/`, rules)) yield* walk(path, rules, query, isWanted)
    } else if (entry.isFile() && isWanted(path) && (isAskedFor || !isIgnored(path, rules))) {
      yield join(query.directory, path)
    }
  }
}

async function list(directory: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  } catch {
    return []
  }
}

async function ignoreRules(
  directory: string,
  below: string,
  entries: readonly Dirent[],
  inherited: readonly IgnoreRules[],
): Promise<readonly IgnoreRules[]> {
  const found = entries.filter(entry => entry.isFile() && ['.gitignore', '.ignore'].includes(entry.name))
  if (found.length === 0) return inherited
  const rules = ignore({ allowRelativePaths: true })
  for (const entry of found) rules.add(await readFile(join(directory, entry.name), 'utf8').catch(() => ''))
  return [...inherited, { directory: below, rules }]
}

/** The innermost file with an opinion decides. */
function isIgnored(path: string, all: readonly IgnoreRules[]): boolean {
  for (const { directory, rules } of [...all].reverse()) {
    const verdict = rules.test(directory === '' ? path : path.slice(directory.length + 1))
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}

function matcher({ globs, type }: FileQuery): (path: string) => boolean {
  const excluded = globs.filter(glob => glob.startsWith('!')).map(glob => compile(glob.slice(1)))
  const included = globs.filter(glob => !glob.startsWith('!')).map(compile)
  const extensions = type === undefined ? undefined : extensionsOf(type)
  return path =>
    (included.length === 0 || included.some(isMatch => isMatch(path))) &&
    !excluded.some(isMatch => isMatch(path)) &&
    (extensions === undefined || extensions.some(extension => path.endsWith(`.${extension}`)))
}

function compile(glob: string): (path: string) => boolean {
  const anchored = glob.startsWith('/') ? glob.slice(1) : glob.includes('/') ? glob : `**/${glob}`
  return picomatch(anchored, { dot: true })
}

function extensionsOf(type: string): readonly string[] {
  const extensions = fileTypes[type]
  if (!extensions) throw new ToolFailure(`Unknown file type "${type}". Use glob instead, e.g. "*.${type}".`, 'bad type')
  return extensions
}

const fileTypes: Readonly<Record<string, readonly string[]>> = {
  c: ['c', 'h'],
  cpp: ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'h'],
  css: ['css', 'scss'],
  go: ['go'],
  html: ['html', 'htm'],
  java: ['java'],
  js: ['js', 'jsx', 'mjs', 'cjs', 'vue'],
  json: ['json'],
  md: ['md', 'markdown', 'mdx'],
  php: ['php'],
  py: ['py', 'pyi'],
  ruby: ['rb', 'gemspec'],
  rust: ['rs'],
  sh: ['sh', 'bash', 'zsh'],
  sql: ['sql'],
  toml: ['toml'],
  ts: ['ts', 'tsx', 'mts', 'cts'],
  txt: ['txt'],
  yaml: ['yaml', 'yml'],
}
