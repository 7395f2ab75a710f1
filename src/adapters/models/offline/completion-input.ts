/** Arguments for `complete_task`: the report, in whatever shape the schema asks for, as far as a search can fill it. */
import type { Json, JsonSchema } from '../../../core/message.js'
import { readReport } from './report.js'

export function completionInput(inputSchema: JsonSchema, report: string): { readonly [key: string]: Json } {
  const properties = objectOf(inputSchema.properties)
  const facts: Facts = {
    report,
    places: readReport(report).map(({ path, line, symbol, excerpt }) => ({
      path,
      line,
      symbol,
      text: excerpt.comment ?? excerpt.lines[0]?.text,
    })),
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, fill(objectOf(schema), name, facts)]),
  )
}

interface Facts {
  readonly report: string
  readonly places: readonly { path: string; line: number; symbol?: string; text?: string }[]
}

function fill(schema: JsonSchema, name: string, facts: Facts): Json {
  const choices = schema.const !== undefined ? [schema.const] : schema.enum
  if (Array.isArray(choices) && choices.length > 0) return choices[0] as Json
  const either = schema.anyOf ?? schema.oneOf
  if (Array.isArray(either) && either.length > 0) return fill(objectOf(either[0]), name, facts)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'array':
      return fillArray(schema, name, facts)
    case 'object':
      return fillObject(schema, facts)
    case 'integer':
    case 'number':
      return fillNumber(schema, name, facts)
    case 'boolean':
      return facts.places.length > 0
    case 'null':
      return null
    default:
      return fillString(schema, name, facts)
  }
}

function fillArray(schema: JsonSchema, name: string, facts: Facts): Json {
  const most = typeof schema.maxItems === 'number' ? schema.maxItems : 10
  const least = typeof schema.minItems === 'number' ? schema.minItems : 0
  const each = facts.places.slice(0, most).map(place => ({ ...facts, places: [place] }))
  while (each.length < least) each.push(facts as Facts & { places: Facts['places'][number][] })
  return each.map(one => fill(objectOf(schema.items), name, one))
}

function fillObject(schema: JsonSchema, facts: Facts): Json {
  return Object.fromEntries(
    Object.entries(objectOf(schema.properties)).map(([name, inner]) => [name, fill(objectOf(inner), name, facts)]),
  )
}

function fillNumber(schema: JsonSchema, name: string, facts: Facts): number {
  const value = /count|total|number of/i.test(name) ? facts.places.length : (facts.places[0]?.line ?? 0)
  const least = typeof schema.minimum === 'number' ? schema.minimum : value
  const most = typeof schema.maximum === 'number' ? schema.maximum : value
  return Math.min(Math.max(value, least), Math.max(least, most))
}

function fillString(schema: JsonSchema, name: string, { places, report }: Facts): string {
  const [place] = places
  const value = stringFor(name, place, places.length > 1 || !place ? report : undefined)
  return typeof schema.maxLength === 'number' ? value.slice(0, schema.maxLength) : value
}

function stringFor(name: string, place: Facts['places'][number] | undefined, report: string | undefined): string {
  if (place && /path|file/i.test(name)) return place.path
  if (place && /symbol|name|function/i.test(name)) return place.symbol ?? place.path
  if (report !== undefined) return report
  return place ? `${place.path}:${place.line}${place.text ? ` ${place.text}` : ''}` : 'Nothing was found.'
}

const objectOf = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
