import { expect, test } from 'vitest'
import { agent, call, house, isProcessMode, task, tool } from './house.js'

const look = tool('Look', 'read', ({ n }: { n?: number }) => `seen ${n ?? ''}`)
const looks = (count: number) => Array.from({ length: count }, (_, n) => call('Look', { n }))
const output = { name: 'answer', schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } }

test('F3 P1 P2 X18 turn limit N: exactly N+1 model calls, the last with only the report possible, and the result says so', async () => {
  const h = house(
    { main: [...looks(3), 'what I have'] },
    { agents: [agent('main', { limits: { maxTurns: 3 } })], tools: [look] },
  )
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'completed', recoveredFrom: 'max_turns', text: 'what I have', turns: 3 })
  expect(h.model.requests).toHaveLength(4)
  expect(h.model.requests.map(request => request.toolChoice)).toEqual(['auto', 'auto', 'auto', 'none'])
  expect(h.model.requests[3]!.declared).toBe(h.model.requests[0]!.declared)
})

test('P1 another tool called in the grace turn is not run, and the original outcome stands with the partial text', async () => {
  let runs = 0
  const count = tool('Look', 'read', ({ n }: { n: number }) => ((runs += 1), `seen ${n}`))
  const h = house(
    { main: [{ text: 'halfway there', ...call('Look', { n: 1 }) }, call('Look', { n: 2 })] },
    { agents: [agent('main', { limits: { maxTurns: 1 } })], tools: [count] },
  )
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'max_turns', text: 'halfway there' })
  expect(runs).toBe(1)
  expect(h.events.some(({ event }) => event.type === 'tool.ended' && event.status === 'not-run')).toBe(true)
})

test('grace 0: the limit ends the run at once', async () => {
  const h = house(
    { main: looks(2) },
    { agents: [agent('main', { limits: { maxTurns: 2, graceMs: 0 } })], tools: [look] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'max_turns', turns: 2 })
})

test('F3 S2 time limit: the model call is cancelled, grace saves what was streamed, the clock starts with the first turn', async () => {
  const h = house(
    { main: [{ text: 'streamed so far', hangs: true }, 'my report'] },
    { agents: [agent('main', { limits: { timeoutMs: 10_000 } })] },
  )
  const run = await h.start()
  await h.clock.advance(10_000)
  expect(await run.result).toMatchObject({ outcome: 'completed', recoveredFrom: 'timeout', text: 'my report' })
})

// A process that goes by its host's fake clock asks nobody what was skipped.
test.skipIf(isProcessMode)(
  'D6 a process that was stopped for longer than the limit ended its run as timeout',
  async () => {
    let jump = 0
    const sleep = tool('Sleep', 'execute', () => ((jump = 200_000), 'slept'))
    const h = house(
      { main: [call('Sleep'), 'my report'] },
      { agents: [agent('main', { limits: { timeoutMs: 100_000 } })], tools: [sleep] },
    )
    const standing = h.clock.now()
    Object.assign(h.clock, {
      now: () => standing + jump,
      skippedSince: (at: number) => (at < standing + jump ? jump : 0),
    })
    const result = await h.run()
    expect(result).toMatchObject({ outcome: 'completed', text: 'my report', durationMs: 0 })
    expect(result.recoveredFrom).toBeUndefined()
    expect(h.events.flatMap(({ event }) => (event.type === 'clock.skipped' ? [event.ms] : []))).toEqual([200_000])
  },
)

test('S2 after a wasted grace the timeout stands, with the partial text, and nothing more is read', async () => {
  const h = house(
    { main: [{ text: 'streamed so far', hangs: true }, { hangs: true }] },
    { agents: [agent('main', { limits: { timeoutMs: 10_000, graceMs: 5_000 } })] },
  )
  const run = await h.start()
  await h.clock.advance(15_000)
  expect(await run.result).toMatchObject({ outcome: 'timeout', text: 'streamed so far' })
  expect(h.model.requests).toHaveLength(2)
  expect(h.clock.pending).toBe(0)
})

