import { expect, test } from 'vitest'
import type { Hooks } from '../../src/core/hooks/hooks.js'
import type { ModelRequest } from '../../src/core/ports.js'
import { gate } from '../support/gate.js'
import { agent, house, task } from './house.js'

const start = (name: string, prompt = name) => task('worker', prompt, { run_in_background: true, name })
const wait = (input: object) => ({ calls: [{ name: 'TaskWait', input }] })
const textOf = (request: ModelRequest) => JSON.stringify(request.messages[0])

function race(names: readonly string[], input: object, more: readonly string[] = ['done']) {
  const gates = Object.fromEntries(names.map(name => [name, gate()]))
  const h = house(
    {
      main: [{ calls: names.map(name => start(name)) }, wait(input), ...more],
      worker: first => {
        const name = names.find(one => textOf(first).includes(one))!
        return [{ text: `report of ${name}`, after: gates[name]!.opened }]
      },
    },
    { agents: [agent('worker')] },
  )
  return { h, gates }
}

test('TaskWait all returns every result, in the order asked for', async () => {
  const { h, gates } = race(['ada', 'bob'], { task_ids: ['bob', 'ada'] })
  const run = await h.start()
  await h.clock.settle()
  gates.ada!.open()
  await h.clock.settle()
  expect(h.model.requestsOf('main')).toHaveLength(2)
  gates.bob!.open()
  await run.result
  const text = h.toolTexts('main')[2]!
  expect(text).toMatch(/^2 of 2 have ended\./)
  expect(text.indexOf('report of bob')).toBeLessThan(text.indexOf('report of ada'))
  // What TaskWait handed over is not told again.
  expect(JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)).not.toContain('Its report follows')
})

test('TaskWait any returns with the first, and the rest goes on', async () => {
  const { h, gates } = race(['ada', 'bob'], { until: 'any' }, ['got one', 'got both'])
  const run = await h.start()
  await h.clock.settle()
  gates.bob!.open()
  await h.clock.settle()
  expect(h.toolTexts('main')[2]).toMatch(/^1 of 2 have ended\.\n\n## bob · worker · run a\w+\nreport of bob/)
  expect(h.toolTexts('main')[2]).toContain('not ended: working')
  gates.ada!.open()
  expect(await run.result).toMatchObject({ text: 'got both' })
})

test('TaskWait k of n returns with the second of three', async () => {
  const { h, gates } = race(['ada', 'bob', 'cyd'], { until: 'any', count: 2 }, ['two', 'three'])
  const run = await h.start()
  await h.clock.settle()
  gates.cyd!.open()
  await h.clock.settle()
  expect(h.model.requestsOf('main')).toHaveLength(2)
  gates.ada!.open()
  await h.clock.settle()
  expect(h.toolTexts('main')[3]).toMatch(/^2 of 3 have ended/)
  gates.bob!.open()
  await run.result
})

test('TaskWait success passes over a failure, keeps the first good answer and stops the losers', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: ['bad', 'good', 'slow'].map(name => start(name)) }, wait({ until: 'success' }), 'kept it'],
      worker: first => {
        if (textOf(first).includes('bad')) return [{ error: { message: 'broken' } }]
        return textOf(first).includes('good') ? [{ text: 'the answer', after: g.opened }] : [{ hangs: true }]
      },
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  g.open()
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'kept it' })
  const text = h.toolTexts('main')[3]!
  expect(text).toMatch(/^1 succeeded; 1 stopped\./)
  expect(text).toContain('the answer')
  expect(text).toContain('stopped: not needed any more')
  expect((await h.offshoot.list({ agent: 'worker' })).map(({ outcome }) => outcome).sort()).toEqual([
    'cancelled',
    'completed',
    'failed',
  ])
})

/** Two that report: the stop hook of bob hears his while ada wins. */
async function lateLoser() {
  const ada = gate()
  const hook = gate()
  const hooks: Hooks = {
    wants: point => point === 'stop',
    fire: async event => {
      if (event.point === 'stop' && event.result?.text === 'report of bob') await hook.opened
      return { verdict: 'go' }
    },
  }
  const h = house(
    {
      main: [{ calls: ['ada', 'bob'].map(name => start(name)) }, wait({ until: 'success' }), 'done', 'heard'],
      worker: first =>
        textOf(first).includes('ada') ? [{ text: 'report of ada', after: ada.opened }] : ['report of bob'],
    },
    { agents: [agent('worker')], hooks },
  )
  const run = await h.start()
  await h.clock.settle()
  ada.open()
  await h.clock.settle()
  return { h, run, hook }
}

test('TaskWait success said of a loser that had completed that it was stopped, and nobody read its report', async () => {
  const { h, run, hook } = await lateLoser()
  hook.open()
  await run.result
  const text = h.toolTexts('main')[2]!
  expect(text).toMatch(/^2 succeeded\.\n/)
  expect(text).toContain('report of bob')
  expect(text).not.toContain('stopped')
})

