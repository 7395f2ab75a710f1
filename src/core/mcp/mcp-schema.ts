/**
 * The schema a server gives for a tool. It is checked against what a model writes, here, in our one thread; so nothing in
 * it may take long. What is left out the server checks anyway.
 *
 * 1. It is bounded in characters and depth, and in what it grows to when its references are followed.
 * 2. A reference that closes a circle, or that leads out of the schema, becomes "anything".
 * 3. Patterns are words for the model and are not run: one can be written that takes for ever on forty letters.
 * 4. What is left out only ever lets in more. Where letting in more below a keyword would let in less above it (`not`,
 *    `if`, `oneOf`, what counts as unevaluated), that keyword is words for the model, too.
 */
import type { JsonSchema } from '../message.js'
import { isRecord } from '../record.js'
import { schemaFault } from '../schema/schema-fault.js'
import { depthExceeds, resolvePointer, valueKeys } from '../schema/schema-refs.js'
import { cutCharacters } from '../text/text.js'

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

type Schema = Readonly<Record<string, unknown>>

function withoutPatterns(root: unknown): unknown {
  const isLoose = loosePlaces(root)
  const byName = (value: unknown): unknown => (isRecord(value) ? mapped(value, (_, each) => clean(each)) : clean(value))
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean)
    if (!isRecord(value)) return value
    const { schema, words } = withoutReversals(value, isLoose)
    const { pattern, patternProperties, ...rest } = schema
    const kept = mapped(rest, (key, each) =>
      valueKeys.has(key) ? each : nameKeys.has(key) ? byName(each) : clean(each),
    )
    // What the patterns had let in would now be one property too many.
    if (patternProperties !== undefined) delete kept.additionalProperties
    const said = [...(typeof pattern === 'string' ? [`matches ${cutCharacters(pattern, 200)}`] : []), ...words]
    if (said.length === 0) return kept
    const before = typeof kept.description === 'string' ? `${kept.description} ` : ''
    return { ...kept, description: `${before}(${said.join('; ')})` }
  }
  return clean(root)
}

const mapped = (record: Schema, change: (key: string, each: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, each]) => [key, change(key, each)]))

type IsLoose = (value: unknown) => boolean

/** Whether something is left out in or below a schema, through references too. There are no circles any more. */
function loosePlaces(root: unknown): IsLoose {
  const known = new Map<object, boolean>([[anything, true]])
  const byName = (value: unknown): boolean => (isRecord(value) ? Object.values(value).some(isLoose) : isLoose(value))
  const find = (schema: Schema): boolean =>
    typeof schema.pattern === 'string' ||
    schema.patternProperties !== undefined ||
    (typeof schema.$ref === 'string' && isLoose(resolvePointer(root, schema.$ref))) ||
    Object.entries(schema).some(([key, each]) =>
      valueKeys.has(key) ? false : nameKeys.has(key) ? byName(each) : isLoose(each),
    )
  const isLoose = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(isLoose)
    if (!isRecord(value)) return false
    if (!known.has(value)) known.set(value, find(value))
    return known.get(value)!
  }
  return isLoose
}

/** Without the keywords that would let in less because what stands below them lets in more. */
function withoutReversals(
  value: Schema,
  isLoose: IsLoose,
): { readonly schema: Schema; readonly words: readonly string[] } {
  const schema: Record<string, unknown> = { ...value }
  const words: string[] = []
  const drop = (...keys: readonly string[]) => {
    for (const key of keys.filter(each => each in schema)) {
      words.push(`${key} ${cutCharacters(JSON.stringify(schema[key]), 200)}`)
      delete schema[key]
    }
  }
  const beside = Object.fromEntries(inPlace.filter(key => key in value).map(key => [key, value[key]]))
  if (value.patternProperties !== undefined || isLoose(beside)) drop('unevaluatedProperties', 'unevaluatedItems')
  if (isLoose(value.not)) drop('not')
  if (isLoose(value.if)) drop('if', 'then', 'else')
  if (isLoose(value.contains)) drop('maxContains')
  if (isLoose(value.oneOf)) {
    // One of them at least: that only one may fit is left out.
    const { oneOf, ...rest } = schema
    const both = [...(Array.isArray(rest.allOf) ? rest.allOf : []), { anyOf: oneOf }]
    return { schema: { ...rest, ...('anyOf' in rest ? { allOf: both } : { anyOf: oneOf }) }, words }
  }
  return { schema, words }
}

/** Keywords that look at the same value as the schema they stand in. */
const inPlace = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'contains',
] as const
