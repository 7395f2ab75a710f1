import { expect, test } from 'vitest'
import { mergeSettings, type SettingsScope } from '../../core/settings.js'
import { policyOf, ruleLayersOf } from './policy-settings.js'

const settings = (scope: SettingsScope, subagents: object) =>
  mergeSettings([{ scope, dialect: 'offshoot', origin: scope, root: '/work', content: { subagents } }])

test('limits of a tree come from settings, and --max-budget-usd goes before them', () => {
  const given = settings('user', { budgetUsd: 2.5, budgetTokens: 1000, fanOutApproval: 8, concurrencyPerModel: 4 })
  expect(policyOf(given, {}, {})).toEqual({
    treeBudget: { usd: 2.5, tokens: 1000 },
    fanOutApproval: 8,
    concurrencyPerModel: 4,
  })
  expect(policyOf(given, { maxBudgetUsd: 0.5 }, {}).treeBudget).toEqual({ usd: 0.5, tokens: 1000 })
  expect(policyOf(settings('user', {}), {}, {})).toEqual({})
})

test('a project’s file cannot raise what its user may spend', () => {
  const given = settings('project', { budgetUsd: 1000, fanOutApproval: 500 })
  expect(policyOf(given, {}, {})).toEqual({})
  expect(given.diagnostics.length).toBeGreaterThan(0)
})

test.each(['claude', 'offshoot'] as const)('%s: who has switched bypassPermissions off was not heard', dialect => {
  const content = { permissions: { disableBypassPermissionsMode: 'disable' } }
  const given = mergeSettings([{ scope: 'user', dialect, origin: 'my file', root: '/work', content }])
  const fault = expect.stringContaining('my file')
  expect(ruleLayersOf(given, { permissionMode: 'bypassPermissions' })).toEqual({ fault })
  expect(ruleLayersOf(given, { permissionMode: 'acceptEdits' })).not.toEqual({ fault })
})
