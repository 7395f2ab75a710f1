import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openOffshoot } from '../../src/node.js'
import { startWireServer } from './wire/server.js'

const home = mkdtempSync(join(tmpdir(), 'offshoot-inherited-'))
writeFileSync(join(home, 'slots.ts'), 'export function releaseSlot() {}\n')
afterAll(() => rmSync(home, { recursive: true, force: true }))

test('openOffshoot with a key: a run on offline/scout has children on offline/scout, and no vendor hears of it', async () => {
  const server = await startWireServer([])
  const house = await openOffshoot({
    env: { HOME: home, ANTHROPIC_API_KEY: 'sk-0123456789', ANTHROPIC_BASE_URL: server.url },
    cwd: home,
    store: 'memory',
  })
  try {
    expect(house.models.defaultModel.id).toMatch(/^anthropic\//)
    const run = await house.start({
      prompt: 'Where is releaseSlot?',
      description: 'a question',
      model: 'offline/scout',
    })
    if ('refused' in run) throw new Error(run.refused)
    await run.result
    const runs = await house.list()
    expect(runs.length).toBeGreaterThan(1)
    const briefs = await Promise.all(runs.map(({ runId }) => house.run(runId).brief()))
    expect(new Set(briefs.map(brief => brief?.model))).toEqual(new Set(['offline/scout']))
    // What is lost of it is known to be nothing, too.
    expect(briefs.every(brief => brief?.usesNoTokens)).toBe(true)
    expect(server.requests).toHaveLength(0)
  } finally {
    await house.close()
    await server.close()
  }
})
