import { expect, test } from 'vitest'
import { noUsage } from '../../core/budget/usage.js'
import type { RunId } from '../../core/message.js'
import type { RunSummary } from '../../core/run/run-summary.js'
import type { Result } from '../../core/types.js'
import { emptyResult } from '../../runtime/children/child-end.js'
import { answerWriter } from './answer-format.js'

const run = (runId: string, about: Partial<RunSummary>): RunSummary => ({
  runId: runId as RunId,
  rootId: 'root' as RunId,
  agent: 'main',
  description: '',
  depth: 0,
  status: 'ended',
  attempt: 1,
  isBackground: false,
  createdAt: 0,
  updatedAt: 0,
  lastSeq: 1,
  turns: 0,
  toolCalls: 0,
  usage: noUsage,
  cost: 0,
  ...about,
})

function told(tree: readonly RunSummary[], isLeaving = false) {
  let written = ''
  const writer = answerWriter('json', text => {
    written += text
  })
  const result: Result = { ...emptyResult, runId: 'root' as RunId, agent: 'main', outcome: 'interrupted' }
  writer.end({ result, tree, files: [], denials: [], isLeaving })
  return JSON.parse(written)
}

test('on a full disk, a run whose answer could not be stored was said to have cost 0', () => {
  const { total_cost_usd, is_cost_estimated, usage } = told([run('root', { status: 'running' })])
  expect({ total_cost_usd, is_cost_estimated }).toEqual({ total_cost_usd: null, is_cost_estimated: true })
  expect(usage.is_estimated).toBe(true)
  expect(told([run('root', {})])).toMatchObject({ total_cost_usd: 0 })
})

test('a child that is left in the middle has cost about what is counted; one that goes on is counted so far', () => {
  const tree = [run('root', {}), run('child', { parentId: 'root' as RunId, status: 'running', cost: 0.5 })]
  expect(told(tree, true)).toMatchObject({ total_cost_usd: 0.5, is_cost_estimated: true })
  expect(told(tree)).not.toHaveProperty('is_cost_estimated')
})

test('an answer in JSON did not say whether it was verified, nor half of what a result holds', () => {
  const whole: Required<Omit<Result, 'isRefused'>> = {
    ...{
      ...emptyResult,
      runId: 'root' as RunId,
      agent: 'main',
      nickname: 'n',
      outcome: 'failed',
      recoveredFrom: 'budget',
    },
    ...{ unknownStop: 'odd', text: 'long', digest: 'short', output: { a: 1 }, turns: 2, toolCalls: 3, cost: 0.5 },
    isUnchecked: true,
    error: { message: 'no', rule: 'provider', resetsAt: 7, stack: 'secret' },
    ...{
      failedTool: 'Bash',
      spent: { tokens: 1, toolCalls: 1 },
      evidence: { calls: 1, files: ['a'], commands: ['b'] },
    },
    ...{ verified: false, unverified: ['no file is cited'], objection: 'hm', unread: 1, kept: 'in a worktree' },
  }
  let written = ''
  const writer = answerWriter('json', text => {
    written += text
  })
  const kept = new Map([[whole.runId, whole.kept]])
  writer.end({ result: whole, tree: [run('root', { cost: 0.5 })], files: [], denials: [], kept })
  const told: Record<string, unknown> = JSON.parse(written)
  // The last are told by the first line of a stream, by the tree, or by `runs show --json`.
  const places: Record<keyof typeof whole, string | undefined> = {
    ...{ runId: 'session_id', outcome: 'outcome', recoveredFrom: 'recovered_from', unknownStop: 'unknown_stop' },
    ...{ text: 'result', digest: 'digest', output: 'structured_output', turns: 'num_turns', toolCalls: 'tool_calls' },
    ...{ durationMs: 'duration_ms', usage: 'usage', cost: 'total_cost_usd', models: 'models', error: 'error' },
    ...{ failedTool: 'failed_tool', filesChanged: 'files_changed', evidence: 'evidence', verified: 'verified' },
    ...{ unverified: 'unverified', objection: 'objection', unread: 'unread', kept: 'kept' },
    isUnchecked: 'is_unchecked',
    ...{ agent: undefined, nickname: undefined, toolLog: undefined, spent: undefined },
  }
  const missing = Object.entries(places).filter(([, place]) => place !== undefined && !(place in told))
  expect(missing).toEqual([])
  expect(told).toMatchObject({ verified: false, unverified: ['no file is cited'], failed_tool: 'Bash', unread: 1 })
  expect(told.error).toEqual({ rule: 'provider', message: 'no', resets_at: 7 })
})
