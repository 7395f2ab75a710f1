/** OpenAI's responses stream. */
import { defaultUsage, type Said } from './said.js'
import { event, type WireAnswer } from './server.js'

export function openaiResponsesAnswer(said: Said): WireAnswer {
  const send = counted()
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: said.model ?? 'gpt-5', output: [] }
  const items = [...thoughtItem(said), ...textItem(said), ...callItems(said)]
  return {
    chunks: [
      send('response.created', { response: { ...response, status: 'in_progress' } }),
      ...items.flatMap((item, output_index) => item.events(output_index).map(one => send(one.type, one))),
      send(said.end === 'length' ? 'response.incomplete' : 'response.completed', {
        response: {
          ...response,
          status: said.end === 'length' ? 'incomplete' : 'completed',
          incomplete_details:
            said.end === 'length'
              ? { reason: 'max_output_tokens' }
              : said.end === 'filter'
                ? { reason: 'content_filter' }
                : null,
          usage: usageOf(said),
        },
      }),
    ],
  }
}

interface Item {
  events(outputIndex: number): ({ type: string } & Record<string, unknown>)[]
}

const thoughtItem = ({ thought }: Said): Item[] =>
  !thought
    ? []
    : [
        {
          events: output_index => [
            {
              type: 'response.output_item.added',
              output_index,
              item: { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
            },
            {
              type: 'response.reasoning_summary_part.added',
              item_id: 'rs_1',
              output_index,
              summary_index: 0,
              part: { type: 'summary_text', text: '' },
            },
            {
              type: 'response.reasoning_summary_text.delta',
              item_id: 'rs_1',
              output_index,
              summary_index: 0,
              delta: thought.text,
            },
            {
              type: 'response.output_item.done',
              output_index,
              item: {
                type: 'reasoning',
                id: 'rs_1',
                summary: [{ type: 'summary_text', text: thought.text }],
                encrypted_content: thought.signature,
              },
            },
          ],
        },
      ]

function textItem({ text, end }: Said): Item[] {
  if (!text) return []
  const kind = end === 'refusal' ? 'refusal' : 'output_text'
  const part =
    end === 'refusal' ? { type: kind, refusal: text.join('') } : { type: kind, text: text.join(''), annotations: [] }
  const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' }
  return [
    {
      events: output_index => [
        { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
        ...text.map(delta => ({
          type: `response.${kind}.delta`,
          item_id: 'msg_1',
          output_index,
          content_index: 0,
          delta,
        })),
        { type: 'response.output_item.done', output_index, item: { ...item, content: [part] } },
      ],
    },
  ]
}

const callItems = ({ calls = [] }: Said): Item[] =>
  calls.map((call, index) => {
    const item = {
      type: 'function_call',
      id: `fc_${index}`,
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
      status: 'completed',
    }
    return {
      events: output_index => [
        { type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } },
        { type: 'response.function_call_arguments.delta', item_id: item.id, output_index, delta: call.arguments },
        { type: 'response.output_item.done', output_index, item },
      ],
    }
  })

function usageOf(said: Said) {
  const usage = { ...defaultUsage, ...said.usage }
  return {
    input_tokens: usage.input + usage.cacheRead,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.cacheRead + usage.output,
  }
}

function counted() {
  let sequence_number = 0
  return (type: string, body: object) => event({ ...body, type, sequence_number: sequence_number++ }, type)
}
