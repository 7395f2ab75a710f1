/** Two who go on with one run at once: an attempt has one prompt, and whoever did not get it is told so. */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunId } from '../../src/core/message.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { ScriptStep } from '../../src/testing/scripted-model.js'
import { gate } from '../support/gate.js'
import { storeWith } from '../support/store-with.js'
import { agent, call, type House, house, task, tool } from './house.js'

const agents = [agent('main', { canSpawn: true }), agent('mid', { canSpawn: true }), agent('leaf')]
const tools = [tool('Read', 'read', () => 'read'), tool('Write', 'write', () => 'written')]
const idOf = async (store: RunStore, name: string): Promise<RunId> => (await store.list({ agent: name }))[0]!.runId
const saidTo = ({ model }: House, name: string) =>
  JSON.stringify(model.requestsOf(name).map(({ messages }) => messages))
const resumes = ({ events }: House) =>
  events.flatMap(({ event }) => (event.type === 'run.resumed' ? [{ prompt: event.prompt, ...event.brief }] : []))

test.each([0, 1])(
  'of two calls of a host, both told that all was done, one had its prompt read by nobody (%s)',
  async first => {
    const store = memoryStore()
    const h = house({ leaf: ['one', 'two', 'three'] }, { agents, store })
    const host = await h.offshoot.host()
    const Task = h.offshoot.tools().find(({ spec }) => spec.name === 'Task')!
    await host.call(Task, { description: 'd', prompt: 'p', subagent_type: 'leaf' }, { callId: 'begin' })
    const resume = await idOf(store, 'leaf')
    const prompts = first === 0 ? ['ONE', 'TWO'] : ['TWO', 'ONE']
    const answers = await Promise.all(
      prompts.map(prompt => host.call(Task, { description: 'd', prompt, resume }, { callId: prompt })),
    )
    expect(answers.filter(({ isError }) => !isError)).toHaveLength(1)
    for (const [i, prompt] of prompts.entries())
      expect(saidTo(h, 'leaf').includes(`"${prompt}"`), prompt).toBe(!answers[i]!.isError)
    expect(answers.find(({ isError }) => isError)?.content).toContain('TaskOutput')
  },
)

/** main and its child in the background, mid, go on with leaf; what main says is stored once mid has decided, or the other way. */
async function bothGoOn(first: 'main' | 'mid') {
  const inner = memoryStore()
  const [second, decided] = [gate(), gate()]
  const told: Record<string, RunId | undefined> = {}
  const append: RunStore['append'] = async (runId, ...rest) => {
    const isDecision = rest[2].some(({ event }) => event.type === 'child.started' && event.attempt === 2)
    if (isDecision && runId === told[first]) {
      second.open()
      await decided.opened
    }
    return inner.append(runId, ...rest)
  }
  const store = storeWith(inner, { append })
  const goOn =
    (who: 'main' | 'mid', more: object = {}): ScriptStep =>
    async () => {
      told[who] = await idOf(inner, who)
      if (who !== first) await second.opened
      return call('Task', { description: 'd', prompt: `PROMPT OF ${who}`, resume: await idOf(inner, 'leaf'), ...more })
    }
  const ready = gate()
  const mainGoesOn: ScriptStep = async request => {
    await ready.opened
    const step = goOn('main', { allowed_tools: ['Read'] })
    return typeof step === 'function' ? step(request) : step
  }
  const midGoesOn: ScriptStep = async request => {
    ready.open()
    const step = goOn('mid')
    return typeof step === 'function' ? step(request) : step
  }
  const h = house(
    {
      main: [{ calls: [task('mid', 'work', { run_in_background: true })] }, mainGoesOn, 'main', 'main', 'main'],
      mid: [{ calls: [task('leaf')] }, midGoesOn, 'mid', 'mid'],
      leaf: ['leaf', call('Write'), 'leaf again', 'leaf again'],
    },
    { agents, store, tools },
  )
  const run = await h.start()
  await h.clock.settle()
  await h.clock.settle()
  decided.open()
  await run.result
  return h
}

test.each(['main', 'mid'] as const)(
  'of two callers that went on with one run at once, %s first, one was told of the report to the other as its own',
  async first => {
    const h = await bothGoOn(first)
    const second = first === 'main' ? 'mid' : 'main'
    expect(saidTo(h, 'leaf')).toContain(`PROMPT OF ${first}`)
    expect(saidTo(h, 'leaf')).not.toContain(`PROMPT OF ${second}`)
    expect(saidTo(h, second)).toContain('Somebody else has just resumed run')
  },
)

test('P13 what a caller allowed the attempt it was told of did not bind it, where another had gone on as well', async () => {
  const [attempt] = resumes(await bothGoOn('main'))
  expect(attempt).toMatchObject({ prompt: 'PROMPT OF main', allowed: ['Read'] })
})

test('a call that was still being decided on was told of the report to a person as its own', async () => {
  const store = memoryStore()
  const held = gate()
  let isHeld = false
  const estimateCost = async () => {
    if (isHeld) await held.opened
    return 0.0001
  }
  const goOn: ScriptStep = async () =>
    call('Task', { description: 'd', prompt: 'PROMPT OF main', resume: await idOf(store, 'leaf') })
  const h = house(
    {
      main: [{ calls: [task('mid')] }, goOn, 'done'],
      mid: [{ calls: [task('leaf')] }, 'mid'],
      leaf: ['one', 'two', 'three'],
    },
    { agents, store, estimateCost },
  )
  h.offshoot.subscribe({}, ({ agent: who, event }) => {
    if (who === 'main' && event.type === 'turn.ended') isHeld = JSON.stringify(event.message).includes('PROMPT')
  })
  const run = await h.start({ budget: { usd: 5 } })
  await h.clock.settle()
  const leaf = await idOf(store, 'leaf')
  isHeld = false
  const again = await h.offshoot.resume(leaf, 'Say hello.')
  if ('refused' in again) throw new Error(again.refused)
  await again.result
  held.open()
  await run.result
  expect(saidTo(h, 'leaf')).not.toContain('PROMPT OF main')
  expect(h.toolTexts('main').at(-1)).toContain('Somebody else has just resumed run')
})
