/** Typed inputs of an agent: their JSON Schema, and the check of what a task gives. */

import type { InputField, InputType } from '../agent-definition.js'
import type { Json, JsonSchema } from '../message.js'

/**
 * Every fault at once, each a sentence a model can act on. `values` holds only declared inputs, defaults filled in;
 * an optional input that was not given and has no default is absent.
 */
export function checkInputs(
  fields: readonly InputField[],
  given: Readonly<Record<string, Json>> | undefined,
): { readonly values: Readonly<Record<string, Json>> } | { readonly faults: readonly string[] } {
  const known = new Set(fields.map(field => field.name))
  const isMissing = (field: InputField) => field.isRequired && givenValue(field, given) === undefined
  const missing = fields.filter(isMissing).map(field => field.name)
  const unknown = Object.keys(given ?? {}).filter(name => !known.has(name))
  const faults = [
    ...(missing.length > 0 ? [`missing required ${inputWord(missing)}: ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [unknownFault(unknown, [...known])] : []),
    ...fields.flatMap(field => valueFaults(field, givenValue(field, given))),
  ]
  if (faults.length > 0) return { faults }
  const entries = fields.flatMap(field => {
    const value = givenValue(field, given)
    return value === undefined ? [] : [[field.name, value] as const]
  })
  return { values: Object.fromEntries(entries) }
}

export function inputsSchema(fields: readonly InputField[]): JsonSchema {
  const required = fields.filter(field => field.isRequired && field.default === undefined).map(field => field.name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

/** Whether a value is of the type; also used for the `default` and `enum` a definition writes. */
export function isOfType(type: InputType, value: Json): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'integer':
      return Number.isSafeInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'string[]':
      return Array.isArray(value) && value.every(item => isOfType('string', item))
    case 'number[]':
      return Array.isArray(value) && value.every(item => isOfType('number', item))
  }
}

// null counts as not given: models send it for optional fields.
function givenValue(field: InputField, given: Readonly<Record<string, Json>> | undefined): Json | undefined {
  const own = given !== undefined && Object.hasOwn(given, field.name) ? given[field.name] : undefined
  return own ?? field.default
}

function valueFaults(field: InputField, value: Json | undefined): string[] {
  if (value === undefined) return []
  if (!isOfType(field.type, value))
    return [`input "${field.name}" must be ${typeWords[field.type]}, got ${show(value)}`]
  const allowed = field.enum
  if (!allowed) return []
  const isAllowed = (item: Json) => allowed.some(choice => choice === item)
  const isFine = Array.isArray(value) ? value.every(isAllowed) : isAllowed(value)
  return isFine ? [] : [`input "${field.name}" must be one of ${allowed.map(show).join(', ')}, got ${show(value)}`]
}

function unknownFault(unknown: readonly string[], known: readonly string[]): string {
  const offer = known.length > 0 ? `known: ${known.join(', ')}` : 'this agent takes none'
  return `unknown ${inputWord(unknown)}: ${unknown.join(', ')} (${offer})`
}

function fieldSchema(field: InputField): JsonSchema {
  const choices = field.enum ? { enum: field.enum } : {}
  const shape = field.type.endsWith('[]')
    ? { type: 'array', items: { type: field.type.slice(0, -2), ...choices } }
    : { type: field.type, ...choices }
  return {
    ...shape,
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(field.default === undefined ? {} : { default: field.default }),
  }
}

function show(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}

const inputWord = (names: readonly string[]): string => (names.length === 1 ? 'input' : 'inputs')

const typeWords: Record<InputType, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  'string[]': 'a list of strings',
  'number[]': 'a list of numbers',
}
