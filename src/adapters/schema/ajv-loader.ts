/** The one checker of this process, loaded at its first use: what it compiled for one house serves every other. */
import type { JsonSchema } from '../../core/message.js'
import type { SchemaCheck } from '../../core/ports.js'

let loading: Promise<SchemaCheck> | undefined

export function loadAjvCheck(): Promise<SchemaCheck> {
  loading ??= import('./ajv.js').then(({ ajvCheck }) => ajvCheck())
  return loading
}

/**
 * Compiles schemas ahead of their first use, one at a time, so that whatever happens meanwhile waits for one of them at
 * most. For a while in which there is nothing else to do.
 */
export async function warmAjvCheck(schemas: readonly JsonSchema[]): Promise<void> {
  const check = await loadAjvCheck()
  for (const schema of schemas) {
    await new Promise(resolve => setImmediate(resolve))
    check(schema, {})
  }
}
