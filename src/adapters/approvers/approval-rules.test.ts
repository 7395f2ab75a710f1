import { expect, test } from 'vitest'
import { callOf, layer, link } from '../../../test/support/judging.js'
import type { PermissionRule } from '../../core/agent-definition.js'
import type { Envelope } from '../../core/events.js'
import type { CallToJudge } from '../../core/ports.js'
import type { ApprovalScope } from '../../core/run-store.js'
import { createJudge } from '../judge/judge.js'
import { ApprovalRules } from './approval-rules.js'

function rules(deny: readonly string[] = [], isRead?: boolean) {
  const saved: PermissionRule[] = []
  const judge = createJudge({ layers: () => [layer({ deny }), ...approvals.layers()], stateDirs: [] })
  const save = (rule: PermissionRule) => {
    saved.push(rule)
    return isRead
  }
  const approvals: ApprovalRules = new ApprovalRules({ judge, save })
  const answer = (call: CallToJudge, scope: ApprovalScope, lasting?: string) => {
    const about = { approvalId: 'a', callId: call.callId, verdict: 'allow', scope, by: 'user' }
    approvals.hear({ runId: call.runId, event: { type: 'approval.resolved', ...about, lasting } } as Envelope)
  }
  return { approvals, saved, answer }
}

const npm = callOf('Bash', { command: 'npm test' })

test('the request names the rule that a longer yes would add, and exactly that is kept', async () => {
  const { approvals, saved, answer } = rules()
  expect(await approvals.judge(npm)).toMatchObject({ decision: 'ask', lasting: 'Bash(npm test)' })
  answer(npm, 'always', 'Bash(npm test)')
  expect(saved.map(rule => rule.text)).toEqual(['Bash(npm test)'])
  expect(await approvals.judge(npm)).toMatchObject({ decision: 'allow' })
})

test('what would ask again all the same is offered for once only, and no rule is kept for it', async () => {
  const { approvals, saved, answer } = rules(['Read(./private/**)'])
  const firm = callOf('Bash', { command: 'cat */*' }, { chain: [link({ mode: 'bypassPermissions' })] })
  expect(await approvals.judge(firm)).toMatchObject({ decision: 'ask', isFirm: true, lasting: false })
  const host = { ...callOf('Deploy', { to: 'x' }), effect: 'execute' as const }
  expect(await approvals.judge(host)).toMatchObject({ decision: 'ask', lasting: false })
  answer(firm, 'always')
  expect(saved).toEqual([])
})

test('an "always" for a request that an earlier process made was forgotten', async () => {
  const { approvals, saved, answer } = rules()
  answer(npm, 'always', 'Bash(npm test)')
  await approvals.judge(npm)
  expect(saved.map(rule => rule.text)).toEqual(['Bash(npm test)'])
})

test('an "always" for a request that an earlier process made is for what was shown there, and for nothing else', async () => {
  const { approvals, saved, answer } = rules()
  answer(npm, 'always', 'Bash(npm run build)')
  expect((await approvals.judge(npm)).decision).toBe('ask')
  expect(saved).toEqual([])
})

test('J3 a second approval of the same session counts as well: rules are read as they are at each call', async () => {
  const { approvals, answer } = rules()
  const build = { ...callOf('Bash', { command: 'npm run build' }), callId: 'call-2' as CallToJudge['callId'] }
  for (const call of [npm, build]) {
    expect((await approvals.judge(call)).decision).toBe('ask')
    answer(call, 'session', `Bash(${(call.input as { command: string }).command})`)
    expect((await approvals.judge(call)).decision).toBe('allow')
  }
})

test('what was approved for the session held for every conversation of the house', async () => {
  const { approvals, answer } = rules()
  const other = { ...npm, runId: 'run-2' as CallToJudge['runId'] }
  const child = { ...npm, runId: 'run-3' as CallToJudge['runId'], rootId: npm.runId }
  await approvals.judge(npm)
  answer(npm, 'session', 'Bash(npm test)')
  expect((await approvals.judge(child)).decision).toBe('allow')
  expect((await approvals.judge(other)).decision).toBe('ask')
  answer(other, 'always', 'Bash(npm test)')
  expect((await approvals.judge({ ...npm, runId: 'run-4' as CallToJudge['runId'] })).decision).toBe('allow')
})

test('a person said "always" to one rule, and that of an input a hook had wished for was kept', async () => {
  const { approvals, saved, answer } = rules()
  await approvals.judge(npm)
  await approvals.judge(callOf('Bash', { command: 'eval "$X"' }))
  answer(npm, 'always', 'Bash(npm test)')
  expect(saved.map(rule => rule.text)).toEqual(['Bash(npm test)'])
})

test('an "always" whose rule was judged by nobody here waits for the call that shows it', async () => {
  const { approvals, saved, answer } = rules()
  await approvals.judge(callOf('Bash', { command: 'npm run build' }))
  answer(npm, 'always', 'Bash(npm test)')
  expect(saved).toEqual([])
  await approvals.judge(npm)
  expect(saved.map(rule => rule.text)).toEqual(['Bash(npm test)'])
})

test('an "always" that was saved where rules are read again is held nowhere else', async () => {
  for (const [isRead, layers] of [
    [true, 0],
    [false, 1],
  ] as const) {
    const { approvals, saved, answer } = rules([], isRead)
    await approvals.judge(npm)
    answer(npm, 'always', 'Bash(npm test)')
    expect(saved).toHaveLength(1)
    expect(approvals.layers()).toHaveLength(layers)
  }
})
