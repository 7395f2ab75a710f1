/**
 * JSON Schema checks by ajv, compiled once a schema. A schema that ajv cannot take is itself the fault named.
 * Of its dialect only one thing matters: up to draft 7 a list of items means another thing than after it. Its own name
 * (`$id`) does not: two schemas may bear the same one.
 */

import { Ajv2020 } from 'ajv/dist/2020.js'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv/dist/ajv.js'
import type { JsonSchema } from '../../core/message.js'
import type { SchemaCheck } from '../../core/ports.js'
import { isOldDialect, nameless } from '../../core/schema/schema-refs.js'
import { messageOf } from '../../core/thrown.js'
import { isPlainSchema } from './plain-schema.js'

const options = { allErrors: true, strict: false, validateFormats: false, validateSchema: false } as const

export function ajvCheck(): (...asked: Parameters<SchemaCheck>) => readonly string[] {
  const dialects = openDialects()
  const compiled = new WeakMap<JsonSchema, ValidateFunction | string>()
  return (schema, value) => {
    let validate = compiled.get(schema)
    if (validate === undefined) {
      validate = compile(dialects(schema), schema)
      compiled.set(schema, validate)
    }
    if (typeof validate === 'string') return [validate]
    return faultsOf(validate, value)
  }
}

/** A schema can lead back to itself without end, and a value can be nested deeper than there is stack. */
function faultsOf(validate: ValidateFunction, value: unknown): readonly string[] {
  try {
    return validate(value) ? [] : (validate.errors ?? []).slice(0, 20).map(sentence)
  } catch (error) {
    return [`the arguments could not be checked: ${messageOf(error)}`]
  }
}

/** What is wrong with schemas of others, without compiling each of them; undefined when nothing is. Never throws. */
export function schemaFaults(): (schema: JsonSchema) => string | undefined {
  const dialects = openDialects()
  return schema => {
    const ajv = dialects(schema)
    try {
      return ajv.validateSchema(bare(schema)) === true ? undefined : ajv.errorsText(ajv.errors?.slice(0, 1))
    } catch (error) {
      return messageOf(error)
    }
  }
}

/** Each made when a schema of that kind first comes. */
function openDialects(): (schema: JsonSchema) => Ajv | Ajv2020 {
  let old: Ajv | undefined
  let current: Ajv2020 | undefined
  return schema => {
    if (isOldDialect(schema)) {
      old ??= new Ajv(options)
      return old
    }
    current ??= new Ajv2020(options)
    return current
  }
}

function compile(ajv: Ajv | Ajv2020, schema: JsonSchema): ValidateFunction | string {
  const given = bare(schema)
  try {
    if (isPlainSchema(given) || ajv.validateSchema(given) === true) return ajv.compile(given)
    return `the schema itself is invalid: ${ajv.errorsText(ajv.errors?.slice(0, 1))}`
  } catch (error) {
    return `the schema itself is invalid: ${messageOf(error)}`
  }
}

/** In ajv's own dialect: it is chosen already. */
function bare({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return nameless(schema)
}

function sentence({ instancePath, message, keyword, params }: ErrorObject): string {
  const where = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'additionalProperties') return `${where}: there is no "${params.additionalProperty}"`
  if (keyword === 'enum') return `${where}: must be one of ${JSON.stringify(params.allowedValues)}`
  return `${where}: ${message ?? keyword}`
}
