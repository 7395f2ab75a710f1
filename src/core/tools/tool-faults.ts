import { completionTool } from '../brief/completion.js'
import { schemaFault } from '../schema/schema-fault.js'
import { shown } from '../shape.js'
import type { ToolEffect } from '../types.js'

/** What a host mistook in one of its tools: heard when the house is made, not when a provider rejects every request. */
export function toolFault(tool: unknown): string | undefined {
  const { spec, run } = (tool ?? {}) as { readonly spec?: Readonly<Record<string, unknown>>; readonly run?: unknown }
  if (typeof spec !== 'object' || spec === null) return `a tool must be { spec, run }, not ${shown(tool)}`
  const { name, description, effect, inputSchema } = spec
  if (typeof name !== 'string' || !namePattern.test(name))
    return `the name of a tool must be 1 to 64 of A-Z a-z 0-9 _ and -, not ${shown(name)}`
  if (reserved.includes(name))
    return `the name ${name} is taken: ${name === completionTool ? 'runs end by it' : 'it is another name of Task'}. Rename the tool`
  if (typeof description !== 'string') return `the description of ${name} must be a text, not ${shown(description)}`
  if (!effects.includes(effect as ToolEffect))
    return `the effect of ${name} must be one of ${effects.join(', ')}, not ${shown(effect)}`
  if (typeof run !== 'function') return `${name} has no function run`
  const fault = libraryFault(inputSchema) ?? schemaFault(inputSchema) ?? rootFault(inputSchema)
  return fault && `the input schema of ${name} cannot be used: ${fault}`
}

/** It would be sent as it is built inside, and nothing would be checked by it. zod marks what it turned into JSON Schema, too. */
function libraryFault(schema: unknown): string | undefined {
  if (typeof schema !== 'object' || schema === null || !('~standard' in schema)) return undefined
  const isPlain = Object.getPrototypeOf(schema) === Object.prototype
  if (isPlain && !Object.keys(schema).includes('~standard')) return undefined
  return 'it is the schema of a library, and no JSON Schema: give it to defineTool as input, or turn it into JSON Schema'
}

/** Arguments are an object for every provider. One that says nothing of its type, nor in another way, means that. */
function rootFault(schema: unknown): string | undefined {
  const given = schema as Readonly<Record<string, unknown>>
  const isObject = given.type === 'object' || (given.type === undefined && !otherRoots.some(key => key in given))
  if (isObject) return undefined
  const found = given.type === undefined ? 'there is none' : `it is ${shown(given.type)}`
  return `its type must be "object" at the root, and ${found}: put the value into a property of one`
}
const otherRoots = [
  '$ref',
  '$dynamicRef',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'enum',
  'const',
  'items',
  'prefixItems',
]

/** What every provider takes. */
const namePattern = /^[A-Za-z0-9_-]{1,64}$/
const reserved: readonly string[] = [completionTool, 'Agent']
const effects: readonly ToolEffect[] = ['read', 'write', 'execute', 'network', 'interactive', 'delegate']
