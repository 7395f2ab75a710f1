/**
 * The process of a run is cut off at an append: the run ends in the host, sound, and what was stored stays.
 * Some of the appends by default; every one with OFFSHOOT_CRASH=full.
 */
import { afterAll, expect, test } from 'vitest'
import { createRunProcesses } from '../../src/adapters/processes/run-processes.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import { ProtocolFault, type RunProcesses } from '../../src/core/run-process.js'
import { createOffshoot } from '../../src/offshoot.js'
import { type Plan, planAgents, planJudge, planModel, planTools } from '../crash/plan.js'
import { assertSound, openSideEffects, readLogs } from '../crash/soundness.js'
import { buildChildProgram } from '../support/child-program.js'

const isFull = process.env.OFFSHOOT_CRASH === 'full'
const processes = createRunProcesses({ program: await buildChildProgram() })
afterAll(() => processes.close())

const plan: Plan = [[{ read: 1 }, { write: 2 }, { child: [[{ write: 3 }]] }], [{ write: 4 }]]
const agents = planAgents.map(agent =>
  agent.name === 'main' ? { ...agent, executionMode: 'process' as const } : agent,
)

test('cut off at an append, before or after it, the run fails by that rule and nothing is done twice', async () => {
  const calm = await play(undefined)
  expect(calm.result.outcome).toBe('completed')
  for (let append = 1; append <= calm.appends; append += isFull ? 1 : 5) {
    for (const when of ['before', 'after'] as const) {
      const cut = await play({ append, when })
      const where = `cut ${when} append ${append}`
      // A report that was stored counts, whatever becomes of the process.
      expect(cut.result, where).toMatchObject(
        cut.hasReport ? { outcome: 'completed' } : { outcome: 'failed', error: { rule: 'protocol' } },
      )
      assertSound(cut, where)
    }
  }
})

test('a turn that waited to ask again was charged when the process of its run died', async () => {
  const store = memoryStore()
  let ended = async () => {}
  const killable: RunProcesses = {
    close: async () => {},
    start: order => {
      const started = processes.start(order)
      ended = () => started.end()
      return started
    },
  }
  const offshoot = createOffshoot({
    store,
    agents,
    processes: killable,
    policy: { cwd: '/', defaultModel: 'm/m' },
    model: {
      async ask(_request, tell, signal) {
        tell({ type: 'retrying', attempt: 1, waitMs: 60_000, reason: 'overloaded' })
        setImmediate(() => void ended())
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        throw signal.reason
      },
    },
  })
  const run = await offshoot.start({ agent: 'main', prompt: 'look', description: 'a look' })
  if ('refused' in run) throw new Error(run.refused)
  const { outcome, usage } = await run.result
  const events = (await readLogs(store)).get(run.id)!.map(({ event }) => event)
  expect({ outcome, input: usage.input, turns: events.filter(({ type }) => type === 'turn.failed') }).toEqual({
    outcome: 'failed',
    input: 0,
    turns: [],
  })
})

interface Point {
  readonly append: number
  readonly when: 'before' | 'after'
}

async function play(point: Point | undefined) {
  let appends = 0
  const store = memoryStore()
  const marks = new Map<string, number>()
  const cutting: RunProcesses = {
    close: async () => {},
    start: order =>
      processes.start({
        ...order,
        async answer(method, value, signal) {
          if (method === 'record') appends += 1
          const isPoint = method === 'record' && appends === point?.append
          if (isPoint && point?.when === 'before') throw new ProtocolFault('cut here')
          const answered = await order.answer(method, value, signal)
          if (isPoint) throw new ProtocolFault('cut here')
          return answered
        },
      }),
  }
  const offshoot = createOffshoot({
    store,
    model: planModel,
    agents,
    judge: planJudge,
    tools: planTools({ isDead: () => false, mark: key => marks.set(key, (marks.get(key) ?? 0) + 1) }),
    policy: { cwd: '/', defaultModel: 'm/m' },
    processes: cutting,
  })
  const run = await offshoot.start({ agent: 'main', prompt: JSON.stringify(plan), description: 'plan' })
  if ('refused' in run) throw new Error(run.refused)
  const result = await run.result
  // Children that were stopped with it end in their own time.
  await Promise.all((await offshoot.list({})).map(({ runId }) => offshoot.run(runId).result))
  const logs = await readLogs(store)
  const hasReport = logs.get(run.id)!.some(({ event }) => event.type === 'turn.ended' && event.calls.length === 0)
  return { result, appends, hasReport, logs, marks, openAtCut: openSideEffects(logs) }
}
