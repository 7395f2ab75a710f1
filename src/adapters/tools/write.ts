import type { Tool } from '../../core/ports.js'
import { defineTool } from './define-tool.js'
import type { FileChanges } from './file-changes.js'
import { plural } from './plain-text.js'

interface WriteInput {
  readonly file_path: string
  readonly content: string
}

export function createWriteTool(changes: FileChanges): Tool {
  return defineTool<WriteInput>({
    spec: {
      name: 'Write',
      description:
        'Creates a file, or replaces all of it. An existing file must have been read first; prefer Edit for it.',
      effect: 'write',
      inputSchema: {
        type: 'object',
        properties: { file_path: { type: 'string' }, content: { type: 'string' } },
        required: ['file_path', 'content'],
      },
    },
    context: input => input.file_path,
    async run(input, context) {
      const { file, name, added, removed } = await changes.change(input.file_path, context, () =>
        Buffer.from(input.content),
      )
      const isNew = file.change === 'created'
      return {
        content: isNew ? `Created ${name}.` : `Replaced ${name} (+${added} −${removed}).`,
        summary: isNew ? plural(input.content.split('\n').length, 'line') : `+${added} −${removed}`,
        files: [file],
      }
    },
  })
}
