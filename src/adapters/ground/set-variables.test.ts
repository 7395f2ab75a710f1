import { expect, test } from 'vitest'
import { mergeSettings } from '../../core/settings/settings.js'
import { commandEnvironment } from '../os/command-environment.js'
import { setVariables } from './set-variables.js'

const env = { PATH: '/bin', DATABASE_URL: 'postgres://me:hunter2@db', LD_PRELOAD: '/x.so' }

test('a variable called "*" in settings handed the whole environment to commands and servers', () => {
  const content = { env: { '*': 'x', 'DATA*': 'y', COLOUR: 'blue' } }
  const settings = mergeSettings([{ scope: 'project', dialect: 'offshoot', origin: 'settings.json', content }])
  const set = setVariables(settings, env)
  const passed = commandEnvironment({ ...env, ...set }, { allow: Object.keys(set) })
  expect(passed).toMatchObject({ PATH: '/bin', COLOUR: 'blue' })
  expect(Object.keys(passed)).not.toEqual(expect.arrayContaining(['DATABASE_URL']))
  expect(Object.keys(passed)).not.toEqual(expect.arrayContaining(['LD_PRELOAD']))
})
