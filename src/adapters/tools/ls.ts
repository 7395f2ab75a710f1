import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import picomatch from 'picomatch'
import type { Tool } from '../../core/ports.js'
import { defineTool, ToolFailure } from './define-tool.js'
import { type FileAccess, shownPath } from './file-access.js'
import { bytesInWords, oneLine, plural } from './plain-text.js'
import { placeOf } from './search-place.js'

interface ListInput {
  readonly path?: string
  readonly ignore?: readonly string[]
}

const shownEntries = 500

export function createLsTool(access: FileAccess): Tool {
  return defineTool<ListInput>({
    spec: {
      name: 'LS',
      displayName: 'List',
      description: 'Lists a directory: names (directories end in /) and sizes.',
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Default: working directory' },
          ignore: { type: 'array', items: { type: 'string' }, description: 'Globs to leave out' },
        },
      },
    },
    context: input => input.path ?? '.',
    async run(input, context) {
      const { directory, file } = await placeOf(input.path, access, context)
      if (file !== undefined) throw new ToolFailure(`${input.path} is a file. Use Read to see it.`, 'not a directory')
      const isIgnored = picomatch([...(input.ignore ?? [])], { dot: true })
      const all = await readdir(directory, { withFileTypes: true })
      const entries = all.filter(entry => !isIgnored(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1))
      const lines = await Promise.all(entries.slice(0, shownEntries).map(entry => describe(directory, entry)))
      if (entries.length > shownEntries)
        lines.push(`[${shownEntries} of ${entries.length} entries; use Glob to narrow]`)
      const title = `${shownPath(directory, context.workspace.cwd)}:`
      return {
        content: [title, ...(lines.length > 0 ? lines : ['[empty]'])].join('\n'),
        summary: plural(entries.length, 'entry', 'entries'),
      }
    },
  })
}

async function describe(directory: string, entry: Dirent): Promise<string> {
  const name = oneLine(entry.name, 255)
  const path = join(directory, entry.name)
  if (entry.isDirectory()) return `${name}/`
  if (entry.isSymbolicLink()) return `${name} -> ${oneLine(await readlink(path).catch(() => '?'), 255)}`
  if (!entry.isFile()) return `${name} (special)`
  const size = await lstat(path).then(
    stats => bytesInWords(stats.size),
    () => 'gone',
  )
  return `${name} (${size})`
}
