/** What a host does wrongly at the doors of a house is said in its own words, not in those of the engine. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { pruneRuns } from '../../src/adapters/stores/prune.js'
import { defineTool } from '../../src/core/schema/define-tool.js'
import { createOffshoot } from '../../src/offshoot.js'
import { modelOf } from '../../src/testing/scripted-model.js'
import { house } from './house.js'

test.each([[undefined], [{ type: 'object' }]])('defineTool with %s as input spoke of "~standard"', input => {
  const make = () => defineTool({ name: 'T', description: 'd', effect: 'read', input: input as never, run: () => '' })
  expect(make).toThrow(/the input of the tool T must be a schema that follows Standard Schema.*\{ spec, run \}/)
})

test('a subscriber in place of the filter was taken, and nothing was heard', async () => {
  const offshoot = createOffshoot({ model: modelOf(() => 'x') })
  expect(() => offshoot.subscribe((() => {}) as never, undefined as never)).toThrow(/subscribe: .*function/)
  expect(() => offshoot.subscribe({ runid: 'x' } as never, () => {})).toThrow(
    /there is no "runid" \(did you mean runId\?\)/,
  )
  await expect(offshoot.close('kill' as never)).rejects.toThrow(/close must be one of stop, leave, not "kill"/)
  await offshoot.close()
})

test('a model that gives nothing back was told as an operator of the engine', async () => {
  const h = house({}, { model: { ask: async () => undefined as never } })
  const result = await h.run()
  expect(result.error?.message).toContain('the model adapter gave a reply without content')
})

test('a number that was said, and a store that cannot be pruned, were told as faults of the engine', async () => {
  const h = house({ main: ['Done.'] })
  const run = await h.offshoot.start({ agent: 'main', prompt: 'x', description: 'y' })
  if ('refused' in run) throw new Error(run.refused)
  expect(await run.say(5 as never)).toMatchObject({
    rule: 'invalid-message',
    refused: 'Not sent: a message is a text.',
  })
  await run.result
  await expect(pruneRuns(memoryStore() as never, {}, 0)).rejects.toThrow(/cannot be pruned; sqliteStore/)
})
