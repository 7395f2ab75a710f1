/**
 * What a server says of a tool, as a tool of ours.
 *
 * 1. The name is `mcp__server__tool`: no server can take the name of a tool of ours or of another server.
 * 2. A tool changes things unless its server is trusted and says that it only reads.
 * 3. A schema is bounded, and nothing in it can keep us busy (mcp-schema.ts).
 * 4. The hash covers all a model would see: name, words, schema, annotations.
 */

import { neutralise } from '../notices.js'
import { isRecord } from '../record.js'
import { canonicalJson, cutCharacters, fingerprint } from '../text/text.js'
import type { ToolSpec } from '../types.js'
import { readServerSchema } from './mcp-schema.js'

export interface ServerTool {
  /** What the server calls it. */
  readonly remoteName: string
  readonly spec: ToolSpec
  /** The words, schema and annotations, in one order. */
  readonly fingerprint: string
}

const maxNameLength = 64
const maxDescription = 4000

export function readServerTool(
  server: { readonly name: string; readonly isTrusted: boolean },
  tool: unknown,
): ServerTool | { readonly fault: string } {
  if (!isRecord(tool) || typeof tool.name !== 'string' || tool.name === '') return { fault: 'a tool without a name' }
  const label = cutCharacters(tool.name, 100)
  const schema = readServerSchema(tool.inputSchema)
  if ('fault' in schema) return { fault: `the schema of "${label}" ${schema.fault}` }
  const annotations = isRecord(tool.annotations) ? tool.annotations : {}
  const title = [tool.title, annotations.title].find((each): each is string => typeof each === 'string' && each !== '')
  const description = typeof tool.description === 'string' ? tool.description : ''
  return {
    remoteName: tool.name,
    spec: {
      name: serverToolName(server.name, tool.name),
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
export function serverToolName(server: string, tool: string): string {
  const safe = tool.replace(/[^A-Za-z0-9_-]/g, '_')
  const name = `mcp__${server}__${safe}`
  if (safe === tool && name.length <= maxNameLength) return name
  const tail = `_${fingerprint(tool).slice(0, 6)}`
  return `${name.slice(0, maxNameLength - tail.length)}${tail}`
}
