import { expect, test } from 'vitest'
import type { AgentDefinition, Limits } from '../agent-definition.js'
import { defaultPolicy } from '../policy.js'
import { decideLimits } from './limits.js'

const originsOf = (dialect: string, limits: Limits | undefined) => {
  const agent: AgentDefinition = {
    name: 'a',
    source: { scope: 'user', isTrusted: true },
    systemPrompt: '',
    tools: 'all',
    dialect,
    ...(limits && { limits }),
  }
  const { reasons } = decideLimits(agent, { task: { prompt: 'x', description: 'x' }, policy: defaultPolicy })
  return reasons.map(({ subject, verdict, rule }) => `${subject} ${verdict} ${rule}`)
}

test('a limit that files of a product mean without saying it was told as written in the definition', () => {
  expect(originsOf('claude', { timeoutMs: 1_800_000 })).toEqual([
    'turns none default',
    'time 1800 s usual-in-claude-files',
  ])
  expect(originsOf('gemini', { maxTurns: 30, timeoutMs: 60_000 })).toEqual([
    'turns 30 usual-in-gemini-files',
    'time 60 s definition',
  ])
  expect(originsOf('offshoot', { timeoutMs: 1_800_000 })).toEqual(['turns none default', 'time 1800 s definition'])
  expect(originsOf('claude', undefined)).toEqual(['turns none default', 'time none default'])
})
