import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/core/schema/define-tool.js'
import { agent, call, house } from './house.js'

const seen: { article: string; count: number }[] = []
const order = defineTool({
  name: 'Order',
  description: 'Orders an article.',
  effect: 'read',
  input: z.object({
    article: z.string().refine(name => name !== 'moon', 'not for sale'),
    count: z.number().int().default(1),
  }),
  run: input => {
    seen.push(input)
    return `ordered ${input.count}`
  },
})

test('a tool of a typed schema: the model is told JSON Schema, the function gets what the schema made of the input', async () => {
  expect(order.spec.inputSchema).toMatchObject({
    type: 'object',
    properties: { article: { type: 'string' }, count: { type: 'integer', default: 1 } },
    required: ['article'],
  })
  const script = {
    main: [
      call('Order', { article: 'lamp' }),
      call('Order', { article: 7 }),
      call('Order', { article: 'moon', count: 2 }),
      'done',
    ],
  }
  const h = house(script, { tools: [order], agents: [agent('main')] })
  await h.run()
  expect(seen).toEqual([{ article: 'lamp', count: 1 }])
  const [ordered, wrongType, refused] = h.toolTexts('main')
  expect(ordered).toBe('ordered 1')
  expect(wrongType).toContain('article')
  expect(refused).toBe('article: not for sale')
})

test('the type of the input is that of the schema', () => {
  defineTool({
    name: 'Typed',
    description: 'x',
    effect: 'read',
    input: z.object({ article: z.string() }),
    // @ts-expect-error there is no such key
    run: ({ articles }) => articles,
  })
})

test('a type without JSON Schema was refused in the words of its library, without the name of the tool', () => {
  const input = z.object({ when: z.date() })
  const make = () => defineTool({ name: 'Remind', description: 'x', effect: 'read', input, run: () => '' })
  expect(make).toThrow(/^the input of the tool Remind cannot be written as JSON Schema: .*Date/)
})
