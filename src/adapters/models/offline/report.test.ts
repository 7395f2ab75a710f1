import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Finding } from './finding.js'
import { readQuestion } from './question.js'
import { condense, readReport, withoutFooter, writeReport } from './report.js'

const question = readQuestion('where are slots released')
const finding: Finding = {
  path: 'src/runtime/drive/slots.ts',
  line: 41,
  symbol: 'release',
  score: 1.25,
  matched: ['slots', 'released'],
  text: '',
  defines: ['createSlots', 'release'],
  excerpt: { lines: [{ line: 41, text: 'function release() {' }], comment: 'Gives a slot back.' },
}

test('a report reads back as it was written, whatever the runtime puts around it', () => {
  const written = writeReport(question, 'uses', { findings: [finding, { ...finding, path: 'b c.ts' }], failed: [] })
  const around = `[The run ran out of time; this is its last report, and it may be incomplete.]\n\n${written}\n\n[run x · Explore · completed · 3 turns · 0.4 s]\n[files changed: none]`
  expect(readReport(around)).toEqual([finding, { ...finding, path: 'b c.ts' }])
})

test('any path, symbol and code survive the way to the caller and back', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9_./-]{1,20}$/)
  const code = fc.string({ maxLength: 60 }).map(text => text.replace(/[\r\n\u2028\u2029]/g, ' '))
  const findings = fc.array(fc.record({ path: word, line: fc.integer({ min: 1, max: 99_999 }), symbol: word, code }), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(findings, made => {
      const list = made.map(({ path, line, symbol, code: text }): Finding => {
        return { path, line, symbol, score: 1, matched: [], text: '', excerpt: { lines: [{ line, text }] } }
      })
      expect(readReport(writeReport(question, 'uses', { findings: list, failed: [] }))).toEqual(list)
    }),
  )
})

test('a report says what it is, which terms were tried, what failed, and when nothing was found', () => {
  const text = writeReport(question, 'definitions', { findings: [], failed: ['Grep'] })
  expect(text).toContain('not a language model')
  expect(text).toContain('slots')
  expect(text).toContain('Not available here: Grep')
  expect(text).toContain('Found nothing')
})

test('a condensed report keeps the places and drops the excerpts', () => {
  const findings = Array.from({ length: 8 }, (_, i) => ({ ...finding, path: `src/file-${i}.ts` }))
  const text = writeReport(question, 'uses', { findings, failed: [] })
  const short = condense(text)
  expect(short.length).toBeLessThan(text.length / 2)
  expect(readReport(short).map(({ path }) => path)).toEqual(findings.slice(0, 5).map(({ path }) => path))
})

test('a footer is taken off, brackets inside the text are not', () => {
  expect(withoutFooter('a [b]\nc\n\n[run x · completed]\n[files changed: y]')).toBe('a [b]\nc')
})
