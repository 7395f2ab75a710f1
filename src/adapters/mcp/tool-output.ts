/** What a server answers to a call, as an output of ours. Anything may be in it: it is read, not trusted. */
import { type ImagePart, maxImageCharacters, type TextPart } from '../../core/message.js'
import type { ToolOutput } from '../../core/ports.js'
import { cutToBytes } from '../../core/text.js'

/** The runtime bounds every output and keeps all of it; this is no less than one message of a server may have. */
const maxTextBytes = 16 * 1024 * 1024
const maxParts = 200

export function readCallResult(result: unknown, conceal: (text: string) => string = text => text): ToolOutput {
  const { content, structuredContent, isError } = (result ?? {}) as Record<string, unknown>
  const blocks = Array.isArray(content) ? content.slice(0, maxParts) : []
  let left = maxTextBytes
  const parts = blocks.flatMap((block): (TextPart | ImagePart)[] => {
    const part = readBlock(block)
    if (part?.type !== 'text') return part ? [part] : []
    const whole = conceal(part.text)
    const text = cutToBytes(whole, Math.max(0, left))
    left -= text.length
    return [{ type: 'text', text: text.length < whole.length ? `${text}\n[… cut]` : text }]
  })
  if (!parts.some(part => part.type === 'text') && structuredContent !== undefined)
    parts.push({ type: 'text', text: cutToBytes(conceal(JSON.stringify(structuredContent, null, 2)), maxTextBytes) })
  return {
    content: parts.length > 0 ? parts : '[the server answered with nothing]',
    ...(isError === true && { isError: true }),
  }
}

function readBlock(block: unknown): TextPart | ImagePart | undefined {
  if (typeof block !== 'object' || block === null) return undefined
  const { type, text, data, mimeType, resource, uri, name } = block as Record<string, unknown>
  if (type === 'text') return { type, text: String(text ?? '') }
  if (type === 'image' && typeof data === 'string' && imageTypes.has(String(mimeType)))
    return data.length > maxImageCharacters
      ? { type: 'text', text: `[an image of ${data.length} characters: too large to be shown]` }
      : { type, data, mediaType: String(mimeType) }
  if (type === 'resource' && typeof resource === 'object' && resource !== null) {
    const { uri: address, text: body } = resource as Record<string, unknown>
    return { type: 'text', text: typeof body === 'string' ? `[${address}]\n${body}` : `[resource ${address}, no text]` }
  }
  if (type === 'resource_link') return { type: 'text', text: `[resource ${name ?? ''} ${uri}]` }
  return { type: 'text', text: `[${String(type)} that cannot be shown]` }
}

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
