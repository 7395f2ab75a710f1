import { expect, test } from 'vitest'
import { runId, sampleEvent, sampleQueued } from '../../testing/sample-log.js'
import type { DurableEvent } from '../events.js'
import { fold } from '../run/run-apply.js'
import { type RunSummary, summarise } from '../run/run-summary.js'

const run = { runId: runId('r') }
const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 1 }
const failed = (more: object): DurableEvent => ({
  ...{ type: 'turn.failed', turn: 1, purpose: 'work', upto: 1, partial: 'half', model: 'm' },
  error: { message: 'x', kind: 'network', isRetryable: false },
  ...more,
})

test.each([
  ['nothing: it cost nothing', {}, 0],
  ['something at a price', { usage, cost: 0.5 }, 0.5],
  ['something, in a log from before its cost was written: that is unknown', { usage }, undefined],
  ['no token', { usage: { ...usage, input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }, 0],
])('a failed turn that used %s', (_, more, cost) => {
  const log = [sampleQueued(run), sampleEvent(run, 2, failed(more))]
  expect(fold(log)).toMatchObject({ cost, spentUsd: cost ?? 0 })
  const summary = log.reduce<RunSummary | undefined>(summarise, undefined)
  expect(summary?.cost).toBe(cost)
})

test('a turn cut off without a word took nothing back of what was said before', () => {
  const aborted = { error: { message: 'cut', kind: 'aborted', isRetryable: false }, partial: '', usage, cost: 0.5 }
  const log = [sampleQueued(run), sampleEvent(run, 2, failed({})), sampleEvent(run, 3, failed(aborted))]
  expect(fold(log)).toMatchObject({ partial: 'half', cost: 0.5, usage })
})
