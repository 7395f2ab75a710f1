/** What reads files in this process leaves the database of its own store alone, and so the store keeps its locks. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import { createPlainSearch } from '../../src/adapters/tools/plain-search.js'
import { createWorkspaceTools } from '../../src/adapters/tools/workspace-tools.js'
import { fileReader } from '../../src/apps/session/mentions.js'
import type { ToolContext } from '../../src/core/ports.js'
import { runId, sampleQueued } from '../../src/testing/sample-log.js'

const folder = mkdtempSync(join(realpathSync(tmpdir()), 'offshoot-held-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** As the system lists them, where it does. */
function locksOn(path: string): readonly string[] {
  if (process.platform !== 'linux') return []
  const inodes = ['', '-shm'].map(ending => statSync(`${path}${ending}`).ino)
  const lines = readFileSync('/proc/locks', 'utf8').split('\n')
  return lines.filter(line => inodes.some(inode => line.includes(`:${inode} `))).map(line => line.replace(/^\d+: /, ''))
}

const { signal } = new AbortController()
const toolIn = (cwd: string, name: string) => (input: object) => {
  const tool = createWorkspaceTools().find(({ spec }) => spec.name === name)!
  const context = { workspace: { cwd, roots: [cwd] }, signal, runId: runId('r'), callId: 'c', knownVersion: () => 'x' }
  return tool.run(input, context as unknown as ToolContext)
}
const refused = { isError: true, content: expect.stringMatching(/its locks away; `offshoot runs` shows/) }

/** By each way in which a file is read here. */
const readers: Readonly<Record<string, (cwd: string, file: string) => Promise<void>>> = {
  async Read(cwd, file) {
    expect(await toolIn(cwd, 'Read')({ file_path: file })).toMatchObject(refused)
  },
  async Edit(cwd, file) {
    expect(await toolIn(cwd, 'Edit')({ file_path: file, old_string: 'a', new_string: 'b' })).toMatchObject(refused)
  },
  async 'Grep without ripgrep'(cwd) {
    const query = {
      directory: cwd,
      globs: [],
      signal,
      isCaseInsensitive: false,
      isMultiline: false,
      before: 0,
      after: 0,
    }
    const found = await createPlainSearch().filesWithMatches({ ...query, pattern: 'e' })
    expect(found.items).toEqual([join(cwd, 'a.txt')])
  },
  async '@file'(cwd, file) {
    expect(fileReader(cwd)(file)).toEqual({ why: expect.stringContaining('its locks away') })
  },
}

for (const [name, read] of Object.entries(readers))
  for (const ending of ['', '-shm'])
    test(`${name} of the store’s own file (runs.db${ending}) took its locks: another process could delete its log`, async () => {
      const cwd = mkdtempSync(join(folder, 'workspace-'))
      const path = join(cwd, 'runs.db')
      writeFileSync(join(cwd, 'a.txt'), 'hello')
      const store = await sqliteStore({ path })
      await store.create(sampleQueued({ runId: runId('first') }))
      const before = locksOn(path)
      await read(cwd, `runs.db${ending}`)
      expect(locksOn(path)).toEqual(before)
      expect(await store.create(sampleQueued({ runId: runId('second') }))).toBe('created')
      await store.close()
    })
