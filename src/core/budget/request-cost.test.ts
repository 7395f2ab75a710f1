import { expect, test } from 'vitest'
import { affordableOutput, type PurseLevel, type RequestWish } from './request-cost.js'

const tokens = (granted: number, used: number, about: Partial<PurseLevel> = {}): PurseLevel => ({
  dimension: 'tokens',
  granted,
  used,
  isOwn: true,
  reserve: granted / 20,
  sharers: 1,
  ...about,
})
const work = (inputTokens: number, about: Partial<RequestWish> = {}): RequestWish => ({
  purpose: 'work',
  inputTokens,
  maxOutputTokens: 8_000,
  ...about,
})

test.each([
  ['room for everything', work(1_000), [tokens(100_000, 0)], { output: 8_000 }],
  ['cut to what is left beside the report', work(1_000), [tokens(10_000, 3_000)], { output: 3_976 }],
  [
    'the report itself may use what was kept',
    work(1_000, { purpose: 'grace' }),
    [tokens(10_000, 8_700)],
    { output: 300 },
  ],
  [
    'another run’s report is out of reach',
    work(1_000, { purpose: 'grace' }),
    [tokens(10_000, 8_000, { isOwn: false })],
    { output: 500 },
  ],
  ['no more than a share', work(1_000), [tokens(100_000, 60_000, { sharers: 8 })], { output: 3_375 }],
  ['but always a decent reply', work(1_000), [tokens(30_000, 10_000, { sharers: 50 })], { output: 1_024 }],
  ['nobody limits anything', work(1_000), [], { output: 8_000 }],
  ['calls are not for requests', work(1_000), [tokens(1, 1, { dimension: 'toolCalls' })], { output: 8_000 }],
] as const)('%s', (_, wish, levels, expected) => {
  expect(affordableOutput(wish, levels)).toEqual(expected)
})

test('too little left for a useful reply is refused, and says where', () => {
  const level = tokens(10_000, 8_000)
  expect(affordableOutput(work(1_000), [tokens(1e9, 0), level])).toEqual({ short: level })
})

test('money: input first, the rest buys output', () => {
  const prices = { input: 0.01, outputToken: 0.00001 }
  const level = tokens(0.1, 0.05, { dimension: 'usd' })
  const wish = work(1_000, { prices })
  // 0.1 - 0.05 spent - 0.02024 for the report - 0.01 for the input, less a rounding.
  expect(affordableOutput(wish, [level])).toEqual({ output: 1_975 })
  expect(affordableOutput(wish, [{ ...level, used: 0.075 }])).toHaveProperty('short')
  expect(affordableOutput(work(1_000, { prices: { input: 0, outputToken: 0 } }), [level])).toEqual({ output: 8_000 })
})
