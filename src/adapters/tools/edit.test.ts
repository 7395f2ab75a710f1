import { readFileSync, statSync, truncateSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import { createFileLocks } from '../os/file-lock.js'
import { createEditTool, createMultiEditTool } from './edit.js'
import { applyEdit } from './edit-text.js'
import { createFileAccess } from './file-access.js'
import { createFileChanges } from './file-changes.js'
import { createFileHistory } from './file-history.js'
import { createNotebookEditTool } from './notebook-edit.js'
import { createReadTool } from './read.js'
import { createWriteTool } from './write.js'

const workspace = createTestWorkspace()
const locksAt = createTestWorkspace()
afterAll(() => {
  workspace.remove()
  locksAt.remove()
})
const history = createFileHistory()
const access = createFileAccess()
const changes = createFileChanges(access, history, createFileLocks(locksAt.path('locks')))
const tools = {
  read: createReadTool(access, history),
  write: createWriteTool(changes),
  edit: createEditTool(changes),
  multiEdit: createMultiEditTool(changes),
  notebookEdit: createNotebookEditTool(changes),
}

async function readFirst(name: string, content: string | Uint8Array) {
  const run = createTestRun(workspace.root)
  workspace.write(name, content)
  await run.call(tools.read, { file_path: name })
  return run
}

test('an edit changes only what it names, shows it, and reports the new version', async () => {
  const run = await readFirst('a.ts', 'one\ntwo\nthree\n')
  const output = await run.call(tools.edit, { file_path: 'a.ts', old_string: 'two', new_string: 'TWO\n2' })
  expect(textOf(output)).toBe(
    'Edited a.ts: 1 replacement.\n     1\tone\n     2\tTWO\n     3\t2\n     4\tthree\n     5\t',
  )
  expect(output.summary).toBe('+2 −1')
  expect(output.files?.[0]).toMatchObject({ path: workspace.path('a.ts'), change: 'modified' })
  expect(workspace.text('a.ts')).toBe('one\nTWO\n2\nthree\n')
})

test('CRLF, a missing final newline, a byte order mark, UTF-16 and foreign bytes stay as they are', async () => {
  const wide = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  const cases: [string, Buffer, Buffer][] = [
    ['dos.txt', Buffer.from('a\r\nb\r\nc'), Buffer.from('x\r\ny\r\nz\r\nc')],
    ['mark.txt', Buffer.from('\ufeffa\nb\n'), Buffer.from('\ufeffx\ny\nz\n')],
    ['wide.txt', wide('a\r\nb\r\n'), wide('x\r\ny\r\nz\r\n')],
    ['latin.txt', Buffer.from('\xe9\na\nb\n\xff', 'latin1'), Buffer.from('\xe9\nx\ny\nz\n\xff', 'latin1')],
  ]
  for (const [name, before, after] of cases) {
    const run = await readFirst(name, before)
    const output = await run.call(tools.edit, { file_path: name, old_string: 'a\nb', new_string: 'x\ny\nz' })
    expect(output.isError, name + textOf(output)).toBeUndefined()
    expect(Buffer.compare(Buffer.from(workspace.text(name)), Buffer.from(after.toString('utf8'))), name).toBe(0)
  }
})

test('an ambiguous text names its lines, and replace_all takes them all', async () => {
  const run = await readFirst('many.txt', 'x\ny\nx\n')
  const refused = await run.call(tools.edit, { file_path: 'many.txt', old_string: 'x', new_string: 'z' })
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toContain('occurs 2 times (lines 1, 3)')
  expect(workspace.text('many.txt')).toBe('x\ny\nx\n')
  await run.call(tools.edit, { file_path: 'many.txt', old_string: 'x', new_string: 'z', replace_all: true })
  expect(workspace.text('many.txt')).toBe('z\ny\nz\n')
})

test('a text that is not there: the answer says where the nearest is', async () => {
  const run = await readFirst('near.ts', 'import x\n\nexport function total(items) {\n    return items.length\n}\n')
  const edit = (old_string: string) => run.call(tools.edit, { file_path: 'near.ts', old_string, new_string: '?' })
  expect(textOf(await edit('export function total(items) {\n  return items.length'))).toContain(
    'The same text with other white space is at line 3:\nexport function total(items) {\n    return items.length',
  )
  expect(textOf(await edit('export function totals(item) {'))).toContain(
    'The nearest text is at line 3:\nexport function',
  )
  expect(textOf(await edit('     3\texport function total(items) {'))).toContain('Leave out the line numbers')
  expect(textOf(await edit('qqqq'))).toBe('near.ts was not changed: old_string was not found.')
})

test('a file of 1 GB and a binary one are not changed, and the answer says why', async () => {
  const run = await readFirst('huge.txt', `first line\n${'text\n'.repeat(20_000)}`)
  truncateSync(workspace.path('huge.txt'), 1024 ** 3)
  await run.call(tools.read, { file_path: 'huge.txt', limit: 1 })
  const edit = { file_path: 'huge.txt', old_string: 'first', new_string: 'x' }
  for (const [tool, input] of [
    [tools.edit, edit],
    [tools.write, { file_path: 'huge.txt', content: 'x' }],
  ] as const) {
    const output = await run.call(tool, input)
    expect(output).toMatchObject({ isError: true })
    expect(textOf(output)).toMatch(/1(\.0)? GB|too large|32 MB/i)
  }
  expect(statSync(workspace.path('huge.txt')).size).toBe(1024 ** 3)
  workspace.write('image.bin', Uint8Array.from([0, 1, 2, 255, 0]))
  const binary = await run.call(tools.edit, { file_path: 'image.bin', old_string: 'a', new_string: 'b' })
  expect(binary).toMatchObject({ isError: true })
  expect(readFileSync(workspace.path('image.bin'))).toEqual(Buffer.from([0, 1, 2, 255, 0]))
})

test('several edits of one file are all made or none', async () => {
  const run = await readFirst('multi.txt', 'a\nb\n')
  const good = { old_string: 'a', new_string: 'b2' }
  const refused = await run.call(tools.multiEdit, {
    file_path: 'multi.txt',
    edits: [good, { old_string: 'zzz', new_string: '' }],
  })
  expect(textOf(refused)).toContain('edit 2 of 2: old_string was not found')
  expect(workspace.text('multi.txt')).toBe('a\nb\n')
  await run.call(tools.multiEdit, { file_path: 'multi.txt', edits: [good, { old_string: 'b2', new_string: 'c' }] })
  expect(workspace.text('multi.txt')).toBe('c\nb\n')
})

test('a file must be read before it is changed; a new one need not', async () => {
  const run = createTestRun(workspace.root)
  workspace.write('unread.txt', 'text')
  expect(textOf(await run.call(tools.write, { file_path: 'unread.txt', content: 'x' }))).toContain('Read it first')
  expect(textOf(await run.call(tools.edit, { file_path: 'gone.txt', old_string: 'a', new_string: 'b' }))).toContain(
    'use Write',
  )
  const made = await run.call(tools.write, { file_path: 'dir/new.txt', content: 'a\nb' })
  expect(made).toMatchObject({ content: 'Created dir/new.txt.', summary: '2 lines' })
  const again = await run.call(tools.write, { file_path: 'dir/new.txt', content: 'a\nc' })
  expect(again.content).toBe('Replaced dir/new.txt (+1 −1).')
  expect(
    (await run.call(tools.edit, { file_path: 'made.txt', old_string: '', new_string: 'hi' })).isError,
  ).toBeUndefined()
  expect(workspace.text('made.txt')).toBe('hi')
})

test('a stale write told a run what had changed in a file that it may not read by now', async () => {
  const isHidden = { now: false }
  const guard = Object.assign(() => undefined, { sees: async () => !isHidden.now })
  const guarded = createFileChanges(createFileAccess(guard), history, createFileLocks(locksAt.path('locks')))
  const write = createWriteTool(guarded)
  for (const hidden of [false, true]) {
    isHidden.now = hidden
    const run = await readFirst('kept.txt', 'one\n')
    workspace.write('kept.txt', 'one\nSECRET\n')
    const refused = await run.call(write, { file_path: 'kept.txt', content: 'two\n' })
    expect(refused).toMatchObject({ isError: true, summary: 'changed since read' })
    expect(textOf(refused).includes('SECRET')).toBe(!hidden)
    expect(textOf(refused)).toContain('Nothing was written.')
  }
  expect(workspace.text('kept.txt')).toContain('SECRET')
})

test('a stale write is refused with what changed and who changed it', async () => {
  workspace.write('shared.txt', 'one\ntwo\n')
  const [anna, bert] = [createTestRun(workspace.root, 'anna'), createTestRun(workspace.root, 'bert')]
  for (const run of [anna, bert]) await run.call(tools.read, { file_path: 'shared.txt' })
  await anna.call(tools.edit, { file_path: 'shared.txt', old_string: 'two', new_string: 'TWO' })
  const refused = await bert.call(tools.edit, { file_path: 'shared.txt', old_string: 'one', new_string: 'ONE' })
  expect(refused).toMatchObject({ isError: true, summary: 'changed since read' })
  expect(textOf(refused)).toContain('last changed by agent tester (run anna)')
  expect(textOf(refused)).toContain('-two\n+TWO')
  workspace.write('shared.txt', 'from outside\n')
  expect(textOf(await bert.call(tools.write, { file_path: 'shared.txt', content: '' }))).toContain(
    'not by one of our runs',
  )
  expect(workspace.text('shared.txt')).toBe('from outside\n')
})

test('E09 two runs editing one file 200 times lose no update silently', async () => {
  workspace.write('race.txt', 'start\n')
  const kept: string[] = []
  const append = async (name: string) => {
    const run = createTestRun(workspace.root, name)
    for (let i = 0; i < 100; i++) {
      await run.call(tools.read, { file_path: 'race.txt' })
      const edit = { file_path: 'race.txt', old_string: 'start\n', new_string: `start\n${name}${i}\n` }
      if (!(await run.call(tools.edit, edit)).isError) kept.unshift(`${name}${i}`)
    }
  }
  await Promise.all([append('a'), append('b')])
  expect(kept.length).toBeGreaterThan(20)
  expect(workspace.text('race.txt')).toBe(`start\n${kept.join('\n')}\n`)
})

test('a notebook cell is replaced, inserted and deleted; its layout stays', async () => {
  const notebook = {
    cells: [{ cell_type: 'code', id: 'aa', metadata: {}, source: ['x'], outputs: [{ text: '1' }], execution_count: 4 }],
    metadata: { kept: true },
    nbformat: 4,
    nbformat_minor: 5,
  }
  const run = await readFirst('n.ipynb', `${JSON.stringify(notebook, null, 1)}\n`)
  const call = (input: object) => run.call(tools.notebookEdit, { notebook_path: 'n.ipynb', ...input })
  await call({ cell_id: 'aa', new_source: 'y\nz' })
  expect(JSON.parse(workspace.text('n.ipynb'))).toMatchObject({
    cells: [{ id: 'aa', source: ['y\n', 'z'], outputs: [], execution_count: null }],
    metadata: { kept: true },
  })
  expect(workspace.text('n.ipynb')).toMatch(/^\{\n "cells"[\s\S]*\}\n$/)
  await call({ cell_id: 'aa', new_source: '# Title', cell_type: 'markdown', edit_mode: 'insert' })
  await call({ cell_id: 'aa', new_source: '', edit_mode: 'delete' })
  const cells = JSON.parse(workspace.text('n.ipynb')).cells
  expect(cells).toHaveLength(1)
  expect(cells[0]).toMatchObject({ cell_type: 'markdown', source: ['# Title'] })
  expect(textOf(await call({ cell_id: 'zz', new_source: '' }))).toContain('No cell zz')
})

test('an edit is the same as replacing in the text, for any text', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '𝄞', '\n', ' '), maxLength: 40 })
  fc.assert(
    fc.property(letters, letters, letters, (text, from, to) => {
      fc.pre(from !== '' && from !== to)
      const edited = applyEdit(Buffer.from(text), { old_string: from, new_string: to, replace_all: true })
      if ('fault' in edited) expect(text.includes(from)).toBe(false)
      else expect(edited.bytes.toString()).toBe(text.split(from).join(to))
    }),
  )
})

