/** Notebooks (.ipynb): taken apart for reading, put together again for writing. Unknown keys are kept. */

import type { ImagePart, TextPart } from '../../core/message.js'
import { isRecord } from '../../core/record.js'
import { cutCharacters } from '../../core/text/text.js'
import { messageOf } from '../../core/thrown.js'
import { stripControls } from './plain-text.js'

export interface NotebookCell {
  readonly [key: string]: unknown
  readonly id?: string
  readonly cell_type: 'code' | 'markdown' | 'raw'
  readonly source: string | readonly string[]
  readonly outputs?: readonly unknown[]
}
export interface Notebook {
  readonly [key: string]: unknown
  readonly cells: readonly NotebookCell[]
}

const outputCharacters = 4000

export function parseNotebook(text: string): Notebook | { readonly fault: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { fault: `it is no JSON (${messageOf(error)})` }
  }
  const cells = isRecord(value) ? value.cells : undefined
  if (!Array.isArray(cells)) return { fault: 'it has no list of cells' }
  const bad = cells.findIndex(cell => !isCell(cell))
  if (bad !== -1) return { fault: `cell ${bad} has no type or no source` }
  return value as Notebook
}

/** The id of a cell as Read shows it and NotebookEdit takes it: its own, else its position. */
export function cellId(cell: NotebookCell, index: number): string {
  return cell.id ?? `cell-${index}`
}

export function renderNotebook(notebook: Notebook): (TextPart | ImagePart)[] {
  const parts: (TextPart | ImagePart)[] = []
  notebook.cells.forEach((cell, index) => {
    const rendered = (cell.outputs ?? []).flatMap(renderOutput)
    const text = rendered.flatMap(part => (part.type === 'text' ? [part.text] : []))
    const output = text.length > 0 ? `\n[output]\n${text.join('\n')}` : ''
    parts.push({ type: 'text', text: `[${cellId(cell, index)} ${cell.cell_type}]\n${sourceOf(cell)}${output}` })
    parts.push(...rendered.filter(part => part.type === 'image'))
  })
  return parts.length > 0 ? parts : [{ type: 'text', text: '[the notebook has no cells]' }]
}

function sourceOf(cell: NotebookCell): string {
  return joined(cell.source)
}

function renderOutput(output: unknown): (TextPart | ImagePart)[] {
  if (!isRecord(output)) return []
  if (output.text !== undefined) return [textPart(joined(output.text))]
  if (output.output_type === 'error') return [textPart(`${output.ename}: ${output.evalue}`)]
  const data = isRecord(output.data) ? output.data : {}
  for (const mediaType of ['image/png', 'image/jpeg']) {
    if (data[mediaType] !== undefined) {
      return [{ type: 'image', mediaType, data: joined(data[mediaType]).replace(/\s/g, '') }]
    }
  }
  return data['text/plain'] === undefined ? [] : [textPart(joined(data['text/plain']))]
}

function textPart(text: string): TextPart {
  return { type: 'text', text: cutCharacters(stripControls(text), outputCharacters) }
}

function joined(value: unknown): string {
  return Array.isArray(value) ? value.join('') : String(value)
}

function isCell(value: unknown): value is NotebookCell {
  return isRecord(value) && typeof value.cell_type === 'string' && value.source !== undefined
}
