/** The front matter as a JSON Schema, for editors. Our own spelling of each key and of what stands there; others load too. */
import type { JsonSchema } from '../message.js'
import { type FieldSpec, fieldTable } from './field-table.js'

/** Read for other products' sake; not something to write in a new file. */
const foreign = new Set(['source', 'sandboxMode', 'mode', 'kind', 'provider'])

export function agentFileSchema(): JsonSchema {
  const specs = Object.values(fieldTable) as readonly FieldSpec[]
  const own = specs.filter(spec => !foreign.has(spec.keys[0]!))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Offshoot agent file (front matter)',
    description: 'Keys of the YAML front matter of an agent file. The body below it is the system prompt.',
    type: 'object',
    required: ['name', 'description'],
    properties: Object.fromEntries(own.map(spec => [spec.keys[0], { description: spec.about, ...spec.schema }])),
    // Unknown keys are kept and reported, never refused.
    additionalProperties: true,
  }
}
