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
