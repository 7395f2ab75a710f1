import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runProgram } from '../os/program.js'
import { ToolFailure } from './define-tool.js'
import { type FileQuery, type FoundFile, longestShownLine, type SearchEngine, type TextQuery } from './search.js'

/** The program of this platform's package, or nothing where there is none. Costs no start-up: nothing is loaded. */
export function findRipgrep(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg'
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('@vscode/ripgrep'))
    return require.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${name}`)
  } catch {
    return undefined
  }
}

/** Searches with ripgrep. Output is sorted here: its own sorting would cost it all but one thread. */
export function createRipgrep(program: string): SearchEngine {
  const search = (options: readonly string[], query: FileQuery, separator: string, pattern?: string) =>
    run(
      program,
      [...options, ...filters(query, separator), ...(pattern === undefined ? [] : ['-e', pattern])],
      query,
      separator,
    )
  return {
    async files(query) {
      const { parts, ...rest } = await search(['--files', '--null'], query, '\0')
      return { items: parts, ...rest }
    },
    async filesWithMatches(query) {
      const { parts, ...rest } = await search(['-l', '--null', ...matching(query)], query, '\0', query.pattern)
      return { items: parts.sort(), ...rest }
    },
    async counts(query) {
      const { parts, ...rest } = await search(['-c', '-H', '--null', ...matching(query)], query, '\n', query.pattern)
      const items = parts.map(line => {
        const end = line.indexOf('\0')
        return { path: line.slice(0, end), count: Number(line.slice(end + 1)) }
      })
      return { items: items.sort(byPath), ...rest }
    },
    async matches(query) {
      const around = ['-B', String(query.before), '-A', String(query.after)]
      const shape = ['-n', '-H', '--null', '--no-heading', '-M', String(longestShownLine), '--max-columns-preview']
      const options = [...shape, ...around, ...matching(query)]
      const { parts, ...rest } = await search(options, query, '\n', query.pattern)
      return { items: groupByFile(parts), ...rest }
    },
  }
}

// The user's own ripgrep settings must not change what a model sees, nor name a program to run (--pre).
const always = ['--no-config', '--hidden', '--no-require-git', '--color', 'never']

// The last glob wins, so that no pattern brings `.git` back in.
function filters({ globs, type }: FileQuery, separator: string): string[] {
  // What follows a newline in a name would be taken for a file of its own.
  const unreadable = separator === '\n' ? ['!*\n*'] : []
  const wanted = [...globs, '!.git', ...unreadable].flatMap(glob => ['--glob', glob])
  return type === undefined ? wanted : [...wanted, '--type', type]
}

function matching({ isCaseInsensitive, isMultiline }: TextQuery): string[] {
  return [...(isCaseInsensitive ? ['-i'] : []), ...(isMultiline ? ['-U', '--multiline-dotall'] : [])]
}

async function run(
  program: string,
  args: readonly string[],
  query: FileQuery,
  separator: string,
): Promise<{ parts: string[]; isCut: boolean; unread: number }> {
  const target = query.file === undefined ? query.directory : join(query.directory, query.file)
  const end = await runProgram(program, [...always, ...args, '--', target], {
    cwd: query.directory,
    env: {},
    signal: query.signal,
    maxBytes: 20 * 1024 * 1024,
  })
  if (end.code === 2 && end.stdout.length === 0 && isUsageError(end.stderr)) {
    throw new ToolFailure(`The search could not run: ${end.stderr.trim().slice(0, 600)}`, 'bad pattern')
  }
  const parts = end.stdout.toString('utf8').split(separator)
  // After the last separator there is nothing, or, where the output was cut, a piece of what was to come.
  if (end.isCut || parts.at(-1) === '') parts.pop()
  return { parts, isCut: end.isCut, unread: unreadIn(end.stderr) }
}

function isUsageError(stderr: string): boolean {
  return unreadIn(stderr) === 0
}

/** Files that cannot be read are reported with the system's error number; the rest of the search is good. */
function unreadIn(stderr: string): number {
  return stderr.split('\n').filter(line => /\(os error \d+\)/.test(line)).length
}

/** ripgrep writes the lines of one file together, but the files in any order. */
function groupByFile(lines: readonly string[]): FoundFile[] {
  const files = new Map<string, string[]>()
  let current: string[] | undefined
  for (const line of lines) {
    const end = line.indexOf('\0')
    if (end === -1) {
      if (line === '--') current?.push(line)
      continue
    }
    const path = line.slice(0, end)
    current = files.get(path) ?? []
    files.set(path, current)
    current.push(line.endsWith('\r') ? line.slice(end + 1, -1) : line.slice(end + 1))
  }
  return [...files].map(([path, found]) => ({ path, lines: withoutLastBreak(found) })).sort(byPath)
}

// A separator also stands between files, where it would be the last line of the one before.
function withoutLastBreak(lines: string[]): string[] {
  return lines.at(-1) === '--' ? lines.slice(0, -1) : lines
}

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0
}
