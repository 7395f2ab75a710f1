import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sqliteStore } from '../../../adapters/stores/sqlite.js'
import { createOffshoot } from '../../../offshoot.js'
import { ScriptedModel } from '../../../testing/scripted-model.js'
import { paint } from '../../session/paint.js'
import type { CommandDeps } from '../command-deps.js'
import { type ListOptions, listRuns } from './list.js'

const directory = await mkdtemp(join(tmpdir(), 'offshoot-list-'))
afterAll(() => rm(directory, { recursive: true, force: true }))

test('runs list told what main alone had cost, and nothing of its children, which it does not show', async () => {
  const store = await sqliteStore({ path: join(directory, 'runs.db') })
  const step = { usage: { input: 1_000, output: 0 }, cost: 0.25 }
  const calls = [{ name: 'Task', input: { description: 'look', prompt: 'look', subagent_type: 'clerk' } }]
  const source = { scope: 'user', isTrusted: true } as const
  const house = createOffshoot({
    model: new ScriptedModel({
      main: [
        { ...step, calls },
        { ...step, text: 'done' },
      ],
      clerk: [{ ...step, text: 'ok' }],
    }),
    agents: [{ name: 'clerk', description: 'Looks.', systemPrompt: 'Look.', tools: 'all', source }],
    policy: { defaultModel: 'test/model' },
    store,
  })
  const run = await house.start({ prompt: 'go', description: 'the whole' })
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  await house.close()
  const list = async (options: Partial<ListOptions>) => {
    let written = ''
    const deps = {
      look: paint(false),
      env: {},
      cwd: process.cwd(),
      now: () => Date.now(),
      write: (text: string) => {
        written += text
      },
      warn: () => {},
    } as unknown as CommandDeps
    await listRuns(store, { limit: 9, ...options }, deps)
    return written
  }
  expect(await list({})).toMatch(/ 3\.0k +\$0\.7500 +main: the whole/)
  expect(await list({ all: true })).toMatch(/ 2\.0k +\$0\.5000 +main: the whole\n.* 1\.0k +\$0\.2500 .*clerk: look/)
  expect(JSON.parse(await list({ json: true }))).toMatchObject([{ cost: 0.5 }])
  await store.close()
})
