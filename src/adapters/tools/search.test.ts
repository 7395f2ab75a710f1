import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestRun, createTestWorkspace, textOf } from '../../../test/support/tool-workspace.js'
import { isInside } from '../os/inside.js'
import { createFileAccess, rootsOnly } from './file-access.js'
import { createGlobTool } from './glob.js'
import { createGrepTool } from './grep.js'
import { createPlainSearch } from './plain-search.js'
import { createRipgrep, findRipgrep } from './ripgrep.js'

const workspace = createTestWorkspace()
const outside = createTestWorkspace()
afterAll(() => {
  workspace.remove()
  outside.remove()
})
workspace.write('src/one.ts', 'const a = 1\nexport const needle = a\nconst b = 2\n')
workspace.write('src/deep/two.ts', 'first\r\nneedle here\r\nlast needle\r\n')
workspace.write('src/deep/three.py', 'needle = 3\n')
workspace.write('.hidden/four.ts', 'Needle\n')
workspace.write('.gitignore', 'ignored/\n*.log\n')
workspace.write('ignored/five.ts', 'needle\n')
workspace.write('noise.log', 'needle\n')
workspace.write('.git/config', 'needle\n')
workspace.write('binary.bin', Buffer.from('needle\0needle'))
workspace.write('.env', 'needle=secret\n')
outside.write('six.ts', 'needle\n')
symlinkSync(outside.root, workspace.path('link'))
mkdirSync(workspace.path('empty'))

const program = findRipgrep()
test('ripgrep comes with the package on this platform', () => expect(program).toMatch(/rg(\.exe)?$/))

const guard = createFileAccess((path, use, context) =>
  path.endsWith('/.env') ? 'it holds secrets' : rootsOnly(path, use, context),
)

