import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openOffshoot } from '../../src/node.js'

const home = mkdtempSync(join(tmpdir(), 'offshoot-node-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('openOffshoot without agents has the built-in ones and those of files, a project’s only once trusted', async () => {
  const project = join(home, 'project')
  const write = (folder: string, name: string) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${name}.md`), `---\nname: ${name}\ndescription: Says hello.\n---\nSay hello.\n`)
  }
  write(join(home, '.claude/agents'), 'mine')
  write(join(project, '.claude/agents'), 'theirs')
  const house = await openOffshoot({ env: { HOME: home }, cwd: project, store: 'memory' })
  try {
    const catalog = house.offshoot.catalog()
    expect(catalog.offered().map(({ name }) => name)).toEqual(expect.arrayContaining(['Explore', 'mine']))
    expect(catalog.lookup('theirs')?.state).toBe('untrusted')
  } finally {
    await house.close()
  }
})
