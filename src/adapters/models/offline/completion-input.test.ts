import { expect, test } from 'vitest'
import { ajvCheck } from '../../schema/ajv.js'
import { completionInput } from './completion-input.js'
import type { Finding } from './finding.js'
import { readQuestion } from './question.js'
import { writeReport } from './report.js'

const check = ajvCheck()
const place = (path: string, line: number): Finding => {
  return { path, line, symbol: 'load', score: 1, matched: [], text: '', excerpt: { lines: [{ line, text: 'x' }] } }
}
const report = writeReport(readQuestion('slots'), 'all', {
  findings: [place('src/a.ts', 3), place('src/b.ts', 9)],
  failed: [],
})
const asked = (schema: object) => ({
  type: 'object',
  properties: { result: schema },
  required: ['result'],
  additionalProperties: false,
})

test('plain text is handed over as it is', () => {
  expect(completionInput(asked({ type: 'string' }), report)).toEqual({ result: report })
})

test('a list of places is filled from the places that were found', () => {
  const item = {
    type: 'object',
    properties: { file: { type: 'string' }, line: { type: 'integer' } },
    required: ['file'],
  }
  expect(completionInput(asked({ type: 'array', items: item }), report)).toEqual({
    result: [
      { file: 'src/a.ts', line: 3 },
      { file: 'src/b.ts', line: 9 },
    ],
  })
})

test.each([
  [
    {
      type: 'object',
      properties: { summary: { type: 'string', maxLength: 20 }, found: { type: 'boolean' } },
      required: ['summary', 'found'],
    },
  ],
  [{ type: 'array', minItems: 3, maxItems: 4, items: { type: 'string' } }],
  [{ enum: ['yes', 'no'] }],
  [{ anyOf: [{ type: 'number', minimum: 10, maximum: 20 }, { type: 'string' }] }],
  [{ type: ['string', 'null'] }],
])('what is handed over fits the schema: %j', schema => {
  const whole = asked(schema)
  for (const text of [report, 'Found nothing that fits these terms.']) {
    expect(check(whole, completionInput(whole, text))).toEqual([])
  }
})
