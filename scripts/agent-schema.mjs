// Writes schemas/agent.schema.json from the loader's own table of fields, so that it cannot lag. Runs after tsc.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { agentFileSchema } = await import(join(root, 'dist/core/agent-file/schema.js'))
mkdirSync(join(root, 'schemas'), { recursive: true })
writeFileSync(join(root, 'schemas/agent.schema.json'), `${JSON.stringify(agentFileSchema(), null, 2)}\n`)
