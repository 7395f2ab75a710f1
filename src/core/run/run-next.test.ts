import { expect, test } from 'vitest'
import { runId, sampleEvent, sampleQueued, sampleTurn } from '../../testing/sample-log.js'
import { fold } from './run-apply.js'
import { next } from './run-next.js'

const run = { runId: runId('one') }

test('a call that was open when the process of its run died was answered with a limit that nobody had reached', () => {
  const [asked] = sampleTurn(run, 4, 0)
  const message = 'its process ended with exit code 7'
  const state = fold([
    sampleQueued(run),
    sampleEvent(run, 2, { type: 'run.claimed', attempt: 1, epoch: 1, owner: 'x' }),
    sampleEvent(run, 3, { type: 'run.started' }),
    asked!,
    sampleEvent(run, 5, { type: 'process.died', rule: 'process-died', message }),
  ])!
  const step = JSON.stringify(next(state, 2_000))
  expect(step).toContain(`Not finished: the run ended (failed: ${message}).`)
  expect(step).not.toContain('limit')
})
