/** Hooks that answer wrongly, never, or fail: a guard is a no, everything else is told, and nobody waits for ever. */
import { expect, test } from 'vitest'
import {
  type FunctionHooksOptions,
  functionHooks,
  type HookFunctions,
} from '../../src/adapters/hooks/function-hooks.js'
import type { Hooks } from '../../src/core/hooks/hooks.js'
import { agent, call, house, storyClock, task, tool } from './house.js'

const hang = () => new Promise<never>(() => {})
const anything = (answer: unknown) => () => answer as never

/** One call of a shell, under these hooks. */
function shell(functions: HookFunctions | Hooks, options: FunctionHooksOptions = {}) {
  const ran: unknown[] = []
  const errors: string[] = []
  const clock = storyClock()
  const hooks = 'fire' in functions ? functions : functionHooks(functions, { clock, ...options })
  const h = house(
    { main: [call('Bash', { command: 'ls' }), 'done'] },
    {
      tools: [tool('Bash', 'execute', input => `ran ${ran.push(input)}`)],
      clock,
      hooks,
      onError: error => void errors.push(String(error)),
    },
  )
  const answer = () => h.events.flatMap(({ event }) => (event.type === 'tool.ended' ? [event] : []))[0]
  return { ...h, clock, ran, errors, answer }
}

const wrong: readonly (readonly [string, () => never])[] = [
  ['another point’s word', anything({ verdict: 'send-back', reason: 'never run shells' })],
  ['false', anything(false)],
  ['null', anything(null)],
  ['a text', anything('yes please')],
  ['an object without a verdict', anything({ allow: true })],
  [
    'by throwing nothing',
    () => {
      throw undefined
    },
  ],
  [
    'by throwing what cannot be shown',
    () => {
      throw Object.create(null)
    },
  ],
]

test.each(wrong)(
  'a guard that answers with %s lets no call run, and the log says which hook it was',
  async (_, preTool) => {
    const { run, ran, answer } = shell({ preTool })
    expect((await run()).outcome).toBe('completed')
    expect(ran).toEqual([])
    expect(answer()).toMatchObject({
      status: 'denied',
      rule: 'hook',
      content: [{ text: expect.stringContaining('the pre-tool hook') }],
      notes: [expect.stringContaining('the pre-tool hook')],
    })
  },
)

test('the judge’s word for no is a no, with its reason', async () => {
  const { run, ran, answer } = shell({ preTool: anything({ verdict: 'deny', reason: 'no shells here' }) })
  await run()
  expect(ran).toEqual([])
  expect(answer()).toMatchObject({ status: 'denied', content: [{ text: 'no shells here' }] })
})

test('hooks of a host’s own making that answer nonsense let no call run either', async () => {
  const nonsense = { wants: () => true, fire: async () => ({ verdict: 'sure' }) as never } satisfies Hooks
  const { run, ran } = shell(nonsense)
  await run()
  expect(ran).toEqual([])
})

test('words that a point does not have do not type-check', () => {
  // @ts-expect-error only a stop hook sends back
  functionHooks({ preTool: () => ({ verdict: 'send-back', reason: 'x' }) })
  // @ts-expect-error deny is the judge's word
  functionHooks({ preTool: () => ({ verdict: 'deny', reason: 'x' }) })
  // @ts-expect-error a run that has ended cannot be refused
  functionHooks({ stop: () => ({ verdict: 'refuse', reason: 'x' }) })
  // @ts-expect-error what a tool did is done
  functionHooks({ postTool: () => ({ verdict: 'ask', reason: 'x' }) })
})

test('a guard that hangs is a no after a minute', async () => {
  const { start, clock, ran, answer } = shell({ preTool: hang })
  const run = await start()
  await clock.settle()
  await clock.advance(59_000)
  expect(answer()).toBeUndefined()
  await clock.advance(1_000)
  expect((await run.result).outcome).toBe('completed')
  expect(ran).toEqual([])
  expect(answer()).toMatchObject({
    status: 'denied',
    content: [{ text: expect.stringContaining('the pre-tool hook gave no answer within 60 s') }],
  })
})

test('how long hooks may take can be said', async () => {
  const { start, clock, answer } = shell({ preTool: hang }, { timeoutMs: 5_000 })
  const run = await start()
  await clock.settle()
  await clock.advance(5_000)
  await run.result
  expect(answer()).toMatchObject({ status: 'denied' })
})

