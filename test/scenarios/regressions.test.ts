/** Bugs that were found by looking for them, each told by its symptom. */
import { expect, test } from 'vitest'
import { createJudge } from '../../src/adapters/judge/judge.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { CallToJudge, ModelRequest } from '../../src/core/ports.js'
import { gate, within } from '../support/gate.js'
import { agent, call, house, task, tool } from './house.js'

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const main = (about = {}) => agent('main', { canSpawn: true, ...about })
const Read = tool('Read', 'read', () => 'read')
const writes: string[] = []
const Write = tool('Write', 'write', () => (writes.push('w'), 'written'))
const coordinatorStory = (about: object, more = {}) =>
  house(
    {
      main: [{ calls: [task('coord', 'x', more)] }, 'ok'],
      coord: [{ calls: [task('worker')] }, 'c done'],
      worker: [call('Write'), 'w done'],
    },
    {
      agents: [
        main(),
        agent('coord', { tools: [{ name: 'Read' }], canSpawn: true, delegateTools: [{ name: 'Write' }], ...about }),
        agent('worker'),
      ],
      tools: [Write, Read],
    },
  )

/** The system's, and how often it was looked at. */
function countedClock() {
  const system = systemClock()
  let looks = 0
  const now = () => {
    if (++looks > 200_000) throw new Error('SPIN')
    return system.now()
  }
  const { after, sleep, id, random } = system
  return { clock: { now, after, sleep, id, random }, looks: () => looks }
}

test('the process froze: a digest after a saved grace must not spin', async () => {
  const { clock, looks } = countedClock()
  const h = house(
    {
      main: [{ calls: [task('worker', 'x', { summary_prompt: 'sum up' })] }, 'ok'],
      worker: [{ text: 'part', hangs: true }, 'late report', { text: 'sum', after: sleep(300) }],
    },
    { agents: [main(), agent('worker', { limits: { timeoutMs: 100, graceMs: 5000 } })], clock },
  )
  await h.run()
  expect(looks()).toBeLessThan(5000)
})

test('the process froze: a time limit that passes while the report is condensed must not spin', async () => {
  const { clock, looks } = countedClock()
  const h = house(
    {
      main: [{ calls: [task('worker', 'x')] }, 'ok'],
      worker: ['x'.repeat(20_000), { text: 'sum', after: sleep(300) }],
    },
    { agents: [main(), agent('worker', { limits: { timeoutMs: 200, graceMs: 5000 } })], clock },
  )
  await h.run()
  expect(looks()).toBeLessThan(5000)
})

test('close hung: a conversation left its background child running', async () => {
  const h = house(
    {
      main: [{ calls: [task('worker', 'x', { run_in_background: true })] }, { text: 'hm', hangs: true }],
      worker: [{ text: 'w', hangs: true }],
    },
    { agents: [main(), agent('worker')] },
  )
  const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { isConversation: true })
  if ('refused' in run) throw run
  await h.clock.settle()
  expect(await within(h.offshoot.close())).not.toBe('hung')
})

test('the fan-out approval was gone after a resume', async () => {
  const h = house({ main: ['a', 'b'] }, { agents: [main()], policy: { fanOutApproval: 2 } })
  const run = await h.start()
  await run.result
  const again = await h.offshoot.resume(run.id, 'more')
  if ('refused' in again) throw again
  await again.result
  expect((await again.brief())!.limits.fanOut).toBe(2)
})

test('a read-only source had its child write for it', async () => {
  writes.length = 0
  const h = coordinatorStory({ source: { scope: 'project', isTrusted: true, isReadOnly: true } })
  await h.run()
  expect(writes).toEqual([])
})

test('allowed_tools binds what is handed on', async () => {
  writes.length = 0
  const h = coordinatorStory({}, { allowed_tools: ['Read'] })
  await h.run()
  expect(writes).toEqual([])
})

test('a pattern on a handed-on tool bound nobody', async () => {
  const h = house(
    { main: ['x'] },
    {
      agents: [
        main(),
        agent('coord', { tools: [], canSpawn: true, delegateTools: [{ name: 'Bash', pattern: 'git *' }] }),
      ],
      tools: [tool('Bash', 'execute', () => 'x')],
    },
  )
  const caller = {
    runId: 'r',
    rootId: 'r',
    depth: 0,
    path: ['main'],
    tools: ['Bash', 'Task'],
    delegateTools: [],
    canSpawn: true,
    isBackground: false,
    chain: [],
    messages: [],
  } as never
  const brief = h.offshoot.explain({ agent: 'coord', prompt: 'p', description: 'd' }, caller)
  if ('refused' in brief) throw brief
  expect(JSON.stringify(brief.chain)).toContain('git *')
})

