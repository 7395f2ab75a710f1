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

export interface ReadBounds {
  readonly lines: number
  readonly lineCharacters: number
  readonly bytes: number
  readonly imageBytes: number
  readonly scannedBytes: number
}
export const readBounds: ReadBounds = {
  lines: 2000,
  lineCharacters: 2000,
  bytes: 28_000,
  imageBytes: (maxImageCharacters / 4) * 3,
  scannedBytes: 256 * 1024 * 1024,
}

export function createReadTool(access: FileAccess, history: FileHistory, bounds = readBounds): Tool {
  return defineTool<ReadInput>({
    spec: {
      name: 'Read',
      description: `Reads a file with line numbers (cat -n), up to ${bounds.lines} lines from offset. Also shows images and notebooks (.ipynb). A file must be read before it is changed.`,
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
        const output = await show(input, path, file, state, context, bounds)
        if (state.bytes) history.remember(state.version, state.bytes)
        return { ...output, files: [{ path, change: 'read', hash: state.version }] }
      } finally {
        file.close()
      }
    },
  })
}

async function show(
  input: ReadInput,
  path: string,
  file: OpenFile,
  state: FileState,
  context: ToolContext,
  bounds: ReadBounds,
): Promise<ToolOutput> {
  const name = shownPath(path, context.workspace.cwd)
  const image = state.bytes && imageTypeOf(state.bytes)
  if (state.bytes && image) return showImage(name, state.bytes, image, bounds)
  if (state.bytes && extname(path) === '.ipynb') return showNotebook(name, state.bytes)
  const first = state.bytes ?? (await firstBytes(file))
  if (isBinary(first)) {
    const size = bytesInWords(state.size)
    throw new ToolFailure(`${name} is a binary file (${size}). Inspect it with Bash (file, strings, xxd).`, 'binary')
  }
  return showText(input, name, file, state, context.signal, bounds)
}

async function showText(
  input: ReadInput,
  name: string,
  file: OpenFile,
  state: FileState,
  signal: AbortSignal,
  bounds: ReadBounds,
): Promise<ToolOutput> {
  const firstLine = input.offset ?? 1
  const window = new LineWindow({
    firstLine,
    maxLines: Math.min(input.limit ?? bounds.lines, bounds.lines),
    maxLineBytes: bounds.lineCharacters * 4,
    maxBytes: bounds.bytes,
  })
  const isScanned = state.bytes
    ? scan(window, decodedBytes(state.bytes))
    : await scanLarge(window, file, signal, bounds)
  if (window.lines.length === 0) return nothingToShow(name, firstLine, window.lineCount, isScanned, bounds)
  const body = window.lines.map(line => {
    const text = decodeText(line.bytes)
    const shown = text.length > bounds.lineCharacters ? text.slice(0, bounds.lineCharacters) : text
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

function nothingToShow(
  name: string,
  firstLine: number,
  lineCount: number,
  isScanned: boolean,
  bounds: ReadBounds,
): ToolOutput {
  if (lineCount === 0) return { content: `[${name} is empty]`, summary: 'empty' }
  const reason = isScanned
    ? `has only ${plural(lineCount, 'line')}`
    : `is too large: line ${firstLine} lies beyond its first ${bytesInWords(bounds.scannedBytes)}. Use Grep, or sed -n in Bash`
  throw new ToolFailure(`${name} ${reason}.`, 'past the end')
}

function scan(window: LineWindow, bytes: Buffer): boolean {
  window.push(bytes)
  window.finish()
  return true
}

/** Whether the end of the file was reached. */
async function scanLarge(
  window: LineWindow,
  file: OpenFile,
  signal: AbortSignal,
  bounds: ReadBounds,
): Promise<boolean> {
  let scanned = 0
  for await (const chunk of readChunks(file, signal)) {
    window.push(chunk)
    scanned += chunk.length
    if (window.isFull || scanned >= bounds.scannedBytes) {
      window.finish()
      return false
    }
  }
  window.finish()
  return true
}

function showImage(name: string, bytes: Buffer, mediaType: ImageType, bounds: ReadBounds): ToolOutput {
  if (bytes.length > bounds.imageBytes) {
    const limit = bytesInWords(bounds.imageBytes)
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
