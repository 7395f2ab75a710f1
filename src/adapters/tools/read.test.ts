import { execFileSync } from 'node:child_process'
import { mkdirSync, openSync, symlinkSync, truncateSync, writeSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import { contentHash } from '../os/content-hash.js'
import { createFileAccess } from './file-access.js'
import { createFileHistory } from './file-history.js'
import { createReadTool, readBounds } from './read.js'

const workspace = createTestWorkspace()
const outside = createTestWorkspace()
afterAll(() => {
  workspace.remove()
  outside.remove()
})
const read = createReadTool(createFileAccess(), createFileHistory())
const run = createTestRun(workspace.root)

test('shows numbered lines and reports the version that was read', async () => {
  const path = workspace.write('a.txt', 'one\ntwo\n')
  const output = await run.call(read, { file_path: path })
  expect(output.content).toBe('     1\tone\n     2\ttwo')
  expect(output.summary).toBe('2 lines')
  expect(output.files).toEqual([{ path, change: 'read', hash: contentHash('one\ntwo\n') }])
})

test('offset and limit choose a window and say how to read on', async () => {
  workspace.write('ten.txt', Array.from({ length: 10 }, (_, i) => `line ${i + 1}`).join('\n'))
  const output = await run.call(read, { file_path: 'ten.txt', offset: 4, limit: 2 })
  expect(output.content).toBe('     4\tline 4\n     5\tline 5\n[lines 4-5 of 10; next offset 6]')
  expect(textOf(await run.call(read, { file_path: 'ten.txt', offset: 11 }))).toBe('ten.txt has only 10 lines.')
})

test('an empty file, CRLF, a missing final newline and a byte order mark are all read', async () => {
  workspace.write('empty.txt', '')
  workspace.write('dos.txt', 'a\r\nb')
  workspace.write('mark.txt', '\ufeffhello\n')
  workspace.write('wide.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('wide\nlines\n', 'utf16le')]))
  expect(textOf(await run.call(read, { file_path: 'empty.txt' }))).toBe('[empty.txt is empty]')
  expect(textOf(await run.call(read, { file_path: 'dos.txt' }))).toBe(
    '     1\ta\n     2\tb\n[CRLF line ends; Edit keeps them]',
  )
  expect(textOf(await run.call(read, { file_path: 'mark.txt' }))).toBe('     1\thello')
  expect(textOf(await run.call(read, { file_path: 'wide.txt' }))).toBe('     1\twide\n     2\tlines')
})

test('E08 a named pipe, a device, a directory and a binary file are refused in words', async () => {
  execFileSync('mkfifo', [workspace.path('pipe')])
  mkdirSync(workspace.path('folder'))
  workspace.write('program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]))
  const everywhere = createReadTool(
    createFileAccess(() => undefined),
    createFileHistory(),
  )
  const cases = [
    ['pipe', 'named pipe'],
    ['folder', 'Use LS or Glob'],
    ['program', 'binary file'],
    ['/dev/zero', 'device'],
    ['/proc/kcore', 'binary file|does not permit|denies|No such file'],
  ] as const
  for (const [path, words] of cases) {
    const output = await run.call(everywhere, { file_path: path })
    expect(output.isError, path).toBe(true)
    expect(textOf(output), path).toMatch(new RegExp(words))
  }
})

test('E08 a sparse file of 10 GB, a line of a million characters and bytes that are no text stay bounded', async () => {
  const sparse = workspace.write('sparse', 'first line\n')
  truncateSync(sparse, 10 * 1024 ** 3)
  expect(textOf(await run.call(read, { file_path: 'sparse' }))).toContain('binary file (10.0 GB)')

  workspace.write('long.txt', `${'x'.repeat(1_000_000)}\nend\n`)
  const long = textOf(await run.call(read, { file_path: 'long.txt' }))
  expect(long.length).toBeLessThan(3000)
  expect(long).toContain('[line cut; 977 KB long]\n     2\tend')

  workspace.write('latin.txt', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  expect(textOf(await run.call(read, { file_path: 'latin.txt' }))).toMatch(/caf\ufffd\n\[not valid UTF-8/)
})

test('a text of 1 GB gives its first lines without being read to the end', async () => {
  const path = workspace.write('huge.txt', '')
  const file = openSync(path, 'r+')
  const block = Buffer.from('some text of a line\n'.repeat(5000))
  for (let i = 0; i < 5; i++) writeSync(file, block, 0, block.length, i * block.length)
  writeSync(file, Buffer.from('the end\n'), 0, 8, 1024 ** 3)
  const output = await run.call(read, { file_path: path, offset: 3, limit: 2 })
  expect(textOf(output)).toBe(
    '     3\tsome text of a line\n     4\tsome text of a line\n[lines 3-4; the file goes on; next offset 5]',
  )
  expect(output.files?.[0]?.hash).toMatch(/^large-/)
})

test('text past the byte bound is cut between lines', async () => {
  workspace.write('wide-lines.txt', `${'y'.repeat(1000)}\n`.repeat(500))
  const text = textOf(await run.call(read, { file_path: 'wide-lines.txt' }))
  expect(text.length).toBeLessThan(readBounds.bytes + 2048)
  expect(text).toMatch(/\[lines 1-28 of 500; next offset 29\]$/)
})

test('an image is shown as an image, by content and not by name', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  workspace.write('picture.dat', png)
  const output = await run.call(read, { file_path: 'picture.dat' })
  expect(output.content).toEqual([{ type: 'image', mediaType: 'image/png', data: png.toString('base64') }])
})

test('a notebook is shown cell by cell with its outputs', async () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', source: ['# Title\n', 'text'] },
      {
        id: 'abc',
        cell_type: 'code',
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          { output_type: 'display_data', data: { 'image/png': 'iVBORw==\n' } },
        ],
      },
    ],
  }
  workspace.write('book.ipynb', JSON.stringify(notebook))
  const output = await run.call(read, { file_path: 'book.ipynb' })
  expect(output.content).toEqual([
    { type: 'text', text: '[cell-0 markdown]\n# Title\ntext' },
    { type: 'text', text: '[abc code]\nprint(1)\n[output]\n1\n' },
    { type: 'image', mediaType: 'image/png', data: 'iVBORw==' },
  ])
  workspace.write('torn.ipynb', '{"cells": [')
  expect(textOf(await run.call(read, { file_path: 'torn.ipynb' }))).toContain('not a readable notebook')
})

test('E01 E02 E03 nothing outside the roots is read, however it is spelled', async () => {
  outside.write('secret.txt', 'secret')
  symlinkSync(outside.root, workspace.path('link'))
  const spellings = [
    outside.path('secret.txt'),
    `../${outside.root.split('/').at(-1)}/secret.txt`,
    'link/secret.txt',
    `${workspace.root}-secret/x`,
    '~/.bashrc',
    `file://${outside.path('secret.txt')}`,
    'a\0b',
    '%2e%2e/%2e%2e/etc/passwd',
    '../../../../../../etc/passwd',
    '',
  ]
  for (const path of spellings) {
    const output = await run.call(read, { file_path: path })
    expect(output.isError, path).toBe(true)
    expect(textOf(output), path).not.toContain('secret\n')
  }
})