test('a call that was cancelled while it waited for its turn at a file wrote it all the same', async () => {
  const locks = createFileLocks(locksAt.path('cancelled'))
  const write = createWriteTool(createFileChanges(access, history, locks))
  const run = createTestRun(workspace.root)
  const cancel = new AbortController()
  let leave = () => {}
  let held: Promise<void> | undefined
  await new Promise<void>(entered => {
    held = locks.withLock(workspace.path('late.txt'), () => {
      entered()
      return new Promise(resolve => {
        leave = resolve
      })
    })
  })
  const call = run.call(write, { file_path: 'late.txt', content: 'late' }, { signal: cancel.signal })
  const refused = expect(call).rejects.toThrow('cancelled')
  await new Promise(resolve => setImmediate(resolve))
  cancel.abort(new Error('cancelled'))
  leave()
  await Promise.all([held, refused])
  expect(() => workspace.text('late.txt')).toThrow('ENOENT')
})

test('an edit from CRLF to LF said it was made and changed nothing', async () => {
  const run = await readFirst('ends.txt', 'a\r\nb\r\nc\r\n')
  const edit = { file_path: 'ends.txt', old_string: 'a\r\nb', new_string: 'a\nb' }
  expect(textOf(await run.call(tools.edit, edit))).toContain('1 replacement')
  expect(workspace.text('ends.txt')).toBe('a\nb\r\nc\r\n')
})

