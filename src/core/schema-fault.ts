/**
 * What is wrong with a JSON Schema, as far as it can be told without a library: a schema nobody can check by must be heard
 * of when it is given, and not by a model that can never fit it. Keywords nobody knows here are let pass.
 */

/** The first fault, with its place; undefined when none is seen. Never throws. */
export function schemaFault(schema: unknown, at = 'the schema', depth = 0): string | undefined {
  if (typeof schema === 'boolean' && depth > 0) return undefined
  if (!isRecord(schema)) return `${at} must be an object, not ${shown(schema)}`
  if (depth > maxDepth) return `${at} is nested more than ${maxDepth} deep`
  for (const [keyword, value] of Object.entries(schema)) {
    const fault = checks[keyword]?.(value, `${at}.${keyword}`, depth + 1)
    if (fault) return fault
  }
  return undefined
}

const maxDepth = 64
const types: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

type Check = (value: unknown, at: string, depth: number) => string | undefined

const isType: Check = (value, at) => {
  const named = Array.isArray(value) ? value : [value]
  const odd = named.find(one => !types.includes(one))
  return odd === undefined && named.length > 0
    ? undefined
    : `${at} must be one of ${types.join(', ')}, not ${shown(odd)}`
}
const schemasByName: Check = (value, at, depth) => {
  if (!isRecord(value)) return `${at} must be an object of schemas, not ${shown(value)}`
  return first(Object.entries(value), ([name, each]) => schemaFault(each, `${at}.${name}`, depth))
}
const schemas: Check = (value, at, depth) => {
  if (!Array.isArray(value) || value.length === 0) return `${at} must be a list of schemas, not ${shown(value)}`
  return first([...value.entries()], ([i, each]) => schemaFault(each, `${at}[${i}]`, depth))
}
const oneOrMore: Check = (value, at, depth) => (Array.isArray(value) ? undefined : schemaFault(value, at, depth))
const words: Check = (value, at) =>
  Array.isArray(value) && value.every(one => typeof one === 'string')
    ? undefined
    : `${at} must be a list of names, not ${shown(value)}`
const list: Check = (value, at) => (Array.isArray(value) ? undefined : `${at} must be a list, not ${shown(value)}`)
const size: Check = (value, at) =>
  Number.isInteger(value) && Number(value) >= 0 ? undefined : `${at} must be a whole number from 0, not ${shown(value)}`
const number: Check = (value, at) =>
  typeof value === 'number' && Number.isFinite(value) ? undefined : `${at} must be a number, not ${shown(value)}`
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
  type: isType,
  properties: schemasByName,
  patternProperties: schemasByName,
  $defs: schemasByName,
  definitions: schemasByName,
  required: words,
  enum: list,
  items: oneOrMore,
  additionalProperties: schemaFault,
  not: schemaFault,
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  minLength: size,
  maxLength: size,
  minItems: size,
  maxItems: size,
  minimum: number,
  maximum: number,
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
