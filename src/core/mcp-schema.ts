/**
 * The schema a server gives for a tool. It is checked against what a model writes, here, in our one thread; so nothing in
 * it may take long. What is left out the server checks anyway.
 *
 * 1. It is bounded in characters and depth, and in what it grows to when its references are followed.
 * 2. A reference that closes a circle, or that leads out of the schema, becomes "anything".
 * 3. Patterns are words for the model and are not run: one can be written that takes for ever on forty letters.
 */
import type { JsonSchema } from './message.js'
import { schemaFault } from './schema-fault.js'
import { depthExceeds, isRecord, resolvePointer, valueKeys } from './schema-refs.js'
import { cutCharacters } from './text.js'

const maxCharacters = 100_000
const maxDepth = 40
const maxWork = 20_000

export function readServerSchema(schema: unknown): { readonly schema: JsonSchema } | { readonly fault: string } {
  if (schema === undefined || schema === null) return { schema: { type: 'object' } }
  if (!isRecord(schema)) return { fault: 'is no object' }
  if (depthExceeds(schema, maxDepth)) return { fault: `is nested more than ${maxDepth} deep` }
  if (JSON.stringify(schema).length > maxCharacters) return { fault: `has more than ${maxCharacters} characters` }
  if (schema.type !== undefined && schema.type !== 'object') return { fault: 'is not for an object' }
  const clean = withoutPatterns(withoutCircles({ type: 'object', ...schema }))
  if (workOf(clean) > maxWork) return { fault: `grows to more than ${maxWork} parts when its references are followed` }
  // A house takes no tool with such a schema, and one server must not stop all others.
  const fault = schemaFault(clean)
  if (fault) return { fault: `cannot be used: ${fault}` }
  return { schema: clean as JsonSchema }
}

function withoutCircles(root: unknown): unknown {
  const loose = new Set<object>()
  const seen = new Map<string, 'open' | 'closed'>()
  const visit = (ref: string, target: unknown): void => {
    seen.set(ref, 'open')
    for (const mark of referencesIn(target)) {
      const next = resolvePointer(root, mark.$ref)
      if (next === undefined || seen.get(mark.$ref) === 'open') loose.add(mark)
      else if (!seen.has(mark.$ref)) visit(mark.$ref, next)
    }
    seen.set(ref, 'closed')
  }
  visit('#', root)
  const clean = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (loose.has(value)) return anything
    if (Array.isArray(value)) return value.map(clean)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clean(each)]))
  }
  return clean(root)
}

function referencesIn(value: unknown): readonly (object & { readonly $ref: string })[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value as { $ref: string }] : []
  return [...own, ...Object.values(value).flatMap(referencesIn)]
}

const anything = { description: 'anything' }

/**
 * How many schemas one value can be held against: what stands side by side adds up, through references too. Of the
 * properties of an object each value meets its own, so the costliest counts. There are no circles any more.
 */
function workOf(root: unknown): number {
  const known = new Map<string, number>()
  const work = (schema: unknown): number => {
    if (!isRecord(schema)) return 0
    let sum = 1
    if (typeof schema.$ref === 'string') {
      const { $ref } = schema
      if (!known.has($ref)) known.set($ref, work(resolvePointer(root, $ref)))
      sum += known.get($ref)!
    }
    for (const key of sideBySide) for (const each of listed(schema[key])) sum += work(each)
    for (const named of [schema.dependentSchemas, schema.dependencies])
      if (isRecord(named)) for (const each of Object.values(named)) sum += work(each)
    const { properties } = schema
    return sum + (isRecord(properties) ? Math.max(0, ...Object.values(properties).map(work)) : 0)
  }
  return work(root)
}

const sideBySide = [
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'items', 'prefixItems', 'contains'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
] as const

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Under these names stand schemas by name: there `pattern` is nobody's keyword. */
const nameKeys: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

function withoutPatterns(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map(each => withoutPatterns(each))
  if (!isRecord(value)) return value
  const inside = (key: string, each: unknown) =>
    !areNames && valueKeys.has(key) ? each : withoutPatterns(each, !areNames && nameKeys.has(key))
  if (areNames) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inside(key, each)]))
  const { pattern, patternProperties, ...rest } = value
  const kept = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, inside(key, each)]))
  // What the patterns had let in would now be one property too many.
  if (patternProperties !== undefined) delete kept.additionalProperties
  if (typeof pattern !== 'string') return kept
  const words = typeof kept.description === 'string' ? `${kept.description} ` : ''
  return { ...kept, description: `${words}(matches ${cutCharacters(pattern, 200)})` }
}
