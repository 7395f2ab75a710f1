import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { memoryStore } from '../../../adapters/stores/memory.js'
import { sqliteStore } from '../../../adapters/stores/sqlite.js'
import type { RunId } from '../../../core/message.js'
import { createOffshoot } from '../../../offshoot.js'
import { sampleQueued } from '../../../testing/sample-log.js'
import { ScriptedModel } from '../../../testing/scripted-model.js'
import { paint } from '../../session/paint.js'
import { textWidth } from '../../session/text-width.js'
import type { CommandDeps } from '../command-deps.js'
import { shortIds } from './fit-runs.js'
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

test('on a terminal every row of runs list was broken in two, and so was a cost', async () => {
  const store = await sqliteStore({ path: join(directory, 'wide.db') })
  for (const part of ['0', '1', '2']) {
    const run = { runId: `01a1f612-8f${part}1-77f7-85f6-f72b2f0d15f1` as RunId }
    const brief = {
      description: 'Where are tools filtered for a child agent, and which tests say so?',
      cwd: `/home/ann/a/long/way/to/project-${part}`,
    }
    await store.create(sampleQueued({ ...run, brief }))
  }
  const listed = async (width: number) => {
    const said = { out: '', err: '' }
    const deps = {
      look: paint(false),
      env: { HOME: '/home/ann' },
      cwd: '/',
      now: () => 80_000,
      width,
      isTerminal: true,
      write: (text: string) => (said.out += text),
      warn: (text: string) => (said.err += text),
    }
    await listRuns(store, { limit: 9, unfinished: true }, deps as unknown as CommandDeps)
    return said
  }
  for (const width of [40, 60, 80, 100, 120, 160]) {
    const { out, err } = await listed(width)
    for (const line of out.trimEnd().split('\n')) expect(textWidth(line), line).toBeLessThanOrEqual(width)
    expect(out).toContain('01a1f612-8f0')
    expect(err).toContain('"offshoot runs stop RUN" ends it')
  }
  expect((await listed(120)).out).toMatch(/\$0\.00 .*~\/a\/long\/way\/to\/project-0/)
  await store.close()
})

test('the beginning of an id that is shown names one run', async () => {
  const store = memoryStore()
  const ids = ['01a1f612-8fa1', '01a1f612-84c1', 'a570765f10f69d7'] as RunId[]
  for (const runId of ids) await store.create(sampleQueued({ runId }))
  const short = await shortIds(store, await store.list({}))
  expect([...short.values()].sort()).toEqual(['01a1f612-84', '01a1f612-8f', 'a570765f'])
  await store.close()
})
