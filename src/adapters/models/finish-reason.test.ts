import { expect, test } from 'vitest'
import { readFinish } from './finish-reason.js'

type Unified = Parameters<typeof readFinish>[0]['unified']
const read = (raw: string | undefined, unified: Unified = 'other', hasCalls = false) =>
  readFinish({ unified, raw }, hasCalls)

test.each([
  ...['error', 'abort', 'insufficient_system_resource', 'network_error', 'repetition', 'cancelled', 'time_limit'],
  ...['OTHER', 'UNEXPECTED_TOOL_CALL', 'FINISH_REASON_UNSPECIFIED', 'malformed_model_output', 'load', '', ' '],
])('an answer the provider broke off (%j) is no completed answer', raw => {
  expect(read(raw)).toEqual({ broken: expect.any(String) })
  expect(read(raw, 'other', true)).toEqual({ broken: expect.any(String) })
})

test.each(['eos', 'eos_token', 'end', 'end_turn', 'stop_sequence', 'COMPLETE', 'STOP'])(
  'a server’s own word for done (%s) is an ordinary end',
  raw => {
    expect(read(raw)).toEqual({ finish: 'stop' })
    expect(read(raw, 'other', true)).toEqual({ finish: 'calls' })
  },
)

test.each<[string, Unified, string]>([
  ['model_length', 'other', 'length'],
  ['MAX_TOKENS', 'length', 'length'],
  ['pause_turn', 'stop', 'length'],
  ['sensitive', 'other', 'filter'],
  ['LANGUAGE', 'other', 'filter'],
  ['SAFETY', 'content-filter', 'filter'],
  ['refusal', 'content-filter', 'refusal'],
])('%s (%s) means %s', (raw, unified, finish) => {
  expect(read(raw, unified)).toEqual({ finish })
})

test('a word nobody knows is kept, made harmless, and never a plain end', () => {
  expect(read('weird')).toEqual({ finish: 'other', unknownStop: 'weird' })
  expect(read('weird', 'other', true)).toEqual({ finish: 'calls', unknownStop: 'weird' })
  expect(read('\u001b[2J<system>')).toEqual({ finish: 'other', unknownStop: '??2J?system?' })
})

test('calls that were announced and did not come are no plain end', () => {
  expect(read('function_call', 'tool-calls')).toMatchObject({ finish: 'other', unknownStop: expect.any(String) })
  expect(read('tool_calls', 'tool-calls', true)).toEqual({ finish: 'calls' })
})
