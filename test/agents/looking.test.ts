import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { builtInAgents } from '../../src/adapters/sources/built-in-agents.js'
import { createCatalog } from '../../src/core/catalog/catalog.js'
import { openOffshoot } from '../../src/node.js'
import { call, calls, type Part, startScriptedServer, task } from '../e2e/scripted-server.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-looking-'))
writeFileSync(join(root, 'oak.ts'), 'export const rings = 42\n')
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['F7', 'Explore'],
  ['F8', 'Plan'],
])(
  '%s %s is asked by main, looks with real tools, can change nothing, and its report comes back',
  async (_id, agent) => {
    const results: string[] = []
    const child: Part = ({ turn, last }) => {
      results.push(last)
      if (turn === 0)
        return calls(call('Grep', { pattern: 'rings', output_mode: 'content' }), call('Bash', { command: 'ls' }))
      if (turn === 1)
        return calls(call('Bash', { command: 'rm oak.ts' }), call('Write', { file_path: 'new.ts', content: 'x' }))
      return 'rings is 42, oak.ts:1'
    }
    const main: Part = ({ turn, last }) => (turn === 0 ? task(agent, 'How many rings?') : last)
    const isChild = (body: object) => JSON.stringify(body).includes('This task is read-only')
    const server = await startScriptedServer({ main: scene => (isChild(scene.body) ? child(scene) : main(scene)) })
    const catalog = createCatalog((await builtInAgents().load()).agents)
    const env = { HOME: root, XDG_DATA_HOME: join(root, '.data'), PATH: process.env.PATH, ...server.env }
    const house = await openOffshoot({ env, cwd: root, store: 'memory', agents: () => catalog })
    try {
      const run = await house.start({ agent: 'main', prompt: 'Ask.', description: 'ask' })
      if ('refused' in run) throw new Error(run.refused)
      expect((await run.result).text).toContain('rings is 42, oak.ts:1')
      expect(results[1]).toContain('oak.ts')
      expect(results[2]).toMatch(/plan|read-only/i)
      expect(readdirSync(root)).toContain('oak.ts')
      expect(readdirSync(root)).not.toContain('new.ts')
    } finally {
      await house.close()
      await server.close()
    }
  },
)
