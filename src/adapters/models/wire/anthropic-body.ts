/**
 * The text of a request in Anthropic's format.
 *
 * R1 User and tool messages that follow each other are one message there. R2 A mark for the prompt cache stands on the
 * last block of what it marks; thoughts cannot carry one. R3 The tools of an agent are written out once.
 */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolResultPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { isRecord } from '../../../core/record.js'
import { parseJson } from '../../../core/text/parse-json.js'
import { writeOnce } from './tools-text.js'

/** What a model that nobody knows can be trusted to answer. */
export const fallbackMaxTokens = 4_096

type Block = Readonly<Record<string, unknown>>

export function anthropicBody(model: string, call: LanguageModelV3CallOptions): string {
  const { tools = [], toolChoice, maxOutputTokens = fallbackMaxTokens } = call
  const system = call.prompt.flatMap(one =>
    one.role === 'system' ? [textBlock(one.content, one.providerOptions)] : [],
  )
  const fields = [
    `"model":${JSON.stringify(model)}`,
    `"max_tokens":${maxOutputTokens}`,
    ...(system.length > 0 ? [`"system":${JSON.stringify(system)}`] : []),
    `"messages":${JSON.stringify(messagesOf(call.prompt))}`,
    ...(tools.length > 0 ? [`"tools":${toolsText(tools)}`] : []),
    ...(tools.length > 0 && toolChoice ? [`"tool_choice":${JSON.stringify(choiceOf(toolChoice))}`] : []),
    '"stream":true',
  ]
  return `{${fields.join(',')}}`
}

const toolOf = ({ name, description, inputSchema, providerOptions }: LanguageModelV3FunctionTool): Block => ({
  name,
  description,
  input_schema: inputSchema,
  ...mark(providerOptions),
  // Arguments come as they are written, not once they are complete: a long one is no silence.
  eager_input_streaming: true,
})

/** R3. */
const toolsText = writeOnce(toolOf)

const choiceOf = (choice: NonNullable<LanguageModelV3CallOptions['toolChoice']>): Block =>
  choice.type === 'tool'
    ? { type: 'tool', name: choice.toolName }
    : { type: choice.type === 'required' ? 'any' : choice.type }

interface WireMessage {
  readonly role: 'user' | 'assistant'
  readonly content: Block[]
}

/** R1. */
function messagesOf(prompt: readonly LanguageModelV3Message[]): readonly WireMessage[] {
  const messages: WireMessage[] = []
  prompt.forEach((message, index) => {
    if (message.role === 'system') return
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = blocksOf(message, index === prompt.length - 1)
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else messages.push({ role, content: blocks })
  })
  return messages
}

/** R2. */
function blocksOf(message: Exclude<LanguageModelV3Message, { role: 'system' }>, isLast: boolean): Block[] {
  const end = message.content.length - 1
  return message.content.flatMap((part, index) => {
    if (index < end) return blockOf(part)
    // What the model is to go on from must not end in blanks.
    const isOpenEnd = isLast && message.role === 'assistant' && part.type === 'text'
    const blocks = blockOf(isOpenEnd ? { ...part, text: part.text.trim() } : part)
    return part.type === 'reasoning' ? blocks : blocks.map(block => ({ ...block, ...mark(message.providerOptions) }))
  })
}

type PromptPart = Exclude<LanguageModelV3Message, { role: 'system' }>['content'][number]

function blockOf(part: PromptPart): Block[] {
  switch (part.type) {
    case 'text':
      return [textBlock(part.text)]
    case 'file':
      return [image(part.mediaType, part.data)]
    case 'reasoning':
      return thought(part.text, part.providerOptions?.anthropic)
    case 'tool-call':
      return [{ type: 'tool_use', id: part.toolCallId, name: part.toolName, input: inputOf(part.input) }]
    case 'tool-result':
      return [resultBlock(part)]
    default:
      return []
  }
}

/** Arguments that were kept as text: an object all the same. */
function inputOf(input: unknown): unknown {
  const value = typeof input === 'string' ? parseJson(input) : undefined
  return isRecord(value) ? value : input
}

/** One without its seal would be refused, and the whole conversation with it. */
function thought(text: string, kept: SharedV3ProviderOptions[string] | undefined): Block[] {
  if (kept?.signature !== undefined) return [{ type: 'thinking', thinking: text, signature: kept.signature }]
  return kept?.redactedData === undefined ? [] : [{ type: 'redacted_thinking', data: kept.redactedData }]
}

function resultBlock({ toolCallId, output }: LanguageModelV3ToolResultPart): Block {
  const isError = output.type === 'error-text'
  return {
    type: 'tool_result',
    tool_use_id: toolCallId,
    content: contentOf(output),
    ...(isError && { is_error: true }),
  }
}

function contentOf(output: LanguageModelV3ToolResultPart['output']): string | Block[] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'content':
      return output.value.flatMap(part => {
        if (part.type === 'text') return [textBlock(part.text)]
        return part.type === 'image-data' ? [image(part.mediaType, part.data)] : []
      })
    default:
      return JSON.stringify('value' in output ? output.value : (output.reason ?? ''))
  }
}

const textBlock = (text: string, options?: SharedV3ProviderOptions): Block => ({ type: 'text', text, ...mark(options) })

const image = (mediaType: string, data: unknown): Block => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType === 'image/*' ? 'image/jpeg' : mediaType, data },
})

function mark(options: SharedV3ProviderOptions | undefined): Block {
  const wanted = options?.anthropic?.cacheControl
  return wanted === undefined ? {} : { cache_control: wanted }
}
