import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { currentOwner } from '../../adapters/os/process-owner.js'
import type { MeasuredStore } from '../../adapters/stores/prune.js'
import { sqliteStore } from '../../adapters/stores/sqlite.js'
import { runId, type SampleRun, sampleEnded, sampleQueued } from '../../testing/sample-log.js'
import { storedConversations } from '../tui/stored-conversations.js'
import { recoveryNote } from './recovery-note.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-note-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0
const openStore = () => sqliteStore({ path: join(root, `${count++}`, 'runs.db') })
const { pid: deadPid } = spawnSync(process.execPath, ['-e', ''])

type Fate = 'ended' | 'killed' | 'left'

async function plant(
  store: MeasuredStore,
  name: string,
  fate: Fate,
  about: Partial<SampleRun> & { cwd?: string } = {},
) {
  const { cwd = '/here', brief, ...place } = about
  const run: SampleRun = { ...place, runId: runId(name), brief: { cwd, description: `about ${name}`, ...brief } }
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, { ...currentOwner(name), ...(fate === 'killed' && { pid: deadPid }) })
  if (!('epoch' in claim)) throw new Error('somebody has it')
  if (fate === 'ended') await store.append(run.runId, claim.epoch, 1, [sampleEnded(run, 2)])
  if (fate !== 'killed') await store.release(run.runId, claim.epoch)
}
const talk = { isConversation: true }
const child = (parent: string) => ({ rootId: runId(parent), parentId: runId(parent), agent: 'worker' })

test('a start names what is unfinished in its own directory, and only counts the rest', async () => {
  const store = await openStore()
  await plant(store, 'mine', 'killed')
  await plant(store, 'done', 'ended')
  await plant(store, 'theirs', 'killed', { cwd: '/elsewhere' })
  expect(await recoveryNote(store, '/here', talk)).toBe(
    [
      '1 run left unfinished by a process that is gone ("offshoot runs stop ID" ends one):',
      '  offshoot runs resume mine   main: about mine',
      '1 run of another directory unfinished: "offshoot runs list --unfinished" shows it, and how to go on or end it',
      '',
    ].join('\n'),
  )
  expect(await recoveryNote(store, '/third', talk)).toBe(
    '2 runs of other directories unfinished: "offshoot runs list --unfinished" shows them, and how to go on or end them\n',
  )
  // With every answer of -p it was said again, of a run that lay somewhere else.
  expect(await recoveryNote(store, '/third', { isConversation: false })).toBe('')
  expect(await recoveryNote(store, '/here', { isConversation: false })).toContain('offshoot runs resume mine')
  await store.close()
})

test('children left on purpose are not mentioned at every start; those of a process that died are, by their own id', async () => {
  const store = await openStore()
  await plant(store, 'one', 'ended')
  await plant(store, 'one-child', 'left', child('one'))
  expect(await recoveryNote(store, '/here', talk)).toBe('')
  await plant(store, 'two', 'ended')
  await plant(store, 'two-child', 'killed', child('two'))
  const note = await recoveryNote(store, '/here', talk)
  expect(note).toContain('1 run left unfinished')
  expect(note).toContain('offshoot runs resume two-child ')
  await store.close()
})

test('the list to choose from has this directory first, others with theirs, and calls nothing running that nobody drives', async () => {
  const store = await openStore()
  await plant(store, 'mine', 'killed', { at: 1_000 })
  await plant(store, 'theirs', 'ended', { cwd: '/elsewhere', at: 2_000 })
  await plant(store, 'mine-too', 'ended', { at: 3_000 })
  const rows = await storedConversations(store, '/here', 4_000)
  expect(rows.map(({ run, about }) => [run.runId, about])).toEqual([
    ['mine-too', 'completed, just now'],
    ['mine', 'unfinished, just now'],
    ['theirs', 'completed, just now, /elsewhere'],
  ])
  await store.close()
})
