// Compiles agents/*.md to dist/agents.json, so that a start needs no YAML parser. Runs after tsc; fails the build when
// one of our own agents has as much as a warning. With --check: compiles nothing, only looks.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { readBuiltIns } = await import(join(root, 'dist/adapters/sources/read-built-ins.js'))
const { parsers } = await import(join(root, 'dist/adapters/sources/parsers.js'))
const readings = readBuiltIns(join(root, 'agents'), parsers)
const faults = readings.filter(reading => reading.state !== 'loaded').flatMap(reading => reading.diagnostics)
for (const { file, line, message } of faults) console.error(`${file}:${line}: ${message}`)
if (faults.length > 0) process.exit(1)
const agents = readings.flatMap(reading => reading.agents.map(each => each.agent))
if (!process.argv.includes('--check')) writeFileSync(join(root, 'dist/agents.json'), `${JSON.stringify(agents)}\n`)
