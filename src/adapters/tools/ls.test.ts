import { symlinkSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import { createFileAccess } from './file-access.js'
import { createLsTool } from './ls.js'

const workspace = createTestWorkspace()
afterAll(() => workspace.remove())
const list = createLsTool(createFileAccess())
const run = createTestRun(workspace.root)

test('lists one directory: directories, files with sizes, links with their targets', async () => {
  workspace.write('docs/guide.md', 'x'.repeat(2048))
  workspace.write('docs/sub/inner.md', '')
  workspace.write('docs/skip.tmp', '')
  symlinkSync('guide.md', workspace.path('docs/start.md'))
  const output = await run.call(list, { path: 'docs', ignore: ['*.tmp'] })
  expect(output.content).toBe('docs:\nguide.md (2 KB)\nstart.md -> guide.md\nsub/')
  expect(output.summary).toBe('3 entries')
})

test('a file, a missing place and a place outside the roots are refused', async () => {
  workspace.write('file.txt', '')
  expect(textOf(await run.call(list, { path: 'file.txt' }))).toContain('Use Read')
  expect(textOf(await run.call(list, { path: 'nowhere' }))).toContain('No such file or directory')
  expect(textOf(await run.call(list, { path: '/' }))).toContain('outside the workspace')
})

test('a long directory is cut with a note', async () => {
  for (let i = 0; i < 510; i++) workspace.write(`many/f${i}`, '')
  expect(textOf(await run.call(list, { path: 'many' }))).toMatch(/\[500 of 510 entries; use Glob to narrow\]$/)
})
