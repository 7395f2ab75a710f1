/** All pages of a server's tools, as they come: what is in them is read elsewhere. */
import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'

const maxPages = 50
const maxTools = 1000

export interface ToolList {
  readonly tools: readonly unknown[]
  readonly faults: readonly string[]
  /** Why there may be tools that are not in the list: nobody can say that the server has removed them. */
  readonly broken?: unknown
}

/** All of it within `limitMs`. Does not reject. */
export async function listTools(client: Client, limitMs: number): Promise<ToolList> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  if (!client.getServerCapabilities()?.tools) return { tools, faults: [] }
  const deadline = performance.now() + limitMs
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const timeout = Math.max(1, deadline - performance.now())
    const answer = (await client
      .request({ method: 'tools/list', params }, anyResult, { timeout })
      .catch((broken: unknown) => ({ broken }))) as object
    if ('broken' in answer) return { tools, faults: [], broken: answer.broken }
    const { tools: found, nextCursor } = answer as { tools?: unknown; nextCursor?: unknown }
    if (!Array.isArray(found)) return { tools, faults: ['its list of tools is no list'] }
    const isTooMany = tools.length + found.length > maxTools
    tools.push(...found.slice(0, maxTools - tools.length))
    if (isTooMany || (tools.length === maxTools && typeof nextCursor === 'string'))
      return { tools, faults: [`it has more than ${maxTools} tools; the rest is left out`] }
    if (typeof nextCursor !== 'string') return { tools, faults: [] }
    if (seen.has(nextCursor)) return { tools, faults: ['its list of tools goes in a circle; it was cut there'] }
    seen.add(nextCursor)
    cursor = nextCursor
  }
  return { tools, faults: [`its list of tools has more than ${maxPages} pages; the rest is left out`] }
}

/** Takes any object: one tool or one block of an answer that breaks the protocol must not cost the others. */
export const anyResult = {
  '~standard': {
    version: 1,
    vendor: 'offshoot',
    validate: (value: unknown) =>
      typeof value === 'object' && value !== null ? { value } : { issues: [{ message: 'no object' }] },
  },
} satisfies StandardSchemaV1<unknown, object>
