/** JSON Schema checks by ajv, compiled once a schema. A schema that ajv cannot take is itself the fault named. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema } from '../../core/message.js'
import type { SchemaCheck } from '../../core/ports.js'

export function ajvCheck(): SchemaCheck {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false })
  const compiled = new WeakMap<JsonSchema, ValidateFunction | string>()
  return (schema, value) => {
    let validate = compiled.get(schema)
    if (validate === undefined) {
      validate = compile(ajv, schema)
      compiled.set(schema, validate)
    }
    if (typeof validate === 'string') return [validate]
    return validate(value) ? [] : (validate.errors ?? []).slice(0, 20).map(sentence)
  }
}

function compile(ajv: Ajv2020, schema: JsonSchema): ValidateFunction | string {
  try {
    return ajv.compile(schema)
  } catch (error) {
    return `the schema itself is invalid: ${error instanceof Error ? error.message : String(error)}`
  }
}

function sentence({ instancePath, message, keyword, params }: ErrorObject): string {
  const where = instancePath === '' ? 'the arguments' : instancePath.slice(1).replaceAll('/', '.')
  if (keyword === 'additionalProperties') return `${where}: there is no "${params.additionalProperty}"`
  if (keyword === 'enum') return `${where}: must be one of ${JSON.stringify(params.allowedValues)}`
  return `${where}: ${message ?? keyword}`
}
