import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InputField, InputType } from '../agent-definition.js'
import { checkInputs, inputsSchema } from './inputs.js'

const fields: readonly InputField[] = [
  { name: 'path', type: 'string', isRequired: true, description: 'where to look' },
  { name: 'depth', type: 'integer', isRequired: true },
  { name: 'mode', type: 'string', isRequired: false, default: 'quick', enum: ['quick', 'deep'] },
  { name: 'tags', type: 'string[]', isRequired: false },
]

test('missing required inputs are named all at once', () => {
  expect(checkInputs(fields, undefined)).toEqual({ faults: ['missing required inputs: path, depth'] })
})

test('defaults are filled in and absent optional inputs stay absent', () => {
  expect(checkInputs(fields, { path: 'src', depth: 2 })).toEqual({ values: { path: 'src', depth: 2, mode: 'quick' } })
})

test('every fault is reported, with what was wanted', () => {
  expect(checkInputs(fields, { path: 7, depth: 1.5, mode: 'slow', tags: ['a', 1], extra: 1 })).toEqual({
    faults: [
      'unknown input: extra (known: path, depth, mode, tags)',
      'input "path" must be a string, got 7',
      'input "depth" must be a whole number, got 1.5',
      'input "mode" must be one of "quick", "deep", got "slow"',
      'input "tags" must be a list of strings, got ["a",1]',
    ],
  })
})

test('null for an optional input counts as not given', () => {
  expect(checkInputs(fields, { path: 'src', depth: 2, tags: null })).toMatchObject({ values: { path: 'src' } })
})

test('the schema names types, choices, defaults and what is required', () => {
  expect(inputsSchema(fields)).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', description: 'where to look' },
      depth: { type: 'integer' },
      mode: { type: 'string', enum: ['quick', 'deep'], default: 'quick' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    required: ['path', 'depth'],
    additionalProperties: false,
  })
})

test('names like __proto__ stay ordinary names', () => {
  const odd: readonly InputField[] = [{ name: '__proto__', type: 'string', isRequired: true }]
  expect(checkInputs(odd, {})).toEqual({ faults: ['missing required input: __proto__'] })
  const given = JSON.parse('{"__proto__": "x"}')
  expect(Object.keys((checkInputs(odd, given) as { values: object }).values)).toEqual(['__proto__'])
})

test('check and schema agree on every value that is not null', () => {
  const types: InputType[] = ['string', 'number', 'integer', 'boolean', 'string[]', 'number[]']
  const value = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.array(fc.string()),
    fc.array(fc.integer()),
  )
  const ajv = new Ajv2020()
  const isValid = new Map(types.map(type => [type, ajv.compile(inputsSchema([{ name: 'x', type, isRequired: true }]))]))
  fc.assert(
    fc.property(fc.constantFrom(...types), value, (type, x) => {
      const isAccepted = 'values' in checkInputs([{ name: 'x', type, isRequired: true }], { x })
      // The schema knows no bound on whole numbers; ours is what a double can hold exactly.
      fc.pre(!(type === 'integer' && typeof x === 'number' && Math.abs(x) > Number.MAX_SAFE_INTEGER))
      return isAccepted === isValid.get(type)!({ x })
    }),
  )
})
