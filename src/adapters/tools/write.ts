import type { Tool } from '../../core/ports.js'
import { defineTool } from './define-tool.js'
import { usesCarriageReturns } from './edit-text.js'
import type { FileChanges } from './file-changes.js'
import { plural } from './plain-text.js'
import { encodeLike } from './text-encoding.js'

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
    foresee: (input, context) => changes.foresee(input.file_path, context, before => encodeLike(before, input.content)),
    async run(input, context) {
      let hadReturns = false
      const changed = await changes.change(input.file_path, context, before => {
        hadReturns = before !== undefined && usesCarriageReturns(before)
        return encodeLike(before, input.content)
      })
      const { file, name, after, added, removed } = changed
      if (file.change === 'created')
        return { content: `Created ${name}.`, summary: plural(added, 'line'), files: [file] }
      const isLost = hadReturns && after.includes(10) && !usesCarriageReturns(after)
      const note = isLost ? '\n[its line ends were CRLF and are LF now, as in the text given]' : ''
      return {
        content: `Replaced ${name} (+${added} −${removed}).${note}`,
        summary: `+${added} −${removed}`,
        files: [file],
      }
    },
  })
}
