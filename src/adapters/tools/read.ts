/**
 * Read: text with line numbers, images and notebooks as their parts.
 * R1 Time and memory are bounded for any file: at most 256 MiB are scanned, and only the lines asked for are kept.
 * R2 The version read is reported, so that a later write can tell whether the file changed in between.
 */
import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import { maxImageCharacters } from '../../core/message.js'
import type { Tool, ToolContext, ToolOutput } from '../../core/ports.js'
import { type FileState, readChunks, readFileState } from '../os/file-version.js'
import type { OpenFile } from '../os/open-file.js'
import { defineTool, ToolFailure } from './define-tool.js'
import { type FileAccess, shownPath } from './file-access.js'
import type { FileHistory } from './file-history.js'
import { type ImageType, imageTypeOf } from './image-type.js'
import { LineWindow } from './line-window.js'
import { parseNotebook, renderNotebook } from './notebook.js'
import { bytesInWords, plural } from './plain-text.js'
import { decodeText, hasTextMark } from './text-encoding.js'

interface ReadInput {
  readonly file_path: string
  readonly offset?: number
  readonly limit?: number
}

export const readBounds = {
  lines: 2000,
  lineCharacters: 2000,
  bytes: 28_000,
  imageBytes: (maxImageCharacters / 4) * 3,
  scannedBytes: 256 * 1024 * 1024,
}

export function createReadTool(access: FileAccess, history: FileHistory): Tool {
  return defineTool<ReadInput>({
    spec: {
      name: 'Read',
      description: `Reads a file with line numbers (cat -n), up to ${readBounds.lines} lines from offset. Also shows images and notebooks (.ipynb). A file must be read before it is changed.`,
      effect: 'read',
      inputSchema: {
        type: 'object',
        properties: {
          file_path: { type: 'string' },
          offset: { type: 'integer', minimum: 1, description: 'First line' },
          limit: { type: 'integer', minimum: 1, description: 'Number of lines' },
        },
        required: ['file_path'],
      },
    },
    context: input => input.file_path,
    async run(input, context) {
      const { path, file } = await access.open(input.file_path, context)
      try {
        const state = await readFileState(file, context.signal)
        const output = await show({ input, path, file, state }, context)
        if (state.bytes) history.remember(state.version, state.bytes)
        return { ...output, files: [{ path, change: 'read', hash: state.version }] }
      } finally {
        file.close()
      }
    },
  })
}

interface Reading {
  readonly input: ReadInput
  readonly path: string
  readonly file: OpenFile
  readonly state: FileState
}

async function show(reading: Reading, context: ToolContext): Promise<ToolOutput> {
  const { path, file, state } = reading
  const name = shownPath(path, context.workspace.cwd)
  const image = state.bytes && imageTypeOf(state.bytes)
  if (state.bytes && image) return showImage(name, state.bytes, image)
  if (state.bytes && extname(path) === '.ipynb') return showNotebook(name, state.bytes)
  const first = state.bytes ?? (await firstBytes(file))
  if (isBinary(first)) {
    const size = bytesInWords(state.size)
    throw new ToolFailure(`${name} is a binary file (${size}). Inspect it with Bash (file, strings, xxd).`, 'binary')
  }
  return showText(name, reading, context.signal)
}

async function showText(name: string, { input, file, state }: Reading, signal: AbortSignal): Promise<ToolOutput> {
  const { lines, lineCharacters, bytes: maxBytes } = readBounds
  const firstLine = input.offset ?? 1
  const window = new LineWindow({
    firstLine,
    maxLines: Math.min(input.limit ?? lines, lines),
    maxLineBytes: lineCharacters * 4,
    maxBytes,
  })
  const isScanned = state.bytes ? scan(window, decodedBytes(state.bytes)) : await scanLarge(window, file, signal)
  if (window.lines.length === 0) return nothingToShow(name, firstLine, window.lineCount, isScanned)
  const body = window.lines.map(line => {
    const text = decodeText(line.bytes)
    const shown = text.length > lineCharacters ? text.slice(0, lineCharacters) : text
    const rest = line.bytes.length < line.length || shown !== text
    return `${String(line.number).padStart(6)}\t${shown}${rest ? `… [line cut; ${bytesInWords(line.length)} long]` : ''}`
  })
  const notes = notesOn(window, firstLine, state, isScanned)
  return { content: [...body, ...notes].join('\n'), summary: plural(window.lines.length, 'line') }
}

