// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested here
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inputText, substitute } from './substitute.js'

test.each([
  ['a declared name is replaced', 'Look in ${cwd}.', { cwd: '/repo' }, 'Look in /repo.'],
  ['P33: an unknown name is left alone', 'echo ${HOME} ${cwd}', { cwd: '/repo' }, 'echo ${HOME} /repo'],
  ['an absent optional input is empty', 'focus: ${focus}.', { focus: undefined }, 'focus: .'],
  ['one pass: a value is not looked at again', '${a}', { a: '${b}', b: 'x' }, '${b}'],
  ['inherited names of objects are not values', '${constructor} ${toString}', {}, '${constructor} ${toString}'],
  ['dollar signs in a value are taken as they are', '${a}', { a: '$& $1 $$' }, '$& $1 $$'],
  ['shell forms are not ours', '${x:-1} $x ${}', { x: '9' }, '${x:-1} $x ${}'],
])('%s', (_title, text, values, expected) => {
  expect(substitute(text, values)).toBe(expected)
})

test('text without a declared name never changes', () => {
  fc.assert(fc.property(fc.string(), text => substitute(text, {}) === text))
})

test('inputs read as a person would write them', () => {
  expect(inputText(['a', 'b'])).toBe('a, b')
  expect(inputText(3)).toBe('3')
  expect(inputText(undefined)).toBe('')
})
