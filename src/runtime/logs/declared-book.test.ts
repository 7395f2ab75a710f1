import { expect, test } from 'vitest'
import { DeclaredBook } from './declared-book.js'

test('what could not be kept once was not tried again for an equal object', async () => {
  let isFull = true
  const keep = async () => {
    if (isFull) throw new Error('full')
    return 'hash'
  }
  const book = new DeclaredBook({ keep } as never)
  const [one, two] = [
    { system: 's', tools: [] },
    { system: 's', tools: [] },
  ]
  await Promise.allSettled([book.keep(one), book.keep(two)])
  isFull = false
  expect(await Promise.all([book.keep(one), book.keep(two)])).toEqual(['hash', 'hash'])
})
