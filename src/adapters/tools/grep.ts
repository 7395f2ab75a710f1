import type { Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { defineTool } from './define-tool.js'
import { type FileAccess, shownPath } from './file-access.js'
import { plural } from './plain-text.js'
import type { Found, FoundFile, SearchEngine, TextQuery } from './search.js'
import { couldNotBeRead } from './search.js'
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
const judgedAtLeast = 1_000

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
      const { cwd } = context.workspace
      if (input.output_mode === 'content') {
        const found = await permitted(input, await engine().matches(query), file => file.path, access, context)
        return showContent(input, found, cwd)
      }
      if (input.output_mode === 'count') {
        const found = await permitted(input, await engine().counts(query), file => file.path, access, context)
        return showCounts(input, found, cwd)
      }
      const found = await permitted(input, await engine().filesWithMatches(query), path => path, access, context)
      return showFiles(input, found, cwd)
    },
  })
}

interface Permitted<T> extends Found<T> {
  /** Files that match but must not be read. */
  readonly hidden: number
}

/**
 * Those that may be read. Each path is judged, which costs more than finding it, so of very many only as many as a page
 * can show and some more: the rest is neither judged nor counted, and the answer says that there is more.
 */
async function permitted<T>(
  { head_limit: limit = defaultLimit, offset = 0 }: GrepInput,
  found: Found<T>,
  pathOf: (item: T) => string,
  access: FileAccess,
  context: ToolContext,
): Promise<Permitted<T>> {
  const wanted = limit === 0 ? found.items.length : Math.max(judgedAtLeast, offset + limit + 1)
  const items: T[] = []
  let judged = 0
  while (judged < found.items.length && items.length < wanted) {
    const next = found.items.slice(judged, judged + wanted)
    const readable = await access.readable(next.map(pathOf), context)
    items.push(...next.filter(item => readable.has(pathOf(item))))
    judged += next.length
  }
  const isCut = found.isCut || judged < found.items.length
  return { ...found, items, isCut, hidden: judged - items.length }
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

function showFiles(input: GrepInput, found: Permitted<string>, cwd: string): ToolOutput {
  const lines = found.items.map(path => shownPath(path, cwd))
  return render(input, lines, { ...found, summary: counted(found, lines.length, 'file') })
}

function showCounts(
  input: GrepInput,
  found: Permitted<{ readonly path: string; readonly count: number }>,
  cwd: string,
): ToolOutput {
  const total = found.items.reduce((sum, { count }) => sum + count, 0)
  const lines = found.items.map(({ path, count }) => `${shownPath(path, cwd)}:${count}`)
  const summary = `${counted(found, total, 'line')} in ${plural(lines.length, 'file')}`
  return render(input, lines, { ...found, summary, total: `[${summary}]` })
}

function showContent(input: GrepInput, found: Permitted<FoundFile>, cwd: string): ToolOutput {
  let matches = 0
  const lines = found.items.flatMap(file => {
    const name = shownPath(file.path, cwd)
    return file.lines.map(line => {
      if (line === '--') return line
      const [, number = '', mark = ':', text = line] = /^(\d+)([:-])(.*)$/s.exec(line) ?? []
      if (mark === ':') matches++
      return input['-n'] === false ? `${name}${mark}${text}` : `${name}${mark}${number}${mark}${text}`
    })
  })
  return render(input, lines, { ...found, summary: counted(found, matches, 'match', 'matches') })
}

function counted({ isCut }: Pick<Shown, 'isCut'>, ...what: Parameters<typeof plural>): string {
  return `${isCut ? 'more than ' : ''}${plural(...what)}`
}

interface Shown {
  readonly hidden: number
  readonly isCut: boolean
  readonly unread?: number
  readonly summary: string
  readonly total?: string
}

function render(input: GrepInput, lines: readonly string[], shown: Shown): ToolOutput {
  const { hidden, isCut, unread = 0, summary, total } = shown
  const left = [
    ...(hidden > 0 ? [`[${plural(hidden, 'file')} left out: not permitted to be read]`] : []),
    ...(unread > 0 ? [couldNotBeRead(unread)] : []),
  ]
  if (lines.length === 0) return { content: ['No matches found.', ...left].join('\n'), summary: 'no matches' }
  const offset = input.offset ?? 0
  const limit = input.head_limit === 0 ? lines.length : (input.head_limit ?? defaultLimit)
  if (offset >= lines.length) {
    const none = `[nothing from offset ${offset} on: there are ${counted(shown, lines.length, 'entry', 'entries')}]`
    return { content: [none, ...left].join('\n'), summary: 'past the end' }
  }
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

/** `*.ts, *.tsx` and `*.ts *.tsx` are two globs; a comma inside braces is not between globs. */
function splitGlobs(glob: string | undefined): readonly string[] {
  if (glob === undefined || glob.trim() === '') return []
  return glob.split(/[\s,]+(?![^{]*\})/).filter(part => part !== '')
}
