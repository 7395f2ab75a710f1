import { expect, test } from 'vitest'
import { mergeSettings, type SettingsScope } from '../../core/settings/settings.js'
import { allowSlips, modeCeilingOf, policyOf, refusedByManaged, ruleLayersOf } from './policy-settings.js'

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

test('a flag beat a managed budget and a managed mode', () => {
  const content = { subagents: { budgetUsd: 1 }, permissions: { defaultMode: 'default' } }
  const of = (scope: SettingsScope) => mergeSettings([{ scope, dialect: 'offshoot', origin: 'theirs', content }])
  const wide = { maxBudgetUsd: 100, permissionMode: 'bypassPermissions' } as const
  const narrow = { maxBudgetUsd: 0.5, permissionMode: 'plan' } as const
  const policy = (scope: SettingsScope, chosen: typeof wide | typeof narrow) => {
    const { mode, treeBudget } = policyOf(of(scope), chosen, {})
    return [mode, treeBudget?.usd]
  }
  expect(policy('managed', wide)).toEqual(['default', 1])
  expect(policy('managed', narrow)).toEqual(['plan', 0.5])
  expect(policy('user', wide)).toEqual(['bypassPermissions', 100])
  expect(refusedByManaged(of('managed'), narrow)).toEqual([])
  expect(refusedByManaged(of('user'), wide)).toEqual([])
  expect(refusedByManaged(of('managed'), wide)).toMatchObject([
    { code: 'managed-limit', file: '--permission-mode', message: expect.stringContaining('theirs') },
    { code: 'managed-limit', file: '--max-budget-usd', message: expect.stringContaining('100 is not had: 1 counts') },
  ])
})

test('a slip in an allowed tool allowed nothing, and nobody said so', () => {
  expect(allowSlips({ allowedTools: ['Read,Bsh(ls)', 'mcp__git__push'] })).toMatchObject([
    { file: '--allowedTools', message: '"Bsh(ls)" is for a tool nobody knows here', hint: 'did you mean "Bash"?' },
  ])
})

test.each([
  ['user', undefined, undefined, 'acceptEdits'],
  ['user', 'plan', undefined, 'acceptEdits'],
  ['user', undefined, 'bypassPermissions', 'bypassPermissions'],
  ['user', 'bypassPermissions', 'plan', 'bypassPermissions'],
  ['project', 'bypassPermissions', undefined, 'acceptEdits'],
  ['managed', 'default', 'bypassPermissions', 'default'],
  ['managed', 'plan', undefined, 'plan'],
  ['managed', 'bypassPermissions', undefined, 'bypassPermissions'],
] as const)('with %s settings of %s and the flag %s a person can switch up to %s', (scope, set, flag, ceiling) => {
  const given = (more: object) => {
    const content = { permissions: { ...(set && { defaultMode: set }), ...more } }
    return mergeSettings([{ scope, dialect: 'offshoot', origin: 'a file', root: '/work', content }])
  }
  expect(modeCeilingOf(given({}), { permissionMode: flag })).toBe(ceiling)
  const barred = modeCeilingOf(given({ disableBypassPermissionsMode: 'disable' }), { permissionMode: flag })
  expect(barred).toBe(ceiling === 'bypassPermissions' ? 'acceptEdits' : ceiling)
})
