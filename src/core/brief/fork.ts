/**
 * What a child may see of its caller's conversation.
 *
 * F1 Of a message with unresolved calls only those calls are dropped; its text and its resolved calls stay.
 * F2 Never a result without its call, never a call without its result: providers refuse both.
 * F3 Thoughts are stripped: their signatures are bound to the caller's run.
 * F4 Newest whole turns, within a number of tokens; what was cut is said.
 */
import type { AssistantMessage, CallId, ImagePart, Message, ToolMessage, UserMessage } from '../message.js'
import { isOwnWord } from '../notices.js'
import { isRecord } from '../record.js'
import { byteLength, oneLine } from '../text/text.js'

export function forkMessages(
  messages: readonly Message[],
  maxTokens: number,
): { readonly messages: readonly Message[]; readonly dropped: number } {
  const turns = wholeTurns(withoutLooseEnds(messages))
  let tokens = 0
  let first = turns.length
  while (first > 0) {
    const cost = turns[first - 1]!.reduce((sum, message) => sum + estimateTokens(message), 0)
    if (tokens + cost > maxTokens) break
    tokens += cost
    first--
  }
  return { messages: turns.slice(first).flat(), dropped: first }
}

/**
 * About four bytes a token, whatever the language, and the same for every picture: good enough to stay well inside half
 * a window. Messages and their parts never change, so each is counted once: a caller of a thousand children asks anew
 * whenever one of them ends. A list of them does change.
 */
export function estimateTokens(value: unknown): number {
  if (!isRecord(value)) return countTokens(value)
  const known = counted.get(value) ?? countTokens(value)
  counted.set(value, known)
  return known
}

const counted = new WeakMap<object, number>()
/** Providers count a picture by its size on a screen, which they bound, and not by its bytes: Anthropic's bound. */
const imageTokens = 1_600

function countTokens(value: unknown): number {
  const images = imagesIn(value)
  const text = JSON.stringify(images === 0 ? value : withoutImages(value)) ?? ''
  return Math.ceil(byteLength(text) / 4) + images * imageTokens
}

/** Only where a provider is shown a picture: what looks like one in the input of a call is text. */
const imagesIn = (value: unknown): number =>
  isImage(value) ? 1 : partsOf(value).reduce<number>((sum, part) => sum + imagesIn(part), 0)

function withoutImages(value: unknown): unknown {
  if (isImage(value)) return { type: 'image' }
  const parts = partsOf(value).map(withoutImages)
  if (Array.isArray(value)) return parts
  return parts.length === 0 ? value : { ...(value as object), content: parts }
}

const isImage = (value: unknown): value is ImagePart => isRecord(value) && value.type === 'image'

/** Of a list, a message or a result. */
function partsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (!isRecord(value) || !(value.type === 'result' || 'role' in value)) return []
  return Array.isArray(value.content) ? value.content : []
}

/** A call counts as resolved when its result stands in the very next message: that is where providers look for it. */
function withoutLooseEnds(messages: readonly Message[]): readonly Message[] {
  const kept = messages.map((message, i): Message => {
    if (message.role === 'assistant') return trimAssistant(message, messages[i + 1])
    return message.role === 'tool' ? trimTool(message, messages[i - 1]) : message
  })
  return kept.filter(message => message.content.length > 0)
}

function trimAssistant(message: AssistantMessage, next: Message | undefined): AssistantMessage {
  const resolved = new Set(next?.role === 'tool' ? next.content.map(result => result.callId) : [])
  const content = message.content.filter(part =>
    part.type === 'text' ? part.text.trim() !== '' : part.type === 'call' && resolved.has(part.id),
  )
  return { role: 'assistant', content }
}

function trimTool(message: ToolMessage, before: Message | undefined): ToolMessage {
  const called = new Set<CallId>()
  if (before?.role === 'assistant') for (const part of before.content) if (part.type === 'call') called.add(part.id)
  return { role: 'tool', content: message.content.filter(result => called.has(result.callId)) }
}

/** A turn opens with a user message, or with an assistant message that follows results. */
function wholeTurns(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = []
  let before: Message['role'] | undefined
  for (const message of messages) {
    const opens = message.role === 'user' ? before !== 'user' : message.role === 'assistant' && before !== 'user'
    if (opens || turns.length === 0) turns.push([])
    turns.at(-1)!.push(message)
    before = message.role
  }
  return turns
}

/**
 * The caller's conversation in a few lines: what was asked, what was done, where it stands. No model is asked. Children
 * of one turn get the same, so it is worked out once for a list of a given length: messages are only ever added.
 */
export function digestConversation(messages: readonly Message[]): string {
  const known = digests.get(messages)
  if (known?.length === messages.length) return known.text
  const text = digest(messages)
  digests.set(messages, { length: messages.length, text })
  return text
}

const digests = new WeakMap<readonly Message[], { length: number; text: string }>()
const digestCharacters = 4000

function digest(messages: readonly Message[]): string {
  const asked = messages
    .filter((message): message is UserMessage => message.role === 'user')
    .map(withoutOwnWords)
    .map(textOf)
    .filter(Boolean)
  const said = messages
    .filter((message): message is AssistantMessage => message.role === 'assistant')
    .map(textOf)
    .filter(Boolean)
  const uses = new Map<string, number>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.content) if (part.type === 'call') uses.set(part.name, (uses.get(part.name) ?? 0) + 1)
  }
  const lines = [
    ...asked.slice(-5).map(text => `Asked: ${oneLine(text, 400)}`),
    uses.size > 0 ? `Tools used so far: ${[...uses].map(([name, times]) => `${name} ×${times}`).join(', ')}` : '',
    ...said.slice(-2).map(text => `Said: ${oneLine(text, 800)}`),
  ]
  return lines.filter(Boolean).join('\n').slice(0, digestCharacters)
}

/** A child's report, for one, came on the user's side, and is no wish of theirs. */
const withoutOwnWords = ({ role, content }: UserMessage): UserMessage => ({
  role,
  content: content.filter(part => part.type !== 'text' || !isOwnWord(part.text)),
})

function textOf(message: Message): string {
  return message.content
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim()
}