describe.each([
  ['ripgrep', createRipgrep(program!)],
  ['our own walk', createPlainSearch()],
])('with %s', (_, engine) => {
  const run = createTestRun(workspace.root)
  const glob = createGlobTool(guard, () => engine)
  const grep = createGrepTool(guard, () => engine)

  test('Glob finds by pattern, newest first, skipping ignored files, .git and links', async () => {
    for (const [name, time] of [
      ['src/one.ts', 3000],
      ['src/deep/two.ts', 1000],
      ['.hidden/four.ts', 2000],
    ] as const) {
      utimesSync(workspace.path(name), time, time)
    }
    const output = await run.call(glob, { pattern: '**/*.ts' })
    expect(output.content).toBe('src/one.ts\n.hidden/four.ts\nsrc/deep/two.ts')
    expect(output.summary).toBe('3 files')
    expect(textOf(await run.call(glob, { pattern: '*.py' }))).toBe('src/deep/three.py')
    expect(textOf(await run.call(glob, { pattern: 'src/*.ts' }))).toBe('src/one.ts')
    expect(textOf(await run.call(glob, { pattern: '*.ts', path: 'src/deep' }))).toBe('src/deep/two.ts')
    expect(textOf(await run.call(glob, { pattern: `${workspace.root}/src/*.ts` }))).toBe('src/one.ts')
    expect(textOf(await run.call(glob, { pattern: '*.zig' }))).toBe('No files match *.zig.')
  })

  test('E01 Glob and Grep refuse a place outside the roots, also through a link or an absolute pattern', async () => {
    for (const input of [
      { pattern: '*.ts', path: outside.root },
      { pattern: '*.ts', path: 'link' },
      { pattern: '*.ts', path: '../' },
      { pattern: `${outside.root}/*.ts` },
    ]) {
      const output = await run.call(glob, input)
      expect(output.isError, JSON.stringify(input)).toBe(true)
      expect(textOf(output)).toContain('outside the workspace')
    }
    expect(textOf(await run.call(grep, { pattern: 'needle', path: 'link' }))).toContain('outside the workspace')
    expect(textOf(await run.call(glob, { pattern: '../**/*.ts' }))).not.toContain('six.ts')
  })

  test('Grep lists files, and leaves out what may not be read, saying so', async () => {
    const output = await run.call(grep, { pattern: 'needle', glob: '!*.bin' })
    expect(output.content).toBe(
      'src/deep/three.py\nsrc/deep/two.ts\nsrc/one.ts\n[1 file left out: not permitted to be read]',
    )
    expect(output.summary).toBe('3 files')
    expect(textOf(await run.call(grep, { pattern: 'secret', output_mode: 'content' }))).not.toContain('=secret')
  })

  test('Grep shows content with context, with and without numbers', async () => {
    const one = { pattern: 'needle', path: 'src/one.ts', output_mode: 'content' }
    expect(textOf(await run.call(grep, one))).toBe('src/one.ts:2:export const needle = a')
    expect(textOf(await run.call(grep, { ...one, '-n': false }))).toBe('src/one.ts:export const needle = a')
    expect(textOf(await run.call(grep, { ...one, '-C': 1 }))).toBe(
      'src/one.ts-1-const a = 1\nsrc/one.ts:2:export const needle = a\nsrc/one.ts-3-const b = 2',
    )
    expect(textOf(await run.call(grep, { pattern: 'needle', type: 'ts', output_mode: 'content' }))).toBe(
      'src/deep/two.ts:2:needle here\nsrc/deep/two.ts:3:last needle\nsrc/one.ts:2:export const needle = a',
    )
  })

  test('Grep counts, ignores case, matches over lines and pages', async () => {
    expect(textOf(await run.call(grep, { pattern: 'needle', type: 'ts', output_mode: 'count' }))).toBe(
      'src/deep/two.ts:2\nsrc/one.ts:1\n[3 lines in 2 files]',
    )
    expect(textOf(await run.call(grep, { pattern: 'NEEDLE', '-i': true, glob: '*.{ts,py}' }))).toContain(
      '.hidden/four.ts',
    )
    expect(
      textOf(await run.call(grep, { pattern: 'a = 1.*needle', multiline: true, output_mode: 'content', type: 'ts' })),
    ).toBe('src/one.ts:1:const a = 1\nsrc/one.ts:2:export const needle = a')
    expect(textOf(await run.call(grep, { pattern: 'const', path: 'src', head_limit: 1, output_mode: 'content' }))).toBe(
      'src/one.ts:1:const a = 1\n[1-1 of 3; next offset 1, or narrow the search]',
    )
    expect(
      textOf(await run.call(grep, { pattern: 'const', path: 'src', head_limit: 1, offset: 2, output_mode: 'content' })),
    ).toBe('src/one.ts:3:const b = 2')
    expect(textOf(await run.call(grep, { pattern: 'no such text' }))).toBe('No matches found.')
  })

  test('a pattern or type that makes no sense is an error the model can act on', async () => {
    const bad = await run.call(grep, { pattern: '(' })
    expect(bad.isError).toBe(true)
    expect(textOf(bad)).toContain('could not run')
    expect((await run.call(grep, { pattern: 'x', type: 'nonsense' })).isError).toBe(true)
    expect(textOf(await run.call(grep, { pattern: '--files' }))).toBe('No matches found.')
    expect(textOf(await run.call(grep, { pattern: 'x', path: 'nowhere' }))).toBe('No such file or directory: nowhere')
  })

  test('an abort ends the search', async () => {
    const signal = AbortSignal.abort(new DOMException('stop', 'AbortError'))
    await expect(run.call(grep, { pattern: 'needle' }, { signal })).rejects.toThrow('stop')
  })
})

test('a search that finds far more than a page judges no more than it needs, hides what may not be read, and says so', async () => {
  let judged = 0
  const access = createFileAccess(path => {
    judged++
    return path.endsWith('/0003') ? 'it is private' : undefined
  })
  const paths = Array.from({ length: 30_000 }, (_, i) => `${workspace.root}/${String(i).padStart(4, '0')}`)
  const found = { items: paths.map(path => ({ path, count: 2 })), isCut: false }
  const grep = createGrepTool(access, () => ({ ...createPlainSearch(), counts: async () => found }))
  const run = createTestRun(workspace.root)
  const output = await run.call(grep, { pattern: 'x', output_mode: 'count', head_limit: 4 })
  expect(textOf(output).split('\n')).toEqual([
    '0000:2',
    '0001:2',
    '0002:2',
    '0004:2',
    '[more than 3,998 lines in 1,999 files]',
    '[1-4 of more than 1999; next offset 4, or narrow the search]',
    '[1 file left out: not permitted to be read]',
  ])
  // The place itself is judged, too.
  expect(judged).toBe(2_001)
  expect(textOf(await run.call(grep, { pattern: 'x', output_mode: 'count', head_limit: 0 }))).toContain('29,999 files')
})

