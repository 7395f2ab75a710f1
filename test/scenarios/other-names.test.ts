/** Agents under the other names they answer to, and what runs may be called. */
import { expect, test } from 'vitest'
import { agent, call, house, task } from './house.js'

const main = agent('main', { canSpawn: true })
const planner = agent('Plan', { aliases: ['planner'], displayName: 'Chief Designer' })

test.each(['Plan', 'planner', 'PLAN', 'chief-designer'])(
  'a run that was begun by another name of its agent could not be resumed by it: %s',
  async name => {
    const h = house(
      {
        main: [
          { calls: [task(name, 'begin', { name: 'ada' })] },
          { calls: [task(name, 'go on', { resume: 'ada' })] },
          'done',
        ],
        Plan: ['one', 'two'],
      },
      { agents: [main, planner] },
    )
    await h.run()
    expect(h.toolTexts('main')[1]).toMatch(/^two\n/)
  },
)

test('a run is not resumed under the name of another agent, whatever the case of both', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'begin', { name: 'ada' })] },
        { calls: [task('Worker', 'go on', { resume: 'ada' }), task('planner', 'go on', { resume: 'ada' })] },
        'done',
      ],
      worker: ['one'],
    },
    { agents: [main, planner, agent('worker'), agent('Worker')] },
  )
  await h.run()
  expect(h.toolTexts('main').slice(1)).toEqual([
    expect.stringMatching(/belongs to worker, not to Worker/),
    expect.stringMatching(/belongs to worker, not to planner/),
  ])
})

test('whoever may call "planner" and "explore" was told that it may call only these, and not Plan and Explore', async () => {
  const wanted = ['Plan', 'planner', 'explore', 'Explore', 'other'].map(name => task(name))
  const h = house(
    { main: [call('Task', task('lead').input), 'done'], lead: [{ calls: wanted }, 'led'], Plan: ['p'], Explore: ['e'] },
    { agents: [main, planner, agent('Explore'), agent('other'), agent('lead', { canSpawn: ['planner', 'explore'] })] },
  )
  await h.run()
  const [one, two, three, four, other] = h.toolTexts('lead')
  expect([one, two, three, four].map(text => text?.[0])).toEqual(['p', 'p', 'e', 'e'])
  expect(other).toBe('lead may delegate only to Plan, Explore, not to other.')
})

test('a list of agents binds the child of its bearer under every name', async () => {
  const wanted = [task('Plan'), task('Explore')]
  const h = house(
    {
      main: [call('Task', task('lead').input), 'done'],
      lead: [call('Task', task('second').input), 'led'],
      second: [{ calls: wanted }, 'seconded'],
      Plan: ['p'],
    },
    {
      policy: { maxDepth: 4 },
      agents: [
        ...[main, planner, agent('Explore')],
        agent('lead', { canSpawn: ['planner', 'second'] }),
        agent('second', { canSpawn: ['Plan', 'explore'] }),
      ],
    },
  )
  await h.run()
  expect(h.toolTexts('second')).toEqual([
    expect.stringMatching(/^p\n/),
    'second may delegate only to Plan, not to Explore.',
  ])
})

test.each([true, false])(
  'two tasks of one turn could have the same name (in the background: %s)',
  async isBackground => {
    const named = () => task('worker', 'x', { name: 'ada', run_in_background: isBackground })
    const h = house(
      { main: [{ calls: [named(), named(), named()] }, 'done', 'heard'], worker: ['w'] },
      { agents: [main, agent('worker')] },
    )
    await h.run()
    const taken = h.toolTexts('main').filter(text => text.includes('already called "ada"'))
    expect(taken).toHaveLength(2)
    expect(h.model.requestsOf('worker')).toHaveLength(1)
  },
)

test.each([
  ['Zoë', true],
  ['探索者 2', true],
  ['a.b-c_d', true],
  ['   ', false],
  ['a/b', false],
  ['', false],
])('a name in letters of another language was said to have none: %j', async (name, isFine) => {
  const h = house(
    { main: [{ calls: [task('worker', 'x', { name })] }, 'done'], worker: ['w'] },
    { agents: [main, agent('worker')] },
  )
  await h.run()
  expect(h.toolTexts('main')[0]).toMatch(isFine ? /^w\n/ : /^name must be/)
})

test('X16 a blank summary_prompt cost a turn, with a message that said "(empty message)"', async () => {
  const h = house(
    { main: [{ calls: [task('worker', 'x', { summary_prompt: '  ' })] }, 'done'], worker: ['report'] },
    { agents: [main, agent('worker')] },
  )
  await h.run()
  expect(h.toolTexts('main')[0]).toMatch(/^report\n\n\[run/)
})
