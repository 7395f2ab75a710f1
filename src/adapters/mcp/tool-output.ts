/** What a server answers to a call, as an output of ours. Anything may be in it: it is read, not trusted. */
import { type ImagePart, maxImageCharacters, type TextPart } from '../../core/message.js'
import type { ToolOutput } from '../../core/ports.js'
import { canonicalJson, cutCharacters, cutToBytes } from '../../core/text/text.js'
import { imageTypeOf } from '../tools/image-type.js'

/** The runtime bounds every output and keeps all of it; this is no less than one message of a server may have. */
const maxTextBytes = 16 * 1024 * 1024
const maxParts = 200

export function readCallResult(result: unknown, conceal: (text: string) => string = text => text): ToolOutput {
  const { isError } = (result ?? {}) as Record<string, unknown>
  let left = maxTextBytes
  const parts = partsOf((result ?? {}) as Record<string, unknown>).map((part): TextPart | ImagePart => {
    if (part.type !== 'text') return part
    const whole = conceal(part.text)
    const text = cutToBytes(whole, Math.max(0, left))
    left -= text.length
    return { type: 'text', text: text.length < whole.length ? `${text}\n[… cut]` : text }
  })
  return {
    content: parts.length > 0 ? parts : '[the server answered with nothing]',
    ...(isError === true && { isError: true }),
  }
}

function partsOf(result: Readonly<Record<string, unknown>>): readonly (TextPart | ImagePart)[] {
  const { content, structuredContent, isError: _, _meta, ...other } = result
  const blocks = Array.isArray(content) ? content : []
  const parts = blocks.slice(0, maxParts).map(readBlock)
  if (blocks.length > maxParts) parts.push(textPart(`[… cut: ${blocks.length - maxParts} more parts of the answer]`))
  if (structuredContent !== undefined && !isSaidIn(parts, structuredContent)) parts.push(jsonPart(structuredContent))
  // No list of blocks, as it should be: older servers, and wrong ones.
  if (typeof content === 'string') parts.push(textPart(content))
  else if (content !== undefined && !Array.isArray(content)) parts.push(jsonPart(content))
  if (parts.length === 0 && Object.keys(other).length > 0) parts.push(jsonPart(other))
  return parts
}

const textPart = (text: string): TextPart => ({ type: 'text', text })
const jsonPart = (value: unknown): TextPart => textPart(JSON.stringify(value, null, 2))

/** Servers give their data as text, too, for those who do not know it: once is enough. */
function isSaidIn(parts: readonly (TextPart | ImagePart)[], value: unknown): boolean {
  const wanted = canonicalJson(value)
  return parts.some(part => {
    if (part.type !== 'text' || !/^\s*[[{"\d-]/.test(part.text)) return false
    try {
      return canonicalJson(JSON.parse(part.text)) === wanted
    } catch {
      return false
    }
  })
}

function readBlock(block: unknown): TextPart | ImagePart {
  if (typeof block !== 'object' || block === null)
    return textPart(typeof block === 'string' ? block : `[${block} that cannot be shown]`)
  const { type, text, data, mimeType, resource, uri, name } = block as Record<string, unknown>
  if (type === 'text')
    return textPart(typeof text === 'object' ? (JSON.stringify(text ?? '') ?? '') : String(text ?? ''))
  if (type === 'image' && typeof data === 'string') return readImage(data, mimeType)
  if (type === 'resource' && typeof resource === 'object' && resource !== null) {
    const { uri: address, text: body } = resource as Record<string, unknown>
    return { type: 'text', text: typeof body === 'string' ? `[${address}]\n${body}` : `[resource ${address}, no text]` }
  }
  if (type === 'resource_link') return { type: 'text', text: `[resource ${name ?? ''} ${uri}]` }
  return { type: 'text', text: `[${String(type)} that cannot be shown]` }
}

/**
 * By what it holds, whatever label it bears: a provider refuses the whole conversation over an image that is none, or
 * another.
 */
function readImage(data: string, label: unknown): TextPart | ImagePart {
  const mediaType = base64.test(data) ? imageTypeOf(Buffer.from(data.slice(0, 32), 'base64')) : undefined
  if (mediaType === undefined) {
    const said = typeof label === 'string' ? ` labelled ${cutCharacters(label, 60)}` : ''
    return textPart(`[an image${said} that cannot be shown: it holds no PNG, JPEG, GIF or WebP]`)
  }
  return data.length > maxImageCharacters
    ? textPart(`[an image of ${data.length} characters: too large to be shown]`)
    : { type: 'image', data, mediaType }
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
