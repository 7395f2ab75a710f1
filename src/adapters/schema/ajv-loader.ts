/** The one checker of this process, loaded at its first use: what it compiled for one house serves every other. */
import type { SchemaCheck } from '../../core/ports.js'

let loading: Promise<SchemaCheck> | undefined

export function loadAjvCheck(): Promise<SchemaCheck> {
  loading ??= import('./ajv.js').then(({ ajvCheck }) => ajvCheck())
  return loading
}

/** Also compiles what every first check needs. For a moment in which nothing else is to be done. */
export async function warmAjvCheck(): Promise<void> {
  const check = await loadAjvCheck()
  check({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }, {})
}
