/** Whoever goes on with a run is its caller for that attempt, also where a run between had begun it. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { StoredEvent } from '../../src/core/events.js'
import type { RunId } from '../../src/core/message.js'
import type { Approver, ToolOutput } from '../../src/core/ports.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Script, ScriptStep } from '../../src/testing/scripted-model.js'
import { gate } from '../support/gate.js'
import { agent, call, house, task, tool } from './house.js'
import { machineWith } from './machine.js'

const agents = [agent('main', { canSpawn: true }), agent('mid', { canSpawn: true }), agent('leaf')]
const idOf = async (store: RunStore, name: string): Promise<RunId> => (await store.list({ agent: name }))[0]!.runId
const goOn =
  (store: RunStore, name: string, more: object = {}): ScriptStep =>
  async () =>
    call('Task', { description: 'again', prompt: 'more', resume: await idOf(store, name), ...more })
const send =
  (store: RunStore, name: string): ScriptStep =>
  async () =>
    call('TaskSend', { task_id: await idOf(store, name), message: 'more' })
const ways = {
  Task: (store: RunStore, name: string) => goOn(store, name, { run_in_background: true }),
  TaskSend: send,
}

/** mid has had leaf work, and both are done; what they do in a second attempt. */
const both = (again: ScriptStep): Readonly<Record<string, Script>> => ({
  mid: [{ calls: [task('leaf')] }, 'mid done', again, 'mid', 'mid'],
  leaf: ['leaf done', again, 'leaf', 'leaf'],
})

const generations = ['mid', 'leaf'] as const
const wakings = generations.flatMap(whose => (['Task', 'TaskSend'] as const).map(way => [whose, way] as const))

test.each(wakings)(
  'P22 a conversation was not woken by the end of its %s that it went on with by %s',
  async (whose, way) => {
    const store = memoryStore()
    const held = gate()
    const again = async () => {
      await held.opened
      return 'NEWS'
    }
    const main = [{ calls: [task('mid')] }, ways[way](store, whose), 'I am told when it ends.', 'heard', 'heard']
    const h = house({ main, ...both(again) }, { agents, store })
    const run = await h.offshoot.start({ prompt: 'p', description: 'd' }, { isConversation: true })
    if ('refused' in run) throw new Error(run.refused)
    await run.result
    held.open()
    await h.clock.settle()
    const last = JSON.stringify(h.model.requestsOf('main').at(-1)!.messages)
    expect(last.split('NEWS')).toHaveLength(2)
  },
)

test.each(generations)(
  'TaskWait for all there is found nothing to wait for in a %s that was gone on with',
  async whose => {
    const store = memoryStore()
    const held = gate()
    const again = async () => {
      await held.opened
      return 'NEWS'
    }
    const wait = () => {
      setImmediate(held.open)
      return call('TaskWait')
    }
    const main = [{ calls: [task('mid')] }, ways.Task(store, whose), wait, 'done']
    const h = house({ main, ...both(again) }, { agents, store })
    await h.run()
    expect(h.toolTexts('main').at(-1)).toContain('NEWS')
  },
)

const textOf = ({ content }: ToolOutput): string => JSON.stringify(content)

test.each(generations)('P22 a host was never told of the end of its %s that it went on with', async whose => {
  const store = memoryStore()
  const h = house({ ...both('NEWS') }, { agents, store })
  const host = await h.offshoot.host()
  let calls = 0
  const ask = async (name: string, input: unknown = {}) =>
    textOf(await host.call(h.offshoot.tools().find(({ spec }) => spec.name === name)!, input, { callId: `${calls++}` }))
  await ask('Task', { description: 'd', prompt: 'p', subagent_type: 'mid' })
  const resume = await idOf(store, whose)
  await ask('Task', { description: 'd', prompt: 'p', resume, run_in_background: true })
  await h.clock.settle()
  expect(await ask('TaskList')).toContain('NEWS')
  expect(await ask('TaskList')).not.toContain('NEWS')
})

test.each(generations)(
  'P6 a caller ran out of time while a person decided for its %s that it went on with',
  async whose => {
    const store = memoryStore()
    const approver: Approver = { isListening: () => true, present: () => () => {} }
    const long = { limits: { timeoutMs: 10_000_000 } }
    const h = house(
      {
        main: [{ calls: [task('a')] }, 'end'],
        a: [{ calls: [task('mid')] }, goOn(store, whose), 'a done'],
        ...both(call('Order')),
      },
      {
        agents: [
          agent('main', { canSpawn: true }),
          agent('a', { canSpawn: true, limits: { timeoutMs: 60_000, graceMs: 0 } }),
          agent('mid', { canSpawn: true, ...long }),
          agent('leaf', long),
        ],
        ...{ store, approver, tools: [tool('Order', 'write', () => 'ordered')] },
        judge: {
          judge: ({ spec }) =>
            spec.name === 'Order'
              ? { decision: 'ask', rule: 'order', reason: 'asks' }
              : { decision: 'allow', rule: 'rest' },
        },
        policy: { maxDepth: 5 },
      },
    )
    const run = await h.start()
    await h.clock.settle()
    expect(h.offshoot.approvals.open()).toHaveLength(1)
    await h.clock.advance(120_000)
    const [asked] = h.offshoot.approvals.open()
    await h.offshoot.approvals.answer(asked!.approvalId, { verdict: 'allow' })
    await run.result
    expect(await store.summary(await idOf(store, 'a'))).toMatchObject({ outcome: 'completed' })
  },
)

