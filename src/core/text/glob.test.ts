import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyLetter, anyName, anyText, commandGlob, globMatches, literalGlob, pathGlobs } from './glob.js'

const pathMatches = (pattern: string, path: string) => pathGlobs(pattern).some(glob => globMatches(glob, path))

test.each([
  ['/a/*', '/a/b', true],
  ['/a/*', '/a/b/c', false],
  ['/a/**', '/a/b/c', true],
  ['/a/**', '/a', false],
  ['/**/b', '/b', true],
  ['/**/b', '/a/x/b', true],
  ['/**/b', '/ab', false],
  ['/a/**/z', '/a/z', true],
  ['/a/**/z', '/a/b/c/z', true],
  ['/a/**/z', '/a/bz', false],
  ['/a?c', '/abc', true],
  ['/a?c', '/a/c', false],
  ['/[a-c]x', '/bx', true],
  ['/[!a-c]x', '/bx', false],
  ['/[', '/[', true],
  ['/{a,b{c,d}}', '/bd', true],
  ['/a\\*', '/a*', true],
  ['/a\\*', '/ab', false],
  ['', '', true],
])('path %j and %j: %s', (pattern, path, expected) => {
  expect(pathMatches(pattern, path)).toBe(expected)
})

test.each([
  ['git *', 'git push origin/main', true],
  ['git *', 'gitk', false],
  ['* --force', 'git push --force', true],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'a1c2b', false],
  ['rm \\*', 'rm *', true],
  ['rm \\*', 'rm x', false],
])('command %j and %j: %s', (pattern, text, expected) => {
  expect(globMatches(commandGlob(pattern), text)).toBe(expected)
})

test.each([
  ['/w/.env', `/w/.e${anyName}`, true],
  ['/w/.env', `/w/.en${anyLetter}`, true],
  ['/w/.env', `/w/${anyName}`, false],
  ['/w/.env', `/w/${anyLetter}env`, false],
  ['/w/env', `/w/${anyName}`, true],
  ['/w/a/b', `/w/${anyName}`, false],
  ['/w/a/b', `/w/${anyText}`, true],
  ['/w/**', `/w/${anyText}/x`, true],
  ['/v/**', `/w/${anyText}`, false],
  ['/**/.git/**', `/w/.g${anyName}/hooks`, true],
])('%j could be %j: %s', (pattern, shape, expected) => {
  expect(pathMatches(pattern, shape)).toBe(expected)
})

test('a literal matches itself only', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      fc.pre(!/[\u0001-\u0003]/.test(one + other))
      expect(globMatches(literalGlob(one), other)).toBe(one === other)
    }),
  )
})

test('whatever part of a text is unknown, a glob that fits the text could fit it still', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '*', '**', '**/', '?', '[ab]'), maxLength: 7 })
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.'), maxLength: 4 })
  let fitting = 0
  fc.assert(
    fc.property(pattern, part, part, part, (written, before, hidden, after) => {
      const globs = [commandGlob(written), ...pathGlobs(written)]
      const isName = !hidden.includes('/') && !(hidden.startsWith('.') && (before === '' || before.endsWith('/')))
      for (const glob of globs.filter(one => globMatches(one, before + hidden + after))) {
        fitting += 1
        for (const unknown of [
          anyText,
          ...(isName ? [anyName] : []),
          ...(isName && hidden.length === 1 ? [anyLetter] : []),
        ])
          expect(globMatches(glob, before + unknown + after), JSON.stringify(unknown)).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
  expect(fitting).toBeGreaterThan(20)
})

test('what a glob matches letter by letter agrees with a plain backtracking matcher', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 8 })
  fc.assert(
    fc.property(letters, fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 }), (pattern, text) => {
      expect(globMatches(commandGlob(pattern), text)).toBe(matchesSlowly(pattern, text))
    }),
  )
})

function matchesSlowly(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return matchesSlowly(pattern.slice(1), text) || (text !== '' && matchesSlowly(pattern, text.slice(1)))
  return pattern[0] === text[0] && matchesSlowly(pattern.slice(1), text.slice(1))
}
