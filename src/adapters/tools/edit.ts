import type { Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { cutCharacters } from '../../core/text/text.js'
import { defineTool, ToolFailure } from './define-tool.js'
import { applyEdit, applyEdits, type Edited, type TextEdit } from './edit-text.js'
import type { FileChanges } from './file-changes.js'
import { plural } from './plain-text.js'
import { decodeText } from './text-encoding.js'

const text = { type: 'string' }
const editProperties = { old_string: text, new_string: text, replace_all: { type: 'boolean' } }

type OneEdit = TextEdit & { readonly file_path: string }
interface SeveralEdits {
  readonly file_path: string
  readonly edits: readonly TextEdit[]
}

export function createEditTool(changes: FileChanges): Tool {
  return defineTool<OneEdit>({
    spec: {
      name: 'Edit',
      description:
        'Replaces exact text in a file that was read before. old_string must be unique unless replace_all; leave out the line numbers Read shows. An empty old_string creates a file.',
      effect: 'write',
      inputSchema: {
        type: 'object',
        properties: { file_path: text, ...editProperties },
        required: ['file_path', 'old_string', 'new_string'],
      },
    },
    context: input => input.file_path,
    run: (input, context) => editFile(changes, context, oneEdit(input)),
    foresee: (input, context) => foreseeEdit(changes, context, oneEdit(input)),
  })
}

export function createMultiEditTool(changes: FileChanges): Tool {
  return defineTool<SeveralEdits>({
    spec: {
      name: 'MultiEdit',
      description: 'Several Edits of one file, in order, each on the result of the one before: all are made or none.',
      effect: 'write',
      inputSchema: {
        type: 'object',
        properties: {
          file_path: text,
          edits: {
            type: 'array',
            minItems: 1,
            items: { type: 'object', properties: editProperties, required: ['old_string', 'new_string'] },
          },
        },
        required: ['file_path', 'edits'],
      },
    },
    context: input => `${input.file_path} (${plural(input.edits.length, 'edit')})`,
    run: (input, context) => editFile(changes, context, severalEdits(input)),
    foresee: (input, context) => foreseeEdit(changes, context, severalEdits(input)),
  })
}

interface WantedEdit {
  readonly path: string
  readonly mayCreate: boolean
  apply(bytes: Buffer): Edited
}

const oneEdit = (input: OneEdit): WantedEdit => ({
  path: input.file_path,
  mayCreate: input.old_string === '',
  apply: bytes => applyEdit(bytes, input),
})

const severalEdits = ({ file_path, edits }: SeveralEdits): WantedEdit => ({
  path: file_path,
  mayCreate: edits[0]?.old_string === '',
  apply: bytes => applyEdits(bytes, edits),
})

/** Throws `ToolFailure` where the edit cannot be made. */
function edited(
  { path, mayCreate, apply }: WantedEdit,
  before: Buffer | undefined,
): Exclude<Edited, { fault: string }> {
  if (!before && !mayCreate) throw new ToolFailure(`No such file: ${path}. To create it, use Write.`, 'not found')
  const made = apply(before ?? Buffer.alloc(0))
  if ('fault' in made) throw new ToolFailure(`${path} was not changed: ${made.fault}.`, 'no match')
  return made
}

const foreseeEdit = (changes: FileChanges, context: ToolContext, wanted: WantedEdit): Promise<void> =>
  changes.foresee(wanted.path, context, before => edited(wanted, before).bytes)

async function editFile(changes: FileChanges, context: ToolContext, wanted: WantedEdit): Promise<ToolOutput> {
  let place = { count: 0, line: 1 }
  const changed = await changes.change(wanted.path, context, before => {
    const made = edited(wanted, before)
    place = made
    return made.bytes
  })
  const { name, added, removed, file } = changed
  const what = file.change === 'created' ? `Created ${name}.` : `Edited ${name}: ${plural(place.count, 'replacement')}.`
  return { content: `${what}\n${around(changed.after, place.line)}`, summary: `+${added} −${removed}`, files: [file] }
}

/** A few lines from where the first change begins, so that the model sees what it made. */
function around(after: Buffer, line: number): string {
  const lines = decodeText(after).split(/\r?\n/)
  const start = Math.max(0, line - 3)
  return lines
    .slice(start, start + 8)
    .map((shown, index) => `${String(start + index + 1).padStart(6)}\t${cutCharacters(shown, 200)}`)
    .join('\n')
}
