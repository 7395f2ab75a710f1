import fc from 'fast-check'
import { expect, test } from 'vitest'
import { beginningsOf, namePattern, stemOf, wordParts, wordPattern } from './stem.js'

test.each([
  ['retry', ['retries', 'retried', 'retrying']],
  ['release', ['released', 'releases', 'releasing']],
  ['decide', ['decision', 'decided']],
  ['validate', ['validation', 'validator', 'valid']],
  ['stop', ['stopped', 'stopping', 'stops']],
  ['optimise', ['optimize', 'optimized', 'optimisation']],
  ['config', ['configuration', 'configure']],
  ['file', ['files', 'filed']],
  ['time', ['times', 'timed', 'timing', 'timer']],
  ['log', ['logs', 'logged', 'logger', 'logging']],
  ['copy', ['copies', 'copied', 'copying']],
  ['filter', ['filters', 'filtered', 'filtering']],
  ['render', ['renders', 'renderer', 'rendering']],
  ['generate', ['generated', 'generator', 'generation']],
  ['format', ['formats', 'formatted', 'formatter']],
  ['delay', ['delays', 'delayed']],
  ['body', ['bodies']],
  ['address', ['addresses']],
  ['fail', ['failure', 'failed', 'failing']],
])('%s and its family have one stem', (word, family) => {
  expect(family.map(stemOf)).toEqual(family.map(() => stemOf(word)))
})

test.each([
  ['mode', 'model'],
  ['process', 'processor'.slice(0, 4)],
  ['status', 'state'],
  ['author', 'auth'],
  ['setting', 'set'],
  ['repeat', 'repel'],
])('%s and %s are different words', (a, b) => {
  expect(stemOf(a)).not.toBe(stemOf(b))
})

test('an identifier is its parts, however it is written', () => {
  for (const name of ['retryCount', 'retry_count', 'RETRY_COUNT', 'RetryCount', 'retry-count']) {
    expect(wordParts(name)).toEqual(['retry', 'count'])
  }
  expect(wordParts('HTTPServer2')).toEqual(['http', 'server', '2'])
})

test('the pattern for a stem finds every word with that stem, in every way of writing it', () => {
  const word = fc.stringMatching(/^[a-z]{3,12}$/)
  fc.assert(
    fc.property(word, plain => {
      const capital = plain[0]!.toUpperCase() + plain.slice(1)
      const pattern = new RegExp(wordPattern(stemOf(plain)))
      const loose = new RegExp(namePattern(stemOf(plain)))
      for (const text of [plain, capital, `get${capital}`, `my_${plain}`, plain.toUpperCase(), `the ${plain}.`]) {
        expect(pattern.test(text), `${pattern} on ${text}`).toBe(true)
        expect(loose.test(text), `${loose} on ${text}`).toBe(true)
      }
    }),
  )
})

test.each(['decision', 'transcript', 'configuration', 'children', 'released', 'colour'])(
  '%s starts like one of the beginnings of its stem',
  word => {
    expect(beginningsOf(stemOf(word)).some(beginning => word.startsWith(beginning))).toBe(true)
  },
)

test('a short stem does not find the start of another word', () => {
  expect(new RegExp(wordPattern(stemOf('mode'))).test('the model')).toBe(false)
  expect(new RegExp(wordPattern(stemOf('mode'))).test('the modes')).toBe(true)
})