test.each(['start', 'postTool', 'stop'] as const)('a %s hook that hangs is passed over, with a note', async point => {
  const { start, clock, ran, events } = shell({ [point]: hang })
  const run = await start()
  await clock.settle()
  await clock.advance(60_000)
  expect((await run.result).outcome).toBe('completed')
  expect(ran).toHaveLength(1)
  const notes = events.flatMap(({ event }) => ('notes' in event && event.notes ? event.notes : []))
  expect(notes).toEqual([expect.stringContaining('gave no answer within 60 s')])
})

test('a stop hook that hangs keeps a run from being stopped for a minute, and no longer', async () => {
  const { start, clock, offshoot } = shell({ preTool: hang, stop: hang })
  const run = await start()
  await clock.settle()
  await run.stop('enough')
  await clock.settle()
  const closed = offshoot.close()
  await clock.settle()
  await clock.advance(60_000)
  expect((await run.result).outcome).toBe('cancelled')
  await closed
})

test('a session-end hook that hangs keeps nobody from closing for longer than a minute, and that is told', async () => {
  const { run, clock, offshoot, errors } = shell({ sessionEnd: hang })
  await run()
  const closed = offshoot.close()
  await clock.settle()
  await clock.advance(60_000)
  await closed
  expect(errors).toEqual([expect.stringContaining('session-end hook gave no answer within 60 s')])
})

test('hooks of a host’s own making that hang or throw at the end of a session are told', async () => {
  const wants: Hooks['wants'] = point => point === 'session-end'
  const hanging = shell({ wants, fire: hang })
  await hanging.run()
  const closed = hanging.offshoot.close()
  await hanging.clock.settle()
  await hanging.clock.advance(60_000)
  await closed
  expect(hanging.errors).toEqual([expect.stringContaining('gave no answer')])
  const throwing = shell({ wants, fire: async () => Promise.reject(new Error('boom')) })
  await throwing.run()
  await throwing.offshoot.close()
  expect(throwing.errors).toEqual(['Error: boom'])
})

test('the failure of a session-end hook is told', async () => {
  const { run, offshoot, errors } = shell({
    sessionEnd: () => {
      throw new Error('boom')
    },
  })
  await run()
  await offshoot.close()
  expect(errors).toEqual(['Error: the session-end hook threw: boom'])
})

test('what hooks around a call say for people is in the log with its end', async () => {
  const { run, offshoot, store } = shell({
    preTool: () => ({ verdict: 'go', notes: ['looked at it'] }),
    postTool: () => {
      throw new Error('boom')
    },
  })
  const { runId } = await run()
  const stored = []
  for await (const { event } of store.read(runId)) if (event.type === 'tool.ended') stored.push(event.notes)
  expect(stored).toEqual([['looked at it', 'the post-tool hook threw: boom']])
  await offshoot.close()
})

test('so is what they say around a call that waits for a child', async () => {
  const { run, events } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['fine'] },
    {
      agents: [agent('worker')],
      hooks: functionHooks({
        preTool: () => ({ verdict: 'go', notes: ['before'] }),
        postTool: () => ({ verdict: 'go', notes: ['after'] }),
      }),
    },
  )
  await run()
  const answers = events.flatMap(({ event }) => (event.type === 'tool.ended' ? [event] : []))
  expect(answers).toMatchObject([{ name: 'Task', notes: ['before', 'after'] }])
})

test.each([
  [
    'throws',
    () => {
      throw new Error('and again')
    },
  ],
  ['rejects', (async () => Promise.reject(new Error('and again'))) as () => void],
])('an onError that %s harms no run', async (_, onError) => {
  const { run, offshoot } = house({ main: ['fine'] }, { onError })
  offshoot.subscribe({}, () => {
    throw new Error('boom')
  })
  expect(await run()).toMatchObject({ outcome: 'completed', text: 'fine' })
  await offshoot.close()
})

test('an input that a hook had changed left no trace of that in the log', async () => {
  const { run, ran, answer } = shell({ preTool: () => ({ verdict: 'go', input: { command: 'pwd' } }) })
  await run()
  expect(ran).toEqual([{ command: 'pwd' }])
  expect(answer()).toMatchObject({ status: 'ok', notes: ['the function hook preTool changed the input of this call'] })
})

test('an input that hooks of one’s own make gave back as it was is not said to be changed', async () => {
  const same = shell({ preTool: ({ call: made }) => ({ verdict: 'go', input: made?.input }) })
  await same.run()
  expect(same.answer()?.notes).toBeUndefined()
  const own = shell({ wants: point => point === 'pre-tool', fire: async () => ({ verdict: 'go', input: {} }) })
  await own.run()
  expect(own.answer()?.notes).toEqual(['a pre-tool hook changed the input of this call'])
})
