import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDirectories } from './make-directories.js'

const folder = mkdtempSync(join(tmpdir(), 'offshoot-directories-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('makes what is missing, with the mode asked for, and leaves what is there', () => {
  const path = join(folder, 'a/b/c')
  makeDirectories(path, 0o700)
  makeDirectories(path, 0o755)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('a file in the way is an error', () => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => makeDirectories(join(folder, 'file'))).toThrow(expect.objectContaining({ code: 'EEXIST' }))
  expect(() => makeDirectories(join(folder, 'file/below'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
})

test.skipIf(!existsSync('/proc/self'))('a home below /proc: says no instead of trying for ever', () => {
  expect(() => makeDirectories('/proc/offshoot/data')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
