import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Budget } from '../../core/agent-definition.js'
import { amendBrief } from '../../core/brief/amend.js'
import { decideBudget } from '../../core/budget/budget.js'
import { noUsage, totalTokens } from '../../core/budget/usage.js'
import type { DurableEvent, StoredEvent } from '../../core/events.js'
import type { RunId } from '../../core/message.js'
import { apply, fold } from '../../core/run/run-apply.js'
import type { RunState } from '../../core/run/run-state.js'
import type { Purses } from '../../core/types.js'
import { FakeClock } from '../../testing/fake-clock.js'
import { callId, runId, sampleEnded, sampleEvent, sampleQueued } from '../../testing/sample-log.js'
import { PurseBook } from './purse.js'

const rootId = runId('r0')

/** A tree of logs, the books kept of it, and what is in flight: everything a process has, and what a crash takes. */
class Tree {
  readonly clock = new FakeClock()
  book = this.#newBook()
  readonly logs = new Map<RunId, StoredEvent[]>()
  states = new Map<RunId, RunState>()
  flights = new Map<RunId, { readonly key: string; readonly tokens: number; readonly input: number }>()
  /** Promised to a child that is in no log yet. */
  promised = new Map<RunId, { readonly parentId: RunId; readonly budget: Budget }>()
  #runs = 0

