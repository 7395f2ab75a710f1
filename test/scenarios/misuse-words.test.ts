/** What a host does wrongly at the doors of a house is said in its own words, not in those of the engine. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { pruneRuns } from '../../src/adapters/stores/prune.js'
import { defineTool } from '../../src/core/schema/define-tool.js'
import { createOffshoot } from '../../src/offshoot.js'
import { modelOf } from '../../src/testing/scripted-model.js'
import { agent, house } from './house.js'

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

test.each([
  [{ rootID: 'x' }, 'list: there is no "rootID" (did you mean rootId?).'],
  [{ statsu: 'ended' }, 'list: there is no "statsu".'],
  [{ limit: Number.NaN }, 'list: limit must be a number, not NaN.'],
  [{ isEnded: 'yes' }, 'list: isEnded must be true or false, not "yes".'],
  [null, 'list: must be an object, not null.'],
])('a slip in the query %j of list() found every run there is', async (query, words) => {
  const h = house({ main: ['Done.'] })
  await h.run()
  await expect(h.offshoot.list(query as never)).rejects.toThrow(words)
  expect(await h.offshoot.list({ isEnded: true, rootId: undefined })).toHaveLength(1)
})

test.each([
  ['max_tokens', 'max_tokens'],
  ['content-filter', 'content-filter'],
  ['error', 'error'],
  ['<b>', '?b?'],
  [undefined, 'no word for it'],
])('a model of a host’s own that stopped for %s was taken to have said all', async (finish, kept) => {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }
  const content = [{ type: 'text', text: 'cut off in the mid' }] as const
  const h = house({}, { model: { ask: async ({ model }) => ({ content, finish: finish as never, usage, model }) } })
  expect(await h.run()).toMatchObject({ unknownStop: kept })
  const ended = h.events.flatMap(({ event }) => (event.type === 'turn.ended' ? [event] : []))
  expect(ended[0]).toMatchObject({ finish: 'other', unknownStop: kept })
})

test('a refusal of the library named commands of a program that its host may not have', async () => {
  const models = [{ id: 'one/here' }, { id: 'one/gone', unavailable: 'ONE_KEY is not set' }]
  const stranger = { ...agent('stranger'), source: { scope: 'project', path: '/work/a.md', isTrusted: false } } as const
  const h = house({ main: ['done'] }, { models, agents: [stranger], policy: { defaultModel: 'one/here' } })
  const begin = (task: object) => h.offshoot.start({ prompt: 'p', description: 'd', ...task })
  const refusals = [
    await begin({ model: 'gpt-9' }),
    await begin({ model: 'one/gone' }),
    await begin({ agent: 'stranger' }),
    await h.offshoot.resume('nobody'),
    await h.offshoot.run('nobody').stop(),
    await house({ main: [] }, { models: models.slice(1), policy: {} }).offshoot.start({
      prompt: 'p',
      description: 'd',
    }),
  ]
  for (const refusal of refusals) expect(refusal).toMatchObject({ refused: expect.not.stringContaining('`offshoot ') })
  expect(refusals[0]).toMatchObject({ refused: expect.stringContaining('What can be had: one/here.') })
  expect(refusals[2]).toMatchObject({ refused: expect.stringContaining('`trustsProject`') })
})
