/**
 * For every append: the store refuses it once, before it is stored or after, and the house that heard so goes on later.
 * What must hold of a tree after a kill must hold of it then.
 */
import { expect, test } from 'vitest'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { RunStore } from '../../src/core/run-store.js'
import { createOffshoot } from '../../src/offshoot.js'
import { FakeClock } from '../../src/testing/fake-clock.js'
import { storeWith } from '../support/store-with.js'
import { type Plan, planAgents, planJudge, planModel, planTools } from './plan.js'
import { assertSound, openSideEffects, readLogs } from './soundness.js'

const tree: Plan = [
  [{ write: 1 }, { read: 2 }, { child: [[{ write: 3 }], [{ child: [[{ write: 5 }]] }]] }],
  [{ child: [[{ write: 6 }]], isBackground: true }, { write: 7 }, { ask: 8 }],
]

interface Refusing {
  readonly store: RunStore
  readonly writes: number
}

/** Refuses one write of a log. */
function refusing(inner: RunStore, at: number, when: 'before' | 'after', onRefused: () => Promise<void>): Refusing {
  const counted = { writes: 0 }
  const around = async <T>(write: () => Promise<T>): Promise<T> => {
    counted.writes += 1
    const isRefused = counted.writes === at
    if (isRefused && when === 'before') await onRefused()
    const value = isRefused && when === 'before' ? undefined : await write()
    if (!isRefused) return value as T
    if (when === 'after') await onRefused()
    throw Object.assign(new Error('no space left on device'), { code: 'full' })
  }
  const store = storeWith(inner, {
    create: first => around(() => inner.create(first)),
    begin: (...args) => around(() => inner.begin!(...args)),
    append: (...args) => (args[3].length === 0 ? inner.append(...args) : around(() => inner.append(...args))),
  })
  return Object.assign(counted, { store })
}

async function play(at: number, when: 'before' | 'after') {
  const inner = memoryStore()
  const marks = new Map<string, number>()
  let openAtCut: readonly string[] = []
  const counted = refusing(inner, at, when, async () => {
    openAtCut = openSideEffects(await readLogs(inner))
  })
  const offshoot = createOffshoot({
    model: planModel,
    clock: new FakeClock(),
    store: counted.store,
    agents: planAgents,
    judge: planJudge,
    tools: planTools({ isDead: () => false, mark: key => marks.set(key, (marks.get(key) ?? 0) + 1) }),
    approver: {
      isListening: () => true,
      present: ({ approvalId }) => {
        setImmediate(() => void offshoot.approvals.answer(approvalId, { verdict: 'allow' }).catch(() => {}))
        return () => {}
      },
    },
    onError: () => {},
    policy: { cwd: '/', defaultModel: 'm/m' },
  })
  const heard: string[] = []
  offshoot.subscribe({}, ({ event }) => void (event.type === 'run.ended' && heard.push(event.result.runId)))
  const run = await offshoot.start({ agent: 'main', prompt: JSON.stringify(tree), description: 'plan' })
  const told = 'refused' in run ? undefined : await run.result
  for (let i = 0; i < 20 && (await inner.list({ isEnded: false })).length > 0; i++) {
    for (let turn = 0; turn < 200; turn++) await new Promise(resolve => setImmediate(resolve))
    await offshoot.recover()
    for (let turn = 0; turn < 200; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  const logs = await readLogs(inner)
  await offshoot.close()
  return { logs, marks, openAtCut, writes: counted.writes, told, heard }
}

test('P23 K06 a write that is refused loses nothing, ends nothing falsely, and repeats no side effect', async () => {
  const calm = await play(Number.POSITIVE_INFINITY, 'before')
  expect(calm.told?.outcome).toBe('completed')
  for (let at = 1; at <= calm.writes; at++)
    for (const when of ['before', 'after'] as const) {
      const cut = await play(at, when)
      const where = `refused ${when} write ${at}`
      if (cut.logs.size === 0) continue
      assertSound(cut, where)
      // Where it is not as if nothing had happened, whoever reads the report reads why.
      const { outcome, text = '' } = cut.told ?? {}
      const isTold = text === calm.told!.text || text.includes('could not be') || cut.openAtCut.length > 0
      expect(outcome !== 'completed' || isTold, `${where}: ${text}`).toBe(true)
      expect(new Set(cut.heard).size, `${where}: an end that was told twice`).toBe(cut.heard.length)
    }
})
