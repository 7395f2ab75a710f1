/** OpenAI's chat completions stream, which every compatible server speaks too. */
import { defaultUsage, type Said } from './said.js'
import { event, jsonAnswer, type WireAnswer } from './server.js'

export function openaiChatAnswer(said: Said): WireAnswer {
  const usage = { ...defaultUsage, ...said.usage }
  const chunk = (delta: object, finish: string | null = null) =>
    event({ ...base(said), choices: [{ index: 0, delta, finish_reason: finish }] })
  const textKey = said.end === 'refusal' ? 'refusal' : 'content'
  return {
    chunks: [
      chunk({ role: 'assistant', content: '' }),
      ...(said.thought ? [chunk({ reasoning_content: said.thought.text })] : []),
      ...(said.text ?? []).map(text => chunk({ [textKey]: text })),
      ...(said.calls ?? []).flatMap((call, index) => [
        chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }),
        chunk({ tool_calls: [{ index, function: { arguments: call.arguments } }] }),
      ]),
      chunk({}, finishReason(said)),
      event({
        ...base(said),
        choices: [],
        usage: {
          prompt_tokens: usage.input + usage.cacheRead,
          completion_tokens: usage.output,
          total_tokens: usage.input + usage.cacheRead + usage.output,
          prompt_tokens_details: { cached_tokens: usage.cacheRead },
        },
      }),
      event('[DONE]'),
    ],
  }
}

export const openaiError = (
  status: number,
  code: string,
  message: string,
  headers?: Record<string, string>,
): WireAnswer => jsonAnswer(status, { error: { message, type: code, code } }, headers)

const base = (said: Said) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: said.model ?? 'gpt-4.1',
})

function finishReason({ end, calls }: Said): string {
  if (end === 'length') return 'length'
  if (end === 'filter') return 'content_filter'
  return calls?.length ? 'tool_calls' : 'stop'
}