  #newBook(): PurseBook {
    return new PurseBook({ readTree: async () => [...this.states.values()], clock: this.clock })
  }

  create(id: RunId, grant: { budget?: Budget; purses?: Purses }, parentId?: RunId): void {
    const first = sampleQueued({ runId: id, rootId, ...(parentId && { parentId }), brief: { ...grant, opening: [] } })
    this.logs.set(id, [first])
    this.states.set(id, apply(undefined, first))
    this.book.open({ rootId, runId: id, parentId }, grant)
  }

  record(id: RunId, event: DurableEvent): void {
    const log = this.logs.get(id)!
    const { parentId } = this.states.get(id)!
    const stored = sampleEvent({ runId: id, rootId, ...(parentId && { parentId }) }, log.length + 1, event)
    log.push(stored)
    apply(this.states.get(id), stored)
    this.book.heard(this.states.get(id)!, [event])
  }

  pick(index: number, isWanted: (state: RunState) => boolean): RunState | undefined {
    const fitting = [...this.states.values()].filter(isWanted)
    return fitting[index % Math.max(1, fitting.length)]
  }

  /** The process may go between the promise, the caller's log and the child's own. */
  spawn(index: number, tokens: number | undefined, gets: 'promised' | 'recorded' | 'created'): void {
    const parent = this.pick(index, state => !state.result)
    if (!parent) return
    const caller = {
      runId: parent.runId,
      purses: parent.brief.purses,
      remainder: this.book.remainder({ rootId, runId: parent.runId, purses: parent.brief.purses }),
    }
    const grant = decideBudget({ task: tokens === undefined ? undefined : { tokens }, caller })
    if ('refused' in grant) return
    const id = runId(`r${++this.#runs}`)
    const promisedBy = { runId: parent.runId, callId: callId(id) }
    this.book.open({ rootId, runId: id, parentId: parent.runId }, grant, promisedBy)
    if (gets === 'promised') {
      if (grant.budget) this.promised.set(id, { parentId: parent.runId, budget: grant.budget })
      return
    }
    const facts = { callId: callId(id), runId: id, attempt: 1, agent: 'main', description: 'd', isBackground: true }
    this.record(parent.runId, { type: 'child.started', ...facts, reserved: grant.budget })
    if (gets === 'created') this.create(id, grant, parent.runId)
  }

  /** A child that its caller's log knows and that has no log yet. */
  begin(): void {
    for (const { parentId, runId: id, reserved } of this.#unborn())
      this.create(id, { budget: reserved, purses: { tokens: 'own' } }, parentId)
  }

  #unborn() {
    return [...this.states.values()].flatMap(({ runId: parentId, children }) =>
      [...children.values()]
        .filter(child => child.reserved && !child.isEnded && !this.states.has(child.runId))
        .map(({ runId: id, reserved }) => ({ parentId, runId: id, reserved })),
    )
  }

  async request(index: number, input: number, purpose: 'work' | 'grace'): Promise<void> {
    const state = this.pick(index, one => !one.result && !this.flights.has(one.runId))
    if (!state) return
    const key = `turn/${state.turn}/${purpose}`
    const over = new AbortController()
    setImmediate(() => over.abort())
    const wish = { purpose, inputTokens: input, maxOutputTokens: 500 }
    const hold = await this.book.takeTurn(state, key, wish, over.signal).catch(() => undefined)
    if (hold && 'maxOutputTokens' in hold)
      this.flights.set(state.runId, { key, input, tokens: input + hold.maxOutputTokens })
  }

  /** The request comes back, having used at most what was taken for it. */
  settle(index: number, share: number): void {
    const state = this.pick(index, one => this.flights.has(one.runId))
    if (!state) return
    const { key, tokens, input } = this.flights.get(state.runId)!
    this.flights.delete(state.runId)
    const used = Math.floor(tokens * share)
    const usage = { ...noUsage, input: Math.min(input, used), output: Math.max(0, used - input) }
    const [, turn, purpose] = key.split('/') as [string, string, 'work']
    const facts = { turn: Number(turn), purpose, upto: 0, usage, model: 'm' }
    if (share < 0.3) {
      const error = { kind: 'aborted', message: 'cut', isRetryable: false } as const
      this.record(state.runId, { type: 'turn.failed', ...facts, error, partial: '' })
      return
    }
    const message = { role: 'assistant', content: [{ type: 'text', text: 'x' }] } as const
    this.record(state.runId, { type: 'turn.ended', ...facts, message, calls: [], finish: 'stop' })
  }

  end(index: number, isTold: boolean): void {
    const state = this.pick(index, one => !one.result && one.runId !== rootId)
    if (!state) return
    this.flights.delete(state.runId)
    this.record(state.runId, sampleEnded({ runId: state.runId }, 1).event)
    for (const [id, { parentId }] of this.promised) if (parentId === state.runId) this.promised.delete(id)
    const parent = isTold && state.parentId ? this.states.get(state.parentId) : undefined
    if (!parent || parent.result) return
    this.tell(parent.runId, state)
  }

  /** The caller hears of an earlier end when the run has gone on already. */
  tellLate(index: number): void {
    const state = this.pick(index, one => !one.result && one.attempt > 1)
    const parent = state?.parentId && this.states.get(state.parentId)
    if (state && parent && !parent.result) this.tell(parent.runId, state, state.attempt - 1)
  }

  tell(callerId: RunId, state: RunState, attempt = state.attempt): void {
    const spent = { tokens: totalTokens(state.usage), toolCalls: 0 }
    const facts = { runId: state.runId, attempt, outcome: 'completed', usage: state.usage } as const
    this.record(callerId, { type: 'child.ended', ...facts, spent })
  }

  resume(index: number, isCut = false): void {
    const state = this.pick(index, one => one.result !== undefined && one.parentId !== undefined)
    const parent = state?.parentId && this.states.get(state.parentId)
    if (!state || !parent) return
    const remainder = this.book.remainder({ rootId, runId: parent.runId, purses: parent.brief.purses }, state.runId)
    const caller = { runId: parent.runId, purses: parent.brief.purses, remainder }
    const fresh = decideBudget({ definition: state.brief.budget, caller })
    if ('refused' in fresh) return
    const brief = amendBrief(state.brief, { budget: fresh.budget })
    const promisedBy = { runId: parent.runId, callId: callId('again') }
    this.book.reopen({ rootId, runId: state.runId, attempt: state.attempt + 1 }, brief, promisedBy)
    if (isCut) this.book.forsake(parent, callId('again'))
    else this.record(state.runId, { type: 'run.resumed', attempt: state.attempt + 1, brief })
  }

  /** The call that wanted a child is over before its start was stored. */
  cut(): void {
    for (const [id, { parentId }] of this.promised) this.book.forsake(this.states.get(parentId)!, callId(id))
    this.promised.clear()
  }

  async crash(): Promise<void> {
    this.flights.clear()
    this.promised.clear()
    this.states = new Map([...this.logs].map(([id, log]) => [id, fold(log)!]))
    this.book = this.#newBook()
    for (const { runId: id, brief } of this.states.values()) await this.book.load(rootId, brief, id)
  }

  /** From the logs and what is in flight alone: what counts against a run's grant. */
  used(id: RunId): number {
    const own = totalTokens(this.states.get(id)?.usage ?? noUsage) + (this.flights.get(id)?.tokens ?? 0)
    const below = [...this.states.values()].filter(({ parentId }) => parentId === id)
    const promised = [...this.promised.values()].filter(({ parentId }) => parentId === id)
    return [
      ...below.map(({ runId: child, brief, result }) =>
        Math.max(this.used(child), result ? 0 : (brief.budget?.tokens ?? 0)),
      ),
      ...promised.map(({ budget }) => budget.tokens ?? 0),
      ...this.#unborn().flatMap(({ parentId, reserved }) => (parentId === id ? [reserved?.tokens ?? 0] : [])),
    ].reduce((sum, amount) => sum + amount, own)
  }
}

