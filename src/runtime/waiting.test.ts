import { expect, test } from 'vitest'
import type { RunId } from '../core/message.js'
import type { Result } from '../core/types.js'
import { emptyResult } from './children/child-end.js'
import type { Live } from './live-runs.js'
import { untilEnd, type WaitingPorts } from './waiting.js'

const runId = 'run' as RunId
const ended = (text: string): Result => ({ ...emptyResult, runId, agent: 'worker', outcome: 'completed', text })
const driven = (attempt: number, text: string) =>
  ({ log: { state: { attempt } }, result: Promise.resolve(ended(text)) }) as unknown as Live

test('whoever waited for the next attempt of a child was told the end of one that was just being cleared up after', async () => {
  const ports = {
    live: { ensure: async () => driven(2, 'second') },
    reader: { result: async (_: RunId, attempt?: number) => (attempt === 1 ? ended('first') : undefined) },
  } as unknown as WaitingPorts
  expect(await untilEnd({ runId, attempt: 2 }, driven(1, 'first'), ports)).toMatchObject({ text: 'second' })
  expect(await untilEnd({ runId, attempt: 1 }, driven(2, 'second'), ports)).toMatchObject({ text: 'first' })
  expect(await untilEnd({ runId }, driven(1, 'first'), ports)).toMatchObject({ text: 'first' })
})
