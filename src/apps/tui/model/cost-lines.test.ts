import { expect, test } from 'vitest'
import { noUsage } from '../../../core/budget/usage.js'
import { textWidth } from '../../session/text-width.js'
import { type CostedRun, costLines } from './cost-lines.js'

const run = (agent: string, input: number, more: Partial<CostedRun> = {}): CostedRun => ({
  agent,
  usage: { ...noUsage, input },
  cost: 0.0123,
  ...more,
})
const shown = (runs: readonly CostedRun[], width = 80) =>
  costLines(runs, width).map(line => line.map(({ text }) => text).join(''))

test('/cost had ragged columns and no total', () => {
  const cached = { usage: { ...noUsage, input: 600, cacheRead: 400 } }
  const rows = shown([
    run('main', 1_234_567, { cost: 12.5 }),
    run('code-reviewer', 900),
    run('code-reviewer', 5, cached),
    run('an-agent-with-a-name-that-takes-more-room-than-any-column-has', 1, { cost: 0 }),
    run('評価者', 10, { usage: { ...noUsage, input: 10, isEstimated: true } }),
  ])
  expect(rows).toMatchInlineSnapshot(`
    [
      "Spent so far",
      "  agent                                           runs  tokens      cost  cached",
      "  main                                               1    1.2M    $12.50     0 %",
      "  code-reviewer                                      2    1.9k   $0.0246    21 %",
      "  an-agent-with-a-name-that-takes-more-room-tha…     1       1     $0.00     0 %",
      "  評価者                                             1     ~10  ~$0.0123     0 %",
      "  total                                              5   ~1.2M   ~$12.54     0 %",
    ]
  `)
  const ends = rows.slice(1).map(row => textWidth(row))
  expect(new Set(ends).size).toBe(1)
  expect(Math.max(...ends)).toBeLessThanOrEqual(80)
})

test('what nobody knows is no 0 in /cost, nor in its total', () => {
  const rows = shown([run('main', 10), run('other', 10, { cost: undefined })])
  expect(rows.slice(-2)).toEqual([expect.stringMatching(/other .* unknown/), expect.stringMatching(/total .* unknown/)])
})

test('of one agent its row is the total, and of none nothing is listed', () => {
  expect(shown([run('main', 10)])).toHaveLength(3)
  expect(shown([])).toEqual(['Spent so far', '  nothing'])
})

test('/cost fits a narrow screen', () => {
  const rows = shown([run('a-rather-long-agent-name', 10), run('main', 10)], 40)
  expect(Math.max(...rows.map(row => textWidth(row)))).toBeLessThanOrEqual(40)
})