test.each(generations)('toBackground let nobody go on who waited for their %s that they went on with', async whose => {
  const store = memoryStore()
  const held = gate()
  const again = async () => {
    await held.opened
    return 'again'
  }
  const main = [{ calls: [task('mid')] }, goOn(store, whose), 'main goes on', 'heard']
  const h = house({ main, ...both(again) }, { agents, store })
  const run = await h.start()
  await h.clock.settle()
  expect(await h.offshoot.toBackground(await idOf(store, whose))).toBeUndefined()
  await h.clock.settle()
  expect(h.model.requestsOf('main')).toHaveLength(3)
  held.open()
  expect(await run.result).toMatchObject({ outcome: 'completed', text: 'heard' })
})

test.each(generations)(
  'a question of its %s that it went on with did not come to whoever gave it the task',
  async whose => {
    const store = memoryStore()
    const asks = { tools: [{ name: 'AskCaller' }], canSpawn: true }
    const answer: ScriptStep = async () =>
      call('TaskSend', { task_id: await idOf(store, whose), message: 'THE LEFT ONE' })
    const main = [{ calls: [task('mid')] }, goOn(store, whose), answer, 'done', 'done']
    const question = call('AskCaller', { question: 'Which one?', default: 'the default' })
    const h = house(
      { main, ...both(question) },
      { agents: [agent('main', { canSpawn: true }), agent('mid', asks), agent('leaf', asks)], store },
    )
    await h.run()
    const told = JSON.stringify(h.model.requestsOf(whose).at(-1)!.messages)
    expect(told).toContain('THE LEFT ONE')
    expect(told).not.toContain('the default holds')
  },
)

/** A store whose process is not heard of again once it has stored such an entry. */
function mortal(inner: RunStore, dies: (runId: RunId, type: string) => boolean): RunStore {
  let isDead = false
  return new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (isDead) return new Promise(() => {})
        const done: unknown = value.apply(target, args)
        const events = name === 'append' ? (args[3] as readonly StoredEvent[]) : []
        isDead ||= events.some(({ runId, event }) => dies(runId, event.type))
        return done
      }
    },
  })
}

test.each(generations)('after a crash, the %s that a cancelled run had gone on with went on', async whose => {
  const inner = memoryStore({ isAlive: ({ id }) => id !== 'one' })
  const ran: string[] = []
  const tools = [tool('Order', 'execute', () => (ran.push('ordered'), 'ordered'))]
  let root: RunId | undefined
  const store = mortal(inner, (runId, type) => runId === root && type === 'run.ended')
  const owner = { id: 'one', host: 'here', pid: 1, startedAt: 1 }
  const main = [{ calls: [task('mid')] }, goOn(inner, whose)]
  const first = house({ main, ...both({ text: 'x', hangs: true }) }, { agents, tools, store, owner })
  const run = await first.start()
  root = run.id
  await first.clock.settle()
  void run.stop('enough')
  await first.clock.settle()
  expect(await inner.summary(run.id)).toMatchObject({ outcome: 'cancelled' })
  const now = house({ mid: [call('Order'), 'mid'], leaf: [call('Order'), 'leaf'] }, { agents, tools, store: inner })
  await now.offshoot.recover()
  await now.clock.settle()
  expect(ran).toEqual([])
  expect(await inner.summary(await idOf(inner, whose))).toMatchObject({ attempt: 2, outcome: 'cancelled' })
})

test('what a run had promised to go on with before a crash was not its own afterwards', async () => {
  const { boot, store } = machineWith({ agents })
  const goesOn = (events: readonly StoredEvent[]) => events.some(({ event }) => event.type === 'run.resumed')
  const main = [{ calls: [task('mid')] }, send(store, 'leaf'), 'waiting']
  const first = boot({ main, ...both('again') }, {}, goesOn)
  const { id } = await first.start()
  await first.clock.settle()
  first.kill()
  const second = boot({ main: ['waiting', 'heard'], leaf: ['again'] })
  await second.offshoot.recover()
  expect(await second.offshoot.run(id).result).toMatchObject({ outcome: 'completed', text: 'heard' })
  const wanted = second.events.flatMap(({ event }) => (event.type === 'run.resumed' ? [event.wantedBy?.runId] : []))
  expect(wanted).toEqual([id])
})