test('a tool that never resolves is cut off by the time limit and nobody waits for it', async () => {
  const h = house(
    { main: [call('Stuck'), 'gave up on it'] },
    {
      agents: [agent('main', { limits: { timeoutMs: 10_000 } })],
      tools: [tool('Stuck', 'execute', () => new Promise<string>(() => {}))],
    },
  )
  const run = await h.start()
  await h.clock.advance(10_000)
  expect(await run.result).toMatchObject({ outcome: 'completed', recoveredFrom: 'timeout' })
  expect(h.toolTexts('main')[0]).toBe('Not finished: the run reached its limit (timeout).')
})

test('P3 invalid complete_task arguments go back to the model with the reason', async () => {
  const h = house(
    { main: [call('complete_task', { answer: { n: 'x' } }), call('complete_task', { answer: { n: 4 } })] },
    { agents: [agent('main', { output })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', output: { n: 4 } })
  expect(h.toolTexts('main')[0]).toContain('answer.n: must be number')
})

test('complete_task takes no extra keys, and an empty result is none', async () => {
  const h = house(
    {
      main: [
        call('complete_task', { result: 'x', more: 1 }),
        call('complete_task', { result: ' ' }),
        call('complete_task', { result: 'good' }),
      ],
    },
    { agents: [agent('main', { completion: 'explicit' })] },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'good' })
  expect(h.toolTexts('main')).toEqual([
    expect.stringContaining('there is no "more"'),
    expect.stringContaining('"result" is empty'),
  ])
})

test('P4 two complete_task calls in one turn: the first wins, the other calls are not run, one ending', async () => {
  let looked = 0
  const h = house(
    {
      main: [
        {
          calls: [
            { name: 'Look' },
            { name: 'complete_task', input: { result: 'one' } },
            { name: 'complete_task', input: { result: 'two' } },
          ],
        },
      ],
    },
    {
      agents: [agent('main', { completion: 'explicit' })],
      tools: [tool('Look', 'read', () => ((looked += 1), 'x'))],
    },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'one' })
  expect(looked).toBe(0)
  expect(h.events.filter(({ event }) => event.type === 'run.ended')).toHaveLength(1)
  expect(h.events.filter(({ event }) => event.type === 'tool.ended' && event.status === 'not-run')).toHaveLength(2)
})

test('ending without complete_task gets one reminder turn; the report then says what it was saved from', async () => {
  const h = house(
    { main: ['I am done', call('complete_task', { result: 'really' })] },
    { agents: [agent('main', { completion: 'explicit' })] },
  )
  expect(await h.run()).toMatchObject({
    outcome: 'completed',
    recoveredFrom: 'no_completion',
    text: 'really',
    turns: 1,
  })
  expect(h.model.requests[1]).toMatchObject({ purpose: 'reminder', toolChoice: { tool: 'complete_task' } })
})

test('ending without complete_task twice is no_completion, with the text it had', async () => {
  const h = house({ main: ['I am done', 'still done'] }, { agents: [agent('main', { completion: 'explicit' })] })
  expect(await h.run()).toMatchObject({ outcome: 'no_completion', text: 'still done' })
})

test('an empty reply gets one reminder, then the run ends as no_completion, never as an empty success', async () => {
  const h = house({ main: [{}, {}] })
  expect(await h.run()).toMatchObject({ outcome: 'no_completion', text: '' })
  const saved = house({ main: [{ thought: 'only thinking' }, 'here it is'] })
  expect(await saved.run()).toMatchObject({ outcome: 'completed', recoveredFrom: 'no_completion', text: 'here it is' })
})

test('a reply cut off at the output limit is continued and the parts are joined', async () => {
  const h = house({ main: [{ text: 'first half, ', finish: 'length' }, 'second half'] })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'first half, second half' })
})

