/**
 * What is wrong with a JSON Schema, as far as it can be told without a library: a schema nobody can check by must be heard
 * of when it is given, and not by a model that can never fit it. Keywords nobody knows here are let pass.
 */
import { isRecord } from '../record.js'
import { References } from './reference-fault.js'
import { depthExceeds, isNamed } from './schema-refs.js'

/** The first fault, with its place; undefined when none is seen. Never throws. */
export function schemaFault(schema: unknown): string | undefined {
  if (!isRecord(schema)) return `the schema must be an object, not ${shown(schema)}`
  if (depthExceeds(schema, maxJsonDepth)) return `the schema is nested more than ${maxJsonDepth} deep`
  return faultIn(schema, 'the schema', 0, new References(schema))
}

function faultIn(schema: unknown, at: string, depth: number, references: References): string | undefined {
  if (typeof schema === 'boolean') return undefined
  if (!isRecord(schema)) return `${at} must be an object, not ${shown(schema)}`
  if (depth > maxDepth) return `${at} is nested more than ${maxDepth} deep`
  const own = depth > 0 && isNamed(schema) ? references.aside : references
  for (const [keyword, value] of Object.entries(schema)) {
    const fault = checks[keyword]?.(value, `${at}.${keyword}`, depth + 1, own)
    if (fault) return fault
  }
  return undefined
}

const maxJsonDepth = 200
const maxDepth = 64
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

type Check = (value: unknown, at: string, depth: number, references: References) => string | undefined

const isType: Check = (value, at) => {
  const named = Array.isArray(value) ? value : [value]
  const odd = named.find(one => !types.includes(one))
  return odd === undefined && named.length > 0
    ? undefined
    : `${at} must be one of ${types.join(', ')}, not ${shown(odd)}`
}
const schemasByName: Check = (value, at, depth, references) => {
  if (!isRecord(value)) return `${at} must be an object of schemas, not ${shown(value)}`
  return first(Object.entries(value), ([name, each]) => faultIn(each, `${at}.${name}`, depth, references))
}
const definitions: Check = (value, at, depth, references) => schemasByName(value, at, depth, references.aside)
const schemasByPattern: Check = (value, at, depth, references) =>
  first(isRecord(value) ? Object.keys(value) : [], key => expression(key, at, depth, references)) ??
  schemasByName(value, at, depth, references)
const schemasOrWords: Check = (value, at, depth, references) => {
  if (!isRecord(value)) return `${at} must be an object, not ${shown(value)}`
  return first(Object.entries(value), ([name, each]) =>
    (Array.isArray(each) ? words : faultIn)(each, `${at}.${name}`, depth, references),
  )
}
const schemas: Check = (value, at, depth, references) => {
  if (!Array.isArray(value) || value.length === 0) return `${at} must be a list of schemas, not ${shown(value)}`
  return first([...value.entries()], ([i, each]) => faultIn(each, `${at}[${i}]`, depth, references))
}
const items: Check = (value, at, depth, references) => {
  if (!Array.isArray(value)) return faultIn(value, at, depth, references)
  if (!references.isOldDialect)
    return `${at} is a list, as up to draft 7: name that dialect in $schema, or call it prefixItems`
  return schemas(value, at, depth, references)
}
const reference: Check = (value, at, _, references) => {
  const led = references.follow(value, at)
  if ('fault' in led) return led.fault
  return led.target === undefined ? undefined : faultIn(led.target, led.at ?? at, 1, references)
}
const words: Check = (value, at) =>
  Array.isArray(value) && value.every(one => typeof one === 'string') && new Set(value).size === value.length
    ? undefined
    : `${at} must be a list of names, each once, not ${shown(value)}`
const choices: Check = (value, at) =>
  Array.isArray(value) && value.length > 0 ? undefined : `${at} must be a list of values, not ${shown(value)}`
const size: Check = (value, at) =>
  Number.isInteger(value) && Number(value) >= 0 ? undefined : `${at} must be a whole number from 0, not ${shown(value)}`
const number: Check = (value, at) =>
  typeof value === 'number' && Number.isFinite(value) ? undefined : `${at} must be a number, not ${shown(value)}`
const above: Check = (value, ...place) =>
  number(value, ...place) ?? (Number(value) > 0 ? undefined : `${place[0]} must be more than 0, not ${shown(value)}`)
const bound: Check = (value, ...place) =>
  typeof value === 'boolean'
    ? `${place[0]} must be a number, not ${value}, which is how draft 4 wrote it`
    : number(value, ...place)
const flag: Check = (value, at) =>
  typeof value === 'boolean' ? undefined : `${at} must be true or false, not ${shown(value)}`
const expression: Check = (value, at) => {
  try {
    if (typeof value === 'string') new RegExp(value, 'u')
    else return `${at} must be a regular expression, not ${shown(value)}`
  } catch {
    return `${at} is no regular expression: ${shown(value)}`
  }
  return undefined
}

const checks: Readonly<Record<string, Check>> = {
  __proto__: null as never,
  id: (value, at) => (typeof value === 'string' ? `${at} is how draft 4 wrote $id` : undefined),
  $ref: reference,
  type: isType,
  properties: schemasByName,
  patternProperties: schemasByPattern,
  dependentSchemas: schemasByName,
  dependencies: schemasOrWords,
  $defs: definitions,
  definitions,
  required: words,
  enum: choices,
  items,
  prefixItems: schemas,
  additionalItems: faultIn,
  contains: faultIn,
  propertyNames: faultIn,
  additionalProperties: faultIn,
  unevaluatedItems: faultIn,
  unevaluatedProperties: faultIn,
  not: faultIn,
  if: faultIn,
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: faultIn,
  else: faultIn,
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  minLength: size,
  maxLength: size,
  minItems: size,
  maxItems: size,
  minProperties: size,
  maxProperties: size,
  minContains: size,
  maxContains: size,
  uniqueItems: flag,
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: above,
  pattern: expression,
}

function first<T>(all: readonly T[], look: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const fault = look(one)
    if (fault) return fault
  }
  return undefined
}

const shown = (value: unknown): string =>
  (typeof value === 'object' && value ? 'an object' : JSON.stringify(value)) ?? 'nothing'
