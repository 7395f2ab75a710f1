import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { MeasuredStore } from '../../../adapters/stores/prune.js'
import type { CommandDeps } from '../command-deps.js'
import { pruneCommand } from './prune.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'offshoot-prune-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

test('a prune that was killed midway left kept output for ever: the next one takes it, and nothing of others', async () => {
  const outputs = (root: string) => join(home, 'outputs', root)
  for (const root of ['r1', 'elsewhere']) {
    mkdirSync(outputs(root), { recursive: true })
    writeFileSync(join(outputs(root), 'long.txt'), 'secret')
  }
  const roots = new Set(['r1'])
  let isKilled = true
  const store = {
    trees: async () => [...roots].map(rootId => ({ rootId, runs: 1, bytes: 1, updatedAt: 0, isEnded: true })),
    isHeld: async () => false,
    remove: async (rootId: string) => (roots.delete(rootId) ? 'removed' : 'unknown'),
    summary: async () => {
      if (isKilled) throw new Error('killed')
    },
  } as unknown as MeasuredStore
  const deps = {
    cwd: home,
    env: { OFFSHOOT_HOME: home },
    now: () => 1,
    write() {},
    warn() {},
  } as unknown as CommandDeps
  await expect(pruneCommand(store, { days: 0 }, deps)).rejects.toThrow('killed')
  expect([roots.size, existsSync(outputs('r1'))]).toEqual([0, true])
  isKilled = false
  await pruneCommand(store, { days: 0 }, deps)
  expect(readdirSync(join(home, 'outputs'))).toEqual(['elsewhere'])
  expect(readdirSync(join(home, 'data/pruning'))).toEqual([])
})
