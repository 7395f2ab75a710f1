import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/adapters/os/package-root.js'
import { builtInAgents } from '../../src/adapters/sources/built-in-agents.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { openOffshoot } from '../../src/node.js'
import { call, startScriptedServer } from '../e2e/scripted-server.js'

const home = mkdtempSync(join(tmpdir(), 'offshoot-guide-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** What the agent's one Read of a page of the manual brought. */
async function readPage(agent: string): Promise<string> {
  const page = join(packageRoot(), 'docs', 'permissions.md')
  const server = await startScriptedServer({
    main: ({ turn, last }) => (turn === 0 ? call('Read', { file_path: page }) : last),
  })
  const catalog = createCatalog((await builtInAgents().load()).agents)
  const house = await openOffshoot({
    env: { HOME: home, ...server.env },
    cwd: home,
    store: 'memory',
    agents: () => catalog,
  })
  try {
    const run = await house.start({ agent, prompt: 'How do rules look?', description: 'look it up' })
    if ('refused' in run) throw new Error(run.refused)
    return (await run.result).text
  } finally {
    await house.close()
    await server.close()
  }
}

test('guide reads the manual of the package, which lies outside the workspace; Explore does not', async () => {
  expect(await readPage('guide')).toContain('# ')
  expect(await readPage('Explore')).toContain('outside the workspace')
})
