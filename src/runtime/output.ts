/** What tools give back, made safe to store and to show: any shape, any size. */
import type { ImagePart, TextPart } from '../core/message.js'
import { neutralise, outputCut } from '../core/notices.js'
import { cutToBytes } from '../core/text.js'
import type { ToolSpec } from '../core/types.js'

type Content = readonly (TextPart | ImagePart)[]

/** Tools are foreign code: a string, parts, or anything JSON can hold. What it cannot hold is said, not thrown. */
export function readContent(content: unknown): Content {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content) && content.length > 0 && content.every(isPart)) return content
  if (content === undefined || content === null) return [{ type: 'text', text: '' }]
  try {
    return [{ type: 'text', text: JSON.stringify(content, null, 2) ?? String(content) }]
  } catch (error) {
    return [
      {
        type: 'text',
        text: `The tool returned something that is not JSON (${error instanceof Error ? error.message.split('\n')[0] : 'unknown'}).`,
      },
    ]
  }
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

/** Keeps beginning and end of an over-long text; the whole of it goes to `keep`, which says where it is. */
export async function boundContent(
  content: Content,
  maxBytes: number,
  keep: (text: string) => Promise<string>,
): Promise<Content> {
  const texts = content.filter((part): part is TextPart => part.type === 'text')
  const total = texts.reduce((sum, part) => sum + Buffer.byteLength(part.text), 0)
  if (total <= maxBytes) return content
  const whole = texts.map(part => part.text).join('\n')
  const where = await keep(whole)
  const head = cutToBytes(whole, Math.floor(maxBytes * 0.75))
  const tail = whole.slice(Math.max(head.length, whole.length - Math.floor(maxBytes * 0.2)))
  const shown = Buffer.byteLength(head) + Buffer.byteLength(tail)
  const images = content.filter(part => part.type === 'image')
  return [{ type: 'text', text: `${head}\n${outputCut(shown, total, where)}\n${trimSurrogate(tail)}` }, ...images]
}

// The tail is cut by code units: a lone second half of a pair at its start would be no valid text.
function trimSurrogate(text: string): string {
  const code = text.charCodeAt(0)
  return code >= 0xdc00 && code < 0xe000 ? text.slice(1) : text
}
