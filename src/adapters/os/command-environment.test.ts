import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { commandEnvironment } from './command-environment.js'

test('H01 keys, tokens, cloud settings and our own variables are not passed on', () => {
  const secrets = {
    ANTHROPIC_API_KEY: 'x',
    OPENAI_API_KEY: 'x',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_PROFILE: 'x',
    GITHUB_TOKEN: 'x',
    GH_TOKEN: 'x',
    NPM_TOKEN: 'x',
    OFFSHOOT_SUBAGENT_MODEL: 'x',
    OFFSHOOT_RUN: 'x',
    SSH_AUTH_SOCK: 'x',
    GOOGLE_APPLICATION_CREDENTIALS: 'x',
    DATABASE_URL: 'x',
    SECRETS_HOME: 'x',
    XDG_SECRET: 'x',
    LC_API_KEY: 'x',
    NODE_OPTIONS: '--require x',
    LD_PRELOAD: 'x',
    BASH_ENV: 'x',
    ENV: 'x',
    PROMPT_COMMAND: 'x',
    http_proxy: 'http://user:pass@proxy',
    HTTPS_PROXY: 'http://user:pass@proxy',
  }
  const passed = commandEnvironment({ ...secrets, PATH: '/bin' })
  for (const name of Object.keys(secrets)) expect(passed, name).not.toHaveProperty(name)
  expect(passed.PATH).toBe('/bin')
})

test('what tools need is passed on, and nobody is asked anything', () => {
  const needed = {
    PATH: '/bin',
    HOME: '/h',
    LANG: 'C',
    LC_ALL: 'C',
    JAVA_HOME: '/j',
    CARGO_HOME: '/c',
    TZ: 'UTC',
    http_proxy: 'http://p',
  }
  expect(commandEnvironment(needed)).toMatchObject({ ...needed, PAGER: 'cat', GIT_TERMINAL_PROMPT: '0', TERM: 'dumb' })
})

test('a name is passed when it is named; a prefix does not let secrets through', () => {
  const source = { MY_FLAG: '1', MY_TOKEN: 't', OTHER: 'o', UNSET: undefined }
  const passed = commandEnvironment(source, { allow: ['MY_*'], set: { EXTRA: 'e' } })
  expect(passed).toMatchObject({ MY_FLAG: '1', EXTRA: 'e' })
  expect(passed).not.toHaveProperty('MY_TOKEN')
  expect(passed).not.toHaveProperty('OTHER')
  expect(commandEnvironment(source, { allow: ['MY_TOKEN'] })).toHaveProperty('MY_TOKEN', 't')
})

test('a provider’s key in a variable with a harmless name is not passed on', () => {
  const source = { PATH: '/bin', XDG_MINE: 'key', JAVA_HOME: '/java' }
  const seen = commandEnvironment(source, { withheld: ['XDG_MINE'], allow: ['XDG_*', 'XDG_MINE'] })
  expect(seen).toMatchObject({ PATH: '/bin', JAVA_HOME: '/java' })
  expect(seen).not.toHaveProperty('XDG_MINE')
})

test.each(['', 'here'])('a HOME that is %j led ~ of a command elsewhere than where it was judged', HOME => {
  expect(commandEnvironment({ HOME }).HOME).toBe(homedir())
  expect(commandEnvironment({ HOME: '/home/me' }).HOME).toBe('/home/me')
})
