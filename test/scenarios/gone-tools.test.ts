/** Runs that go on where a tool they were given is not there. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { storeWith } from '../support/store-with.js'
import { call, house, tool } from './house.js'

const owner = (id: string) => ({ id, host: 'here', pid: 1, startedAt: 1 })
const look = tool('Look', 'read', () => 'seen')
const wait = tool('mcp__slow__wait', 'execute', () => 'waited')
const tools = new Set(['Look', 'mcp__slow__wait'])
const shown = (h: ReturnType<typeof house>) =>
  (h.model.requests.at(-1)?.declared.tools ?? []).map(({ name }) => name).filter(name => tools.has(name))

async function crashed(leaving: 'in the middle' | 'at the end') {
  const dead = new Set<string>()
  const store = memoryStore({ isAlive: ({ id }) => !dead.has(id) })
  const first = house(
    { main: [call('mcp__slow__wait'), leaving === 'at the end' ? 'waited once' : { hangs: true }] },
    { store: storeWith(store, { close: async () => {} }), owner: owner('first'), tools: [look, wait] },
  )
  const run = await first.start()
  await first.clock.settle()
  await first.offshoot.close('leave')
  dead.add('first')
  expect(shown(first)).toEqual(['Look', 'mcp__slow__wait'])
  return { store, id: run.id }
}

test.each(['in the middle', 'at the end'] as const)(
  'a server that was missing when a run left %s went on was not told, and its tool was still shown',
  async leaving => {
    const { store, id } = await crashed(leaving)
    const second = house(
      { main: [call('mcp__slow__wait'), call('Nothing'), 'done'] },
      { store, owner: owner('second'), tools: [look] },
    )
    if (leaving === 'at the end') await second.offshoot.resume(id, 'once more')
    else await second.offshoot.recover()
    expect(await second.offshoot.run(id).result).toMatchObject({ outcome: 'completed', text: 'done' })
    expect(shown(second)).toEqual(['Look'])
    expect(second.events.flatMap(({ event }) => (event.type === 'tools.missed' ? [event.names] : []))).toEqual([
      ['mcp__slow__wait'],
    ])
    const rules = second.events.flatMap(({ event }) => (event.type === 'tool.ended' ? [event.rule] : []))
    expect(rules).toEqual(['tool-gone', 'unknown-tool'])
    expect(second.toolTexts('main').at(-2)).toMatch(/^mcp__slow__wait was there when you began, and is not any more/)
  },
)

test('where all tools are there, a run that goes on shows the same bytes', async () => {
  const { store, id } = await crashed('in the middle')
  const second = house({ main: ['done'] }, { store, owner: owner('second'), tools: [look, wait] })
  await second.offshoot.recover()
  await second.offshoot.run(id).result
  expect(shown(second)).toEqual(['Look', 'mcp__slow__wait'])
  expect(second.events.some(({ event }) => event.type === 'tools.missed')).toBe(false)
})
