/** A house that closes while something begins in it: whenever that is, nothing happens after it is closed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunStore } from '../../src/core/run-store.js'
import type { Refusal } from '../../src/core/types.js'
import { createOffshoot, type Offshoot } from '../../src/offshoot.js'
import type { RunHandle } from '../../src/runtime/run-handle.js'
import { modelOf } from '../../src/testing/scripted-model.js'
import { within } from '../support/gate.js'
import { agent, tool } from './house.js'

const work = { agent: 'main', prompt: 'pay', description: 'pay' }
const servers = [{ name: 's', config: { command: 'x' } }]
const stranger = { id: 'other', host: 'x', pid: 1, startedAt: 1 }
const aTick = () => new Promise<void>(resolve => setImmediate(resolve))

interface Scene {
  readonly house: Offshoot
  readonly store: RunStore
  readonly after: string[]
  /** Makes the house close at the n-th wait from now on. */
  closeAt(n: number, how: 'stop' | 'leave'): void
  /** Undefined: there are fewer waits than that. */
  closed(): Promise<void> | undefined
}

type Says = Parameters<typeof modelOf>[0]
const pays: Says = ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'done' : { calls: [{ name: 'Pay' }] })
/** Each run delegates, three deep, and then none of them comes to an end by itself. */
const delegates =
  (inBackground: boolean): Says =>
  ({ messages }) => {
    const prompt = `${JSON.stringify(messages[0]).match(/\bgo( deeper)*/)?.[0] ?? 'go'} deeper`
    if (messages.at(-1)?.role === 'tool' || prompt.length > 'go deeper deeper deeper'.length) return { hangs: true }
    const input = { description: 'd', prompt, run_in_background: inBackground }
    return { calls: ['kid', 'plain'].map(subagent_type => ({ name: 'Task', input: { ...input, subagent_type } })) }
  }

/** Every port waits before and after what it does, and at one of these waits the house is closed. */
function scene(inner = memoryStore(), says = pays): Scene {
  const after: string[] = []
  let isClosed = false
  let left = Number.POSITIVE_INFINITY
  let how: 'stop' | 'leave' = 'stop'
  let closing: Promise<void> | undefined
  const point = async () => {
    if (left-- === 0) closing = house.close(how).then(() => void (isClosed = true))
    await aTick()
  }
  const slow = new Set(['create', 'append', 'claim', 'release', 'summary', 'list', 'inbox', 'post', 'unread', 'keep'])
  const store = new Proxy(inner, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown
      if (typeof member !== 'function') return member
      if (!slow.has(String(name))) return name === 'begin' ? undefined : member.bind(target)
      return async (...given: unknown[]) => {
        await point()
        const value: unknown = await member.apply(target, given)
        await point()
        return value
      }
    },
  })
  const note = (what: string) => {
    if (isClosed) after.push(what)
  }
  const answers = modelOf(says)
  const house: Offshoot = createOffshoot({
    model: {
      async ask(...request) {
        note('the model was asked')
        await point()
        return answers.ask(...request)
      },
    },
    agents: [
      agent('main', { mcpServers: servers }),
      agent('kid', { mcpServers: servers, canSpawn: true }),
      agent('plain'),
    ],
    tools: [tool('Pay', 'write', () => (note('a tool ran'), 'paid'))],
    agentTools: { open: point, of: () => ({ tools: [], reasons: [] }), enter: () => {}, leave: () => {} },
    policy: { defaultModel: 'a/b' },
    store,
  })
  return {
    house,
    store: inner,
    after,
    closeAt(n, as) {
      left = n
      how = as
    },
    closed: () => closing,
  }
}

async function settled(begun: RunHandle | Refusal): Promise<string> {
  if ('refused' in begun) return begun.rule
  const result = await within(begun.result)
  return result === 'hung' ? 'hung' : result.outcome
}

/** The long stories; all of their waits by `npm run test:properties`. */
const aFew = process.env.OFFSHOOT_FUZZ === undefined ? 4 : 1

const later = async () => {
  for (let i = 0; i < 30; i++) await aTick()
}

