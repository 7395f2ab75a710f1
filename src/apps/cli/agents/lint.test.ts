import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCatalog } from '../../../core/catalog/catalog.js'
import { lintAgents } from './lint.js'
import type { AgentsOutput } from './output.js'

test('lint --fix said of a file that is read-only, too, that it was not certain what is meant', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'offshoot-lint-'))
  const path = join(cwd, 'a.md')
  writeFileSync(path, '---\nname: a\ndescription: Use: this\n---\nx\n')
  chmodSync(path, 0o444)
  let said = ''
  const write = (text: string) => void (said += text)
  const loaded = { catalog: createCatalog([]), files: [], unread: () => [] }
  const deps = { cwd, write, warn: write, loadAgents: async () => loaded } as unknown as AgentsOutput
  await lintAgents(['a.md'], { fix: true }, deps)
  expect(said).toContain('offshoot: a.md was not fixed: it is read-only\n')
  expect(said).toMatch(/\[syntax-repaired\]\n {2}quote the value\n/)
  expect(said).not.toContain('not certain')
  rmSync(cwd, { recursive: true })
})
