import { lstatSync } from 'node:fs'
import { isAbsolute, join, sep } from 'node:path'
import type { Tool } from '../../core/ports.js'
import { defineTool, ToolFailure } from './define-tool.js'
import { type FileAccess, shownPath } from './file-access.js'
import { plural } from './plain-text.js'
import { couldNotBeRead, type Found, type SearchEngine } from './search.js'
import { placeOf } from './search-place.js'

export interface GlobInput {
  readonly pattern: string
  readonly path?: string
}

const shownFiles = 100
// Asking for the time of every file, or sorting them all, would cost more than the search; past this the path decides.
const datedFiles = 1000

export function createGlobTool(access: FileAccess, engine: () => SearchEngine): Tool {
  return defineTool<GlobInput>({
    spec: {
      name: 'Glob',
      description: `Finds files by name pattern (e.g. "src/**/*.ts"), newest first, at most ${shownFiles}. Skips ignored files.`,
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          pattern: { type: 'string' },
          path: { type: 'string', description: 'Directory; default: working directory' },
        },
        required: ['pattern'],
      },
    },
    context: input => (input.path === undefined ? input.pattern : `${input.pattern} in ${input.path}`),
    async run(input, context) {
      const { base, glob } = splitPattern(input)
      if (glob.split('/').includes('..'))
        throw new ToolFailure(
          '".." can only stand at the start of a pattern. Name the directory in path.',
          'bad pattern',
        )
      const place = await placeOf(base, access, context)
      if (place.file !== undefined)
        throw new ToolFailure(`${base} is a file. Use Read to see it, or name a directory.`, 'not a directory')
      const found = await engine().files({ ...place, globs: [glob], signal: context.signal })
      const first =
        found.items.length > datedFiles ? firstByPath(found.items, shownFiles) : newest(found.items, shownFiles)
      const readable = await access.readable(first, context)
      const listed = first.filter(path => readable.has(path)).map(path => shownPath(path, context.workspace.cwd))
      const lines = [...listed, ...notes(found, first.length - readable.size)]
      if (found.items.length === 0)
        return { content: [`No files match ${input.pattern}.`, ...lines].join('\n'), summary: 'no files' }
      return { content: lines.join('\n'), summary: plural(found.items.length, 'file') }
    },
  })
}

/** An absolute pattern names its own directory: everything before the first component with a wildcard. One may climb. */
export function splitPattern({ pattern, path }: GlobInput): { base: string | undefined; glob: string } {
  if (!isAbsolute(pattern)) {
    const [start = ''] = /^(\.{1,2}\/+)*/.exec(pattern) ?? []
    const glob = pattern.slice(start.length)
    return start.includes('..') ? { base: join(path ?? '.', start), glob: `/${glob}` } : { base: path, glob }
  }
  const parts = pattern.split(sep)
  const wild = parts.findIndex(part => /[*?[\]{}!]/.test(part))
  const end = wild === -1 ? parts.length - 1 : wild
  return { base: parts.slice(0, end).join(sep) || sep, glob: `/${parts.slice(end).join(sep)}` }
}

function newest(paths: readonly string[], count: number): readonly string[] {
  const dated = paths.map(path => ({ path, time: lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  dated.sort((left, right) => right.time - left.time || (left.path < right.path ? -1 : 1))
  return dated.slice(0, count).map(({ path }) => path)
}

/** Looks at each path once; most are past the last one kept. */
function firstByPath(paths: readonly string[], count: number): readonly string[] {
  const first: string[] = []
  for (const path of paths) {
    if (first.length === count && path >= first[count - 1]!) continue
    const place = first.findIndex(kept => path < kept)
    first.splice(place === -1 ? first.length : place, 0, path)
    if (first.length > count) first.pop()
  }
  return first
}

function notes({ items, isCut, unread = 0 }: Found<string>, leftOut: number): string[] {
  const lines: string[] = []
  if (items.length > shownFiles) {
    const how = items.length > datedFiles ? 'by path' : 'newest first'
    const count = isCut ? `more than ${items.length}` : String(items.length)
    lines.push(`[${shownFiles} of ${count} files, ${how}; narrow the pattern to see the others]`)
  }
  if (unread > 0) lines.push(couldNotBeRead(unread))
  if (leftOut > 0) lines.push(`[${plural(leftOut, 'file')} left out: not permitted to be read]`)
  return lines
}