const cuts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ text: `part ${n}, `, finish: 'length' as const }))

test('a model that is always cut off was asked to go on without end: it is told to be short, then the run is over', async () => {
  const h = house({ main: cuts(20) })
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'no_completion', error: { rule: 'cut-off' } })
  expect(result.text).toBe('part 0, part 1, part 2, part 3, part 4, part 5, part 6,')
  expect(h.model.requests.map(({ purpose }) => purpose)).toEqual([...Array(6).fill('work'), 'reminder'])
})

test('the short report after too many cuts stands alone, and says that it was asked for', async () => {
  const h = house({ main: [...cuts(6), 'in short: done'] })
  expect(await h.run()).toMatchObject({ outcome: 'completed', recoveredFrom: 'no_completion', text: 'in short: done' })
})

test('a long answer in six pieces is whole; a call in between counts the pieces anew', async () => {
  const h = house({ main: [...cuts(5), 'the end'] })
  expect(await h.run()).toMatchObject({
    outcome: 'completed',
    text: 'part 0, part 1, part 2, part 3, part 4, the end',
  })
  const again = house({ main: [...cuts(4), call('Look'), ...cuts(4), 'the end'] }, { tools: [look] })
  expect(await again.run()).toMatchObject({ outcome: 'completed' })
})

test('a reminder’s own answer that is cut off is gone on with', async () => {
  const h = house({ main: [{}, { text: 'first half, ', finish: 'length' }, 'second half'] })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'first half, second half' })
})

test('a provider’s error in the last turn stood only in the log: the result names it beside the limit', async () => {
  const h = house(
    {
      main: [call('Task', task('w').input), 'done'],
      w: [call('Look'), { error: { message: '400 no', kind: 'bad-request' } }],
    },
    { agents: [agent('main'), agent('w', { limits: { maxTurns: 1 } })], tools: [look] },
  )
  await h.run()
  expect(h.toolTexts('main').join()).toContain(
    '[The run ran out of turns: its last turn failed: 400 no. It left no text.]',
  )
  const ended = h.events.flatMap(({ event, agent }) =>
    event.type === 'run.ended' && agent === 'w' ? [event.result] : [],
  )
  expect(ended).toMatchObject([{ outcome: 'max_turns', error: { rule: 'bad-request' } }])
})

test('a reply that ended for a reason nobody knows is told as that, to the caller’s model, too', async () => {
  const half = { text: 'half an ans', finish: 'other' as const, unknownStop: 'weird' }
  const h = house({ main: [call('Task', task('w').input), half], w: [half] }, { agents: [agent('main'), agent('w')] })
  expect(await h.run()).toMatchObject({ outcome: 'completed', text: 'half an ans', unknownStop: 'weird' })
  expect(h.toolTexts('main').join()).toContain(
    '[The model stopped for a reason that nobody here knows, "weird": this report may be incomplete.]\n\nhalf an ans',
  )
})

test('P5 S4 S7 a provider failure on the last turn is a failure with its message, keeps the partial text and blames no tool', async () => {
  const h = house(
    {
      main: [
        call('Look'),
        { text: 'I was say', error: { message: '503 overloaded', kind: 'overloaded', isRetryable: true } },
      ],
    },
    { tools: [look] },
  )
  const result = await h.run()
  expect(result).toMatchObject({
    outcome: 'failed',
    text: 'I was say',
    error: { message: '503 overloaded', rule: 'overloaded' },
  })
  expect(result.failedTool).toBeUndefined()
})

test('S4 a tool that throws becomes an error result with its message, and the run goes on', async () => {
  const h = house(
    { main: [call('Boom'), 'noted'] },
    {
      tools: [
        tool('Boom', 'execute', () => {
          throw new Error('kaputt')
        }),
      ],
    },
  )
  const result = await h.run()
  expect(result).toMatchObject({ outcome: 'completed', toolLog: [{ name: 'Boom', isSuccess: false }] })
  expect(h.toolTexts('main')[0]).toBe('Boom failed: kaputt')
})

