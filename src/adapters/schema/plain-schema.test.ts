import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemaFaults } from './ajv.js'
import { isPlainSchema } from './plain-schema.js'

const faultOf = schemaFaults()
const keywords = ['type', 'properties', 'required', 'items', 'additionalProperties', 'enum', 'minimum', 'maximum']
const more = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'title',
  'description',
  'default',
  'anyOf',
  '$ref',
  'pattern',
]
const { schema } = fc.letrec(tie => ({
  schema: fc.dictionary(fc.constantFrom(...keywords, ...more), tie('value'), { maxKeys: 4 }),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('string', 'object', 'banana', 3, -1, 1.5, true, null),
    fc.array(fc.constantFrom('a', 'b', 1, null), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('p', 'q'), tie('schema'), { maxKeys: 2 }),
    tie('schema'),
  ),
}))

test('a schema that counts as plain is one that the schema of schemas accepts', () => {
  let plain = 0
  fc.assert(
    fc.property(schema, given => {
      if (!isPlainSchema(given)) return
      plain += 1
      expect(faultOf(given as never)).toBeUndefined()
    }),
    { numRuns: 3_000 },
  )
  expect(plain).toBeGreaterThan(100)
})

test.each([
  [{ type: 'object', properties: { text: { type: 'string', description: 'x' } }, required: ['text'] }, true],
  [{ type: 'banana' }, false],
  [{ type: 'object', properties: 5 }, false],
  [{ type: 'object', required: ['a', 'a'] }, false],
  [{ $ref: '#/x' }, false],
  [true, false],
])('%j', (given, expected) => {
  expect(isPlainSchema(given)).toBe(expected)
})
