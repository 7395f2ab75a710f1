/** All pages of a server's tools, as they come: what is in them is read elsewhere. */
import type { Client, StandardSchemaV1 } from '@modelcontextprotocol/client'

const maxPages = 50
const maxTools = 1000

export async function listTools(
  client: Client,
  timeout: number,
): Promise<{ readonly tools: readonly unknown[]; readonly faults: readonly string[] }> {
  const tools: unknown[] = []
  const seen = new Set<string>()
  if (!client.getServerCapabilities()?.tools) return { tools, faults: [] }
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const answer = (await client
      .request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, anyResult, { timeout })
      .catch((error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }))) as object
    if ('fault' in answer) return { tools, faults: [`the list of tools broke off: ${answer.fault}`] }
    const { tools: found, nextCursor } = answer as { tools?: unknown; nextCursor?: unknown }
    if (!Array.isArray(found)) return { tools, faults: ['its list of tools is no list'] }
    tools.push(...found.slice(0, maxTools - tools.length))
    if (typeof nextCursor !== 'string') return { tools, faults: [] }
    if (seen.has(nextCursor)) return { tools, faults: ['the list of tools goes in a circle; it was cut there'] }
    if (tools.length >= maxTools) return { tools, faults: [`more than ${maxTools} tools; the rest is left out`] }
    seen.add(nextCursor)
    cursor = nextCursor
  }
  return { tools, faults: [`the list of tools has more than ${maxPages} pages; the rest is left out`] }
}

/** Takes any object: one tool that breaks the protocol must not cost the others. */
const anyResult = {
  '~standard': {
    version: 1,
    vendor: 'offshoot',
    validate: (value: unknown) =>
      typeof value === 'object' && value !== null ? { value } : { issues: [{ message: 'no object' }] },
  },
} satisfies StandardSchemaV1<unknown, object>
