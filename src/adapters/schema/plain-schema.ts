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
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Check = value => typeof value === 'string'
const isTexts: Check = value => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length
const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value)
const isCount: Check = value => Number.isInteger(value) && (value as number) >= 0
const isPlainOrSwitch: Check = value => typeof value === 'boolean' || isPlainSchema(value)

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', value => types.has(value)],
  ['properties', value => isRecord(value) && Object.values(value).every(isPlainSchema)],
  ['required', isTexts],
  ['items', isPlainSchema],
  ['additionalProperties', isPlainOrSwitch],
  ['enum', value => Array.isArray(value) && value.length > 0 && new Set(value).size === value.length],
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
