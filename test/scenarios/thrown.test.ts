/** Code of a host that throws: whoever wrote it has to find the line. */
import { expect, test } from 'vitest'
import { call, house, tool } from './house.js'

const broken = tool('Broken', 'read', () => {
  throw new TypeError('no map of undefined')
})

test('what a tool threw was told without the place, and the list of calls did not even say what', async () => {
  const h = house({ main: [call('Broken'), 'done'] }, { tools: [broken] })
  const { toolLog } = await h.run()
  expect(toolLog[0]).toMatchObject({ summary: 'failed: no map of undefined', isSuccess: false })
  const ended = h.events.flatMap(({ event }) => (event.type === 'tool.ended' ? [event] : []))
  expect(ended[0]?.stack).toContain('thrown.test.ts')
  expect(h.toolTexts('main')).toEqual(['Broken failed: no map of undefined'])
})

test('a model that threw ended the run without a word about where', async () => {
  const model = {
    ask: () => {
      throw new TypeError('no map of undefined')
    },
  }
  const { outcome, error } = await house({}, { model }).run()
  expect(outcome).toBe('failed')
  expect(error).toMatchObject({ message: 'The model adapter threw: no map of undefined', rule: 'bug' })
  expect(error?.stack).toContain('thrown.test.ts')
})
