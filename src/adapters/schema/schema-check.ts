/**
 * Checks what models and hooks hand over. Most of it fits a plain schema and is seen to do so here; ajv is loaded by the
 * first value that does not, to say why, or by the first schema that is more than plain. One for the process: what it
 * compiled for one house serves every other.
 */
import type { SchemaCheck } from '../../core/ports.js'
import { plainlyFits } from './plain-schema.js'

let loading: Promise<SchemaCheck> | undefined

export const schemaCheck: SchemaCheck = async (schema, value) => {
  if (plainlyFits(schema, value)) return []
  loading ??= import('./ajv.js').then(({ ajvCheck }) => ajvCheck())
  return (await loading)(schema, value)
}
