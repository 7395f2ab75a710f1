import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '../../core/message.js'
import { wrapSchema } from '../../core/schema/wrapped-schema.js'
import { ajvCheck } from './ajv.js'

const check = ajvCheck()
const old = 'http://json-schema.org/draft-07/schema#'
const address = z.object({ street: z.string() }).meta({ id: 'Address' })
const tree = z.object({
  v: z.number(),
  get kids() {
    return z.array(tree).optional()
  },
})
const node = { type: 'object', properties: { v: { type: 'number' }, next: { $ref: '#' } }, required: ['v'] }
const list = { A: { type: 'object', properties: { s: { type: 'string' } }, required: ['s'] } }

test.each<[string, JsonSchema, unknown, unknown]>([
  ['a reused type of zod', z.toJSONSchema(z.object({ home: address })), { home: { street: 'a' } }, { home: {} }],
  ['a recursive type of zod', z.toJSONSchema(tree), { v: 1, kids: [{ v: 2 }] }, { v: 1, kids: [{ v: 'x' }] }],
  ['a nested model', { $defs: list, properties: { a: { $ref: '#/$defs/A' } } }, { a: { s: '' } }, { a: {} }],
  ['a model that is nothing but a definition', { $defs: list, $ref: '#/$defs/A' }, { s: '' }, {}],
  ['older definitions', { definitions: list, items: { $ref: '#/definitions/A' } }, [{ s: '' }], [{}]],
  ['the whole', node, { v: 1, next: { v: 2 } }, { v: 1, next: { v: 'x' } }],
  ['the whole, and a definition called whole', { ...node, $defs: { whole: {} } }, { v: 1 }, { v: 1, next: {} }],
  ['a property', { properties: { a: { type: 'number' }, b: { $ref: '#/properties/a' } } }, { b: 1 }, { b: '' }],
  ['its own name', { $id: 'https://x/y', ...node, not: { $ref: 'y#/properties/next/z' } }, { v: 1 }, 'fault'],
  ['itself by name', { $id: 'https://x/y', properties: { a: { $ref: 'y' } }, type: 'object' }, { a: {} }, { a: 1 }],
  ['an anchor', { $defs: { a: { $anchor: 'n', type: 'number' } }, items: { $ref: '#n' } }, [1], ['']],
  ['a property called $ref', { properties: { $ref: { type: 'number' } } }, { $ref: 1 }, { $ref: '#' }],
  ['a value that looks like one', { const: { $ref: '#' } }, { $ref: '#' }, { $ref: '#/$defs/whole' }],
  ['escaped names', { $defs: { 'a/b c': { type: 'number' } }, items: { $ref: '#/$defs/a~1b%20c' } }, [1], ['']],
  ['a list of items, as it was', { $schema: old, items: [{ type: 'number' }] }, [1, 'x'], ['x']],
])('an output schema with %s could never be fulfilled', (_, schema, right, wrong) => {
  const wrapped = wrapSchema('report', schema)
  if (wrong === 'fault') return expect(check(wrapped, { report: right })[0]).toContain('the schema itself is invalid')
  expect(check(wrapped, { report: right })).toEqual([])
  expect(check(wrapped, { report: wrong })).not.toEqual([])
  expect(check(wrapped, {})).not.toEqual([])
  expect(check(wrapped, { report: right, more: 1 })).not.toEqual([])
})

test('W2 a provider finds every reference at the root of what is declared', () => {
  const text = JSON.stringify(wrapSchema('report', { $id: 'https://x/y', $schema: old, definitions: list, ...node }))
  expect(JSON.parse(text)).toMatchObject({
    $schema: old,
    definitions: list,
    properties: { report: { $ref: '#/$defs/whole' } },
    $defs: { whole: { properties: { next: { $ref: '#/$defs/whole' } } } },
  })
  expect(text).not.toContain('$id')
})

test('W1 a value fits a schema exactly when it fits the wrapped one', () => {
  const targets = ['#', '#/$defs/whole', '#/$defs/b', '#/definitions/c', '#/properties/a', '#/$defs/b/properties/a']
  const { schema } = fc.letrec<{ schema: Record<string, unknown> }>(tie => ({
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.record({ type: fc.constantFrom('string', 'number', 'object', 'array') }),
      fc.record({ properties: fc.record({ a: tie('schema'), b: fc.record({ $ref: fc.constantFrom(...targets) }) }) }),
      fc.record({ items: fc.record({ $ref: fc.constantFrom(...targets) }), type: fc.constant('array') }),
    ),
  }))
  const whole = fc.record({ a: schema, b: schema, whole: schema, c: schema, isOld: fc.boolean() })
  const { value } = fc.letrec<{ value: unknown }>(tie => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('', 1, null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }),
    ),
  }))
  let fitting = 0
  fc.assert(
    fc.property(whole, value, ({ a, b, whole, c, isOld }, given) => {
      const properties = { a, b: { $ref: '#/$defs/whole' } }
      const $defs = { whole, b: { properties: { a: b } } }
      const plain = { ...(isOld && { $schema: old }), properties, $defs, definitions: { c } }
      const isFit = check(plain, given).length === 0
      if (isFit) fitting += 1
      expect(check(wrapSchema('report', plain), { report: given }).length === 0).toBe(isFit)
    }),
    { numRuns: 50 },
  )
  expect(fitting).toBeGreaterThan(5)
})