/** Closes at each wait in turn, or at one of `stride`, until the work is over before. */
async function atEveryWait(
  how: 'stop' | 'leave',
  story: (scene: Scene, n: number) => Promise<{ readonly said: string; readonly place: Scene }>,
  stride = 1,
): Promise<ReadonlySet<string>> {
  const said = new Set<string>()
  for (let n = Math.abs(fc.readConfigureGlobal()?.seed ?? 0) % stride; ; n += stride) {
    const { said: word, place } = await story(scene(), n)
    const closing = place.closed()
    if (!closing) return said
    expect(await within(closing.then(() => 'closed')), `closing at ${n} (${how})`).toBe('closed')
    await later()
    expect(place.after, `after closing at ${n} (${how})`).toEqual([])
    expect(word, `the answer when it closed at ${n} (${how})`).not.toBe('hung')
    said.add(word)
    const open = await place.store.list({ isEnded: false })
    if (how === 'stop') expect(open, `left open after closing at ${n}`).toEqual([])
    await place.store.close()
  }
}

for (const how of ['stop', 'leave'] as const) {
  test(`a house that was closed while start() was under way asked the model and ran tools (${how})`, async () => {
    const said = await atEveryWait(how, async (place, n) => {
      place.closeAt(n, how)
      return { said: await settled(await place.house.start(work)), place }
    })
    expect([...said].sort()).toEqual(
      how === 'stop' ? ['cancelled', 'closed', 'completed'] : ['closed', 'completed', 'interrupted'],
    )
  })

  for (const kind of ['foreground', 'background', 'conversation'] as const)
    test(`a house that was closed while a child was begun never closed (${how}, ${kind})`, async () => {
      await atEveryWait(
        how,
        async (_, n) => {
          const place = scene(memoryStore(), delegates(kind !== 'foreground'))
          place.closeAt(n, how)
          const begun = await place.house.start(work, { isConversation: kind === 'conversation' })
          for (let i = 0; i < 200 && !place.closed(); i++) await aTick()
          if (!place.closed()) {
            place.closeAt(Number.POSITIVE_INFINITY, how)
            await place.house.close('leave')
          }
          return { said: await settled(begun), place }
        },
        aFew,
      )
    })

  test(`a house that was closed while resume() was under way went on with the run (${how})`, async () => {
    const said = await atEveryWait(how, async (place, n) => {
      const first = await place.house.start(work)
      await settled(first)
      place.closeAt(n, how)
      return { said: await settled(await place.house.resume((first as RunHandle).id, 'again')), place }
    })
    expect(said).toContain('closed')
    expect(said).toContain(how === 'stop' ? 'cancelled' : 'interrupted')
  })

  test(`a house that was closed while recover() was under way went on with what it found (${how})`, async () => {
    await atEveryWait('leave', async (first, n) => {
      for (let i = 0; i < 2; i++) await first.house.start(work)
      await first.house.close('leave')
      const place = scene(first.store as ReturnType<typeof memoryStore>)
      place.closeAt(n, how)
      const found = await within(place.house.recover().catch((error: { code?: string }) => error.code ?? 'threw'))
      const runs = Array.isArray(found) ? found : []
      const outcomes = await Promise.all(runs.map(({ runId }) => settled(place.house.run(runId))))
      return { said: found === 'hung' || outcomes.includes('hung') ? 'hung' : 'found', place }
    })
  })

  test(`a host that was being opened while its house closed was left without an end (${how})`, async () => {
    const said = await atEveryWait(how, async (place, n) => {
      place.closeAt(n, how)
      const opened = await place.house.host().then(
        () => 'opened',
        (error: { code?: string }) => error.code ?? 'threw',
      )
      await place.closed()
      if (place.closed()) expect(await place.store.list({ isEnded: false })).toEqual([])
      return { said: opened, place }
    })
    expect(said).toEqual(new Set(['opened']))
  })

  test(`a host whose child was refused as the house closed was left running, and claimed (${how})`, async () => {
    await atEveryWait(how, async (place, n) => {
      const host = await place.house.host()
      place.closeAt(n, how)
      const task = place.house.tools().find(({ spec }) => spec.name === 'Task')!
      const input = { description: 'd', prompt: 'p', subagent_type: 'kid', run_in_background: n % 2 === 0 }
      const answer = await within(host.call(task, input, { callId: 'c' }))
      await place.closed()
      if (place.closed()) expect(await place.store.claim(host.id, stranger)).not.toHaveProperty('heldBy')
      return { said: answer === 'hung' ? 'hung' : 'answered', place }
    })
  })
}