test('the counts of a long change stopped at what is shown of it', async () => {
  const lines = (word: string) => Array.from({ length: 900 }, (_, i) => `${word} ${i}\n`).join('')
  const run = await readFirst('long.txt', lines('old'))
  const output = await run.call(tools.write, { file_path: 'long.txt', content: lines('new') })
  expect(output).toMatchObject({ content: 'Replaced long.txt (+900 −900).', summary: '+900 −900' })
  const created = await run.call(tools.write, { file_path: 'counted.txt', content: 'one\ntwo\n' })
  expect(created.summary).toBe('2 lines')
})

test.each([
  ['a UTF-8 mark', Buffer.from('\ufeffold\n'), Buffer.from('\ufeffnew\n')],
  ['UTF-16, little end first', Buffer.from('\ufeffold\n', 'utf16le'), Buffer.from('\ufeffnew\n', 'utf16le')],
  [
    'UTF-16, big end first',
    Buffer.from('\ufeffold\n', 'utf16le').swap16(),
    Buffer.from('\ufeffnew\n', 'utf16le').swap16(),
  ],
])('Write lost the encoding of the file it replaced, which nobody was shown: %s', async (_, before, after) => {
  const run = await readFirst('marked.txt', before)
  await run.call(tools.write, { file_path: 'marked.txt', content: 'new\n' })
  expect(readFileSync(workspace.path('marked.txt'))).toEqual(after)
})

test('Write says when the line ends of a file become others', async () => {
  const run = await readFirst('dos.txt', 'a\r\nb\r\n')
  const output = await run.call(tools.write, { file_path: 'dos.txt', content: 'a\nc\n' })
  expect(textOf(output)).toContain('its line ends were CRLF and are LF now')
  expect(textOf(await run.call(tools.write, { file_path: 'dos.txt', content: 'a\n' }))).not.toContain('CRLF')
})

test('a Write below a file was shown as "failed", without the cause', async () => {
  workspace.write('plain.txt', '')
  const output = await createTestRun(workspace.root).call(tools.write, {
    file_path: workspace.path('plain.txt/inner.txt'),
    content: 'x',
  })
  expect([output.isError, output.summary]).toEqual([true, 'A part of this path is a file, not a directory'])
})
