import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemaFault } from '../../core/schema/schema-fault.js'
import { wrapSchema } from '../../core/schema/wrapped-schema.js'
import { ajvCheck } from './ajv.js'

const check = ajvCheck()
const isUnusable = (schema: object) => check({ ...schema }, {})[0]?.startsWith('the schema itself is invalid') === true
const draft4 = 'http://json-schema.org/draft-04/schema#'

test.each<[object, string]>([
  [
    { $ref: 'https://example.com/x.json' },
    'the schema.$ref leads to nothing in the schema: "https://example.com/x.json"',
  ],
  [{ properties: { a: { $ref: '#/$defs/B' } }, $defs: { A: {} } }, 'the schema.properties.a.$ref leads to nothing'],
  [{ $ref: '#/$defs/A', $defs: { A: { items: { $ref: '#/$defs/B' } } } }, 'the schema.$defs.A.items.$ref leads to'],
  [{ items: { $ref: '#nobody' } }, 'the schema.items.$ref leads to nothing'],
  [{ $ref: 7 }, 'the schema.$ref must be a text'],
  [{ $schema: draft4, properties: { n: { exclusiveMinimum: true } } }, 'n.exclusiveMinimum must be a number, not true'],
  [{ $schema: draft4, id: 'x' }, 'the schema.id is how draft 4 wrote $id'],
  [{ items: [{ type: 'string' }] }, 'the schema.items is a list, as up to draft 7'],
  [{ required: ['a', 'a'] }, 'the schema.required must be a list of names, each once'],
  [{ enum: [] }, 'the schema.enum must be a list of values'],
  [{ if: { type: 'strng' } }, 'the schema.if.type must be one of'],
  [{ multipleOf: 0 }, 'the schema.multipleOf must be more than 0'],
  [{ patternProperties: { '(': {} } }, 'the schema.patternProperties is no regular expression'],
])('%j was let in, and only the model heard that nothing fits it', (schema, fault) => {
  expect(schemaFault(schema)).toContain(fault)
  expect(isUnusable(schema)).toBe(true)
  expect(isUnusable(wrapSchema('report', schema as never))).toBe(true)
})

test.each([{ $ref: '#' }, { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } }])(
  '%j, which a check would follow for ever, is named',
  schema => {
    expect(schemaFault(schema)).toContain('leads back to itself')
  },
)

test.each([
  { $defs: { unused: { $ref: 'https://example.com/x.json' } }, type: 'object' },
  { $id: 'https://x/y', properties: { a: { $ref: 'y#/$defs/A' } }, $defs: { A: {} } },
  { $defs: { A: { $id: 'a.json', properties: { b: { $ref: '#/properties/c' }, c: {} } } }, items: { $ref: 'a.json' } },
  { $defs: { A: { $anchor: 'a' } }, items: { $ref: '#a' } },
  { $ref: '#/$defs/a%20b', $defs: { 'a b': { properties: { next: { $ref: '#' } } } } },
  { const: { $ref: 'nowhere' }, properties: { $ref: {} } },
  { $schema: 'http://json-schema.org/draft-07/schema#', items: [{}], additionalItems: false },
])('%j can be checked by, and is let in', schema => {
  expect(schemaFault(schema)).toBeUndefined()
  expect(isUnusable(schema)).toBe(false)
  expect(schemaFault(wrapSchema('report', schema))).toBeUndefined()
  expect(isUnusable(wrapSchema('report', schema))).toBe(false)
})

test('a schema is named faulty exactly when ajv cannot use it', () => {
  const value = fc.constantFrom<unknown>('string', '#', '#/$defs/a', '#/$defs/b', '(', 3, -1, true, null, [], ['a'], {})
  const words = ['type', 'items', 'required', 'enum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems', '$ref'] as const
  const part = (...more: string[]) =>
    fc.dictionary(fc.constantFrom(...words, 'contains', 'maxProperties', ...more), value, { maxKeys: 2 })
  const under = fc.constantFrom('items', 'not', 'contains', 'propertyNames', 'additionalProperties')
  const seen = { faulty: 0, sound: 0 }
  fc.assert(
    fc.property(part('pattern'), under, part(), (inner, keyword, a) => {
      const schema = { [keyword]: inner, anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { ...a, type: 'string' } } }
      const fault = schemaFault(schema)
      if (fault?.includes('leads back')) return
      seen[fault ? 'faulty' : 'sound'] += 1
      expect([schema, isUnusable(schema)]).toEqual([schema, fault !== undefined])
    }),
    { numRuns: 400 },
  )
  expect(Math.min(seen.faulty, seen.sound)).toBeGreaterThan(40)
})
