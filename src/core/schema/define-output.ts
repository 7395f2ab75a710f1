/** Outputs whose value has a type. */
import type { OutputSpec } from '../agent-definition.js'
import type { Result } from '../types.js'
import { faultOf, jsonSchemaOf, type TypedSchema } from './typed-schema.js'

/** An output as it is written. */
export interface TypedOutput<Value> {
  readonly name: string
  readonly description?: string
  readonly schema: TypedSchema<Value>
}

/** `spec` is the `output` of an agent; `read` gives what the schema made of a result's, or why there is nothing. */
export interface DefinedOutput<Value> {
  readonly spec: OutputSpec
  read(
    result: Pick<Result, 'output' | 'outcome' | 'error'>,
  ): Promise<{ readonly value: Value; readonly fault?: undefined } | { readonly fault: string }>
}

/** Makes an agent's output of a schema, so that the value in its result has a type. */
export function defineOutput<Value>({ name, description, schema }: TypedOutput<Value>): DefinedOutput<Value> {
  return {
    spec: {
      name,
      ...(description !== undefined && { description }),
      schema: jsonSchemaOf(schema, `the output ${name}`),
      // JSON Schema says less than the schema does: a refinement holds while the model can still mend it.
      async check(value) {
        const read = await schema['~standard'].validate(value)
        return read.issues?.map(faultOf) ?? []
      },
    },
    async read({ output, outcome, error }) {
      const why = error ? ` (${error.message})` : ''
      if (output === undefined) return { fault: `there is no ${name}: the run ended as ${outcome}${why}` }
      const read = await schema['~standard'].validate(output)
      return read.issues ? { fault: read.issues.map(faultOf).join('\n') } : { value: read.value }
    },
  }
}
