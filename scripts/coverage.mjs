// What the tests reach of src/core and src/runtime: `npm run test:coverage` fails below nine lines of ten in either
// (the bounds stand in vitest.config.ts). Runs what tries these two, not the whole suite: `npm run check` has it as its step for tests.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tests = [
  'src/core',
  'src/runtime',
  'src/task',
  'src/testing',
  'test/agents',
  'test/architecture',
  'test/hosts',
  'test/processes',
  'test/scenarios',
  'test/security',
]
const { status } = spawnSync(
  process.execPath,
  [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--coverage', '--reporter=dot', ...tests],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
