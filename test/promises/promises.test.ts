/** The script behind docs/promises.md, tried on a tree of its own with planted faults. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = resolve(import.meta.dirname, '../../scripts/promises.mjs')
let parent: string
let root: string
beforeEach(() => {
  // Whatever lies beside the folder of temporary files is not beside this tree.
  parent = mkdtempSync(join(tmpdir(), 'offshoot-promises-'))
  root = join(parent, 'deep', 'tree')
  mkdirSync(join(root, 'docs'), { recursive: true })
  mkdirSync(join(root, 'test'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const page = (...rows: readonly string[]) =>
  writeFileSync(
    join(root, 'docs/promises.md'),
    ['# Promises', '', ...rows, '', '## Not yet promised', '', '| M01 | later | a server |', ''].join('\n'),
  )
const tests = (source: string) => writeFileSync(join(root, 'test/a.test.ts'), source)
const promises = (...args: readonly string[]) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--root', root, ...args], { encoding: 'utf8' })
  return { status, stderr }
}

test('--write names the tests of each id, and then the check is content', () => {
  page('| P1 | one | none |', '| P2 | two | none |')
  tests(`
    const onLinux = test.skipIf(false)
    onLinux('P1 the first', () => {})
    test.each([['P2', 1], ['P2', 2]] as const)('%s holds for %i', () => {})
    describe('P1 a group', () => {})
  `)
  expect(promises('--write').status).toBe(0)
  expect(promises()).toEqual({ status: 0, stderr: '' })
  const text = readFileSync(join(root, 'docs/promises.md'), 'utf8')
  expect(text).toContain('| P1 | one | [a](../test/a.test.ts): P1 the first |')
  expect(text).toContain('| P2 | two | [a](../test/a.test.ts): %s holds for %i |')
})

test.each<[string, string, string, RegExp]>([
  [
    'an id without a test',
    '| P1 | one | none |',
    `test('something', () => {})`,
    /promises\.md:3: no test has P1 in its title/,
  ],
  ['an id that only stands in a comment', '| P1 | one | none |', `// P1\ntest('x', () => {})`, /no test has P1/],
  [
    'a page that names a test that is gone',
    '| P1 | one | [a](../test/a.test.ts): P1 as it was |',
    `test('P1 as it is', () => {})`,
    /P1 names tests that do not exist: .*P1 as it was/,
  ],
  ['a page that does not name one', '| P1 | one | none |', `test('P1 new', () => {})`, /the row of P1 is stale/],
  [
    'an id that stands there twice',
    '| P1 | one | none |\n| P1 | one | none |',
    `test('P1 x', () => {})`,
    /P1 stands here twice/,
  ],
])('%s fails the check', (_, row, source, says) => {
  page(row)
  tests(source)
  const { status, stderr } = promises()
  expect(stderr).toMatch(says)
  expect(status).toBe(1)
})

test('what is not yet promised needs no test', () => {
  page()
  tests('')
  expect(promises()).toEqual({ status: 0, stderr: '' })
})
