import { expect, test } from 'vitest'
import type { Approver } from '../../src/core/ports.js'
import { maxMessageBytes } from '../../src/core/run/letters.js'
import { gate } from '../support/gate.js'
import { agent, call, house, task, tool } from './house.js'

const background = (name: string) => task('worker', 'work', { run_in_background: true, name })
const send = (task_id: string, message: string) => ({ calls: [{ name: 'TaskSend', input: { task_id, message } }] })
const listening: Approver = { isListening: () => true, present: () => () => {} }

test('TaskSend steers a running child: queued, delivered with its next request, acted on', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: [background('ada')] }, send('ada', 'look at the tests too'), 'sent', 'heard back'],
      worker: [{ ...call('Look'), after: g.opened }, 'with tests'],
    },
    { agents: [agent('worker')], tools: [tool('Look', 'read', () => 'x')] },
  )
  const run = await h.start()
  await h.clock.settle()
  const [child] = await h.offshoot.list({ agent: 'worker' })
  const handle = h.offshoot.run(child!.runId)
  expect(h.toolTexts('main')[1]).toMatch(/^Queued for run a\w+ \(ada\)/)
  expect(await handle.receipts()).toMatchObject([{ from: 'main', status: 'delivered' }])
  g.open()
  expect(await run.result).toMatchObject({ text: 'heard back' })
  expect(await handle.receipts()).toMatchObject([{ from: 'main', status: 'acted' }])
  expect(JSON.stringify(h.model.requestsOf('worker')[1]!.messages)).toContain('look at the tests too')
})

test('P26 a message to a child that has ended wakes it, and its caller is told of the new end', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'work', { name: 'ada' })] },
        send('ada', 'and now the tests'),
        'waiting',
        'got both',
      ],
      worker: ['first', 'second'],
    },
    { agents: [agent('worker')] },
  )
  expect(await h.run()).toMatchObject({ text: 'got both' })
  expect(h.toolTexts('main')[1]).toMatch(/^Run a\w+ \(ada\) had ended \(completed\); the message wakes it/)
  const last = JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)
  expect(last).toContain('has ended. Its report follows')
  expect(last).toContain('second')
  expect(await h.offshoot.list({ agent: 'worker' })).toMatchObject([{ attempt: 2, outcome: 'completed' }])
})

test('two messages in one turn to an ended child wake it once, and it reads both', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'work', { name: 'ada' })] },
        { calls: [...send('ada', 'one').calls, ...send('ada', 'two').calls] },
        'waiting',
        'done',
      ],
      worker: ['first', 'second'],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  const second = JSON.stringify(h.model.requestsOf('worker')[1]!.messages)
  expect(second).toContain('one')
  expect(second).toContain('two')
  expect(await h.offshoot.list({ agent: 'worker' })).toMatchObject([{ attempt: 2 }])
})

test('a person may speak to an ended child of a running caller: the caller hears of the new end', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: [task('worker')] }, { text: 'thinking', after: g.opened }, 'now both'],
      worker: ['first', 'second'],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  const [child] = await h.offshoot.list({ agent: 'worker' })
  await h.offshoot.run(child!.runId).say('once more')
  await h.clock.settle()
  g.open()
  expect(await run.result).toMatchObject({ text: 'now both' })
  expect(JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)).toContain('second')
})

test('a message that a stopped run never read is said in its result, and read when it goes on', async () => {
  const h = house({ main: [{ hangs: true }, 'read it'] })
  const run = await h.start()
  await h.clock.settle()
  await run.say('read me')
  await h.clock.settle()
  await run.stop()
  expect(await run.result).toMatchObject({ outcome: 'cancelled', unread: 1 })
  expect(await run.receipts()).toMatchObject([{ status: 'delivered' }])
  const again = await h.offshoot.resume(run.id)
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ text: 'read it' })
  expect(await run.receipts()).toMatchObject([{ status: 'acted' }])
})

test('bad messages are refused: 10 MB, blank, to nobody, to a run of somebody else', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'work', { name: 'ada' })] },
        {
          calls: [
            ...send('ada', 'x'.repeat(10_000_000)).calls,
            ...send('ada', '  ').calls,
            ...send('nobody', 'x').calls,
            ...send('id-000001', 'x').calls,
          ],
        },
        'ok',
      ],
      worker: ['done'],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await run.result
  const texts = h.toolTexts('main')
  expect(texts[1]).toContain(`at most`)
  expect(texts[2]).toContain('the message is blank')
  expect(texts[3]).toContain('There is no run "nobody" below you')
  expect(texts[4]).toContain('below you')
  expect(await run.say('x'.repeat(maxMessageBytes + 1))).toMatchObject({ rule: 'invalid-message' })
  expect(await h.offshoot.list({ agent: 'worker' })).toMatchObject([{ attempt: 1 }])
})

