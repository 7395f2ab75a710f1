import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import { createOffshoot } from '../../src/offshoot.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-recover-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('one run whose claim is damaged kept every other one from being recovered', async () => {
  const hanging = { ask: () => new Promise<never>(() => {}) }
  const open = async (
    model: ConstructorParameters<typeof ScriptedModel>[0] | typeof hanging,
    errors: unknown[] = [],
  ) => {
    const store = await jsonlStore({ directory: root })
    const asked = 'ask' in model ? (model as never) : new ScriptedModel(model)
    return { store, house: createOffshoot({ model: asked, store, onError: error => void errors.push(error) }) }
  }
  const before = await open(hanging)
  const ids: string[] = []
  for (const prompt of ['one', 'two', 'three']) {
    const run = await before.house.start({ prompt, description: prompt })
    if ('refused' in run) throw new Error(run.refused)
    ids.push(run.id)
  }
  await before.house.close('leave')
  await before.store.close()
  writeFileSync(join(root, 'claims', `${ids[1]}.json`), 'torn')
  const errors: unknown[] = []
  const after = await open({ main: ['Done.', 'Done.'] }, errors)
  const recovered = await after.house.recover()
  expect(recovered.map(({ runId }) => runId).sort()).toEqual([ids[0]!, ids[2]!].sort())
  expect(errors.map(String).join()).toContain(`run ${ids[1]} was not recovered`)
  await after.house.close()
  await after.store.close()
})
