/**
 * The text of a request in OpenAI's chat format, for OpenAI's own models and for the servers that speak it too.
 *
 * R1 Same fields in the same order as the packages: the bytes are the same. R2 The tools of an agent are written out once.
 * R3 OpenAI's models that reason take other words for the same: `developer`, and tokens of the whole completion.
 * R4 A thought goes back only to compatible servers, which put it beside the text; OpenAI keeps its own to itself.
 */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import { isRecord } from '../../../core/record.js'
import { parseJson } from '../../../core/text/parse-json.js'
import type { ChatKind } from './openai-chunk.js'
import { writeOnce } from './tools-text.js'

type WireMessage = Readonly<Record<string, unknown>>

export function chatBody(kind: ChatKind, model: string, call: LanguageModelV3CallOptions): string {
  const { tools = [], toolChoice, maxOutputTokens } = call
  const doesReason = kind === 'openai-chat' && reasons(model)
  const messages = call.prompt.flatMap(message => messagesOf(message, kind, doesReason ? 'developer' : 'system'))
  const fields = [
    `"model":${JSON.stringify(model)}`,
    ...(maxOutputTokens === undefined
      ? []
      : [`"${doesReason ? 'max_completion_tokens' : 'max_tokens'}":${maxOutputTokens}`]),
    // Nothing is kept on the server.
    ...(kind === 'openai-chat' ? ['"store":false'] : []),
    `"messages":${JSON.stringify(messages)}`,
    ...(tools.length > 0 ? [`"tools":${toolsText(tools)}`] : []),
    ...(tools.length > 0 && toolChoice ? [`"tool_choice":${JSON.stringify(choiceOf(toolChoice))}`] : []),
    '"stream":true',
    '"stream_options":{"include_usage":true}',
  ]
  return `{${fields.join(',')}}`
}

/** R3: `o3`, `gpt-5` and what came after them, but for `gpt-5-chat`. */
function reasons(model: string): boolean {
  const [, major, minor, variant = ''] = /^gpt-(\d+)(?:\.(\d+))?(?:-(.+))?$/.exec(model) ?? []
  if (major === undefined) return /^o\d+(?:-|$)/.test(model)
  return Number(major) >= 5 && !(minor === undefined && variant.startsWith('chat'))
}

/** R2. */
const toolsText = writeOnce(({ name, description, inputSchema }: LanguageModelV3FunctionTool) => ({
  type: 'function',
  function: { name, description, parameters: inputSchema },
}))

const choiceOf = (choice: NonNullable<LanguageModelV3CallOptions['toolChoice']>): unknown =>
  choice.type === 'tool' ? { type: 'function', function: { name: choice.toolName } } : choice.type

function messagesOf(
  message: LanguageModelV3Message,
  kind: ChatKind,
  system: 'system' | 'developer',
): readonly WireMessage[] {
  switch (message.role) {
    case 'system':
      return [{ role: system, content: message.content }]
    case 'user':
      return [{ role: 'user', content: userContent(message.content) }]
    case 'assistant':
      return [assistantMessage(message.content, kind)]
    case 'tool':
      return message.content.flatMap(part => (part.type === 'tool-result' ? [resultMessage(part)] : []))
  }
}

type UserContent = Extract<LanguageModelV3Message, { role: 'user' }>['content']

function userContent(content: UserContent): string | readonly WireMessage[] {
  const [first] = content
  if (content.length === 1 && first?.type === 'text') return first.text
  return content.map(part =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${imageType(part.mediaType)};base64,${part.data}` } },
  )
}

const imageType = (mediaType: string): string => (mediaType === 'image/*' ? 'image/jpeg' : mediaType)

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content']

function assistantMessage(content: AssistantContent, kind: ChatKind): WireMessage {
  let text = ''
  let thought = ''
  const calls: WireMessage[] = []
  for (const part of content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') thought += part.text
    else if (part.type === 'tool-call') calls.push(callOf(part, kind))
  }
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(kind === 'compatible' && thought !== '' && { reasoning_content: thought }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function callOf({ toolCallId, toolName, input, providerOptions }: LanguageModelV3ToolCallPart, kind: ChatKind) {
  const call = { id: toolCallId, type: 'function' }
  if (kind === 'openai-chat') return { ...call, function: { name: toolName, arguments: objectText(input) } }
  // Gemini behind a compatible address wants its seal back.
  const seal = providerOptions?.google?.thoughtSignature
  return {
    ...call,
    function: { name: toolName, arguments: JSON.stringify(input) },
    ...providerOptions?.openaiCompatible,
    ...(seal ? { extra_content: { google: { thought_signature: String(seal) } } } : {}),
  }
}

/** OpenAI refuses arguments that are no object. */
function objectText(input: unknown): string {
  if (typeof input === 'string') return isRecord(parseJson(input)) ? input : '{}'
  return isRecord(input) ? JSON.stringify(input) : '{}'
}

function resultMessage({ toolCallId, output }: LanguageModelV3ToolResultPart): WireMessage {
  return { role: 'tool', tool_call_id: toolCallId, content: contentOf(output) }
}

function contentOf(output: LanguageModelV3ToolResultPart['output']): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  return 'value' in output ? JSON.stringify(output.value) : (output.reason ?? 'Tool call execution denied.')
}
