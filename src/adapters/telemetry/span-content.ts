/**
 * What was said, in the form the conventions give it: messages of a role and parts. Thoughts are left out, they are the
 * provider's and nobody else's; of an image only its kind is told. Bounded as a whole.
 */
import type { AssistantPart, Message, ResultPart, UserPart } from '../../core/message.js'
import { cutCharacters } from '../../core/text/text.js'

const maxContent = 32_768

export function messagesText(messages: readonly Message[], finish?: string): string {
  return valueText(
    messages.map(({ role, content }) => ({
      role,
      parts: content.flatMap(partOf),
      ...(finish !== undefined && { finish_reason: finish }),
    })),
  )
}

function partOf(part: UserPart | AssistantPart | ResultPart): readonly object[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', content: part.text }]
    case 'image':
      return [{ type: 'blob', modality: 'image', mime_type: part.mediaType, content: '' }]
    case 'call':
      return [{ type: 'tool_call', id: part.id, name: part.name, arguments: part.input }]
    case 'result':
      return [{ type: 'tool_call_response', id: part.callId, response: part.content.flatMap(partOf) }]
    case 'thought':
      return []
  }
}

/** Any value as a bounded text. Never throws. */
export function valueText(value: unknown): string {
  try {
    return cutCharacters(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), maxContent)
  } catch {
    return '[cannot be shown]'
  }
}
