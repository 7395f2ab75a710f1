import { expect, test } from 'vitest'
import { planHooks } from '../../src/adapters/hooks/plan-hooks.js'
import { planFileOf } from '../../src/core/brief/plan-file.js'
import type { PromptPart } from '../../src/core/brief/prompt-parts.js'
import { agent, call, house, task, tool } from './house.js'

const parts: readonly PromptPart[] = [
  { kind: 'instructions', origin: '/work/CLAUDE.md', text: 'Use tabs.' },
  { kind: 'skill', origin: 'deploy', text: 'Never on Fridays.' },
]

test('instructions reach main and child, unless a definition omits them; explain shows the bytes', async () => {
  const { run, model, offshoot } = house(
    { main: [{ calls: [task('worker'), task('bare')] }, 'ok'], worker: ['a'], bare: ['b'] },
    {
      agents: [agent('worker', { skills: ['deploy'] }), agent('bare', { omitInstructions: true })],
      promptParts: ({ skills }) => parts.filter(part => part.kind !== 'skill' || skills?.includes(part.origin)),
    },
  )
  await run()
  expect(model.requestsOf('main')[0]?.declared.system).toContain('Use tabs.')
  expect(model.requestsOf('worker')[0]?.declared.system).toContain('Use tabs.')
  expect(model.requestsOf('bare')[0]?.declared.system).not.toContain('Use tabs.')
  const opening = JSON.stringify(model.requestsOf('worker')[0]?.messages)
  expect(opening.indexOf('Never on Fridays.')).toBeGreaterThan(0)
  expect(opening.indexOf('Never on Fridays.')).toBeLessThan(opening.indexOf('work'))
  expect(JSON.stringify(model.requestsOf('bare')[0]?.messages)).not.toContain('Fridays')
  const brief = offshoot.explain({ agent: 'worker', prompt: 'x', description: 'x' })
  const about = 'refused' in brief ? [] : brief.reasons.filter(reason => reason.about === 'prompt')
  expect(about).toMatchObject([
    { subject: '/work/CLAUDE.md', verdict: '9 bytes', rule: 'instructions' },
    { subject: 'deploy', verdict: '17 bytes', rule: 'skill' },
  ])
})

test('an agent that only reads (Explore, Plan) was told to write its plan with tools it has not', async () => {
  const { run, model } = house(
    { main: [{ calls: [task('Plan')] }, 'ok'], Plan: ['planned'] },
    {
      agents: [agent('Plan', { permissionMode: 'plan', tools: [{ name: 'Read' }] })],
      tools: [tool('Read', 'read', () => 'text'), tool('Write', 'write', () => 'written')],
      hooks: planHooks('/data/plans'),
    },
  )
  await run()
  const told = JSON.stringify(model.requestsOf('Plan')[0]?.messages)
  expect(told).toContain('You are in plan mode: look, think, change nothing.')
  expect(told).not.toMatch(/\/data\/plans|Write|Edit/)
})

test('C4: two planners in parallel are told two plan files, and only those can be written', async () => {
  const written: string[] = []
  const pathIn = (text: string) => /into (\S+\.md)/.exec(text)?.[1] ?? 'none'
  const { run, events } = house(
    {
      main: [{ calls: [task('Plan'), task('Plan')] }, 'ok'],
      Plan: first => [
        call('Write', { file_path: pathIn(JSON.stringify(first.messages)) }),
        call('Write', { file_path: '/work/src/index.ts' }),
        'planned',
      ],
    },
    {
      agents: [agent('Plan', { permissionMode: 'plan' })],
      tools: [tool('Write', 'write', ({ file_path }: { file_path: string }) => `file ${written.push(file_path)}`)],
      hooks: planHooks('/data/plans'),
      judge: {
        judge({ runId, rootId, brief, input, effect }) {
          if (effect === 'delegate') return { decision: 'allow', rule: 'delegate' }
          const own = planFileOf('/data/plans', { runId, rootId: rootId!, depth: brief.depth })
          return (input as { file_path: string }).file_path === own
            ? { decision: 'allow', rule: 'plan-file' }
            : { decision: 'deny', rule: 'plan-mode', reason: 'only the plan file' }
        },
      },
    },
  )
  await run()
  expect(new Set(written).size).toBe(2)
  expect(written.every(path => /^\/data\/plans\/\w+-\w+-\w+-agent-/.test(path))).toBe(true)
  const denied = events.filter(({ event }) => event.type === 'tool.ended' && event.status === 'denied')
  expect(denied).toHaveLength(2)
})
