import type { Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { defineTool } from './define-tool.js'
import { type FileAccess, shownPath } from './file-access.js'
import { plural } from './plain-text.js'
import type { Found, SearchEngine, TextQuery } from './search.js'
import { placeOf } from './search-place.js'

interface GrepInput {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly type?: string
  readonly output_mode?: 'files_with_matches' | 'content' | 'count'
  readonly '-A'?: number
  readonly '-B'?: number
  readonly '-C'?: number
  readonly '-n'?: boolean
  readonly '-i'?: boolean
  readonly multiline?: boolean
  readonly head_limit?: number
  readonly offset?: number
}

const defaultLimit = 250
const shownBytes = 28_000

export function createGrepTool(access: FileAccess, engine: () => SearchEngine): Tool {
  return defineTool<GrepInput>({
    spec: {
      name: 'Grep',
      description: 'Searches file contents with a regular expression (ripgrep). Skips ignored files.',
      effect: 'read',
      inputSchema,
    },
    context: input => (input.path === undefined ? input.pattern : `${input.pattern} in ${input.path}`),
    async run(input, context) {
      const place = await placeOf(input.path, access, context)
      const query: TextQuery = {
        ...place,
        globs: splitGlobs(input.glob),
        ...(input.type !== undefined && { type: input.type }),
        pattern: input.pattern,
        isCaseInsensitive: input['-i'] ?? false,
        isMultiline: input.multiline ?? false,
        before: input['-B'] ?? input['-C'] ?? 0,
        after: input['-A'] ?? input['-C'] ?? 0,
        signal: context.signal,
      }
      if (input.output_mode === 'content') return showContent(input, await engine().matches(query), access, context)
      if (input.output_mode === 'count') return showCounts(input, await engine().counts(query), access, context)
      return showFiles(input, await engine().filesWithMatches(query), access, context)
    },
  })
}

const inputSchema = {
  type: 'object',
  properties: {
    pattern: { type: 'string' },
    path: { type: 'string', description: 'File or directory' },
    glob: { type: 'string', description: 'e.g. "*.{ts,tsx}"' },
    type: { type: 'string', description: 'e.g. ts, py, rust' },
    output_mode: {
      type: 'string',
      enum: ['files_with_matches', 'content', 'count'],
      description: 'Default files_with_matches',
    },
    '-A': { type: 'integer', minimum: 0, description: 'Lines after' },
    '-B': { type: 'integer', minimum: 0, description: 'Lines before' },
    '-C': { type: 'integer', minimum: 0, description: 'Lines around' },
    '-n': { type: 'boolean', description: 'Line numbers; default true' },
    '-i': { type: 'boolean', description: 'Ignore case' },
    multiline: { type: 'boolean' },
    head_limit: { type: 'integer', minimum: 0, description: `Entries shown; default ${defaultLimit}` },
    offset: { type: 'integer', minimum: 0 },
  },
  required: ['pattern'],
}

function showFiles(input: GrepInput, found: Found<string>, access: FileAccess, context: ToolContext): ToolOutput {
  const { readable, hidden } = split(found.items, path => path, access, context)
  const lines = readable.map(path => shownPath(path, context.workspace.cwd))
  return render(input, lines, { hidden, isCut: found.isCut, summary: plural(readable.length, 'file') })
}

function showCounts(
  input: GrepInput,
  found: Found<{ readonly path: string; readonly count: number }>,
  access: FileAccess,
  context: ToolContext,
): ToolOutput {
  const { readable, hidden } = split(found.items, item => item.path, access, context)
  const total = readable.reduce((sum, { count }) => sum + count, 0)
  const lines = readable.map(({ path, count }) => `${shownPath(path, context.workspace.cwd)}:${count}`)
  const summary = `${plural(total, 'line')} in ${plural(readable.length, 'file')}`
  return render(input, lines, { hidden, isCut: found.isCut, summary, total: `[${summary}]` })
}

function showContent(
  input: GrepInput,
  found: Found<{ readonly path: string; readonly lines: readonly string[] }>,
  access: FileAccess,
  context: ToolContext,
): ToolOutput {
  const { readable, hidden } = split(found.items, item => item.path, access, context)
  let matches = 0
  const lines = readable.flatMap(file => {
    const name = shownPath(file.path, context.workspace.cwd)
    return file.lines.map(line => {
      if (line === '--') return line
      const [, number = '', mark = ':', text = line] = /^(\d+)([:-])(.*)$/s.exec(line) ?? []
      if (mark === ':') matches++
      return input['-n'] === false ? `${name}${mark}${text}` : `${name}${mark}${number}${mark}${text}`
    })
  })
  return render(input, lines, { hidden, isCut: found.isCut, summary: plural(matches, 'match', 'matches') })
}

interface Shown {
  readonly hidden: number
  readonly isCut: boolean
  readonly summary: string
  readonly total?: string
}

function render(input: GrepInput, lines: readonly string[], { hidden, isCut, summary, total }: Shown): ToolOutput {
  const left = hidden > 0 ? [`[${plural(hidden, 'file')} left out: not permitted to be read]`] : []
  if (lines.length === 0) return { content: ['No matches found.', ...left].join('\n'), summary: 'no matches' }
  const offset = input.offset ?? 0
  const limit = input.head_limit === 0 ? lines.length : (input.head_limit ?? defaultLimit)
  const page = withinBytes(lines.slice(offset, offset + limit))
  const next = offset + page.length
  const rest = next < lines.length || isCut
  const count = isCut ? `more than ${lines.length}` : String(lines.length)
  const notes = rest ? [`[${offset + 1}-${next} of ${count}; next offset ${next}, or narrow the search]`] : []
  return { content: [...page, ...(total ? [total] : []), ...notes, ...left].join('\n'), summary }
}

function withinBytes(lines: readonly string[]): readonly string[] {
  let size = 0
  const end = lines.findIndex(line => {
    size += Buffer.byteLength(line) + 1
    return size > shownBytes
  })
  return end === -1 ? lines : lines.slice(0, Math.max(end, 1))
}

function split<T>(items: readonly T[], pathOf: (item: T) => string, access: FileAccess, context: ToolContext) {
  const readable = items.filter(item => access.mayRead(pathOf(item), context))
  return { readable, hidden: items.length - readable.length }
}

/** `*.ts, *.tsx` and `*.ts *.tsx` are two globs; a comma inside braces is not between globs. */
function splitGlobs(glob: string | undefined): readonly string[] {
  if (glob === undefined || glob.trim() === '') return []
  return glob.split(/[\s,]+(?![^{]*\})/).filter(part => part !== '')
}
