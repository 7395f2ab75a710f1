/** Tools whose input has a type: made of a schema that can say what it is, both to a model and to a compiler. */
import { judgedFields, pathFields } from '../permission/judged-fields.js'
import type { Tool, ToolContext, ToolOutput } from '../ports.js'
import { isRecord } from '../record.js'
import { resolvePath } from '../text/path-text.js'
import type { ToolEffect } from '../types.js'
import { faultOf, jsonSchemaOf, type TypedSchema } from './typed-schema.js'

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
  return {
    spec: {
      name,
      description,
      effect,
      inputSchema: jsonSchemaOf(schema, `the input of the tool ${name}`),
      ...(isParallel !== undefined && { isParallel }),
    },
    async run(input, context) {
      const read = await schema['~standard'].validate(input)
      if (read.issues) return { content: read.issues.map(faultOf).join('\n'), isError: true }
      const other = readOtherwise(input, read.value, context)
      // Hooks, rules and people saw what was written.
      if (other !== undefined) return { content: rewrite(other, read.value), isError: true }
      const output = await tool.run(read.value, context)
      return typeof output === 'string' ? { content: output } : output
    },
  }
}

/**
 * A field by which the call was judged, and which the schema made another text of. One that it renames, or makes a value of
 * another kind of, is the tool's own affair; so is another way to write the same path.
 */
function readOtherwise(written: unknown, read: unknown, { workspace }: ToolContext): string | undefined {
  if (!isRecord(written) || !isRecord(read)) return undefined
  const sameText = (field: string, one: string, other: string) =>
    one === other ||
    (pathFields.includes(field) && resolvePath(workspace.cwd, one) === resolvePath(workspace.cwd, other))
  const isOther = (field: string) => {
    const [before, after] = [textsIn(written[field]), textsIn(read[field])]
    if (!before || !after || Array.isArray(written[field]) !== Array.isArray(read[field])) return false
    return before.length !== after.length || !before.every((text, at) => sameText(field, text, after[at]!))
  }
  return Object.keys(written).find(field => judgedFields.has(field) && isOther(field))
}

function textsIn(value: unknown): readonly string[] | undefined {
  const texts = Array.isArray(value) ? value : [value]
  return texts.every(text => typeof text === 'string') ? texts : undefined
}

function rewrite(field: string, value: unknown): string {
  const meant = JSON.stringify((value as Readonly<Record<string, unknown>>)[field])
  return `"${field}" would be read as ${meant}. Nothing was done: write it so, since that is what has to be allowed.`
}