test('S5 a refusal is its own outcome with its text', async () => {
  const h = house({ main: [{ text: 'I will not do that.', finish: 'refusal' }] })
  expect(await h.run()).toMatchObject({ outcome: 'refused_by_model', text: 'I will not do that.' })
})

test('P7 a silent stream is ended by the watchdog; a long tool call is not', async () => {
  const silent = house({ main: [{ text: 'hello', hangs: true }] }, { policy: { stallMs: 60_000 } })
  const run = await silent.start()
  await silent.clock.advance(60_000)
  expect(await run.result).toMatchObject({ outcome: 'failed', text: 'hello', error: { rule: 'stalled' } })

  const long = house(
    { main: [call('Wait'), 'fine'] },
    {
      policy: { stallMs: 60_000 },
      tools: [tool('Wait', 'execute', async (_, { clock, signal }) => (await clock.sleep(200_000, signal), 'done'))],
    },
  )
  const second = await long.start()
  await long.clock.advance(200_000)
  expect(await second.result).toMatchObject({ outcome: 'completed', text: 'fine' })
})

test('P9 J05 two identical calls are fine, the third is answered with a notice, the fourth ends the run as loop', async () => {
  const same = tool('Look', 'read', () => 'nothing new')
  const h = house({ main: Array.from({ length: 4 }, () => call('Look')) }, { tools: [same] })
  expect(await h.run()).toMatchObject({ outcome: 'loop', toolCalls: 4 })
  expect(h.toolTexts('main').map(text => text.includes('same result 3 times in a row'))).toEqual([false, false, true])
})

test('P9 another call in between, or another result, breaks the row; polling tools are exempt', async () => {
  let n = 0
  const h = house(
    {
      main: [
        call('Look'),
        call('Look'),
        call('Other'),
        call('Look'),
        call('Look'),
        ...Array.from({ length: 6 }, () => call('Poll')),
        ...Array.from({ length: 6 }, () => call('Count')),
        'ok',
      ],
    },
    {
      tools: [
        tool('Look', 'read', () => 'same'),
        tool('Other', 'read', () => 'x'),
        tool('Poll', 'read', () => 'not yet', { isPolling: true }),
        tool('Count', 'read', () => String(n++)),
      ],
    },
  )
  expect(await h.run()).toMatchObject({ outcome: 'completed' })
})

test('X16 a summary prompt adds exactly one turn, and the caller gets the summary', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker', 'p', { summary_prompt: 'In one word?' })] }, 'ok'],
      worker: ['a very long story', 'short'],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  expect(h.model.requestsOf('worker').map(request => request.purpose)).toEqual(['work', 'summary'])
  expect(h.toolTexts('main')[0]).toMatch(/^short\n/)
  expect(h.toolTexts('main')[0]).not.toContain('a very long story')
})

