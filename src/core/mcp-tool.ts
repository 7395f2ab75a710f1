/**
 * What a server says of a tool, as a tool of ours.
 *
 * 1. The name is `mcp__server__tool`: no server can take the name of a tool of ours or of another server.
 * 2. A tool changes things unless its server is trusted and says that it only reads.
 * 3. A schema is bounded and has no reference that leads back to itself or out of it.
 * 4. The hash covers all a model would see: name, words, schema, annotations.
 */
import type { JsonSchema } from './message.js'
import { neutralise } from './notices.js'
import { canonicalJson, cutCharacters, fingerprint } from './text.js'
import type { ToolSpec } from './types.js'

export interface ServerTool {
  /** What the server calls it. */
  readonly remoteName: string
  readonly spec: ToolSpec
  /** The words, schema and annotations, in one order. */
  readonly fingerprint: string
}

const maxNameLength = 64
const maxDescription = 4000
const maxSchemaCharacters = 100_000
const maxSchemaDepth = 40

export function readServerTool(
  server: { readonly name: string; readonly isTrusted: boolean },
  tool: unknown,
): ServerTool | { readonly fault: string } {
  if (!isRecord(tool) || typeof tool.name !== 'string' || tool.name === '') return { fault: 'a tool without a name' }
  const label = cutCharacters(tool.name, 100)
  const schema = readSchema(tool.inputSchema)
  if ('fault' in schema) return { fault: `the schema of "${label}" ${schema.fault}` }
  const annotations = isRecord(tool.annotations) ? tool.annotations : {}
  const title = [tool.title, annotations.title].find((each): each is string => typeof each === 'string' && each !== '')
  const description = typeof tool.description === 'string' ? tool.description : ''
  return {
    remoteName: tool.name,
    spec: {
      name: toolName(server.name, tool.name),
      description:
        neutralise(cutCharacters(description, maxDescription)) || `${label} of the MCP server ${server.name}.`,
      inputSchema: schema.schema,
      effect: server.isTrusted && annotations.readOnlyHint === true ? 'read' : 'execute',
      displayName: `${server.name}: ${cutCharacters(title ?? tool.name, 40)}`,
      origin: 'mcp',
    },
    fingerprint: canonicalJson([tool.name, description, title ?? '', schema.schema, annotations]),
  }
}

/** Letters a provider takes, at most 64; what had to be changed is told apart by a fingerprint of the whole name. */
function toolName(server: string, tool: string): string {
  const safe = tool.replace(/[^A-Za-z0-9_-]/g, '_')
  const name = `mcp__${server}__${safe}`
  if (safe === tool && name.length <= maxNameLength) return name
  const tail = `_${fingerprint(tool).slice(0, 6)}`
  return `${name.slice(0, maxNameLength - tail.length)}${tail}`
}

function readSchema(schema: unknown): { readonly schema: JsonSchema } | { readonly fault: string } {
  if (schema === undefined || schema === null) return { schema: { type: 'object' } }
  if (!isRecord(schema)) return { fault: 'is no object' }
  if (depthExceeds(schema, maxSchemaDepth)) return { fault: `is nested more than ${maxSchemaDepth} deep` }
  if (JSON.stringify(schema).length > maxSchemaCharacters)
    return { fault: `has more than ${maxSchemaCharacters} characters` }
  if (schema.type !== undefined && schema.type !== 'object') return { fault: 'is not for an object' }
  return { schema: withoutCircles({ type: 'object', ...schema }) as JsonSchema }
}

function depthExceeds(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some(each => depthExceeds(each, left - 1))
}

/** A reference that closes a circle, or that leads out of the schema, becomes "anything": the server checks it anyway. */
function withoutCircles(root: unknown): unknown {
  const loose = new Set<object>()
  const seen = new Map<string, 'open' | 'closed'>()
  const visit = (ref: string, target: unknown): void => {
    seen.set(ref, 'open')
    for (const mark of referencesIn(target)) {
      const next = resolvePointer(root, mark.$ref)
      if (next === undefined || seen.get(mark.$ref) === 'open') loose.add(mark)
      else if (!seen.has(mark.$ref)) visit(mark.$ref, next)
    }
    seen.set(ref, 'closed')
  }
  visit('#', root)
  const clean = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (loose.has(value)) return anything
    if (Array.isArray(value)) return value.map(clean)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clean(each)]))
  }
  return clean(root)
}

function referencesIn(value: unknown): readonly (object & { readonly $ref: string })[] {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value as { $ref: string }] : []
  return [...own, ...Object.values(value).flatMap(referencesIn)]
}

const anything = { description: 'anything' }

function resolvePointer(root: unknown, ref: string): unknown {
  if (ref === '#') return root
  if (!ref.startsWith('#/')) return undefined
  let at: unknown = root
  for (const segment of ref.slice(2).split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<string, unknown>)[key]
  }
  return at
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
