/** What tools give back, made safe to store and to show: any shape, any size. */
import { type ImagePart, maxImageCharacters, type TextPart } from '../../core/message.js'
import { imageLeftOut, neutralise, outputCut } from '../../core/notices.js'
import type { ToolOutput } from '../../core/ports.js'
import { cutToBytes } from '../../core/text/text.js'
import { messageOf } from '../../core/thrown.js'
import type { ToolSpec } from '../../core/types.js'

type Content = readonly (TextPart | ImagePart)[]

/**
 * Tools are foreign code: they give an output, or a string, parts, anything JSON can hold. An error is one, also where it
 * was not thrown; what cannot be shown is said to be so. Throws what the looking throws.
 */
export function readOutput(tool: string, given: unknown): ToolOutput {
  const { content: shown, ...output } = isOutput(given) ? fieldsOf(given) : { content: given, ...ownError(given) }
  const read = partsOf(shown)
  if ('parts' in read) return { ...output, content: read.parts }
  const content =
    'error' in read ? `${tool} failed: ${read.error}` : `${tool} gave no content that can be shown: ${read.fault}`
  return { ...output, content, isError: true, summary: 'failed' }
}

/** Each is looked at once, wherever it comes from: an instance keeps its own in its class. */
function fieldsOf(given: Partial<ToolOutput>): Partial<ToolOutput> {
  const { content, isError, summary, files, child, question, delivers, leftRunning, shellDirectory } = given
  const output = { content, isError, files, child, question, delivers, leftRunning }
  return {
    ...output,
    ...(typeof summary === 'string' && { summary }),
    ...(typeof shellDirectory === 'string' && { shellDirectory }),
  }
}

const isOutput = (given: unknown): given is Partial<ToolOutput> =>
  typeof given === 'object' && given !== null && ('content' in given || 'child' in given || 'question' in given)

const ownError = (given: unknown): Pick<ToolOutput, 'isError'> =>
  (given as { readonly isError?: unknown } | null | undefined)?.isError === true ? { isError: true } : {}

/** The content of an output as it is stored. */
export function readContent(content: ToolOutput['content']): Content {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function partsOf(
  content: unknown,
): { readonly parts: Content } | { readonly error: string } | { readonly fault: string } {
  const text = (words: string) => ({ parts: [{ type: 'text' as const, text: words }] })
  if (typeof content === 'string') return text(content)
  if (content === undefined || content === null) return text('')
  if (typeof content === 'function') return { fault: 'it is a function' }
  if (typeof content !== 'object') return text(String(content))
  if (content instanceof Error) return { error: messageOf(content) }
  if (Array.isArray(content) && content.length > 0 && content.every(isPart)) return { parts: content }
  if (ArrayBuffer.isView(content)) return { fault: `it is a ${content.constructor.name}` }
  try {
    const written = JSON.stringify(content, null, 2) ?? ''
    // What keeps its contents to itself: a map, a response, a stream.
    if (written === '{}' && !isPlain(content))
      return { fault: `it is a ${content.constructor?.name || 'strange object'}` }
    return text(content instanceof Date ? String(JSON.parse(written)) : written)
  } catch (error) {
    return { fault: `it is not JSON (${messageOf(error).split('\n')[0]})` }
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function isPart(part: unknown): part is TextPart | ImagePart {
  if (!part || typeof part !== 'object') return false
  const { type, text, data } = part as { type?: unknown; text?: unknown; data?: unknown }
  return (type === 'text' && typeof text === 'string') || (type === 'image' && typeof data === 'string')
}

/** What strangers wrote (pages, MCP servers) cannot pass for the runtime's own words. Files stay as they are, to be edited. */
export function asData(content: Content, { effect, origin }: Pick<ToolSpec, 'effect' | 'origin'>): Content {
  if (effect !== 'network' && origin !== 'mcp') return content
  return content.map(part => (part.type === 'text' ? { ...part, text: neutralise(part.text) } : part))
}

/**
 * Keeps beginning and end of an over-long text, and images that a provider takes; the whole of what is left out goes to
 * `keep`, once, which says where it is.
 */
export async function boundContent(
  content: Content,
  maxBytes: number,
  keep: (text: string) => Promise<string>,
): Promise<Content> {
  const texts = content.filter((part): part is TextPart => part.type === 'text')
  const tooLarge = content.filter((part): part is ImagePart => part.type === 'image' && isTooLarge(part))
  const total = texts.reduce((sum, part) => sum + Buffer.byteLength(part.text), 0)
  if (total <= maxBytes && tooLarge.length === 0) return content
  const whole = texts.map(part => part.text).join('\n')
  const where = await keep([...(whole === '' ? [] : [whole]), ...tooLarge.map(asAddress)].join('\n'))
  const bounded = content.map(part => (part.type === 'image' && isTooLarge(part) ? leftOut(part, where) : part))
  if (total <= maxBytes) return bounded
  const head = cutToBytes(whole, Math.floor(maxBytes * 0.75))
  const tail = whole.slice(Math.max(head.length, whole.length - Math.floor(maxBytes * 0.2)))
  const shown = Buffer.byteLength(head) + Buffer.byteLength(tail)
  const images = bounded.filter((_, at) => content[at]!.type === 'image')
  return [{ type: 'text', text: `${head}\n${outputCut(shown, total, where)}\n${trimSurrogate(tail)}` }, ...images]
}

const isTooLarge = ({ data }: ImagePart): boolean => data.length > maxImageCharacters
const asAddress = ({ mediaType, data }: ImagePart): string => `data:${mediaType};base64,${data}`
const leftOut = ({ mediaType, data }: ImagePart, where: string): TextPart => ({
  type: 'text',
  text: imageLeftOut(mediaType, data.length, where),
})

// The tail is cut by code units: a lone second half of a pair at its start would be no valid text.
function trimSurrogate(text: string): string {
  const code = text.charCodeAt(0)
  return code >= 0xdc00 && code < 0xe000 ? text.slice(1) : text
}