test('a name already taken by a running child is refused; an ended one gives it free', async () => {
  const g = gate()
  const h = house(
    {
      main: [
        { calls: [background('ada')] },
        { calls: [background('ada')] },
        { calls: [{ name: 'TaskWait' }] },
        { calls: [background('ada')] },
        'a',
        'b',
      ],
      worker: [{ text: 'done', after: g.opened }],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  g.open()
  await run.result
  expect(h.toolTexts('main')[1]).toMatch(/already called "ada"/)
  expect(h.toolTexts('main')[3]).toMatch(/^ada started in the background/)
})

const asker = agent('worker', { tools: [{ name: 'AskCaller' }], limits: { timeoutMs: 30_000 } })
const ask = (input: object) => call('AskCaller', { question: 'Which colour?', ...input })

test('a child asks its caller: the call goes to the background, the clock stands still, the answer is typed', async () => {
  const h = house(
    {
      main: [
        { calls: [task('worker', 'paint', { name: 'ada' })] },
        send('ada', 'purple'),
        send('ada', 'Green'),
        'answered',
        'all done',
      ],
      worker: [ask({ options: ['red', 'green'] }), 'painted'],
    },
    { agents: [asker] },
  )
  expect(await h.run()).toMatchObject({ text: 'all done' })
  const texts = h.toolTexts('main')
  expect(texts[0]).toContain('It has a question for you, which follows')
  expect(JSON.stringify(h.model.requestsOf('main')[1]!.messages)).toMatch(/A message from ada[\s\S]*Which colour\?/)
  expect(texts[1]).toMatch(/waits for an answer, and the answer must be one of: red \| green/)
  expect(texts[2]).toMatch(/^Answered: run a\w+ goes on/)
  expect(h.toolTexts('worker')[0]).toBe('The answer from main: green')
  h.model.assertDone()
})

test('a question of a background child cuts a wait for it short', async () => {
  const h = house(
    {
      main: [{ calls: [background('ada')] }, { calls: [{ name: 'TaskWait' }] }, send('ada', '7'), 'ok', 'done'],
      worker: [ask({ type: 'number' }), 'thanks'],
    },
    { agents: [asker] },
  )
  expect(await h.run()).toMatchObject({ text: 'done' })
  expect(h.toolTexts('main')[1]).toBe('Waiting ended early: ada has a question for you, which follows.')
  expect(h.toolTexts('worker')[0]).toBe('The answer from main: 7')
})

test('nobody answers in time: the default holds, and waiting was no working time', async () => {
  const h = house(
    {
      main: [{ calls: [background('ada')] }, 'not interested', 'still not', 'fine'],
      worker: [ask({ default: 'red', deadline: 120 }), 'red it is'],
    },
    { agents: [asker] },
  )
  const run = await h.start()
  await h.clock.advance(120_000)
  expect(await run.result).toMatchObject({ outcome: 'completed' })
  expect(h.toolTexts('worker')[0]).toBe('Nobody answered, so the default holds: red')
  expect(await h.offshoot.list({ agent: 'worker' })).toMatchObject([{ outcome: 'completed' }])
})

test('headless: a question to the user takes its default at once; without one the child is told to decide', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker')] }, 'ok'],
      worker: [ask({ to: 'user', default: 'red' }), ask({ to: 'user' }), 'done'],
    },
    { agents: [asker] },
  )
  await h.run()
  expect(h.toolTexts('worker')).toEqual([
    'Nobody answered, so the default holds: red',
    'Nobody answered, and there is no default. Decide yourself, and say so in your report.',
  ])
})

test('a question to the user is open until it is answered, in the type that was asked for', async () => {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [ask({ to: 'user', type: 'boolean' }), 'done'] },
    { agents: [asker], approver: listening },
  )
  const run = await h.start()
  await h.clock.advance(200_000)
  const [open] = h.offshoot.questions.open()
  expect(open).toMatchObject({ path: ['main', 'worker'], question: { text: 'Which colour?', type: 'boolean' } })
  expect(await h.offshoot.questions.answer(open!.questionId, 'perhaps')).toMatchObject({ rule: 'invalid-answer' })
  expect(await h.offshoot.questions.answer(open!.questionId, 'yes')).toBeUndefined()
  await run.result
  expect(h.toolTexts('worker')[0]).toBe('The answer from user: true')
  expect(h.offshoot.questions.open()).toEqual([])
  expect(await h.offshoot.questions.answer(open!.questionId, 'yes')).toMatchObject({ rule: 'unknown-question' })
})

test('a second answer to a question was taken without a word, and counted for nothing', async () => {
  const h = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: [ask({ to: 'user', type: 'boolean' }), 'done'] },
    { agents: [asker], approver: listening },
  )
  const run = await h.start()
  await h.clock.settle()
  const { questionId } = h.offshoot.questions.open()[0]!
  const answers = ['yes', 'no'].map(answer => h.offshoot.questions.answer(questionId, answer))
  expect(await Promise.all(answers)).toMatchObject([undefined, { rule: 'unknown-question' }])
  await run.result
  expect(h.toolTexts('worker')[0]).toBe('The answer from user: true')
})

test('a default that does not fit, and a blank question, are errors; agents that do not name the tool have none', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker'), task('plain')] }, 'ok'],
      worker: [ask({ type: 'number', default: 'many' }), call('AskCaller', { question: ' ' }), 'done'],
      plain: ['done'],
    },
    { agents: [asker, agent('plain')] },
  )
  await h.run()
  expect(h.toolTexts('worker')).toEqual([
    'The default does not fit: the answer must be a number.',
    'The question is blank.',
  ])
  expect(h.model.requestsOf('plain')[0]!.declared.tools).toEqual([])
  expect(h.model.requestsOf('main')[0]!.declared.tools.map(({ name }) => name)).not.toContain('AskCaller')
})

test('an approval nobody answers in time expires, and the run ends as such', async () => {
  const h = house(
    { main: [call('Write')] },
    {
      approver: listening,
      judge: { judge: () => ({ decision: 'ask', rule: 'test', reason: 'asks' }) },
      tools: [tool('Write', 'write', () => 'x')],
      policy: { approvalExpiryMs: 60_000 },
    },
  )
  const run = await h.start()
  await h.clock.advance(60_000)
  expect(await run.result).toMatchObject({ outcome: 'approval_expired' })
})
