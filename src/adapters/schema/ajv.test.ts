import { expect, test } from 'vitest'
import { ajvCheck, schemaFaults } from './ajv.js'

const object = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } as const

test.each([
  undefined,
  'http://json-schema.org/draft-07/schema#',
  'http://json-schema.org/draft-04/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
  'https://example.com/nobody-knows',
])('a schema that names its dialect as %s is checked like any other', $schema => {
  const check = ajvCheck()
  const schema = { ...object, ...($schema && { $schema }) }
  expect(check(schema, { a: 'x' })).toEqual([])
  expect(check(schema, {})).toEqual(["the arguments: must have required property 'a'"])
})

test('two schemas of one name are two schemas; a list of items means what its dialect says', () => {
  const check = ajvCheck()
  expect(check({ $id: 'tool', ...object }, { a: 'x' })).toEqual([])
  expect(check({ $id: 'tool', type: 'object' }, {})).toEqual([])
  const pair = { type: 'array', items: [{ type: 'string' }, { type: 'number' }] }
  const old = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { pair } }
  expect(check(old, { pair: ['a', 1] })).toEqual([])
  expect(check(old, { pair: ['a', 'b'] })).toEqual(['pair.1: must be number'])
})

test('a schema that is none is named, and never thrown', () => {
  const fault = schemaFaults()
  expect(fault(object)).toBeUndefined()
  expect(fault({ type: 'objekt' })).toContain('type')
  expect(fault({ properties: [] })).toContain('properties')
  expect(ajvCheck()({ type: 'objekt' }, {})[0]).toContain('the schema itself is invalid')
})

test('a schema that leads back to itself without end threw out of the check', () => {
  expect(ajvCheck()({ anyOf: [{ allOf: [{ $ref: '#' }] }] }, {})[0]).toContain('the arguments could not be checked')
})
