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
