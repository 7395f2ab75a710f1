/** What a host sees of its tools, approvals and errors, each told by its symptom. */
import { expect, test } from 'vitest'
import { aiSdkModel } from '../../src/adapters/models/ai-sdk.js'
import { call, house, isProcessMode, tool } from './house.js'

test('how far a read was could be heard before that it had begun', async () => {
  const look = tool('Look', 'read', (_, context) => {
    context.progress('half')
    context.progress('nearly')
    return 'seen'
  })
  const h = house({ main: [call('Look'), 'done'] }, { tools: [look] })
  await h.run()
  const types = h.events.map(({ event }) => event.type).filter(type => type.startsWith('tool.'))
  expect(types).toEqual(['tool.started', 'tool.progress', 'tool.progress', 'tool.ended'])
})

test.skipIf(isProcessMode)(
  'a tool that was stopped by a person was told that the run is no longer driven',
  async () => {
    let reason: unknown
    const wait = tool(
      'Wait',
      'read',
      (_, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason)
          }),
        ),
    )
    const h = house({ main: [call('Wait'), 'done'] }, { tools: [wait] })
    const run = await h.start()
    await h.clock.settle()
    await run.stop('the person left')
    await run.result
    expect(reason).toMatchObject({ name: 'AbortError', message: 'the person left' })
  },
)

test('a second answer to a request was said to count, too', async () => {
  const h = house(
    { main: [call('Pay'), 'done'] },
    {
      tools: [tool('Pay', 'write', () => 'paid')],
      judge: { judge: () => ({ decision: 'ask', rule: 'r', reason: 'r' }) },
      approver: { isListening: () => true, present: () => () => {} },
    },
  )
  const run = await h.start()
  await h.clock.settle()
  const { approvalId } = h.offshoot.approvals.open()[0]!
  const answers = (['allow', 'deny', 'deny'] as const).map(verdict =>
    h.offshoot.approvals.answer(approvalId, { verdict }),
  )
  expect(await Promise.all(answers)).toEqual([true, false, false])
  expect(await run.result).toMatchObject({ outcome: 'completed' })
  expect(await h.offshoot.approvals.answer(approvalId, { verdict: 'deny' })).toBe(false)
})

test('a subscriber that throws where nobody hears of errors was passed over without a word', async () => {
  const warnings: Error[] = []
  const hear = (warning: Error) => void warnings.push(warning)
  process.on('warning', hear)
  const h = house({ main: ['one'] })
  h.offshoot.subscribe({}, () => {
    throw new Error('no database')
  })
  await h.run()
  await new Promise(resolve => setImmediate(resolve))
  process.off('warning', hear)
  expect(warnings.filter(({ name }) => name === 'OffshootWarning').map(({ message }) => message)).toEqual([
    'no database (createOffshoot({ onError }) hears of every such error)',
  ])
})

test.each([
  [{ provider: 'mock', kind: 'openai-compatible' }, /kind must be one of .*compatible, not "openai-compatible"/],
  [{ provider: 'mock' }, /kind is missing/],
  [{ provider: 'mock', kind: 'compatible', baseURL: 'x' }, /there is no "baseURL" \(did you mean baseUrl\?\)/],
  [{ provider: ' ', kind: 'compatible' }, /provider must be a text that is not blank/],
])('aiSdkModel took %j, and spoke another format', (options, words) => {
  expect(() => aiSdkModel({ load: async () => undefined as never, ...options } as never)).toThrow(words)
})
