import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/support/properties.js'
import { ajvCheck, schemaFaults } from './ajv.js'
import { isPlainSchema, plainlyFits } from './plain-schema.js'

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
    runs(1_500),
  )
  expect(plain).toBeGreaterThan(50)
})

test.each([
  [{ type: 'object', properties: { text: { type: 'string', description: 'x' } }, required: ['text'] }, true],
  [{ type: 'banana' }, false],
  [{ type: 'object', properties: 5 }, false],
  [{ type: 'object', required: ['a', 'a'] }, false],
  [{ $ref: '#/x' }, false],
  [JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}},"additionalProperties":false}'), false],
  [true, false],
])('%j', (given, expected) => {
  expect(isPlainSchema(given)).toBe(expected)
})

test('a value fits a plain schema exactly when it fits for ajv', () => {
  const check = ajvCheck()
  const size = fc.integer({ min: 0, max: 3 })
  const { plain } = fc.letrec<{ plain: Record<string, unknown> }>(tie => ({
    plain: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({ type: fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array') }),
      fc.record({ minLength: size, maxLength: size }, { requiredKeys: [] }),
      fc.record({ minimum: size, maximum: size, type: fc.constant('number') }, { requiredKeys: [] }),
      fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', '', 1, 0, true, null), { minLength: 1 }) }),
      fc.record({ items: tie('plain'), minItems: size, maxItems: size }, { requiredKeys: [] }),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('plain'), { maxKeys: 3 }),
          required: fc.uniqueArray(fc.constantFrom('a', 'b', 'toString'), { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), tie('plain')),
        },
        { requiredKeys: [] },
      ),
    ),
  }))
  const leaf = fc.constantFrom<unknown>('', 'a', '🌱🌱', 'abcd', 0, 1, 2.5, -1, 9, true, null)
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'toString', '__proto__'), tie('value'), { maxKeys: 3 }),
    ),
  }))
  let fitting = 0
  fc.assert(
    fc.property(plain, value, (schema, given) => {
      fc.pre(isPlainSchema(schema))
      const isFit = plainlyFits(schema, given)
      if (isFit) fitting += 1
      expect(isFit).toBe(check(schema, given).length === 0)
    }),
    runs(400),
  )
  expect(fitting).toBeGreaterThan(30)
})