function notesOn(window: LineWindow, firstLine: number, state: FileState, isScanned: boolean): string[] {
  const notes: string[] = []
  const last = window.lines.at(-1)!.number
  if (!isScanned) notes.push(`[lines ${firstLine}-${last}; the file goes on; next offset ${last + 1}]`)
  else if (last < window.lineCount) {
    notes.push(`[lines ${firstLine}-${last} of ${window.lineCount}; next offset ${last + 1}]`)
  }
  if (window.hasCarriageReturns) notes.push('[CRLF line ends; Edit keeps them]')
  if (state.bytes && !hasTextMark(state.bytes) && !isUtf8(state.bytes)) {
    notes.push('[not valid UTF-8: such bytes appear as \ufffd; Edit leaves them as they are]')
  }
  return notes
}

function nothingToShow(name: string, firstLine: number, lineCount: number, isScanned: boolean): ToolOutput {
  if (lineCount === 0) return { content: `[${name} is empty]`, summary: 'empty' }
  const reason = isScanned
    ? `has only ${plural(lineCount, 'line')}`
    : `is too large: line ${firstLine} lies beyond its first ${bytesInWords(readBounds.scannedBytes)}. Use Grep, or sed -n in Bash`
  throw new ToolFailure(`${name} ${reason}.`, 'past the end')
}

function scan(window: LineWindow, bytes: Buffer): boolean {
  window.push(bytes)
  window.finish()
  return true
}

/** Whether the end of the file was reached. */
async function scanLarge(window: LineWindow, file: OpenFile, signal: AbortSignal): Promise<boolean> {
  let scanned = 0
  for await (const chunk of readChunks(file, signal)) {
    window.push(chunk)
    scanned += chunk.length
    if (window.isFull || scanned >= readBounds.scannedBytes) {
      window.finish()
      return false
    }
  }
  window.finish()
  return true
}

function showImage(name: string, bytes: Buffer, mediaType: ImageType): ToolOutput {
  if (bytes.length > readBounds.imageBytes) {
    const limit = bytesInWords(readBounds.imageBytes)
    throw new ToolFailure(
      `${name} is an image of ${bytesInWords(bytes.length)}; at most ${limit} can be shown.`,
      'too large',
    )
  }
  return {
    content: [{ type: 'image', mediaType, data: bytes.toString('base64') }],
    summary: `image, ${bytesInWords(bytes.length)}`,
  }
}

function showNotebook(name: string, bytes: Buffer): ToolOutput {
  const notebook = parseNotebook(decodeText(bytes))
  if ('fault' in notebook)
    throw new ToolFailure(`${name} is not a readable notebook: ${notebook.fault}.`, 'bad notebook')
  return { content: renderNotebook(notebook), summary: plural(notebook.cells.length, 'cell') }
}

/** Line by line, so that a UTF-16 file is shown like any other. */
function decodedBytes(bytes: Buffer): Buffer {
  return hasTextMark(bytes) ? Buffer.from(decodeText(bytes)) : bytes
}

function isBinary(bytes: Buffer): boolean {
  return !hasTextMark(bytes) && bytes.subarray(0, 8192).includes(0)
}

async function firstBytes(file: OpenFile): Promise<Buffer> {
  const buffer = Buffer.alloc(8192)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, 0)
  return buffer.subarray(0, bytesRead)
}
