import { expect, test } from 'vitest'
import { type Question, readAnswer } from './question.js'

const of = (type: Question['type'], options?: readonly string[]): Question => ({
  text: '?',
  type,
  ...(options && { options }),
})

test.each([
  [of('text'), 'anything', 'anything'],
  [of('number'), '42', 42],
  [of('number'), -1.5, -1.5],
  [of('boolean'), 'Yes.', true],
  [of('boolean'), 'no', false],
  [of('boolean'), true, true],
  [of('choice', ['Red', 'green']), ' red ', 'Red'],
  [of('choice', ['a', 'A']), 'A', 'A'],
])('%j takes %j as %j', (question, given, value) => {
  expect(readAnswer(question, given)).toEqual({ value })
})

test.each([
  [of('text'), '  ', 'the answer must be a text'],
  [of('text'), 7, 'the answer must be a text'],
  [of('number'), 'many', 'the answer must be a number'],
  [of('number'), '', 'the answer must be a number'],
  [of('number'), Number.NaN, 'the answer must be a number'],
  [of('boolean'), 'perhaps', 'the answer must be yes or no'],
  [of('choice', ['a', 'b']), 'c', 'the answer must be one of: a | b'],
])('%j does not take %j: %s', (question, given, fault) => {
  expect(readAnswer(question, given)).toEqual({ fault })
})
