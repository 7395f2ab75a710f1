/** Runs on a JSONL store whose files are hurt: each hears what is wrong, and not that somebody else drives it. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { createOffshoot } from '../../src/offshoot.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'
import { tool } from '../scenarios/house.js'

const root = await mkdtemp(join(tmpdir(), 'offshoot-jsonl-broken-'))
afterAll(() => rm(root, { recursive: true, force: true }))
let count = 0

const policy = { defaultModel: 'scripted/model' }

async function changeLines(file: string, change: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  await writeFile(file, `${change(lines).join('\n')}\n`)
}

describe('a run on a jsonl store', () => {
  test('K04 whose first line is damaged said that there is no such run', async () => {
    const directory = join(root, `${count++}`)
    const first = await jsonlStore({ directory })
    const before = createOffshoot({ model: new ScriptedModel({ main: ['one'] }), store: first, policy })
    const run = await before.start({ prompt: 'go', description: 'go' })
    assert.ok(!('refused' in run))
    await run.result
    await before.close()
    await first.close()
    await changeLines(join(directory, 'runs', `${run.id}.jsonl`), ([a, ...rest]) => [a!.slice(0, -30), ...rest])

    const store = await jsonlStore({ directory, onWarning: () => {} })
    const offshoot = createOffshoot({ model: new ScriptedModel({ main: [] }), store, policy })
    const answer = await offshoot.resume(run.id, 'go on')
    assert.ok('refused' in answer)
    assert.match(answer.refused, /its first event, which says what the run is, cannot be read/)
    assert.equal(answer.rule, 'log-broken')
    assert.deepEqual(await offshoot.recover(), [])
    await offshoot.close()
    await store.close()
  })

  test.each<[how: string, hurt: (place: { file: string; claim: string }) => Promise<void>, words: RegExp]>([
    ['its log is deleted', ({ file }) => rm(file), /moved or deleted while it was in use/],
    ['its log is cut', ({ file }) => changeLines(file, lines => lines.slice(0, 1)), /cut short while it was in use/],
    ['its claim is emptied', ({ claim }) => writeFile(claim, ''), /\.json is damaged/],
  ])('K06 ended as driven by somebody else when %s', async (_, hurt, words) => {
    const directory = join(root, `${count++}`)
    const store = await jsonlStore({ directory, onWarning: () => {} })
    const hurting = tool('Hurt', 'read', async () => {
      const [name] = await readdir(join(directory, 'runs'))
      const claim = join(directory, 'claims', name!.replace('.jsonl', '.json'))
      await hurt({ file: join(directory, 'runs', name!), claim })
      return 'done'
    })
    const model = new ScriptedModel({ main: [{ calls: [{ name: 'Hurt', input: {} }] }, 'all done'] })
    const offshoot = createOffshoot({ model, store, tools: [hurting], policy })
    const started = await offshoot.start({ prompt: 'go', description: 'go' })
    assert.ok(!('refused' in started))
    const result = await started.result
    assert.deepEqual([result.outcome, result.error?.rule], ['interrupted', 'log-broken'])
    assert.match(result.error?.message ?? '', words)
    await offshoot.close()
    await store.close()
  })
})