test('an agent with required inputs could not be resumed, and its mail was dropped', async () => {
  const h = house(
    { main: ['x'], typed: ['first', 'second'] },
    { agents: [main(), agent('typed', { inputs: [{ name: 'a', type: 'string', isRequired: true }] })] },
  )
  const run = await h.offshoot.start({ agent: 'typed', prompt: '', description: 'd', inputs: { a: '1' } })
  if ('refused' in run) throw run
  await run.result
  await run.say('hello?')
  expect(await within(run.result)).toMatchObject({ text: 'second' })
})

test('of two prompts at once one vanished', async () => {
  const h = house({ main: ['a', 'b', 'c', 'd'] }, { agents: [main()] })
  const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { isConversation: true })
  if ('refused' in run) throw run
  await run.result
  await Promise.all([h.offshoot.resume(run.id, 'FIRST prompt'), h.offshoot.resume(run.id, 'SECOND prompt')])
  await h.clock.settle()
  const seen = JSON.stringify(h.model.requests.at(-1)!.messages)
  expect([seen.includes('FIRST'), seen.includes('SECOND')]).toEqual([true, true])
})

test('a prompt that meets the end of a background child is heard', async () => {
  const g = gate()
  const h = house(
    {
      main: [{ calls: [task('worker', 'x', { run_in_background: true })] }, 'waiting', 'one', 'two', 'three'],
      worker: [{ text: 'news', after: g.opened }],
    },
    { agents: [main(), agent('worker')] },
  )
  const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { isConversation: true })
  if ('refused' in run) throw run
  await run.result
  g.open()
  // The user types at the moment the child ends.
  const said = h.offshoot.subscribe({}, e => {
    if (e.event.type === 'run.ended' && e.agent === 'worker') void h.offshoot.resume(run.id, 'USER PROMPT')
  })
  await h.clock.settle()
  await h.clock.settle()
  said()
  const seen = h.model
    .requestsOf('main')
    .map(r => JSON.stringify(r.messages))
    .join()
  expect(seen.includes('USER PROMPT')).toBe(true)
})

test('a resume gave back a budget the tree no longer had', async () => {
  const runOf = (request: ModelRequest) => /run (a\w+)/.exec(JSON.stringify(request.messages))![1]
  const h = house(
    {
      main: [
        { calls: [task('worker', 'x', { budget: { tokens: 10_000 } })], usage: { input: 100, output: 10 } },
        request => ({
          calls: [{ name: 'Task', input: { description: 'again', prompt: 'more', resume: runOf(request) } }],
          usage: { input: 15_000, output: 10 },
        }),
        'ok',
      ],
      worker: [
        { text: 'little', usage: { input: 100, output: 10 } },
        { ...call('Read'), usage: { input: 4000, output: 10 } },
        { ...call('Read', { a: 1 }), usage: { input: 4000, output: 10 } },
        'done',
      ],
    },
    { agents: [main(), agent('worker')], tools: [Read], policy: { treeBudget: { tokens: 20_000 } } },
  )
  const r = await h.run()
  expect(r.spent!.tokens).toBeLessThanOrEqual(20_000)
})

test('a model switched off the isolation a definition demands', async () => {
  const sandbox = { enter: async () => ({ cwd: '/work', roots: ['/work'], leave: async () => undefined }) }
  const h = house({ main: ['x'] }, { agents: [main(), agent('iso', { isolation: 'worktree' })], sandbox })
  const brief = h.offshoot.explain({ agent: 'iso', prompt: 'p', description: 'd', isolation: 'none' })
  if ('refused' in brief) throw brief
  expect(brief.isolation).toBe('worktree')
})

test('recover in a second process stopped the children of a living host', async () => {
  const g = gate()
  const store = memoryStore()
  const a = house({ worker: [{ text: 'fine', after: g.opened }] }, { agents: [main(), agent('worker')], store })
  const b = house(
    {},
    { agents: [main(), agent('worker')], store, owner: { id: 'other', host: 'h', pid: 2, startedAt: 1 } as never },
  )
  const host = await a.offshoot.host()
  const Task = a.offshoot.tools().find(t => t.spec.name === 'Task')!
  const answer = host.call(Task, task('worker').input, { callId: 'c1' })
  await a.clock.settle()
  await b.offshoot.recover()
  await a.clock.settle()
  g.open()
  const out = await within(answer)
  expect(JSON.stringify(out)).toContain('fine')
})

