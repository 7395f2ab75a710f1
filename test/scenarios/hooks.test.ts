import { expect, test } from 'vitest'
import { combineHooks } from '../../src/adapters/hooks/combine-hooks.js'
import { functionHooks, type HookFunctions } from '../../src/adapters/hooks/function-hooks.js'
import { jsonlStore } from '../../src/adapters/stores/jsonl.js'
import type { Envelope } from '../../src/core/events.js'
import type { HookEvent, Hooks } from '../../src/core/hooks/hooks.js'
import type { Message } from '../../src/core/message.js'
import type { Tool } from '../../src/core/ports.js'
import { createOffshoot, type OffshootOptions } from '../../src/offshoot.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { ScriptedModel } from '../../src/testing/scripted-model.js'
import { createTestWorkspace } from '../support/tool-workspace.js'
import { agent, call, house, task, tool } from './house.js'

const textsOf = (messages: readonly Message[] = []) =>
  messages.flatMap(({ content }) => content.map(part => ('text' in part ? part.text : part.type)))
const hookEvents = (events: readonly Envelope[], name: string) =>
  events.flatMap(envelope => (envelope.agent === name && envelope.event.type === 'hook.ended' ? [envelope.event] : []))
const forChildren = (functions: HookFunctions): Hooks =>
  functionHooks({ ...functions, filter: (brief, name) => brief.depth > 0 && (functions.filter?.(brief, name) ?? true) })

function recorder() {
  const heard: string[] = []
  const note = ({ point, brief, result }: HookEvent) => {
    heard.push([point, brief.agent, result?.outcome].filter(Boolean).join(' '))
    return undefined
  }
  return { heard, functions: { start: note, stop: note } satisfies HookFunctions }
}

test('a start hook adds context, rewrites the prompt and caps the turns; all of it is in the log', async () => {
  const { run, model, events } = house(
    { main: [{ calls: [task('worker', 'the first wording')] }, 'done'], worker: [call('Look'), 'at the limit'] },
    {
      agents: [agent('worker', { criticalReminder: 'Touch nothing.' })],
      tools: [tool('Look', 'read', () => 'seen')],
      hooks: forChildren({
        start: () => ({ verdict: 'go', context: 'It is late.', prompt: 'the new wording', maxTurns: 1 }),
      }),
    },
  )
  await run()
  const first = textsOf(model.requestsOf('worker')[0]?.messages)
  expect(first.join('\n')).toContain('It is late.')
  expect(first.at(-1)).toBe('the new wording')
  expect(first.at(-2)).toContain('Touch nothing.')
  expect(first.join('\n')).not.toContain('the first wording')
  const [recorded] = hookEvents(events, 'worker')
  expect(recorded).toMatchObject({
    point: 'start',
    verdict: 'go',
    text: 'It is late.',
    brief: { limits: { maxTurns: 1 } },
  })
  expect(model.requestsOf('worker').map(({ purpose }) => purpose)).toEqual(['work', 'grace'])
})

test('a start hook cannot raise a limit', async () => {
  const { run, events } = house(
    { main: [{ calls: [task('worker')] }, 'done'], worker: ['fine'] },
    {
      agents: [agent('worker', { limits: { maxTurns: 2 } })],
      hooks: forChildren({ start: () => ({ verdict: 'go', maxTurns: 100 }) }),
    },
  )
  await run()
  expect(hookEvents(events, 'worker')[0]).not.toHaveProperty('brief')
})

test('I07: ten spawns refused by a start hook: no model call, no slot held, ten structured denials, ten ended rows', async () => {
  const { run, model, offshoot, toolTexts } = house(
    { main: [{ calls: Array.from({ length: 10 }, () => task('worker')) }, 'understood'] },
    {
      agents: [agent('worker')],
      policy: { concurrency: 2 },
      hooks: forChildren({ start: () => ({ verdict: 'refuse', reason: 'not on Sundays' }) }),
    },
  )
  expect(await run()).toMatchObject({ outcome: 'completed', text: 'understood' })
  expect(model.requestsOf('worker')).toEqual([])
  expect(toolTexts('main')).toHaveLength(10)
  for (const text of toolTexts('main')) expect(text).toContain('not on Sundays')
  const rows = await offshoot.list({ agent: 'worker' })
  expect(rows.map(({ status, outcome }) => [status, outcome])).toEqual(Array(10).fill(['ended', 'failed']))
})

