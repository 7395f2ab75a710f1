import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { bundleTo } from '../../../test/support/bundle.js'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { filePins } from './tool-pins.js'

const folder = freshWorkspace()

test('what several programs that start at once let in is all kept', async () => {
  const path = folder.path('data/mcp-tools.json')
  await bundleTo(
    folder.path('program.mjs'),
    `import { filePins } from './src/adapters/mcp/tool-pins.js'
    const pins = filePins(${JSON.stringify(path)})
    for (let i = 0; i < 25; i++) await pins.update(process.argv[2] + i, () => ({ tool: 'hash' }))`,
  )
  symlinkSync(resolve(import.meta.dirname, '../../../node_modules'), folder.path('node_modules'))
  const programs = ['a', 'b', 'c']
  await Promise.all(programs.map(name => promisify(execFile)(process.execPath, [folder.path('program.mjs'), name])))
  const pins = filePins(path)
  const keys = programs.flatMap(name => Array.from({ length: 25 }, (_, i) => name + i))
  expect(keys.filter(key => pins.get(key) === undefined)).toEqual([])
})

test('of one server that two programs meet at once, what was kept first counts', async () => {
  const path = folder.path('data/mcp-tools.json')
  const [one, other] = [filePins(path), filePins(path)]
  const keep =
    (hash: string) =>
    (known: Readonly<Record<string, string>> = {}) => ({ tool: hash, ...known })
  await Promise.all([one.update('x', keep('first')), other.update('x', keep('second'))])
  expect(['first', 'second']).toContain(one.get('x')?.tool)
  await other.update('x', keep('third'))
  expect(one.get('x')?.tool).not.toBe('third')
})
