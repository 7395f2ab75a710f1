import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TarEntry, tarball } from '../../../test/support/tar.js'
import { readTar } from './read-tar.js'

test('files come out as they went in', () => {
  const files = readTar(
    tarball([
      { path: 'package/a.md', content: 'one' },
      { path: 'package/b/', type: '5' },
    ]),
  )
  expect(files).toMatchObject([{ path: 'package/a.md' }])
  if ('refused' in files) throw new Error(files.refused)
  expect(Buffer.from(files[0]!.content).toString()).toBe('one')
})

test('a long name of either kind is taken', () => {
  const long = `package/${'x'.repeat(120)}.md`
  const record = (text: string) => {
    const length = ` path=${text}\n`.length + 3
    return `${length} path=${text}\n`
  }
  const pax = tarball([
    { path: 'PaxHeader', type: 'x', content: record(long) },
    { path: 'short', content: 'x' },
  ])
  const gnu = tarball([
    { path: '././@LongLink', type: 'L', content: `${long}\0` },
    { path: 'short', content: 'x' },
  ])
  for (const archive of [pax, gnu]) expect(readTar(archive)).toMatchObject([{ path: long }])
})

const refused: readonly [string, readonly TarEntry[] | Buffer, string][] = [
  ['a path upwards', [{ path: '../evil', content: 'x' }], 'plugin-path'],
  ['a path upwards in between', [{ path: 'a/../../evil', content: 'x' }], 'plugin-path'],
  ['an absolute path', [{ path: '/etc/passwd', content: 'x' }], 'plugin-path'],
  [
    'a long name that escapes',
    [
      { path: 'L', type: 'L', content: '../evil\0' },
      { path: 'a', content: 'x' },
    ],
    'plugin-path',
  ],
  ['a symbolic link', [{ path: 'a', type: '2', link: '/etc' }], 'plugin-link'],
  ['a hard link', [{ path: 'a', type: '1', link: 'b' }], 'plugin-link'],
  ['a device', [{ path: 'a', type: '3' }], 'plugin-link'],
  [
    'a file twice',
    [
      { path: 'a/b', content: 'x' },
      { path: 'a/b', content: 'y' },
    ],
    'plugin-archive',
  ],
  [
    'two names that differ in case alone',
    [
      { path: 'agents/Digger.md', content: 'x' },
      { path: 'Agents/digger.md', content: 'y' },
    ],
    'plugin-archive',
  ],
  [
    'a file in place of a folder',
    [
      { path: 'a', content: 'x' },
      { path: 'a/b', content: 'y' },
    ],
    'plugin-archive',
  ],
  ['too many files', Array.from({ length: 5_001 }, (_, i) => ({ path: `f${i}`, content: 'x' })), 'plugin-size'],
  ['a bomb', gzipSync(Buffer.alloc(80 * 1024 * 1024)), 'plugin-size'],
  ['something that is no archive', Buffer.from('hello '.repeat(200)), 'plugin-archive'],
  ['a damaged one', gzipSync(Buffer.from('x')).subarray(0, 12), 'plugin-archive'],
  ['an empty one', [], 'plugin-archive'],
]
test.each(refused)('%s is refused', (_, entries, rule) => {
  expect(readTar(Buffer.isBuffer(entries) ? entries : tarball(entries as TarEntry[]))).toMatchObject({ rule })
})

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), bytes => {
      expect(readTar(bytes)).toBeDefined()
    }),
  )
})