test('I02 P36: a stop hook that always sends back is bounded, and the first report survives', async () => {
  const active: (number | undefined)[] = []
  const { run, model, events } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['the report: 42', 'again', 'again and again', 'enough'] },
    {
      agents: [agent('worker')],
      hooks: forChildren({
        stop: ({ returns }) => {
          active.push(returns)
          return { verdict: 'send-back', reason: 'run the tests' }
        },
      }),
    },
  )
  await run()
  expect(active).toEqual([0, 1, 2, 3])
  expect(model.requestsOf('worker')).toHaveLength(4)
  const ended = events.find(({ agent: name, event }) => name === 'worker' && event.type === 'run.ended')?.event
  const result = ended?.type === 'run.ended' ? ended.result : undefined
  expect(result).toMatchObject({ outcome: 'completed' })
  expect(result?.text).toMatch(/^the report: 42/)
  expect(result?.text).toContain('enough')
  expect(result?.objection).toBe('run the tests')
  expect(hookEvents(events, 'worker').map(({ verdict }) => verdict)).toEqual([
    'send-back',
    'send-back',
    'send-back',
    'go',
  ])
})

test('a report that a stop hook would have sent back once more was taken without a word to anybody', async () => {
  const { run, toolTexts, events } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['done', 'done', 'done', 'done'] },
    {
      agents: [agent('worker')],
      hooks: forChildren({ stop: () => ({ verdict: 'send-back', reason: '3 tests fail' }) }),
    },
  )
  await run()
  const words = 'A stop hook does not accept this report, and may not send it back any more: 3 tests fail.'
  expect(toolTexts('main')[0]).toMatch(`[${words}]`)
  expect(hookEvents(events, 'worker').map(({ notes }) => notes)).toEqual([undefined, undefined, undefined, [words]])
})

test('a run that a stop hook sent back once hands over what satisfied the hook', async () => {
  const { run, toolTexts } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['no tests yet', 'all tests pass'] },
    {
      agents: [agent('worker')],
      hooks: forChildren({
        stop: ({ result }) =>
          result?.text.includes('pass') ? undefined : { verdict: 'send-back', reason: 'run the tests' },
      }),
    },
  )
  await run()
  expect(toolTexts('main')[0]).toContain('all tests pass')
  expect(toolTexts('main')[0]).not.toContain('no tests yet')
})

test('a run that fails after it was sent back still hands over the report it had', async () => {
  const { run, toolTexts } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['the report: 42', { error: { message: 'overloaded' } }] },
    {
      agents: [agent('worker')],
      hooks: forChildren({ stop: ({ returns }) => (returns ? undefined : { verdict: 'send-back', reason: 'more' }) }),
    },
  )
  await run()
  expect(toolTexts('main')[0]).toContain('the report: 42')
})

const endings: readonly (readonly [string, Parameters<typeof house>[0][string], string])[] = [
  ['completes', ['fine'], 'completed'],
  ['fails', [{ error: { message: 'down' } }], 'failed'],
  ['is refused by its model', [{ text: 'I will not', finish: 'refusal' }], 'refused_by_model'],
  ['runs out of turns', [call('Look'), 'in grace'], 'completed'],
  ['has a model adapter that throws', [{ throws: new Error('bug') }], 'failed'],
]
test.each(endings)('P35: a run that %s has one start and one stop', async (_, script, outcome) => {
  const { heard, functions } = recorder()
  const { run, events } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: script },
    {
      agents: [agent('worker', { limits: { maxTurns: 1 } })],
      tools: [tool('Look', 'read', () => 'seen')],
      hooks: forChildren(functions),
    },
  )
  await run()
  expect(heard).toEqual(['start worker', `stop worker ${outcome}`])
  expect(hookEvents(events, 'worker').map(({ point }) => point)).toEqual(['start', 'stop'])
})

test('P35: a cancelled run has one stop; one that never had its start has none', async () => {
  const { heard, functions } = recorder()
  const { start, events } = house({ main: [{ hangs: true }] }, { hooks: functionHooks(functions) })
  const run = await start()
  while (!events.some(({ event }) => event.type === 'turn.started')) await new Promise(setImmediate)
  await run.stop()
  expect(await run.result).toMatchObject({ outcome: 'cancelled' })
  expect(heard).toEqual(['start main', 'stop main cancelled'])

  const second = recorder()
  const stopped = new AbortController()
  stopped.abort()
  const other = house({}, { hooks: functionHooks(second.functions) })
  const never = await other.offshoot.start({ prompt: 'x', description: 'x' }, { signal: stopped.signal })
  expect('refused' in never ? never : await never.result).toMatchObject({ outcome: 'cancelled' })
  expect(second.heard).toEqual([])
})

test('P35: a bug in a hook ends the run with its stop recorded', async () => {
  const broken: Hooks = {
    wants: (_, brief) => brief.depth > 0,
    fire: async ({ point }) => {
      if (point === 'stop') throw new Error('the hooks adapter broke its word')
      return { verdict: 'go' }
    },
  }
  const { run, events, toolTexts } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['fine'] },
    { agents: [agent('worker')], hooks: broken },
  )
  expect(await run()).toMatchObject({ outcome: 'completed' })
  expect(toolTexts('main')[0]).toContain('broke its word')
  expect(hookEvents(events, 'worker').map(({ point }) => point)).toEqual(['start', 'stop'])
})

