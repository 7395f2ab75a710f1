import { expect, test } from 'vitest'
import { readHookAnswer } from './hook-answer.js'

const wrong: readonly unknown[] = [
  { verdict: 'send-back', reason: 'never run shells' },
  { verdict: 'maybe' },
  { verdict: ['go'] },
  {},
  false,
  true,
  null,
  0,
  'yes please',
  [],
  () => {},
  { verdict: 'go', approves: 'yes' },
  { verdict: 'go', context: 5 },
  { verdict: 'ask', reason: 5 },
]

test.each(wrong)('a guard that answers %j has not let the call run: denied, and the reason names the hook', answer => {
  expect(readHookAnswer('pre-tool', answer)).toMatchObject({
    verdict: 'refuse',
    reason: expect.stringContaining('the pre-tool hook'),
    notes: [expect.any(String)],
  })
})

test.each(wrong.filter(answer => !hasWord(answer, 'send-back')))('elsewhere %j is passed over with a note', answer => {
  expect(readHookAnswer('stop', answer)).toMatchObject({ verdict: 'go', notes: [expect.stringContaining('stop hook')] })
})

test('deny means what it says wherever a hook may refuse', () => {
  const denied = { verdict: 'deny', reason: 'no shells' }
  for (const point of ['pre-tool', 'permission', 'start', 'prompt', 'pre-compact'] as const)
    expect(readHookAnswer(point, denied)).toMatchObject({ verdict: 'refuse', reason: 'no shells' })
  expect(readHookAnswer('stop', denied)).toMatchObject({ verdict: 'go', notes: [expect.any(String)] })
})

test('a no without a reason is still a no', () => {
  expect(readHookAnswer('pre-tool', { verdict: 'refuse' })).toMatchObject({
    verdict: 'refuse',
    reason: expect.stringContaining('hook'),
  })
})

test('no word lets it go on', () => {
  expect(readHookAnswer('pre-tool', undefined)).toEqual({ verdict: 'go' })
})

function hasWord(answer: unknown, word: string): boolean {
  return (answer as { verdict?: unknown } | null)?.verdict === word
}

test.each([
  [{ verdict: 'go', updatedInput: { n: 7 } }, '"updatedInput" (did you mean input?)'],
  [{ verdict: 'go', permissionDecision: 'deny' }, '"permissionDecision" (did you mean verdict?)'],
  [{ verdict: 'ask', reason: 'x', inputs: {} }, '"inputs" (did you mean input?)'],
])('a guard whose answer %j was taken for a plain yes lost what it wanted: denied', (answer, named) => {
  for (const point of ['pre-tool', 'permission'] as const)
    expect(readHookAnswer(point, answer)).toMatchObject({
      verdict: 'refuse',
      reason: expect.stringContaining(`gave ${named}, which no verdict has`),
      notes: [expect.stringContaining(named)],
    })
})

test('a key that no verdict has is a note elsewhere and beside a no, said once, and the rest counts', () => {
  const start = { verdict: 'go', additionalContext: 'x', maxturns: 1, prompt: 'p', notes: ['n'] }
  const once = readHookAnswer('start', start)
  expect(once).toEqual({
    verdict: 'go',
    prompt: 'p',
    notes: [
      'n',
      'the start hook gave "additionalContext" (did you mean context?), "maxturns" (did you mean maxTurns?), which no verdict has',
    ],
  })
  expect(readHookAnswer('start', once)).toEqual(once)
  const no = readHookAnswer('pre-tool', { verdict: 'deny', reason: 'never', extra: 1 })
  expect(no).toMatchObject({ verdict: 'refuse', reason: 'never', notes: [expect.stringContaining('"extra"')] })
  expect(readHookAnswer('pre-tool', { verdict: 'go', updatedInput: undefined })).toMatchObject({ verdict: 'go' })
})