test('X17 P30 J07 an over-long report is condensed once; what is still too long is cut with a pointer, and the full text is readable by id', async () => {
  const long = 'A'.repeat(30_000)
  const h = house(
    {
      main: [
        { calls: [task('worker')] },
        request => ({
          calls: [
            {
              name: 'TaskOutput',
              input: { task_id: /run (a\w+) ·/.exec(JSON.stringify(request.messages))![1], offset: 16_384 },
            },
          ],
        }),
        'ok',
      ],
      worker: [long, long],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  const [first, second] = h.toolTexts('main')
  expect(h.model.requestsOf('worker').map(request => request.purpose)).toEqual(['work', 'condense'])
  expect(first).toContain('[… cut: 16384 of 30000 bytes shown. TaskOutput with task_id')
  expect(Buffer.byteLength(first!)).toBeLessThan(17_000)
  expect(second!.startsWith('A'.repeat(30_000 - 16_384))).toBe(true)
})

test('P30 seven children with huge reports do not blow up the caller', async () => {
  const h = house(
    {
      main: [{ calls: Array.from({ length: 7 }, () => task('worker')) }, 'ok'],
      worker: ['B'.repeat(5_000_000), { error: { message: 'too long to condense' } }],
    },
    { agents: [agent('worker')] },
  )
  await h.run()
  expect(Buffer.byteLength(JSON.stringify(h.model.requestsOf('main')[1]!.messages))).toBeLessThan(7 * 17_500)
})

test('S9 C5 the tool log has name, context, short result, success and duration; progress keeps the last five', async () => {
  const h = house(
    { main: [...looks(7), 'ok'] },
    { tools: [{ ...look, context: (input: unknown) => `place ${(input as { n: number }).n}` }] },
  )
  const run = await h.start()
  const result = await run.result
  expect(result.toolLog[0]).toEqual({
    callId: expect.any(String),
    name: 'Look',
    displayName: 'Look',
    context: 'place 0',
    summary: 'seen 0',
    isSuccess: true,
    durationMs: 0,
  })
  expect((await run.progress())!.activities.map(entry => entry.context)).toEqual([2, 3, 4, 5, 6].map(n => `place ${n}`))
})

test('S8 a tool and a model that answer after the end change nothing any more', async () => {
  let answer = () => {}
  const late = new Promise<void>(resolve => (answer = resolve))
  const h = house(
    {
      main: [{ calls: [task('tooler'), task('talker')] }, 'ok'],
      tooler: [call('Deaf'), 'never'],
      talker: [{ text: 'so far', hangs: true }],
    },
    {
      agents: [agent('tooler'), agent('talker')],
      tools: [tool('Deaf', 'execute', () => late.then(() => 'too late'))],
    },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('enough')
  const result = await run.result
  await h.clock.settle()
  const before = h.events.length
  answer()
  await h.clock.settle()
  expect(h.events.slice(before)).toEqual([])
  expect(await run.result).toEqual(result)
  expect(JSON.stringify(h.events)).not.toContain('too late')
})

test('S8 nothing follows the ending event', async () => {
  const h = house({ main: [{ calls: [task('worker')] }, 'ok'], worker: ['done'] }, { agents: [agent('worker')] })
  const run = await h.start()
  await run.result
  await h.clock.settle()
  for (const { runId } of await h.offshoot.list()) {
    const types = []
    for await (const { event } of h.offshoot.run(runId).events()) types.push(event.type)
    expect(types.indexOf('run.ended')).toBe(types.length - 1)
  }
})

test('a child that a last turn saved was told as plain completed by its end, and by its call', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker')] }, 'ok'],
      worker: [call('Look'), 'what I have'],
    },
    { agents: [agent('main'), agent('worker', { limits: { maxTurns: 1 } })], tools: [look] },
  )
  const run = await h.start()
  await run.result
  const told = h.events.filter(({ runId }) => runId === run.id).map(({ event }) => event)
  expect(told.find(({ type }) => type === 'child.ended')).toMatchObject({
    outcome: 'completed',
    recoveredFrom: 'max_turns',
  })
  expect(told.find(event => event.type === 'tool.ended' && event.name === 'Task')).toMatchObject({
    summary: 'completed (recovered from max_turns), 1 turn',
  })
})

test('a run that a last turn saved, resumed without a word, was told that it had completed', async () => {
  const h = house(
    { main: [...looks(1), 'what I have', 'all of it'] },
    { agents: [agent('main', { limits: { maxTurns: 1 } })], tools: [look] },
  )
  const run = await h.start()
  expect(await run.result).toMatchObject({ recoveredFrom: 'max_turns' })
  const again = await h.offshoot.resume(run.id)
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'all of it' })
  expect(JSON.stringify(h.model.requests.at(-1)!.messages.at(-1))).toContain('You stopped earlier (max_turns)')
})
