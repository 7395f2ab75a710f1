/**
 * Our messages and declarations → an AI SDK prompt.
 *
 * R1 What a provider wants back unchanged (`opaque`) goes to that provider only; others never see the thought.
 * R2 Nothing a provider rejects is sent: no blank text, no message of thoughts only, no half surrogates, and images of
 *    a tool result follow in a user message where the format has no place for them. Names and ids: sent-names.ts.
 * R3 A `declared` object is translated once, so that every request of a run sends the same bytes.
 */
import type {
  JSONSchema7,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type {
  AssistantMessage,
  AssistantPart,
  Json,
  JsonSchema,
  Message,
  ResultPart,
  ToolMessage,
  UserMessage,
  UserPart,
} from '../../../core/message.js'
import type { Declared } from '../../../core/types.js'
import { type ProviderKind, takesImagesInResults } from '../providers/provider-kind.js'
import { sentCallId, sentName } from '../sent-names.js'

export interface PromptTarget {
  readonly provider: string
  readonly kind: ProviderKind
}
/** Where a conversation goes, and which tools it goes with. */
interface Target extends PromptTarget {
  readonly declared: ReadonlySet<string>
}
/** What `opaque` holds: whose it is, and what to give back. */
export interface Keepsake {
  readonly provider: string
  readonly metadata?: Json
}

export function toPrompt(declared: Declared, messages: readonly Message[], to: PromptTarget): LanguageModelV3Message[] {
  const target = { ...to, declared: new Set(declared.tools.map(({ name }) => name)) }
  const prompt: LanguageModelV3Message[] = []
  if (declared.system.trim() !== '') prompt.push({ role: 'system', content: wellFormed(declared.system) })
  const loopStart = messages.findLastIndex(message => message.role === 'user')
  messages.forEach((message, index) => {
    prompt.push(...toPromptMessages(message, target, index > loopStart))
  })
  return prompt
}

const translated = new WeakMap<Declared, Map<ProviderKind, LanguageModelV3FunctionTool[]>>()

/** R3. */
export function toTools(declared: Declared, kind: ProviderKind): LanguageModelV3FunctionTool[] {
  const known = translated.get(declared) ?? new Map<ProviderKind, LanguageModelV3FunctionTool[]>()
  translated.set(declared, known)
  const tools = known.get(kind) ?? declared.tools.map(spec => toTool(spec, kind))
  known.set(kind, tools)
  return tools
}

function toTool(spec: Declared['tools'][number], kind: ProviderKind): LanguageModelV3FunctionTool {
  return {
    type: 'function',
    name: spec.name,
    description: spec.description,
    inputSchema: rooted(spec.inputSchema) as JSONSchema7,
    // OpenAI's newer interface turns strict mode on unless told otherwise, and foreign schemas do not survive that.
    ...(kind === 'openai' && { strict: false }),
  }
}

/** A schema may leave out that it is of an object; providers want it said. */
const rooted = (schema: JsonSchema): JsonSchema => (schema.type === undefined ? { type: 'object', ...schema } : schema)

function toPromptMessages(message: Message, target: Target, isInLoop: boolean): LanguageModelV3Prompt {
  switch (message.role) {
    case 'user':
      return [toUserMessage(message)]
    case 'assistant':
      return toAssistantMessages(message, target, isInLoop)
    case 'tool':
      return toToolMessages(message, target)
  }
}

function toUserMessage({ content }: UserMessage): LanguageModelV3Message {
  const parts = content.filter(part => part.type !== 'text' || part.text.trim() !== '').map(toUserPart)
  return { role: 'user', content: parts.length > 0 ? parts : [{ type: 'text', text: '(empty message)' }] }
}

const toUserPart = (part: UserPart) =>
  part.type === 'text'
    ? ({ type: 'text', text: wellFormed(part.text) } as const)
    : ({ type: 'file', mediaType: part.mediaType, data: part.data } as const)

type PromptAssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]

function toAssistantMessages(message: AssistantMessage, target: Target, isInLoop: boolean): LanguageModelV3Prompt {
  const content = message.content.flatMap(part => toAssistantPart(part, target, isInLoop))
  return content.some(part => part.type !== 'reasoning') ? [{ role: 'assistant', content }] : []
}

function toAssistantPart(part: AssistantPart, target: Target, isInLoop: boolean): PromptAssistantPart[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(part.text) }]
    case 'thought': {
      const kept = keepsakeFor(part.opaque, target)
      if (!kept) return []
      // Open servers take plain reasoning back only while the calls it led to are being answered.
      if (target.kind === 'compatible' && !isInLoop) return []
      return [{ type: 'reasoning', text: wellFormed(part.text), ...providerOptions(kept) }]
    }
    case 'call':
      return [
        {
          type: 'tool-call',
          toolCallId: sentCallId(part.id, target.kind),
          ...toolNameOf(part, target),
          input: part.input ?? {},
          ...providerOptions(keepsakeFor(part.opaque, target)),
        },
      ]
  }
}

/** R1. */
function keepsakeFor(opaque: Json | undefined, target: PromptTarget): Keepsake | undefined {
  if (typeof opaque !== 'object' || opaque === null || !('provider' in opaque)) return undefined
  return opaque.provider === target.provider ? (opaque as unknown as Keepsake) : undefined
}

const providerOptions = (kept: Keepsake | undefined): { providerOptions?: SharedV3ProviderOptions } =>
  kept?.metadata === undefined ? {} : { providerOptions: kept.metadata as unknown as SharedV3ProviderOptions }

function toToolMessages(message: ToolMessage, target: Target): LanguageModelV3Prompt {
  const canCarry = (part: ResultPart) => takesImagesInResults(target.kind) && !part.isError
  const content = message.content.map(part => toResultPart(part, target, canCarry(part)))
  const images = message.content
    .filter(part => !canCarry(part))
    .flatMap(part => part.content.filter(one => one.type === 'image'))
  const answers: LanguageModelV3Message = { role: 'tool', content }
  return images.length === 0 ? [answers] : [answers, { role: 'user', content: images.map(toUserPart) }]
}

function toResultPart(part: ResultPart, target: Target, carriesImages: boolean): LanguageModelV3ToolResultPart {
  const output = toOutput(part, carriesImages)
  return { type: 'tool-result', toolCallId: sentCallId(part.callId, target.kind), ...toolNameOf(part, target), output }
}

function toOutput({ content, isError }: ResultPart, carriesImages: boolean): LanguageModelV3ToolResultOutput {
  const hasImage = content.some(part => part.type === 'image')
  const text = content
    .map(part => (part.type === 'text' ? wellFormed(part.text) : '[image: shown in the next message]'))
    .join('\n')
  // Only text can be marked as an error; its images follow.
  if (isError) return { type: 'error-text', value: text || 'failed without a message' }
  if (!hasImage || !carriesImages) return { type: 'text', value: text || '(no output)' }
  return {
    type: 'content',
    value: content.map(part =>
      part.type === 'text'
        ? { type: 'text', text: wellFormed(part.text) || ' ' }
        : { type: 'image-data', data: part.data, mediaType: part.mediaType },
    ),
  }
}

const toolNameOf = ({ name }: { readonly name: string }, { declared }: Target) => ({
  toolName: sentName(name, declared.has(name)),
})

/** Half a surrogate pair (cut tool output) makes providers refuse the whole conversation. */
function wellFormed(text: string): string {
  const string = text as string & { isWellFormed(): boolean; toWellFormed(): string }
  return string.isWellFormed() ? text : string.toWellFormed()
}
