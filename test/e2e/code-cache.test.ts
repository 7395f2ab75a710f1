/** Whether a start of the built program finds what V8 compiled at build time. */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bin, ensureBuilt, makeHome } from './program.js'

const home = makeHome()
const probe = join(home.path, 'probe.cjs')
const found = join(home.path, 'found.json')

beforeAll(async () => {
  await ensureBuilt()
  writeFileSync(
    probe,
    `const vm = require('node:vm')
    const { Script } = vm
    const refused = []
    vm.Script = class extends Script {
      constructor(text, options) {
        super(text, options)
        if (options?.cachedData) refused.push(this.cachedDataRejected)
      }
    }
    process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(found)}, JSON.stringify(refused)))`,
  )
})
afterAll(() => rmSync(home.path, { recursive: true, force: true }))

function refusals(options: readonly string[], nodeOptions = ''): readonly boolean[] {
  spawnSync(process.execPath, [...options, '-r', probe, bin, 'config', 'list'], {
    cwd: home.project,
    env: { ...home.env, NODE_OPTIONS: nodeOptions },
  })
  return JSON.parse(readFileSync(found, 'utf8'))
}

test.each<[string, readonly string[], string]>([
  ['nothing is set', [], ''],
  ['NODE_OPTIONS bounds the heap', [], '--max-old-space-size=2048 --max_semi_space_size=32'],
  ['its flags bound heap and stack traces', ['--max-old-space-size=2048', '--stack-trace-limit=50'], ''],
])('a start took twice as long where Node was told how much memory to use: %s', (_, options, nodeOptions) => {
  const refused = refusals(options, nodeOptions)
  expect(refused).not.toHaveLength(0)
  expect(refused).not.toContain(true)
})

test('under a flag that changes what is compiled, the program compiles anew and runs', () => {
  expect(refusals(['--no-opt'])).toContain(true)
})