test('P35: killed between start and stop: the stop comes at recovery, once, and the start is not repeated', async () => {
  const folder = createTestWorkspace()
  const clock = new FakeClock()
  const { heard, functions } = recorder()
  const script = { main: [{ calls: [task('worker')] }, 'ok'], worker: [{ hangs: true }] }
  const process = async (scripts: typeof script | { main: string[]; worker: string[] }, id: string) => {
    const options: OffshootOptions = {
      model: new ScriptedModel(scripts),
      store: await jsonlStore({ directory: folder.path('store') }),
      clock,
      agents: [agent('worker')],
      hooks: forChildren(functions),
      owner: { id, host: 'here', pid: 1, startedAt: 1 },
      policy: { defaultModel: 'test/model' },
    }
    return createOffshoot(options)
  }
  const first = await process(script, 'first')
  const turns: string[] = []
  first.subscribe({}, ({ agent: name, event }) => void (event.type === 'turn.started' && turns.push(name)))
  await first.start({ prompt: 'go', description: 'go' })
  while (!turns.includes('worker')) await new Promise(setImmediate)
  expect(heard).toEqual(['start worker'])
  await first.close('leave')
  expect(heard).toEqual(['start worker'])

  const second = await process({ main: ['ok'], worker: ['fine'] }, 'second')
  const [root] = (await second.recover()).filter(({ depth }) => depth === 0)
  expect(await second.run(root!.runId).result).toMatchObject({ outcome: 'completed' })
  expect(heard).toEqual(['start worker', 'stop worker completed'])
  await second.close()
  folder.remove()
})

test('every attempt has its own start and stop, with what the run was asked this time', async () => {
  const prompts: (string | undefined)[] = []
  const { heard, functions } = recorder()
  const { start, offshoot, model } = house(
    { main: ['one', 'two'] },
    {
      hooks: combineHooks(
        functionHooks({
          start: ({ prompt, attempt }) => {
            prompts.push(prompt)
            return { verdict: 'go', context: `attempt ${attempt}` }
          },
        }),
        functionHooks(functions),
      ),
    },
  )
  const run = await start({ prompt: 'first' })
  await run.result
  const again = await offshoot.resume(run.id, 'second')
  if ('refused' in again) throw new Error(again.refused)
  expect(await again.result).toMatchObject({ text: 'two' })
  expect(heard).toEqual(['start main', 'stop main completed', 'start main', 'stop main completed'])
  expect(prompts).toEqual(['first', 'second'])
  expect(textsOf(model.requests.at(-1)?.messages).join('\n')).toContain('attempt 2')
})

test('a prompt that a hook refuses is not asked, now or later', async () => {
  const { start, offshoot, model } = house(
    { main: ['one', 'three'] },
    {
      hooks: functionHooks({
        start: ({ prompt }) => (prompt?.includes('password') ? { verdict: 'refuse', reason: 'no secrets' } : undefined),
      }),
    },
  )
  const run = await start({ prompt: 'hello' })
  await run.result
  const resume = async (prompt: string) => {
    const again = await offshoot.resume(run.id, prompt)
    if ('refused' in again) throw new Error(again.refused)
    return again.result
  }
  expect(await resume('my password is x')).toMatchObject({ outcome: 'failed', error: { rule: 'hook-refused' } })
  expect(await resume('and now?')).toMatchObject({ outcome: 'completed', text: 'three' })
  expect(textsOf(model.requests.at(-1)?.messages).join('\n')).not.toContain('password')
})

test('I04: a hook’s allow never beats a deny; it answers an ask, but not one that is for a person alone', async () => {
  const verdicts = {
    denied: { decision: 'deny', rule: 'r', reason: 'never' },
    asked: { decision: 'ask', rule: 'r', reason: 'may I' },
    firm: { decision: 'ask', rule: 'r', reason: 'may I', isFirm: true },
  } as const
  const ran: string[] = []
  const story = async (hooks: Hooks) => {
    ran.length = 0
    const { run, toolTexts } = house(
      { main: [{ calls: Object.keys(verdicts).map(name => ({ name })) }, 'ok'] },
      {
        tools: Object.keys(verdicts).map(name => tool(name, 'execute', () => `run ${ran.push(name)}`)),
        judge: { judge: ({ spec }) => verdicts[spec.name as keyof typeof verdicts] },
        hooks,
      },
    )
    await run()
    return toolTexts('main')
  }
  await story(functionHooks({ preTool: () => ({ verdict: 'go', approves: true }) }))
  expect(ran).toEqual(['asked'])
  await story(functionHooks({ permission: () => ({ verdict: 'go', approves: true }) }))
  expect(ran).toEqual(['asked'])
  const texts = await story(functionHooks({ permission: () => ({ verdict: 'refuse', reason: 'the hook said no' }) }))
  expect(ran).toEqual([])
  expect(texts.filter(text => text.includes('the hook said no'))).toHaveLength(2)
})

