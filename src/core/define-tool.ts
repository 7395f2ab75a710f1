/** Tools whose input has a type: made of a schema that can say what it is, both to a model and to a compiler. */
import type { JsonSchema } from './message.js'
import type { Tool, ToolContext, ToolOutput } from './ports.js'
import { messageOf } from './thrown.js'
import type { ToolEffect } from './types.js'

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

/** A tool as it is written; `run` gets what the schema made of the input, defaults and transformations included. */
export interface TypedTool<Value> {
  readonly name: string
  readonly description: string
  /** What it does to the world: decides who may call it, and whether anybody is asked. */
  readonly effect: ToolEffect
  readonly input: TypedSchema<Value>
  /** May run beside other calls of the same turn. Default: read and network may. */
  readonly isParallel?: boolean
  run(input: Value, context: ToolContext): Promise<ToolOutput | string> | ToolOutput | string
}

/** Makes a tool of a schema and a function. What the schema refuses is an error the model reads, and `run` is not called. */
export function defineTool<Value>(tool: TypedTool<Value>): Tool {
  const { name, description, effect, input: schema, isParallel } = tool
  const { '~standard': standard } = schema
  return {
    spec: {
      name,
      description,
      effect,
      inputSchema: inputSchemaOf(name, schema),
      ...(isParallel !== undefined && { isParallel }),
    },
    async run(input, context) {
      const read = await standard.validate(input)
      if (read.issues) return { content: read.issues.map(faultOf).join('\n'), isError: true }
      const output = await tool.run(read.value, context)
      return typeof output === 'string' ? { content: output } : output
    },
  }
}

/** Throws with the tool's name: a library knows only the part that it cannot write down. */
function inputSchemaOf(name: string, schema: TypedSchema): JsonSchema {
  try {
    return schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' })
  } catch (cause) {
    throw new Error(`the input of the tool ${name} cannot be written as JSON Schema: ${messageOf(cause)}`, { cause })
  }
}

function faultOf({
  message,
  path = [],
}: {
  readonly message: string
  readonly path?: readonly unknown[] | undefined
}): string {
  const keys = path.map(part => String(typeof part === 'object' && part !== null && 'key' in part ? part.key : part))
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`
}
