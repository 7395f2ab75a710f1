/** Schemas that can say what they are, both to a model and to a compiler. */
import type { JsonSchema } from '../message.js'
import { messageOf } from '../thrown.js'

/**
 * A schema of any library that follows Standard Schema and can turn itself into JSON Schema: zod from 4.2, ArkType,
 * Valibot with its converter.
 */
export interface TypedSchema<Value = unknown> {
  readonly '~standard': {
    validate(value: unknown): SchemaReading<Value> | Promise<SchemaReading<Value>>
    readonly jsonSchema: { input(options: { readonly target: 'draft-2020-12' }): { readonly [key: string]: unknown } }
  }
}

/** What a schema made of a value, or what is wrong with it. */
export type SchemaReading<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] }

/** Throws with what it is for: a library knows only the part that it cannot write down. */
export function jsonSchemaOf(schema: TypedSchema, what: string): JsonSchema {
  if (typeof (schema as Partial<TypedSchema> | undefined)?.['~standard']?.validate !== 'function')
    throw new Error(
      `${what} must be a schema that follows Standard Schema; with JSON Schema write { spec, run } yourself`,
    )
  try {
    return schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  } catch (cause) {
    throw new Error(`${what} cannot be written as JSON Schema: ${messageOf(cause)}`, { cause })
  }
}

export function faultOf({
  message,
  path = [],
}: {
  readonly message: string
  readonly path?: readonly unknown[] | undefined
}): string {
  const keys = path.map(part => String(typeof part === 'object' && part !== null && 'key' in part ? part.key : part))
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`
}
