import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUsage } from '../../../core/budget/usage.js'
import type { RunId } from '../../../core/message.js'
import type { RunSummary } from '../../../core/run/run-summary.js'
import { ganttBars, ganttScale } from './gantt.js'
import { treeRows } from './run-tree.js'

test('bars lie where the time was spent', () => {
  const bars = [
    { from: 0, to: 100 },
    { from: 25, to: 50 },
    { from: 50, to: 100, isOpen: true },
    { from: 100, to: 100 },
  ]
  expect(ganttBars(bars, 8)).toEqual(['━━━━━━━━', '··━━····', '····━━━╸', '·······━'])
  expect(ganttBars(bars.slice(0, 2), 8, true)).toEqual(['========', '..==....'])
  expect(ganttScale(bars, 8)).toBe('0s  0.1s')
})

test('a bar went on over the time in which nobody was at work', () => {
  const bar = {
    from: 0,
    to: 80,
    atWork: [
      { from: 0, to: 21 },
      { from: 70, to: 80 },
    ],
  }
  expect(ganttBars([bar], 8)).toEqual(['━━╌╌╌╌╌━'])
  expect(ganttBars([bar], 8, true)).toEqual(['==-----='])
  // However short, work is seen; a run that never came to any is idle.
  const moments = {
    from: 0,
    to: 1000,
    atWork: [
      { from: 400, to: 401 },
      { from: 1000, to: 1000 },
    ],
  }
  expect(ganttBars([moments, { from: 0, to: 1000, atWork: [] }], 8)).toEqual(['╌╌╌━╌╌╌━', '╌╌╌╌╌╌╌╌'])
})

test('a bar is as wide as the chart, whatever the times', () => {
  const bar = fc.record({ from: fc.nat(1e6), length: fc.nat(1e6), isOpen: fc.boolean() })
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1, maxLength: 8 }), fc.integer({ min: 4, max: 80 }), (bars, width) => {
      const drawn = ganttBars(
        bars.map(({ from, length, isOpen }) => ({ from, to: from + length, isOpen })),
        width,
      )
      return drawn.every(text => text.length === width && /[━╸]/.test(text))
    }),
  )
})

test('every run stands below its caller, once, in the order they were made', () => {
  const run = (runId: string, parentId: string | undefined, createdAt: number): RunSummary => ({
    runId: runId as RunId,
    rootId: 'root' as RunId,
    ...(parentId && { parentId: parentId as RunId }),
    agent: runId,
    description: '',
    depth: 0,
    status: 'ended',
    attempt: 1,
    isBackground: false,
    createdAt,
    updatedAt: createdAt,
    lastSeq: 1,
    turns: 0,
    toolCalls: 0,
    usage: noUsage,
  })
  // As stores list them: newest first.
  const listed = [run('deep', 'a', 4), run('b', 'root', 3), run('a', 'root', 3), run('root', undefined, 1)]
  const names = (runs: readonly RunSummary[]) => treeRows(runs).map(({ run: each, branch }) => `${branch}${each.runId}`)
  expect(names(listed)).toEqual(['root', '├─ a', '│  └─ deep', '└─ b'])
  expect(names([run('new', undefined, 9), ...listed]).slice(0, 2)).toEqual(['new', 'root'])
})
