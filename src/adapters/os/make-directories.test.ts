import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeDirectories } from './make-directories.js'

const folder = mkdtempSync(join(tmpdir(), 'offshoot-directories-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('makes what is missing, with the mode asked for, and leaves what is there', async () => {
  const path = join(folder, 'a/b/c')
  await makeDirectories(path, 0o700)
  await makeDirectories(path, 0o755)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('a file in the way is an error', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(makeDirectories(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeDirectories(join(folder, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.skipIf(!existsSync('/proc/self'))('a home below /proc: says no instead of trying for ever', async () => {
  await expect(makeDirectories('/proc/offshoot/data')).rejects.toMatchObject({ code: 'ENOENT' })
})
