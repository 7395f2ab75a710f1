import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentHash } from '../os/content-hash.js'
import { fileTrustStore, memoryTrustStore } from './trust.js'

let root: string
let kept: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'offshoot-trust-'))
  kept = join(root, 'trust.json')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const [first, second, other] = ['first', 'second', 'other'].map(text => contentHash(text)) as [string, string, string]
const at = (name: string) => join(root, name)
const onDisk = () => fileTrustStore(kept)
const inMemory = memoryTrustStore()

test.each([
  ['on disk', onDisk],
  ['in memory', () => inMemory],
])('content that was trusted before a newer one of its file counted at once when it came back (%s)', (_, open) => {
  open().trust(root, [first, other], { [at('a.json')]: first, [at('b.json')]: other })
  open().trust(root, [second], { [at('a.json')]: second })
  expect(open().isTrusted(root, first, at('a.json'))).toBe(false)
  expect(open().isTrusted(root, first)).toBe(false)
  expect(open().isTrusted(root, second, at('a.json'))).toBe(true)
  expect(open().isTrusted(root, other, at('b.json'))).toBe(true)
})

test('content that was trusted as one file counted as any other', () => {
  onDisk().trust(root, [first], { [at('notes.md')]: first })
  expect(onDisk().isTrusted(root, first, at('.mcp.json'))).toBe(false)
  expect(onDisk().isTrusted(root, first, at('notes.md'))).toBe(true)
})

test('one content in two files stays trusted as the one that was not changed', () => {
  onDisk().trust(root, [first], { [at('a.md')]: first, [at('b.md')]: first })
  onDisk().trust(root, [second], { [at('a.md')]: second })
  expect(onDisk().isTrusted(root, first, at('a.md'))).toBe(false)
  expect(onDisk().isTrusted(root, first, at('b.md'))).toBe(true)
})

test('what was kept without paths counts as before, until a newer content of the file is trusted', () => {
  onDisk().trust(root, [first, other])
  expect(Object.keys(JSON.parse(readFileSync(kept, 'utf8')))).toEqual(['version', 'trusted'])
  expect(onDisk().isTrusted(root, first, at('a.json'))).toBe(true)
  onDisk().trust(root, [second], { [at('a.json')]: second })
  expect(onDisk().isTrusted(root, first, at('a.json'))).toBe(false)
  expect(onDisk().isTrusted(root, other, at('b.json'))).toBe(true)
  const { trusted } = JSON.parse(readFileSync(kept, 'utf8'))
  expect(Object.values(trusted)).toEqual([[first, other, second].sort()])
})

test('paths that cannot be read trust nothing and are said; revoking takes them along', () => {
  onDisk().trust(root, [first], { [at('a.json')]: first })
  onDisk().revoke(root)
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toEqual({ version: 1, trusted: {} })
  writeFileSync(kept, JSON.stringify({ version: 1, trusted: { [root]: [first] }, files: { [root]: ['a.json'] } }), {
    mode: 0o600,
  })
  expect(onDisk().isTrusted(root, first)).toBe(false)
  expect(onDisk().fault?.()).toContain('"files"')
})
