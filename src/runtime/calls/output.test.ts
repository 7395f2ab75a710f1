import { expect, test } from 'vitest'
import { maxImageCharacters } from '../../core/message.js'
import { boundContent } from './output.js'

const image = (size: number) => ({ type: 'image', mediaType: 'image/png', data: 'A'.repeat(size) }) as const
const text = (words: string) => ({ type: 'text', text: words }) as const

function keeper() {
  const kept: string[] = []
  return { kept, keep: async (all: string) => (kept.push(all), 'It is kept in x.') }
}

test('an image of 20 MB went into the next request whole', async () => {
  const { kept, keep } = keeper()
  const bounded = await boundContent([image(9), text('seen'), image(maxImageCharacters + 1)], 100, keep)
  expect(bounded).toEqual([
    image(9),
    text('seen'),
    text(
      '[An image (image/png, 5242881 characters of base64) was left out: at most 5242880 can be shown. It is kept in x.]',
    ),
  ])
  expect(kept).toEqual([`seen\ndata:image/png;base64,${'A'.repeat(maxImageCharacters + 1)}`])
})

test('a text and an image that are both too long are kept together, once', async () => {
  const { kept, keep } = keeper()
  const bounded = await boundContent([image(maxImageCharacters + 1), image(3), text('x'.repeat(200))], 100, keep)
  expect(bounded.map(part => part.type)).toEqual(['text', 'text', 'image'])
  expect(bounded[0]).toMatchObject({ text: expect.stringContaining('cut: 95 of 200 bytes shown') })
  expect(bounded[1]).toMatchObject({ text: expect.stringContaining('was left out') })
  expect(kept).toHaveLength(1)
})

test('what fits is what it was', async () => {
  const { kept, keep } = keeper()
  const content = [image(maxImageCharacters), text('x'.repeat(100))]
  expect(await boundContent(content, 100, keep)).toBe(content)
  expect(kept).toEqual([])
})
