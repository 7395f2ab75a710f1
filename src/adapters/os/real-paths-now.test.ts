import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realPath } from './real-path.js'
import { realPathsNow } from './real-paths-now.js'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'offshoot-real-')))
  mkdirSync(join(root, 'a/b/c'), { recursive: true })
  writeFileSync(join(root, 'a/file'), '')
  const links = {
    'a/up': '..',
    'a/to-file': 'file',
    'a/to-link': 'to-file',
    'a/absolute': join(root, 'a/b'),
    'a/dangling': 'not/there',
    'a/loop': 'loop',
    'a/far': '../a/absolute/c',
    elsewhere: '/etc',
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path))
})
afterAll(() => rmSync(root, { recursive: true }))

const names = [
  'a',
  'b',
  'c',
  'file',
  'up',
  'to-file',
  'to-link',
  'absolute',
  'dangling',
  'loop',
  'far',
  'none',
  '..',
  '.',
]

test('many paths asked at one moment come to what each comes to by itself', () => {
  const real = realPathsNow()
  const paths = names.flatMap(first =>
    names.flatMap(second => names.map(third => `${root}/${first}/${second}/${third}`)),
  )
  const odd = ['/', '/none', '/none/x', `${root}/`, `${root}//a/up/a`, `${root}/elsewhere/passwd`, '/proc/self/cwd/x']
  const all = [...paths, ...odd, `${root}/a/b/${'x'.repeat(5000)}/y`]
  expect(all.map(path => [path, real(path)])).toEqual(all.map(path => [path, realPath(path)]))
})