test('the end of a host that could not be written was swallowed, and its claim kept', async () => {
  const inner = memoryStore()
  let isFull = false
  const append: RunStore['append'] = async (...entry) => {
    if (isFull) throw Object.assign(new Error('no space left'), { code: 'full' })
    return inner.append(...entry)
  }
  const store = new Proxy(inner, {
    get: (target, name) => (name === 'append' ? append : bound(target, Reflect.get(target, name))),
  })
  const told: string[] = []
  const onError = (error: unknown) => void told.push(String(error))
  const house = createOffshoot({ model: modelOf(() => 'x'), policy: { defaultModel: 'a/b' }, store, onError })
  const { id } = await house.host()
  isFull = true
  await house.close()
  expect(told).toEqual([expect.stringMatching(`the log of host ${id} could not be ended: .*no space left`)])
  expect(await inner.claim(id, stranger)).not.toHaveProperty('heldBy')
})

const bound = (target: object, member: unknown): unknown =>
  typeof member === 'function' ? member.bind(target) : member

test('a call of a host that was being decided on when the house closed still ran its tool', async () => {
  let isClosed = false
  const ran: string[] = []
  const pay = tool('Pay', 'write', () => (ran.push(isClosed ? 'late' : 'in time'), 'paid'))
  let asked = () => {}
  const isAsked = new Promise<void>(resolve => (asked = resolve))
  let answer = () => {}
  const mayAnswer = new Promise<void>(resolve => (answer = resolve))
  const hooks = {
    wants: () => true,
    async fire() {
      asked()
      await mayAnswer
      return { verdict: 'go' as const }
    },
  }
  const house = createOffshoot({ model: modelOf(() => 'x'), tools: [pay], hooks, policy: { defaultModel: 'a/b' } })
  const host = await house.host()
  const called = host.call(pay, {}, { callId: 'c' })
  await isAsked
  await house.close()
  isClosed = true
  answer()
  expect(await called).toMatchObject({ isError: true, content: expect.stringContaining('closed') })
  expect(ran).toEqual([])
})

test('after close() members failed in different words: each says that the house is closed', async () => {
  const store = memoryStore()
  for (const given of [{}, { store }]) {
    const house = createOffshoot({ model: modelOf(() => 'x'), policy: { defaultModel: 'a/b' }, ...given })
    const run = (await house.start({ ...work, agent: 'main' })) as RunHandle
    await run.result
    await house.close()
    const other = house.run(run.id)
    const refusals = [
      house.start(work),
      house.resume(run.id, 'again'),
      house.toBackground(run.id),
      house.questions.answer('q', 'x'),
      other.say('hello'),
      other.stop(),
    ]
    for (const refusal of refusals) expect(await refusal).toMatchObject({ rule: 'closed' })
    const rejections = [
      house.recover(),
      house.list(),
      house.host(),
      house.approvals.answer('a', { verdict: 'allow' }),
      other.brief(),
      other.progress(),
      other.receipts(),
      other.events().next(),
    ]
    for (const rejection of rejections)
      await expect(rejection).rejects.toMatchObject({ code: 'closed', message: 'The house is closed.' })
    expect(() => house.subscribe({}, () => {})).toThrow('The house is closed.')
    expect(await run.result).toMatchObject({ outcome: 'completed' })
    expect(await within(other.result)).not.toBe('hung')
  }
  expect(await store.inbox((await store.list({}))[0]!.runId)).toEqual([])
})

test('close() resolved while the place of a run that had just ended was still being left', async () => {
  const order: string[] = []
  let go = () => {}
  const mayLeave = new Promise<void>(resolve => (go = resolve))
  let leaving = () => {}
  const isLeaving = new Promise<void>(resolve => (leaving = resolve))
  const leave = async () => {
    leaving()
    await mayLeave
    order.push('left')
    return undefined
  }
  const sandbox = { enter: async () => ({ cwd: '/work', roots: ['/work'], leave }) }
  const house = createOffshoot({ model: modelOf(() => 'x'), policy: { defaultModel: 'a/b' }, sandbox })
  const run = (await house.start(work)) as RunHandle
  await isLeaving
  const closed = house.close().then(() => order.push('closed'))
  await later()
  go()
  await closed
  expect(order).toEqual(['left', 'closed'])
  expect(await run.result).toMatchObject({ outcome: 'completed' })
})