test('past 1,000 files Glob lists the first by path, and says so', async () => {
  const large = createTestWorkspace()
  try {
    for (let i = 0; i < 1100; i++) large.write(`f${String(i).padStart(4, '0')}`, '')
    const tool = createGlobTool(createFileAccess(), () => createRipgrep(program!))
    const lines = textOf(await createTestRun(large.root).call(tool, { pattern: '**' })).split('\n')
    expect(lines.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, i) => `f${String(i).padStart(4, '0')}`))
    expect(lines[100]).toBe('[100 of 1100 files, by path; narrow the pattern to see the others]')
  } finally {
    large.remove()
  }
})

test('E02 a name that only starts like the root is outside it', () => {
  expect(isInside('/w/app-secret/x', '/w/app')).toBe(false)
  expect(isInside('/w/app/x', '/w/app')).toBe(true)
  expect(isInside('/w/app', '/w/app')).toBe(true)
  expect(isInside('/w/..app', '/w')).toBe(true)
  expect(isInside('/w', '/w/app')).toBe(false)
})

describe('what a search cannot tell', () => {
  const run = createTestRun(workspace.root)
  /** Stands for ripgrep: prints what it is told to. */
  const stub = (body: string) => createRipgrep(outside.write('rg', `#!/bin/sh\n${body}\n`, 0o755))

  test('Grep said "no matches" about files it could not read', async () => {
    const engine = stub('echo "rg: ./x: Permission denied (os error 13)" >&2; exit 2')
    const grep = createGrepTool(guard, () => engine)
    const text = textOf(await run.call(grep, { pattern: 'needle' }))
    expect(text).toBe('No matches found.\n[1 file or directory could not be read: what is in there was not searched]')
    const glob = createGlobTool(guard, () => engine)
    expect(textOf(await run.call(glob, { pattern: '*' }))).toContain('1 file or directory could not be read')
  })

  test('of output past the bound, a path cut in the middle was shown as one that matches', async () => {
    const path = workspace.path('src/one.tsx')
    const engine = stub(`for i in 1 2 3; do printf '${path}\\0'; done; head -c 21000000 /dev/zero | tr '\\0' 'x'`)
    const found = await engine.files({ directory: workspace.root, globs: [], signal: new AbortController().signal })
    expect(found).toMatchObject({ items: [path, path, path], isCut: true })
  })

  test('an offset past the last match was answered with nothing at all', async () => {
    const grep = createGrepTool(guard, () => createRipgrep(program!))
    const output = await run.call(grep, { pattern: 'needle', offset: 50 })
    expect(textOf(output)).toMatch(/^\[nothing from offset 50 on: there are 3 entries\]/)
  })

  test('Glob said that nothing matches a pattern that climbs, and that a file matches any pattern', async () => {
    const deep = createTestRun({ cwd: workspace.path('src/deep'), roots: [workspace.root] })
    for (const engine of [createRipgrep(program!), createPlainSearch()]) {
      const glob = createGlobTool(guard, () => engine)
      expect(textOf(await deep.call(glob, { pattern: '../*.ts' }))).toBe(workspace.path('src/one.ts'))
      expect(textOf(await deep.call(glob, { pattern: '../../../**/six.ts' }))).toMatch(/^Refused to read/)
      expect(textOf(await deep.call(glob, { pattern: '*/../*.ts' }))).toContain('Name the directory in path')
      expect(textOf(await run.call(glob, { pattern: '*.md', path: 'src/one.ts' }))).toContain('is a file')
    }
  })
})