test('TaskWait success said of a loser that had not ended yet that it was stopped', async () => {
  const { h, run, hook } = await lateLoser()
  await h.clock.advance(6_000)
  const text = h.toolTexts('main')[2]!
  expect(text).toMatch(/^1 succeeded; 1 told to stop and not ended yet\.\n/)
  expect(text).toMatch(/bob · worker · run a\w+\ntold to stop, and not ended yet: you are told when it ends/)
  hook.open()
  await run.result
  expect(JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)).toContain('report of bob')
})

test('TaskWait success ends as an error when nobody can succeed any more', async () => {
  const h = house(
    {
      main: [{ calls: [start('a'), start('b')] }, wait({ until: 'success', task_ids: ['a', 'b'] }), 'oh'],
      worker: [{ error: { message: 'broken' } }],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  expect(h.toolTexts('main')[2]).toMatch(/^Only 0 of the 1 wanted succeeded\./)
  expect(h.model.requestsOf('main').at(-1)!.messages.at(-1)).toMatchObject({ content: [{ isError: true }] })
})

test('TaskWait with a deadline gives what is there and how far the others are', async () => {
  const { h, gates } = race(['ada', 'bob'], { timeout: 20 }, ['partial', 'all'])
  const run = await h.start()
  await h.clock.settle()
  gates.ada!.open()
  await h.clock.advance(20_000)
  const text = h.toolTexts('main')[2]!
  expect(text).toMatch(/^1 of 2 have ended\. The time is up; 1 go on/)
  expect(text).toContain('report of ada')
  expect(text).toMatch(/run a\w+\nnot ended: working: thinking/)
  gates.bob!.open()
  await run.result
  expect(h.clock.pending).toBe(0)
})

test('bad waits are refused in words: unknown, foreign, none, k larger than n, k of all', async () => {
  const bad = [
    [{ task_ids: ['nobody'] }, /There is no run "nobody" below you/],
    [{ task_ids: ['id-000001'] }, /There is no run "id-000001" below you/],
    [{ task_ids: [] }, /task_ids is empty/],
    [{}, /nothing running to wait for/],
    [{ task_ids: ['ada'], until: 'any', count: 2 }, /count is 2, but these are only 1 runs/],
    [{ task_ids: ['ada'], count: 1 }, /count goes with until any or success/],
    [{ task_ids: ['ada'], until: 'any', count: 1.5 }, /count: must be integer/],
    [{ task_ids: ['ada'], until: 'never' }, /until: must be one of/],
  ] as const
  const h = house(
    {
      main: [
        { calls: [task('worker', 'x', { name: 'ada' })] },
        { calls: bad.map(([input]) => wait(input).calls[0]!) },
        'ok',
      ],
      worker: ['done'],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  for (const [i, [, expected]] of bad.entries()) expect(h.toolTexts('main')[i + 1]).toMatch(expected)
})

test('waiting for a run that has ended answers at once, also for the same run twice', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker', 'x', { name: 'ada' })] }, wait({ task_ids: ['ada', 'ada'] }), 'ok'],
      worker: ['done'],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  expect(h.toolTexts('main')[1]).toMatch(/^1 of 1 have ended\.\n\n## ada · worker · run a\w+\ndone/)
})

test('stopping the caller ends its wait', async () => {
  const { h } = race(['ada'], {})
  const run = await h.start()
  await h.clock.settle()
  await run.stop()
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  await h.clock.settle()
  expect(h.clock.pending).toBe(0)
})

test('TaskList shows state, place in the queue, last tool, idle time, tokens and cost', async () => {
  const g = gate()
  const h = house(
    {
      main: [
        { calls: [start('quick'), start('slow'), start('late')] },
        { calls: [{ name: 'TaskWait', input: { task_ids: ['quick'] } }], after: g.opened },
        { calls: [{ name: 'TaskList' }] },
        'a',
        'b',
        'c',
      ],
      worker: first => (textOf(first).includes('quick') ? [{ text: 'done', cost: 0.25 }] : [{ hangs: true }]),
    },
    { agents: [agent('worker', { model: ['other/model'] })], policy: { concurrencyPerModel: 1 } },
  )
  const run = await h.start()
  await h.clock.settle()
  g.open()
  await h.clock.advance(7_000)
  const rows = h.toolTexts('main')[4]!.split('\n')
  expect(rows[0]).toMatch(
    /"late" \(worker\): some work · waiting for a slot at position 1 · no tool yet · idle \d+ s · 0 tokens/,
  )
  expect(rows[1]).toMatch(/"slow" \(worker\): some work · working · no tool yet · idle \d s · nothing counted yet$/)
  expect(rows[2]).toMatch(/"quick" \(worker\): some work · completed · 110 tokens · \$0\.2500/)
  await run.stop()
  await run.result
})

test('a wish under a name TaskWait does not know was passed over: it waited for all', async () => {
  const { h, gates } = race(['a', 'b'], { mode: 'any' })
  const running = h.run()
  await expect.poll(() => h.toolTexts('main').join('\n')).toContain('there is no "mode"')
  for (const each of Object.values(gates)) each.open()
  await running
})
