import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, type PlatformPath } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepCaches, loadQuickly } from './quick-load.js'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
/** A bundle of its own folder; what it is called decides whether it may have a cache. */
function bundle(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'offshoot-quick-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
const answer = 'exports.answer = () => 42'
interface Program {
  readonly first: object
  readonly second: object
  later(): Promise<{ readonly word: string }>
  path(): Promise<PlatformPath & { readonly default: PlatformPath }>
}

test('files of the bundle come once each, packages by require, and modules by the import that is handed over', async () => {
  const folder = bundle({
    'program.cjs': `
      exports.first = require('./part-12345678.cjs'); exports.second = require('./part-12345678.cjs')
      exports.later = () => importModule('./late.mjs'); exports.path = () => importModule('node:path')`,
    'part-12345678.cjs': answer,
    'late.mjs': 'export const word = "late"',
  })
  const program = loadQuickly(join(folder, 'program.cjs')) as Program
  expect(program.first).toBe(program.second)
  expect((await program.later()).word).toBe('late')
  const path = await program.path()
  expect([path.join('a', 'b'), path.default.join('a', 'b')]).toEqual([join('a', 'b'), join('a', 'b')])
})

/** What V8 makes of the text, as the build keeps it. */
function goodCache(): Buffer {
  const folder = bundle({ 'part-12345678.cjs': answer })
  ;(loadQuickly(join(folder, 'part-12345678.cjs')) as { answer(): number }).answer()
  keepCaches()
  return readFileSync(join(folder, 'part-12345678.cjs.cache'))
}

test.each<[string, (good: Buffer) => Buffer]>([
  ['as it was kept', good => good],
  ['empty', () => Buffer.alloc(0)],
  ['torn', good => good.subarray(0, good.length / 2)],
  ['not one at all', () => Buffer.from('no cache at all, only text '.repeat(20))],
  // Version and flags lie in the head of the cache: this is what another Node's looks like.
  ['of another Node', good => Buffer.from(good).fill(7, 4, 16)],
])('a cache that is %s: the program runs', (_, spoil) => {
  const folder = bundle({ 'part-12345678.cjs': answer })
  writeFileSync(join(folder, 'part-12345678.cjs.cache'), spoil(goodCache()))
  const part = loadQuickly(join(folder, 'part-12345678.cjs')) as { answer(): number }
  expect(part.answer()).toBe(42)
})

test('a cache left over from another build of the same length is never used: such a file has none', () => {
  const old = bundle({ 'program.cjs': answer })
  loadQuickly(join(old, 'program.cjs'))
  keepCaches()
  expect(existsSync(join(old, 'program.cjs.cache'))).toBe(false)
  const folder = bundle({ 'program.cjs': 'exports.answer = () => 43' })
  writeFileSync(join(folder, 'program.cjs.cache'), goodCache())
  expect((loadQuickly(join(folder, 'program.cjs')) as { answer(): number }).answer()).toBe(43)
})

test('a folder that cannot be written to is enough to load from', () => {
  const folder = bundle({ 'part-12345678.cjs': answer })
  chmodSync(folder, 0o555)
  const part = loadQuickly(join(folder, 'part-12345678.cjs')) as { answer(): number }
  chmodSync(folder, 0o755)
  expect(part.answer()).toBe(42)
})
