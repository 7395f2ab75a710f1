import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleQueued } from '../../testing/sample-log.js'
import type { PermissionMode } from '../agent-definition.js'
import type { Brief, PermissionLink, StoredBrief } from '../types.js'
import { amendBrief, changesOf } from './amend.js'
import { ceilingOf, isAtMost, strictestMode } from './mode.js'

const base = (() => {
  const { event } = sampleQueued({ runId: 'r' as never })
  if (event.type !== 'run.queued') throw new Error('not a queued event')
  return event.brief
})()
const modes: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan', 'dontAsk', 'bypassPermissions']
const link = (mode: PermissionMode, agent = 'x', ceiling = mode): PermissionLink => ({
  agent,
  mode,
  ...(ceiling !== mode && { ceiling }),
  approvalMode: 'caller',
  rules: { allow: [], ask: [], deny: [] },
  grants: [],
  refusals: [],
})

const names = fc.subarray(['Read', 'Write', 'Bash', 'Task'])
const spawn: fc.Arbitrary<Brief['canSpawn']> = fc.oneof(fc.boolean(), fc.subarray(['a', 'b', 'c']))
const brief = fc
  .record({
    allowed: names,
    delegateTools: names,
    canSpawn: spawn,
    modes: fc.array(fc.tuple(fc.constantFrom(...modes), fc.constantFrom(...modes)), { minLength: 1, maxLength: 3 }),
    maxTurns: fc.option(fc.nat(100), { nil: undefined }),
    timeoutMs: fc.option(fc.nat(1000), { nil: undefined }),
    tokens: fc.option(fc.nat(1000), { nil: undefined }),
    depth: fc.nat(3),
    isReadOnly: fc.boolean(),
    memory: fc.constantFrom('user' as const, 'project' as const, false as const, undefined),
  })
  .map(
    ({ modes: chain, maxTurns, timeoutMs, tokens, isReadOnly, ...rest }): StoredBrief => ({
      ...base,
      ...rest,
      chain: chain.map(([a, b], i) => link(strictestMode(a, b), `a${i}`, isAtMost(a, b) ? b : a)),
      limits: { ...base.limits, maxTurns, timeoutMs },
      budget: { tokens },
      source: { ...base.source, isReadOnly },
    }),
  )
const spawns = (canSpawn: Brief['canSpawn']) =>
  canSpawn === true ? ['a', 'b', 'c', 'd'] : canSpawn === false ? [] : canSpawn
const atMost = (a: number | undefined, b: number | undefined) => b === undefined || (a !== undefined && a <= b)

test('P13 P42 whatever comes in, an amended brief allows no more than the old one, and no more than the fresh one', () => {
  fc.assert(
    fc.property(brief, brief, (old, fresh) => {
      const amended = amendBrief(old, fresh)
      for (const other of [old, fresh]) {
        for (const name of amended.allowed) expect(other.allowed).toContain(name)
        for (const name of amended.delegateTools) expect(other.delegateTools).toContain(name)
        for (const name of spawns(amended.canSpawn)) expect(spawns(other.canSpawn)).toContain(name)
        expect(atMost(amended.limits.maxTurns, other.limits.maxTurns)).toBe(true)
        expect(atMost(amended.limits.timeoutMs, other.limits.timeoutMs)).toBe(true)
        expect(atMost(amended.budget?.tokens, other.budget?.tokens)).toBe(true)
        expect(amended.depth).toBeGreaterThanOrEqual(other.depth)
        for (const { mode } of other.chain)
          expect(strictestMode(mode, amended.chain.at(-1)!.mode)).toBe(amended.chain.at(-1)!.mode)
        expect(isAtMost(ceilingOf(amended.chain), ceilingOf(other.chain))).toBe(true)
        const last = amended.chain.at(-1)!
        expect(isAtMost(last.ceiling ?? last.mode, ceilingOf(other.chain))).toBe(true)
        expect([false, other.memory ?? amended.memory]).toContain(amended.memory)
        if (other.source.isReadOnly) expect(amended.source.isReadOnly).toBe(true)
      }
    }),
  )
})

test('what is declared never changes: the bytes a provider has cached stay the same', () => {
  expect(amendBrief(base, { allowed: [] }).declared).toEqual(base.declared)
})

test('P13 a process of its own, its limits and the evidence a definition demands by now were left out on a resume', () => {
  const old = { ...base, executionMode: 'in-process', resources: { memoryMb: 512 }, evidence: true } as const
  const fresh = {
    executionMode: 'process',
    resources: { memoryMb: 64, cpuSeconds: 10 },
    evidence: { toolCalls: 3, citedFiles: true },
  } as const
  expect(amendBrief(old, fresh)).toMatchObject(fresh)
  expect(amendBrief({ ...old, ...fresh }, old)).toMatchObject(fresh)
  expect(changesOf(old, amendBrief(old, fresh))).toEqual(fresh)
  expect(changesOf(old, amendBrief(old, {}))).toBeUndefined()
})

test('a chain grew by a link with every prompt when it was begun in a stricter mode than today’s', () => {
  const begun = { ...base, chain: [link('plan', 'main', 'acceptEdits')] }
  const again = amendBrief(begun, { chain: [link('default', 'main', 'acceptEdits')] })
  expect(again.chain).toEqual(begun.chain)
  expect(changesOf(begun, again)).toBeUndefined()
  const stricter = amendBrief(begun, { chain: [link('plan', 'main')] })
  expect(ceilingOf(stricter.chain)).toBe('plan')
})