const step = fc.oneof(
  fc.record({
    do: fc.constant('spawn' as const),
    run: fc.nat(20),
    tokens: fc.option(fc.integer({ min: 1, max: 30_000 }), { nil: undefined }),
    gets: fc.constantFrom('promised' as const, 'recorded' as const, 'created' as const, 'created' as const),
  }),
  fc.record({
    do: fc.constant('request' as const),
    run: fc.nat(20),
    input: fc.integer({ min: 1, max: 4_000 }),
    isFinal: fc.boolean(),
  }),
  fc.record({ do: fc.constant('settle' as const), run: fc.nat(20), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ do: fc.constant('end' as const), run: fc.nat(20), isTold: fc.boolean() }),
  fc.record({ do: fc.constantFrom('resume' as const, 'tell-late' as const), run: fc.nat(20) }),
  fc.record({ do: fc.constantFrom('crash' as const, 'begin' as const, 'cut' as const) }),
  fc.record({ do: fc.constant('resume-cut' as const), run: fc.nat(20) }),
)

test('no order of spawn, spend, end, cancel, crash and resume lets what is reserved exceed any grant above it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
      const tree = new Tree()
      tree.create(rootId, { budget: { tokens: 40_000 }, purses: { tokens: 'own' } })
      for (const one of steps) {
        if (one.do === 'spawn') tree.spawn(one.run, one.tokens, one.gets)
        else if (one.do === 'request') await tree.request(one.run, one.input, one.isFinal ? 'grace' : 'work')
        else if (one.do === 'settle') tree.settle(one.run, one.share)
        else if (one.do === 'end') tree.end(one.run, one.isTold)
        else if (one.do === 'resume') tree.resume(one.run)
        else if (one.do === 'tell-late') tree.tellLate(one.run)
        else if (one.do === 'begin') tree.begin()
        else if (one.do === 'cut') tree.cut()
        else if (one.do === 'resume-cut') tree.resume(one.run, true)
        else await tree.crash()
        for (const { runId: id, brief } of tree.states.values())
          if (brief.budget?.tokens !== undefined)
            expect(tree.used(id), `${id} after ${one.do}`).toBeLessThanOrEqual(brief.budget.tokens)
      }
    }),
    { numRuns: 300 },
  )
})

