import { expect, test } from 'vitest'
import { mergeSettings, type SettingsFile } from '../settings/settings.js'
import { hooksOffBy } from './hooks-off.js'

const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'guard' }] }] }
const file = (
  scope: SettingsFile['scope'],
  content: object,
  dialect: SettingsFile['dialect'] = 'offshoot',
): SettingsFile => ({ scope, dialect, origin: `${scope}/${dialect}`, content })

test('hooks switched off in a file of .claude left the guards of our own file beside it off, unsaid', () => {
  const merged = mergeSettings([
    file('user', { hooks }),
    file('user', { hooks, disableAllHooks: true }, 'claude'),
    file('project', { hooks }),
  ])
  expect(merged.hooks.map(({ origin }) => origin)).toEqual(['project/offshoot', 'user/offshoot'])
  expect(merged.diagnostics).toMatchObject([
    { code: 'guards-off', severity: 'warning', file: 'user/claude', message: expect.stringContaining('user/claude') },
  ])
  expect(hooksOffBy(merged)).toMatchObject({ origin: 'user/claude' })
})

test('guards that are switched off are said, with the file that did it; where none is, nothing is', () => {
  const off = mergeSettings([file('user', { hooks, disableAllHooks: true }), file('user', { hooks }, 'claude')])
  expect(off.hooks).toEqual([])
  expect(off.diagnostics[0]?.message).toBe(
    '"disableAllHooks" is on here: the guards of user/offshoot, user/claude guard nothing',
  )
  const watching = { Stop: [{ hooks: [{ type: 'command', command: 'ring' }] }] }
  expect(mergeSettings([file('user', { hooks: watching, disableAllHooks: true })]).diagnostics).toEqual([])
})