test('what a hook changes in an input is judged again', async () => {
  const ran: unknown[] = []
  const { run, toolTexts } = house(
    { main: [call('Do', { what: 'good' }), 'ok'] },
    {
      tools: [tool('Do', 'execute', input => `run ${ran.push(input)}`)],
      judge: {
        judge: ({ input }) =>
          JSON.stringify(input).includes('bad')
            ? { decision: 'deny', rule: 'r', reason: 'bad is denied' }
            : { decision: 'allow', rule: 'r' },
      },
      hooks: functionHooks({ preTool: () => ({ verdict: 'go', input: { what: 'bad' } }) }),
    },
  )
  await run()
  expect(ran).toEqual([])
  expect(toolTexts('main')[0]).toContain('bad is denied')
})

test('a call that a hook made into a write ran beside the others', async () => {
  let underWay = 0
  const beside: number[] = []
  const change: Tool = {
    spec: { name: 'Change', description: 'x', effect: 'read', inputSchema: { type: 'object' } },
    effectOf: input => ((input as { writes?: boolean }).writes ? 'write' : 'read'),
    run: async input => {
      underWay++
      for (let rounds = 0; rounds < 5; rounds++) await new Promise(setImmediate)
      if ((input as { writes?: boolean }).writes) beside.push(underWay)
      underWay--
      return { content: 'ok' }
    },
  }
  const one = (n: number) => call('Change', { n }).calls
  const { run } = house(
    { main: [{ calls: [...one(1), ...one(2), ...one(3), ...one(4)] }, 'ok'] },
    {
      tools: [change],
      hooks: functionHooks({
        preTool: ({ call }) => {
          const { n } = call!.input as { n: number }
          return n % 2 === 0 ? { verdict: 'go', input: { n, writes: true } } : undefined
        },
      }),
    },
  )
  expect((await run()).outcome).toBe('completed')
  expect(beside).toEqual([1, 1])
})

test('when the process lets go, each root that ran here hears the end of its session', async () => {
  const ended: string[] = []
  const { run, offshoot } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['fine'] },
    {
      agents: [agent('worker')],
      hooks: functionHooks({ sessionEnd: ({ brief }) => void ended.push(brief.agent) as undefined }),
    },
  )
  await run()
  expect(ended).toEqual([])
  await offshoot.close()
  expect(ended).toEqual(['main'])
})

test('before a conversation is summed up, hooks hear of it', async () => {
  const heard: (string | undefined)[] = []
  const overflow = { error: { message: 'too long', kind: 'context-overflow' as const } }
  const looks = Array.from({ length: 4 }, (_, n) => ({
    ...call('Look', { n }, `c${n}`),
    usage: { input: 1000 * n + 50 },
  }))
  const { run } = house(
    { main: [...looks, overflow, 'the summary', 'went on'] },
    {
      agents: [agent('main', { canSpawn: false })],
      tools: [tool('Look', 'read', ({ n }: { n: number }) => `${n}: ${'word '.repeat(800)}`)],
      hooks: functionHooks({ preCompact: ({ reason }) => void heard.push(reason) as undefined }),
    },
  )
  expect(await run()).toMatchObject({ outcome: 'completed', text: 'went on' })
  expect(heard).toEqual(['auto'])
})

test.each([
  ['into what does not fit its schema', { nope: 1 }, /^A hook changed the arguments of Look .*\. Yours were right/],
  ['into what a rule forbids', { what: 'denied' }, /^A hook changed the input of this call\. that is denied/],
])('a call changed %s was answered as if the model had asked for that', async (_, input, words) => {
  const look = { ...tool('Look', 'read', () => 'seen') }
  const what = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] } as const
  const { run, toolTexts, events } = house(
    { main: [call('Look', { what: 'mine' }), 'ok'] },
    {
      tools: [
        { ...look, spec: { ...look.spec, inputSchema: what }, context: given => (given as { what: string }).what },
      ],
      hooks: functionHooks({ preTool: () => ({ verdict: 'go', input }) }),
      judge: {
        judge: ({ input: judged }) =>
          (judged as { what: string }).what === 'denied'
            ? { decision: 'deny', rule: 'no', reason: 'that is denied' }
            : { decision: 'allow', rule: 'yes' },
      },
    },
  )
  await run()
  expect(toolTexts('main')[0]).toMatch(words)
  const ended = events.find(({ event }) => event.type === 'tool.ended')?.event
  expect(ended).not.toMatchObject({ context: expect.stringContaining('undefined') })
})
