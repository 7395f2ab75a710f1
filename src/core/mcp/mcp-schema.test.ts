import { Ajv2020 as Ajv } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { readServerSchema } from './mcp-schema.js'

const cleaned = (schema: object) => {
  const read = readServerSchema(schema)
  return 'schema' in read ? read.schema : read.fault
}

test('a pattern is told to the model and not run; what only looks like one stays', () => {
  const schema = {
    type: 'object',
    properties: {
      pattern: { type: 'string', pattern: '^(a+)+$', description: 'What to look for.' },
      mode: { enum: [{ pattern: 'x' }], default: { pattern: 'x' } },
    },
    patternProperties: { '^(b+)+$': { type: 'number' } },
    additionalProperties: false,
  }
  expect(cleaned(schema)).toEqual({
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'What to look for. (matches ^(a+)+$)' },
      mode: { enum: [{ pattern: 'x' }], default: { pattern: 'x' } },
    },
  })
})

test('a property called like a keyword that holds names is a property', () => {
  const inner = { type: 'object', properties: { properties: { type: 'string', pattern: 'x' } } }
  expect(cleaned(inner)).toEqual({
    type: 'object',
    properties: { properties: { type: 'string', description: '(matches x)' } },
  })
})

const validates = (schema: object, value: unknown): boolean =>
  new Ajv({ strict: false }).validate(cleaned(schema) as object, value)
const of = (a: object, more: object = {}) => ({ type: 'object', properties: { a }, required: ['a'], ...more })
const defs = { path: { type: 'string', pattern: '^/' } }

test.each<[string, object, unknown]>([
  ['not', of({ type: 'string', not: { pattern: '^/' } }), { a: 'rel' }],
  ['not, through a reference', of({ not: { $ref: '#/$defs/path' } }, { $defs: defs }), { a: 'rel' }],
  ['not in not', of({ not: { not: { pattern: '^/' } } }), { a: '/x' }],
  [
    'oneOf',
    of({
      oneOf: [
        { type: 'string', pattern: '^a' },
        { type: 'string', pattern: '^b' },
      ],
    }),
    { a: 'abc' },
  ],
  [
    'oneOf with a circle',
    of({ $ref: '#/$defs/n' }, { $defs: { n: { oneOf: [{ type: 'string' }, { allOf: [{ $ref: '#/$defs/n' }] }] } } }),
    { a: 'x' },
  ],
  ['if', of({}, JSON.parse('{"if":{"properties":{"a":{"pattern":"^x"}}},"then":{"required":["b"]}}')), { a: 'zzz' }],
  ['maxContains', of({ contains: { pattern: '^x' }, maxContains: 1 }), { a: ['x', 'y', 'z'] }],
  [
    'unevaluatedProperties',
    { type: 'object', patternProperties: { '^x-': { type: 'string' } }, unevaluatedProperties: false },
    { 'x-a': 'v' },
  ],
  [
    'unevaluatedProperties over allOf',
    { type: 'object', allOf: [{ patternProperties: { '^x-': {} } }], unevaluatedProperties: false },
    { 'x-a': 'v' },
  ],
])('a call that fits is not refused because a pattern below "%s" is not run', (_, schema, value) => {
  expect(validates(schema, value)).toBe(true)
})

test('a keyword that is left out with the patterns below it is told to the model; without patterns it stays', () => {
  expect(cleaned(of({ type: 'string', not: { pattern: '^/' } }))).toMatchObject({
    properties: { a: { type: 'string', description: '(not {"pattern":"^/"})' } },
  })
  const plain = of(
    { not: { const: 1 }, oneOf: [{ type: 'string' }, { type: 'null' }] },
    { unevaluatedProperties: false },
  )
  expect(cleaned(plain)).toEqual(plain)
  const below = of({ type: 'string', pattern: 'x' }, { unevaluatedProperties: false })
  expect(cleaned(below)).toMatchObject({ unevaluatedProperties: false })
})

test('references are counted as what they mean', () => {
  const layer = (next: string) => ({ anyOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/${next}` })) })
  const $defs = { a: layer('b'), b: layer('c'), c: layer('d'), d: layer('e'), e: layer('f'), f: { type: 'string' } }
  expect(cleaned({ type: 'object', $ref: '#/$defs/a', $defs })).toContain('when its references are followed')
  const { d, e, f } = $defs
  expect(cleaned({ type: 'object', $ref: '#/$defs/d', $defs: { d, e, f } })).toHaveProperty('$defs')
})

test.each([
  [{ title: 'x', properties: { a: { $ref: '#/title' } } }, 'properties.a.$ref leads to nothing in the schema'],
  [{ id: 'https://x/y' }, 'the schema.id is how draft 4 wrote $id'],
])('a schema that a house would not take is a fault of that tool alone: %j', (schema, fault) => {
  expect(cleaned(schema)).toContain(fault)
})
