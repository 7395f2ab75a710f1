import { execFileSync } from 'node:child_process'
import { rgPath } from '@vscode/ripgrep'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  definitionIn,
  definitionPattern,
  escapePattern,
  exactDefinitionPattern,
  outlinePattern,
} from './definitions.js'
import { readQuestion } from './question.js'
import { countCall, definitionCall, inspectCall, mentionPattern, testsAndDocsCall, togetherCall } from './searches.js'

test.each([
  ['export async function releaseSlot(slot: Slot) {', 'releaseSlot', 'function'],
  ['export const retryLimit = 4', 'retryLimit', 'const'],
  ['export default class SlotPool {', 'SlotPool', 'class'],
  ['    def parse_feed(self, stream):', 'parse_feed', 'def'],
  ['func (q *Queue) PutBack(job Job, cause error) {', 'PutBack', 'func'],
  ['pub(crate) fn drain(&mut self) -> usize {', 'drain', 'fn'],
  ['BOUNCE_LIMIT = 3', 'BOUNCE_LIMIT', 'value'],
  ['  async deliver(address: string): Promise<void> {', 'deliver', 'method'],
  ['create table ledger (id bigserial primary key);', 'ledger', 'create table'],
  ['static int parse_header(const char *text)', 'parse_header', 'function'],
  ['## Dead letters', 'Dead letters', 'heading'],
  [
    "test('a voucher that has run out takes nothing off', () => {",
    'a voucher that has run out takes nothing off',
    'test',
  ],
])('%s', (line, name, kind) => {
  expect(definitionIn(line)).toEqual({ name, kind })
})

test.each([
  '  return releaseSlot(slot)',
  '  const local = 1',
  '  if (isReady) {',
  'import { a } from "b"',
  '// a comment',
  '',
])('nothing is defined by: %s', line => {
  expect(definitionIn(line)).toBeUndefined()
})

test('the patterns find definitions by a word in the name, or by the whole name', () => {
  expect(new RegExp(definitionPattern(['slot'])).test('export function releaseSlot() {')).toBe(true)
  expect(new RegExp(definitionPattern(['slot'])).test('  releaseSlot(a)')).toBe(true)
  expect(new RegExp(definitionPattern(['slot'])).test('  const slot = 1')).toBe(false)
  expect(new RegExp(exactDefinitionPattern(['releaseSlot'])).test('function releaseSlots() {')).toBe(false)
})

test('an escaped text finds itself and nothing shorter', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), text => {
      expect(new RegExp(`^${escapePattern(text)}$`).test(text)).toBe(true)
    }),
  )
})

test('every pattern is one that ripgrep takes', () => {
  const questions = [
    'Where is `a.b(c)[0]` with "x|y{1}*" + $ref \\ ^ # & ~ -?',
    'who calls prepareBrief',
    'what is `$x`, and who uses `a.b`',
    'retries; logs',
  ]
  const calls = questions
    .map(text => readQuestion(text))
    .flatMap(question => [
      definitionCall(question),
      togetherCall(question),
      testsAndDocsCall(question),
      inspectCall(question, 'a'),
      ...question.terms.flatMap(term => [countCall(term, false), countCall(term, true)]),
    ])
  const punctuation = escapePattern(Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join(''))
  const patterns = [
    ...calls.flatMap(call => call?.input.pattern ?? []),
    punctuation,
    outlinePattern,
    mentionPattern(['a-b']),
  ]
  expect(patterns.filter(pattern => new RegExp(String(pattern)).test(''))).toEqual([])
  const args = patterns.flatMap(pattern => ['-e', String(pattern)])
  expect(
    execFileSync(rgPath, ['-c', ...args, '-'], { input: 'function a() {\n' })
      .toString()
      .trim(),
  ).toBe('1')
})
