import { expect, test } from 'vitest'
import { configureProviders } from './provider-config.js'

const providerOf = (name: string, env: Record<string, string>, providers = {}) =>
  configureProviders(env, { providers }).find(provider => provider.name === name)!

const addresses: readonly [name: string, env: Record<string, string>, url: string | undefined, kind: string][] = [
  ['anthropic', { ANTHROPIC_API_KEY: 'k' }, 'https://api.anthropic.com/v1', 'anthropic'],
  ['anthropic', { ANTHROPIC_BASE_URL: 'https://proxy.test' }, 'https://proxy.test/v1', 'anthropic'],
  ['anthropic', { ANTHROPIC_BASE_URL: 'https://proxy.test/claude/v1/' }, 'https://proxy.test/claude/v1', 'anthropic'],
  ['openai', {}, 'https://api.openai.com/v1', 'openai'],
  ['openai', { OPENAI_BASE_URL: 'https://api.openai.com/v1' }, 'https://api.openai.com/v1', 'openai'],
  ['openai', { OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' }, 'http://127.0.0.1:8000/v1', 'openai-chat'],
  ['google', { GEMINI_BASE_URL: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1/v1beta', 'google'],
  ['ollama', { OLLAMA_HOST: '127.0.0.1:11434' }, 'http://127.0.0.1:11434/v1', 'compatible'],
  ['ollama', {}, undefined, 'compatible'],
]
test.each(addresses)('where %s is, with %o', (name, env, baseUrl, kind) => {
  expect(providerOf(name, env)).toMatchObject({ kind })
  expect(providerOf(name, env).baseUrl).toBe(baseUrl)
})

const missing: readonly [
  title: string,
  name: string,
  env: Record<string, string>,
  providers: object,
  why: string | undefined,
][] = [
  ['no key', 'anthropic', {}, {}, 'ANTHROPIC_API_KEY is not set'],
  [
    'no key for a proxy either',
    'anthropic',
    { ANTHROPIC_BASE_URL: 'https://proxy.test' },
    {},
    'ANTHROPIC_API_KEY is not set',
  ],
  ['a server on this machine needs none', 'openai', { OPENAI_BASE_URL: 'http://localhost:8000/v1' }, {}, undefined],
  ['the third name of a key', 'google', { GOOGLE_API_KEY: 'k' }, {}, undefined],
  ['a key in the settings', 'openai', {}, { openai: { apiKey: 'k' } }, undefined],
  ['a key under a name of one’s own', 'openai', { WORK_KEY: 'k' }, { openai: { apiKeyEnv: 'WORK_KEY' } }, undefined],
  ['that name unset', 'openai', { OPENAI_API_KEY: 'k' }, { openai: { apiKeyEnv: 'WORK_KEY' } }, 'WORK_KEY is not set'],
  ['nowhere to go', 'ollama', {}, {}, 'OLLAMA_HOST is not set'],
  ['a server without an address', 'house', {}, { house: {} }, 'providers.house.baseUrl is not set'],
  ['a server with one', 'house', {}, { house: { baseUrl: 'http://10.0.0.5:8080' } }, undefined],
  [
    'a server that wants a key',
    'house',
    {},
    { house: { baseUrl: 'http://10.0.0.5', apiKeyEnv: 'HOUSE_KEY' } },
    'HOUSE_KEY is not set',
  ],
]
test.each(missing)('what is missing: %s', (_title, name, env, providers, why) => {
  expect(providerOf(name, env, providers).unavailable).toBe(why)
})
