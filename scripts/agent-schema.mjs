// Writes schemas/agent.schema.json and the tables of docs/agent-files.md from the loader's own tables, so that they
// cannot lag; a test compares. Runs after tsc.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { agentFileSchema } = await import(join(root, 'dist/core/agent-file/schema.js'))
const { fillReference } = await import(join(root, 'dist/core/agent-file/reference.js'))
mkdirSync(join(root, 'schemas'), { recursive: true })
writeFileSync(join(root, 'schemas/agent.schema.json'), `${JSON.stringify(agentFileSchema(), null, 2)}\n`)
const page = join(root, 'docs/agent-files.md')
writeFileSync(page, fillReference(readFileSync(page, 'utf8')))
