// What a change has to pass before it is pushed: format, lint, types, public names, promises, layers, unit tests, stories,
// coverage, examples. `npm test` and `npm run test:program` run everything. Stops at the first fault. `--without-tests` is
// for whoever has just run them.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = name => [process.execPath, join(root, 'node_modules', '.bin', name)]
const steps = [
  ['format and lint', ...bin('biome'), 'check', '--error-on-warnings', '.'],
  ['types', ...bin('tsc'), '--noEmit'],
  ['public names', process.execPath, join(root, 'scripts', 'api.mjs')],
  ['promises', process.execPath, join(root, 'scripts', 'promises.mjs')],
  ...(process.argv.includes('--without-tests')
    ? []
    : [['unit tests and stories, with their coverage', process.execPath, join(root, 'scripts', 'coverage.mjs')]]),
  ['examples', process.execPath, join(root, 'scripts', 'examples.mjs')],
]
for (const [title, command, ...args] of steps) {
  const start = performance.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${title} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  if (status !== 0) process.exit(status ?? 1)
}
