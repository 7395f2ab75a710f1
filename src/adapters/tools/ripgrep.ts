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
  const search = (options: readonly string[], query: FileQuery, pattern?: string) =>
    run(program, [...options, ...filters(query), ...(pattern === undefined ? [] : ['-e', pattern])], query)
  return {
    async files(query) {
      const { text, isCut } = await search(['--files', '--null'], query)
      return { items: splitAt(text, '\0'), isCut }
    },
    async filesWithMatches(query) {
      const { text, isCut } = await search(['-l', '--null', ...matching(query)], query, query.pattern)
      return { items: splitAt(text, '\0').sort(), isCut }
    },
    async counts(query) {
      const { text, isCut } = await search(['-c', '-H', '--null', ...matching(query)], query, query.pattern)
      const items = splitAt(text, '\n').map(line => {
        const end = line.indexOf('\0')
        return { path: line.slice(0, end), count: Number(line.slice(end + 1)) }
      })
      return { items: items.sort(byPath), isCut }
    },
    async matches(query) {
      const around = ['-B', String(query.before), '-A', String(query.after)]
      const shape = ['-n', '-H', '--null', '--no-heading', '-M', String(longestShownLine), '--max-columns-preview']
      const { text, isCut } = await search([...shape, ...around, ...matching(query)], query, query.pattern)
      return { items: groupByFile(splitAt(text, '\n')), isCut }
    },
  }
}

// The user's own ripgrep settings must not change what a model sees, nor name a program to run (--pre).
const always = ['--no-config', '--hidden', '--no-require-git', '--color', 'never']

// The last glob wins, so that no pattern brings `.git` back in.
function filters({ globs, type }: FileQuery): string[] {
  const wanted = [...globs, '!.git'].flatMap(glob => ['--glob', glob])
  return type === undefined ? wanted : [...wanted, '--type', type]
}

function matching({ isCaseInsensitive, isMultiline }: TextQuery): string[] {
  return [...(isCaseInsensitive ? ['-i'] : []), ...(isMultiline ? ['-U', '--multiline-dotall'] : [])]
}

async function run(
  program: string,
  args: readonly string[],
  query: FileQuery,
): Promise<{ text: string; isCut: boolean }> {
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
  return { text: end.stdout.toString('utf8'), isCut: end.isCut }
}

// Files that cannot be read are reported with the system's error number; the rest of the search is good.
function isUsageError(stderr: string): boolean {
  return !/\(os error \d+\)/.test(stderr)
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

function splitAt(text: string, separator: string): string[] {
  const parts = text.split(separator)
  if (parts.at(-1) === '') parts.pop()
  return parts
}

function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0
}
