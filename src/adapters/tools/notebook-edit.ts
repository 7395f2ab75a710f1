import type { Tool } from '../../core/ports.js'
import { defineTool, ToolFailure } from './define-tool.js'
import type { FileChanges } from './file-changes.js'
import { cellId, type Notebook, type NotebookCell, parseNotebook } from './notebook.js'
import { decodeText } from './text-encoding.js'

interface NotebookEditInput {
  readonly notebook_path: string
  readonly cell_id?: string
  readonly new_source: string
  readonly cell_type?: 'code' | 'markdown'
  readonly edit_mode?: 'replace' | 'insert' | 'delete'
}

export function createNotebookEditTool(changes: FileChanges): Tool {
  return defineTool<NotebookEditInput>({
    spec: {
      name: 'NotebookEdit',
      description:
        'Replaces, inserts (after cell_id, else first) or deletes a cell of a notebook that was read before.',
      effect: 'write',
      inputSchema: {
        type: 'object',
        properties: {
          notebook_path: { type: 'string' },
          cell_id: { type: 'string' },
          new_source: { type: 'string' },
          cell_type: { type: 'string', enum: ['code', 'markdown'] },
          edit_mode: { type: 'string', enum: ['replace', 'insert', 'delete'] },
        },
        required: ['notebook_path', 'new_source'],
      },
    },
    context: input => `${input.notebook_path} ${input.cell_id ?? ''}`,
    foresee: (input, context) =>
      changes.foresee(input.notebook_path, context, before => editNotebook(before, input, 'unnamed')),
    async run(input, context) {
      const mode = input.edit_mode ?? 'replace'
      const { file, name } = await changes.change(input.notebook_path, context, before =>
        editNotebook(before, input, context.clock.id().slice(-8)),
      )
      return { content: `${name}: ${mode} done.`, summary: `1 cell, ${mode}`, files: [file] }
    },
  })
}

function editNotebook(before: Buffer | undefined, input: NotebookEditInput, newId: string): Buffer {
  if (!before) throw new ToolFailure(`No such notebook: ${input.notebook_path}`, 'not found')
  const text = decodeText(before)
  const notebook = parseNotebook(text)
  if ('fault' in notebook) throw new ToolFailure(`Not a readable notebook: ${notebook.fault}.`, 'bad notebook')
  const cells = changeCells(notebook, input, newId)
  return Buffer.from(serialise({ ...notebook, cells }, text))
}

function changeCells(notebook: Notebook, input: NotebookEditInput, newId: string): NotebookCell[] {
  const cells = [...notebook.cells]
  const mode = input.edit_mode ?? 'replace'
  const index = cells.findIndex((cell, at) => cellId(cell, at) === input.cell_id || cell.id === input.cell_id)
  if (input.cell_id !== undefined && index === -1) {
    const known = cells.slice(0, 20).map(cellId).join(', ')
    throw new ToolFailure(`No cell ${input.cell_id}. Cells: ${known}`, 'no such cell')
  }
  if (mode === 'insert') {
    const type = input.cell_type ?? 'code'
    cells.splice(index + 1, 0, newCell(type, input.new_source, hasCellIds(notebook) ? newId : undefined))
    return cells
  }
  if (input.cell_id === undefined) throw new ToolFailure(`cell_id is needed to ${mode} a cell.`, 'no cell named')
  if (mode === 'delete') cells.splice(index, 1)
  else cells[index] = withSource(cells[index]!, input)
  return cells
}

/** What a cell printed belongs to its old source. */
function withSource(cell: NotebookCell, { new_source, cell_type }: NotebookEditInput): NotebookCell {
  const type = cell_type ?? cell.cell_type
  const { outputs: _outputs, execution_count: _count, ...rest } = cell
  return { ...rest, cell_type: type, source: asLines(new_source), ...(type === 'code' && notRun) }
}

function newCell(type: 'code' | 'markdown', source: string, id: string | undefined): NotebookCell {
  return {
    ...(id !== undefined && { id }),
    cell_type: type,
    metadata: {},
    source: asLines(source),
    ...(type === 'code' && notRun),
  }
}

const notRun = { outputs: [], execution_count: null }

/** Since format 4.5 every cell has an id. */
function hasCellIds({ nbformat, nbformat_minor }: Notebook): boolean {
  return Number(nbformat) > 4 || (Number(nbformat) === 4 && Number(nbformat_minor) >= 5)
}

function asLines(source: string): readonly string[] {
  return source === '' ? [] : source.split(/(?<=\n)/)
}

/** In the indentation and with the last newline the file had. */
function serialise(notebook: Notebook, text: string): string {
  const indent = /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? (text.includes('\n ') ? ' ' : undefined)
  return JSON.stringify(notebook, undefined, indent) + (text.endsWith('\n') ? '\n' : '')
}
