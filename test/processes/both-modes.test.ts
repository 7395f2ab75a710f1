/**
 * A part of what `npm run test:process` tells in full: the same stories, and the same crash enumeration, with every run in
 * a process of its own.
 */
import { expect, test } from 'vitest'
import { tree } from '../crash/process-tree.js'
import { assertSound } from '../crash/soundness.js'

process.env.OFFSHOOT_MODE = 'process'
const { play } = await import('../crash/world.js')
await import('../scenarios/limits-and-guards.test.js')

test('P23 in processes of their own: whatever append the host dies at, the next one finishes the tree', async () => {
  const calm = await play(tree)
  expect(calm.result.outcome).toBe('completed')
  // Every ninth append has its turn in `npm run test:process`.
  for (const [part, when] of [
    [0.2, 'before'],
    [0.5, 'after'],
    [0.8, 'before'],
  ] as const) {
    const point = { append: Math.round(calm.appends * part), when }
    const cut = await play(tree, [point])
    assertSound(cut, `crash ${when} append ${point.append}`, calm)
    if (cut.openAtCut.length === 0) expect(cut.result.text).toBe(calm.result.text)
  }
})
