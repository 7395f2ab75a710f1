import { expect, test } from 'vitest'
import type { ModelRequest } from '../../src/core/ports.js'
import { agent, call, house, tool } from './house.js'

const models = [{ id: 'test/model', contextWindow: 200_000, maxOutputTokens: 8_000 }]
const shot = (kilobytes: number) => {
  const data = 'x'.repeat(kilobytes * 1024)
  return tool('Shot', 'read', () => ({ content: [{ type: 'image', mediaType: 'image/png', data }] }))
}
const agents = [agent('main', { canSpawn: false })]
const picturesIn = ({ messages }: ModelRequest) => JSON.stringify(messages).split('"type":"image"').length - 1
/** Counts like a provider: by the picture, not by its bytes. */
const looks = (times: number) => [
  ...Array.from({ length: times }, (_, n) => (request: ModelRequest) => ({
    ...call('Shot', { n }, `c${n}`),
    usage: { input: 2_000 + 1_600 * picturesIn(request) },
  })),
  'seen',
]

test('a large screenshot is shown to the model, not summed up unseen', async () => {
  const h = house({ main: looks(3) }, { models, tools: [shot(1_100)], agents })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'seen' })
  expect(h.events.some(({ event }) => event.type === 'context.compacted')).toBe(false)
  expect(h.model.requests.map(picturesIn)).toEqual([0, 1, 2, 3])
})

test('a large screenshot does not use up a budget of tokens that it costs next to nothing of', async () => {
  const h = house({ main: looks(2) }, { models, tools: [shot(500)], agents })
  expect(await h.run({ budget: { tokens: 100_000 } })).toMatchObject({ outcome: 'completed', text: 'seen' })
  expect(h.events.some(({ event }) => event.type === 'budget.reached')).toBe(false)
})
