import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { askModel, requestTo } from '../../../../test/models/requests.js'
import { aiSdkModel } from '../ai-sdk.js'

const parts: readonly LanguageModelV3StreamPart[] = [
  { type: 'stream-start', warnings: [{ type: 'other', message: 'temperature is ignored' }] },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'hello' },
  { type: 'text-end', id: '0' },
  {
    type: 'finish',
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  },
]
const language = {
  doStream: async () => ({
    stream: new ReadableStream<LanguageModelV3StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    }),
  }),
} as unknown as LanguageModelV3

test('a provider’s warning is told once a model, not with every turn', async () => {
  const model = aiSdkModel({ provider: 'acme', kind: 'compatible', load: async () => language })
  const warnings = async (name: string) => {
    const { deltas } = await askModel(model, requestTo(name))
    return deltas.filter(delta => delta.type === 'warning')
  }
  expect(await warnings('acme/large')).toEqual([{ type: 'warning', text: 'temperature is ignored' }])
  expect(await warnings('acme/large')).toEqual([])
  expect(await warnings('acme/small')).toHaveLength(1)
})
