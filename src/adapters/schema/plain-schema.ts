/**
 * Schemas of the plainest kind, which most tools have: these are checked without a library.
 *
 * R1 A value that fits here fits for ajv too, and the other way round; `plain-schema.test.ts` compares them.
 */
import type { JsonSchema } from '../../core/message.js'
import { isRecord } from '../../core/record.js'

/** False also for a schema that is more than plain: then somebody else has to say. */
export function plainlyFits(schema: JsonSchema, value: unknown): boolean {
  const isPlain = known.get(schema) ?? isPlainSchema(schema)
  known.set(schema, isPlain)
  return isPlain && fits(schema, value)
}

const known = new WeakMap<JsonSchema, boolean>()

/**
 * Whether a schema is plain enough to need no check against the schema of schemas, whose compilation costs more than
 * everything else a first call does. Our own tools' are; whatever is not known here is checked.
 */
export function isPlainSchema(schema: unknown): boolean {
  if (!isRecord(schema)) return false
  return Object.entries(schema).every(([keyword, value]) => (checks.get(keyword) ?? never)(value))
}

type Check = (value: unknown) => boolean

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'])
const never: Check = () => false
const always: Check = () => true
const isSimple: Check = value => typeof value !== 'object' || value === null
const isText: Check = value => typeof value === 'string'
const isTexts: Check = value => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length
const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
const isCount: Check = value => Number.isInteger(value) && (value as number) >= 0
const isPlainOrSwitch: Check = value => typeof value === 'boolean' || isPlainSchema(value)

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', value => types.has(value)],
  // A property of that name is read as something else by whoever looks it up.
  [
    'properties',
    value => isRecord(value) && !Object.hasOwn(value, '__proto__') && Object.values(value).every(isPlainSchema),
  ],
  ['required', isTexts],
  ['items', isPlainSchema],
  ['additionalProperties', isPlainOrSwitch],
  [
    'enum',
    value => Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(isSimple),
  ],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['title', isText],
  ['description', isText],
  ['default', always],
])

/** R1. What a keyword says of values of another type is nothing, as in JSON Schema. */
function fits(schema: JsonSchema, value: unknown): boolean {
  const { type, enum: choices } = schema as { readonly type?: string; readonly enum?: readonly unknown[] }
  if (type !== undefined && !isOfType(type, value)) return false
  if (choices && !choices.includes(value)) return false
  if (typeof value === 'number') return isWithin(value, schema.minimum, schema.maximum)
  if (typeof value === 'string') return isWithin(lengthOf(schema, value), schema.minLength, schema.maxLength)
  if (Array.isArray(value)) return fitsItems(schema, value)
  return isRecord(value) ? fitsProperties(schema, value) : true
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    default:
      return typeof value === type
  }
}

const isWithin = (size: number, least: unknown, most: unknown): boolean =>
  (least === undefined || size >= (least as number)) && (most === undefined || size <= (most as number))

/** In characters, not in halves of them; counted only where it matters. */
const lengthOf = ({ minLength, maxLength }: JsonSchema, text: string): number =>
  minLength === undefined && maxLength === undefined ? 0 : [...text].length

function fitsItems({ items, minItems, maxItems }: JsonSchema, values: readonly unknown[]): boolean {
  if (!isWithin(values.length, minItems, maxItems)) return false
  return items === undefined || values.every(value => fits(items as JsonSchema, value))
}

function fitsProperties(schema: JsonSchema, value: Readonly<Record<string, unknown>>): boolean {
  const { properties = {}, required = [], additionalProperties: others = true } = schema as PlainObjectSchema
  if (required.some(name => value[name] === undefined)) return false
  for (const name in properties) {
    if (value[name] !== undefined && !fits(properties[name]!, value[name])) return false
  }
  if (others === true) return true
  for (const name in value) {
    if (!Object.hasOwn(properties, name) && (others === false || !fits(others, value[name]))) return false
  }
  return true
}

interface PlainObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
}