test('a resumed foreground child could not be moved to the background', async () => {
  const g = gate()
  const runOf = (request: ModelRequest) => /run (a\w+)/.exec(JSON.stringify(request.messages))![1]
  const h = house(
    {
      main: [
        { calls: [task('worker')] },
        request => ({
          calls: [{ name: 'Task', input: { description: 'again', prompt: 'more', resume: runOf(request) } }],
        }),
        'went on',
        'end',
      ],
      worker: ['one', { text: 'two', after: g.opened }],
    },
    { agents: [main(), agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  const child = (await h.offshoot.list()).find(r => r.agent === 'worker')!
  await h.offshoot.toBackground(child.runId)
  await h.clock.settle()
  const n = h.model.requestsOf('main').length
  g.open()
  await run.result
  expect(n).toBe(3)
})

test('a result rejected because the sandbox could not be left', async () => {
  const h = house(
    { main: [call('Read'), 'x'] },
    {
      agents: [main()],
      tools: [Read],
      sandbox: {
        enter: async () => ({
          cwd: '/',
          roots: ['/'],
          leave: async () => {
            throw new Error('EBUSY')
          },
        }),
      } as never,
    },
  )
  const run = await h.start()
  const r = await run.result.catch(e => `rejected ${e}`)
  expect(r).toMatchObject({ outcome: 'completed' })
})

test('a host that repeated a call id got an old result', async () => {
  const h = house(
    { worker: r => [`answer to ${JSON.stringify(r.messages).includes('SECOND') ? 'SECOND' : 'FIRST'}`] },
    { agents: [main(), agent('worker')] },
  )
  const host = await h.offshoot.host()
  const Task = h.offshoot.tools().find(t => t.spec.name === 'Task')!
  await host.call(Task, task('worker', 'FIRST').input, { callId: 'call_0' })
  const two = await host.call(Task, task('worker', 'SECOND').input, { callId: 'call_0' })
  expect(JSON.stringify(two)).toContain('SECOND')
})

test('a hook approved what only a person may', async () => {
  const rule = (text: string, tool: string, pattern: string) => ({ text, tool, pattern })
  const judge = createJudge({
    layers: () =>
      [
        {
          scope: 'user',
          origin: 'settings',
          rules: { allow: [], ask: [], deny: [rule('Bash(rm *)', 'Bash', 'rm *')] },
        },
      ] as never,
    stateDirs: [],
  })
  let ran = 0
  const Bash = tool('Bash', 'execute', () => {
    ran += 1
    return 'x'
  })
  const h = house(
    { main: [call('Bash', { command: '$(echo rm) -rf x' }), 'done'] },
    {
      agents: [main()],
      tools: [Bash],
      judge,
      hooks: { wants: (p: string) => p === 'pre-tool', fire: async () => ({ verdict: 'go', approves: true }) } as never,
    },
  )
  await h.run()
  expect(ran).toBe(0)
})

test('a child that ended while its conversation stored its own end was never heard of', async () => {
  const g = gate()
  const store = memoryStore()
  const append = store.append.bind(store)
  let isFirst = true
  store.append = async (runId, epoch, seq, events, consumed) => {
    if (isFirst && events.some(e => e.agent === 'main' && e.event.type === 'run.ended')) {
      isFirst = false
      g.open()
      for (let i = 0; i < 10; i++) await new Promise(r => setImmediate(r)) // a disk that takes a moment
    }
    return append(runId, epoch, seq, events, consumed)
  }
  const h = house(
    {
      main: [{ calls: [task('worker', 'x', { run_in_background: true })] }, 'waiting', 'heard it'],
      worker: [{ text: 'news', after: g.opened }],
    },
    { agents: [main(), agent('worker')], store },
  )
  const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { isConversation: true })
  if ('refused' in run) throw run
  await run.result
  await h.clock.settle()
  await h.clock.settle()
  const again = await within(h.offshoot.run(run.id).result)
  expect(again).not.toBe('hung')
  expect(h.model.requestsOf('main').length).toBe(3)
})

test('a stop was ignored after complete_task when a message waited', async () => {
  const g = gate()
  const h = house(
    {
      main: [
        { calls: [{ name: 'complete_task', input: { result: 'r' } }], after: g.opened },
        { text: 'hm', hangs: true },
      ],
    },
    { agents: [main({ completion: 'explicit' })] },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.say('one more thing')
  await h.clock.settle()
  g.open()
  await h.clock.settle()
  await run.stop()
  await h.clock.settle()
  const r = await within(run.result)
  expect(await within(h.offshoot.close())).not.toBe('hung')
  expect(r).not.toBe('hung')
})

test('the caller timed out while a person decided about its resumed child', async () => {
  const runOf = (request: ModelRequest) => /run (a\w+)/.exec(JSON.stringify(request.messages))![1]
  const Write = tool('Write', 'write', () => 'w')
  const h = house(
    {
      main: [
        { calls: [task('worker', 'x', { run_in_background: true })] },
        request => ({ calls: [{ name: 'TaskOutput', input: { task_id: runOf(request) } }] }),
        request => ({
          calls: [{ name: 'Task', input: { description: 'again', prompt: 'more', resume: runOf(request) } }],
        }),
        'end',
        'end',
      ],
      worker: ['one', call('Write'), 'two'],
    },
    {
      agents: [main({ limits: { timeoutMs: 60_000 } }), agent('worker')],
      tools: [Write],
      judge: {
        judge: async (c: CallToJudge) =>
          c.spec.name === 'Write' ? { decision: 'ask', rule: 'r', reason: 'why' } : { decision: 'allow', rule: 'r' },
      } as never,
      approver: { isListening: () => true, present: () => () => {} } as never,
    },
  )
  const run = await h.start()
  await h.clock.settle()
  expect(h.offshoot.approvals.open().length).toBe(1)
  await h.clock.advance(120_000)
  const r = await within(run.result, 300)
  expect(r).toBe('hung')
})

test('a screen that threw failed the run', async () => {
  const h = house(
    { main: [call('Read'), 'x'] },
    {
      agents: [main()],
      tools: [Read],
      judge: { judge: async () => ({ decision: 'ask', rule: 'r', reason: 'why' }) } as never,
      approver: {
        isListening: () => true,
        present: () => {
          throw new Error('tty gone')
        },
      } as never,
    },
  )
  expect(await within(h.run())).toMatchObject({ outcome: 'completed' })
  expect(h.toolTexts('main')[0]).toContain('nobody is there to give it')
})

test('the result of an unknown run rejected', async () => {
  const h = house({})
  expect(await h.offshoot.run('nope').result).toMatchObject({ outcome: 'failed', error: { rule: 'not-startable' } })
})

test('a child that can act nowhere was paid for a turn and ended as our bug', async () => {
  const entered = { cwd: '/work', roots: ['/work'], leave: async () => undefined }
  const h = house(
    { main: [{ calls: [task('worker')] }, 'went on'], worker: [call('Read'), 'never reached'] },
    {
      agents: [main(), agent('worker', { isolation: 'worktree' })],
      tools: [Read],
      sandbox: {
        async enter({ brief }) {
          if (brief.isolation === 'worktree') throw new Error('a worktree needs a git repository')
          return entered
        },
      },
    },
  )
  const result = await h.run()
  expect(result.text).toBe('went on')
  expect(h.model.requestsOf('worker')).toHaveLength(0)
  const [child] = (await h.offshoot.list({})).filter(run => run.agent === 'worker')
  const { outcome, error } = await h.offshoot.run(child!.runId).result
  expect({ outcome, rule: error?.rule }).toEqual({ outcome: 'failed', rule: 'workspace-unavailable' })
  expect(h.toolTexts('main')[0]).toContain('a worktree needs a git repository')
})

test('a child spoken to after its caller was stopped was not waited for, and never heard of', async () => {
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  const h = house(
    {
      main: [{ calls: [task('worker')] }, 'waiting for it', 'heard of it'],
      worker: [{ hangs: true }, { text: 'late news', after: opened }],
    },
    { agents: [agent('worker')] },
  )
  const run = await h.start()
  await h.clock.settle()
  await run.stop('for now')
  await run.result
  const [child] = await h.offshoot.list({ agent: 'worker' })
  await h.offshoot.run(child!.runId).result
  await h.offshoot.run(child!.runId).say('one more thing')
  await h.clock.settle()
  const again = await h.offshoot.resume(run.id, 'go on')
  if ('refused' in again) throw new Error(again.refused)
  await h.clock.settle()
  open()
  expect(await again.result).toMatchObject({ outcome: 'completed', text: 'heard of it' })
  expect(JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)).toContain('late news')
})

test('closing threw while the store failed, and left everything open', async () => {
  const inner = memoryStore()
  const store = Object.assign(inner, {
    post: async () => {
      throw new Error('the disk is full')
    },
  })
  const h = house({ main: [{ hangs: true }] }, { store })
  await h.start()
  await h.clock.settle()
  await h.offshoot.close('stop')
  expect(h.clock.pending).toBe(0)
})