test('a request waits for others in flight when that may help, and is refused when it cannot', async () => {
  const tree = new Tree()
  tree.create(rootId, { budget: { tokens: 3_000 }, purses: { tokens: 'own' } })
  tree.spawn(0, undefined, 'created')
  const [main, child] = [...tree.states.values()] as [RunState, RunState]
  const { signal } = new AbortController()
  const wish = { purpose: 'work', inputTokens: 400, maxOutputTokens: 2_000 } as const
  await tree.book.takeTurn(main, 'turn/0/work', wish, signal)
  let answer: unknown
  const waiting = tree.book.takeTurn(child, 'turn/0/work', wish, signal).then(value => (answer = value))
  await new Promise(resolve => setImmediate(resolve))
  expect(answer).toBeUndefined()
  tree.book.release(main, 'turn/0/work')
  await waiting
  expect(answer).toMatchObject({ maxOutputTokens: expect.any(Number) })
  // One that hangs is not waited for, for ever.
  const refused = tree.book.takeTurn(main, 'turn/1/work', { ...wish, inputTokens: 900 }, signal)
  await tree.clock.advance(10_000)
  expect(await refused).toHaveProperty('reached')
  expect(tree.clock.pending).toBe(0)
  const large = { ...wish, inputTokens: 5_000 }
  tree.book.release(child, 'turn/0/work')
  expect(await tree.book.takeTurn(main, 'turn/1/work', large, signal)).toMatchObject({
    reached: { dimension: 'tokens', granted: 3_000, purse: rootId },
  })
})

test('what a child of an ended run still spends counts above it, where that run’s grant was given back', async () => {
  const tree = new Tree()
  tree.create(rootId, { budget: { tokens: 40_000 }, purses: { tokens: 'own' } })
  tree.spawn(0, 10_000, 'created')
  tree.spawn(1, undefined, 'created')
  tree.end(0, true)
  tree.spawn(0, 38_000, 'created')
  const orphan = tree.states.get(runId('r2'))!
  const wish = { purpose: 'work', inputTokens: 3_000, maxOutputTokens: 500 } as const
  const answer = await tree.book.takeTurn(orphan, 'turn/0/work', wish, new AbortController().signal)
  expect(answer).toMatchObject({ reached: { granted: 40_000 } })
})

test('the end of an attempt, told after the next one had begun, gave that one’s grant away', () => {
  const tree = new Tree()
  tree.create(rootId, { budget: { tokens: 40_000 }, purses: { tokens: 'own' } })
  tree.spawn(0, 30_000, 'created')
  tree.end(0, false)
  tree.resume(0)
  tree.tellLate(0)
  tree.spawn(0, 30_000, 'created')
  expect(tree.states.get(runId('r1'))?.brief.budget).toEqual({ tokens: 30_000 })
  expect(tree.states.get(runId('r2'))?.brief.budget).toEqual({ tokens: 8_000 })
})

test('a call that was cut before its child began, or went on, kept the grant of that child', () => {
  const tree = new Tree()
  tree.create(rootId, { budget: { tokens: 40_000 }, purses: { tokens: 'own' } })
  const left = () => tree.book.remainder({ rootId, runId: rootId, purses: { tokens: 'own' } })
  const whole = left()
  tree.spawn(0, 30_000, 'promised')
  expect(left()).toEqual({ tokens: whole!.tokens! - 30_000 })
  tree.cut()
  expect(left()).toEqual(whole)
  tree.spawn(0, 30_000, 'created')
  tree.end(0, true)
  tree.resume(0, true)
  expect(left()).toEqual(whole)
})

test('a run that the host could not let go on gives back what was taken for it, and has it again the next time', () => {
  const tree = new Tree()
  tree.create(rootId, { budget: { tokens: 40_000 }, purses: { tokens: 'own' } })
  tree.spawn(0, 30_000, 'created')
  tree.end(0, true)
  const [, child] = [...tree.states.values()] as [RunState, RunState]
  const left = (again?: RunId) => tree.book.remainder({ rootId, runId: rootId, purses: { tokens: 'own' } }, again)
  const whole = left()
  const more = left(child.runId)
  tree.book.reopen({ rootId, runId: child.runId, attempt: 2 }, child.brief, 'host')
  expect(left()).toEqual({ tokens: whole!.tokens! - 30_000 })
  expect(left(child.runId)).toEqual(more)
  tree.book.giveBack(child)
  expect(left()).toEqual(whole)
  // One that goes on by now gives nothing back.
  tree.book.reopen({ rootId, runId: child.runId, attempt: 2 }, child.brief)
  tree.book.giveBack(child)
  expect(left()).toEqual({ tokens: whole!.tokens! - 30_000 })
})
