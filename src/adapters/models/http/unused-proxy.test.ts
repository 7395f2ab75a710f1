import { expect, test } from 'vitest'
import { createModels } from '../registry.js'

const codes = (env: Record<string, string>) =>
  createModels({ env: { OFFSHOOT_HOME: '/nowhere', ...env } }).diagnostics.map(({ code }) => code)

test('a proxy in the environment that cannot be used is told, without its password', () => {
  const key = { ANTHROPIC_API_KEY: 'k' }
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'ALL_PROXY'])
    expect(codes({ ...key, [name]: 'socks5://user:secret@proxy:1080' }), name).toContain('proxy-unused')
  const [told] = createModels({
    env: { ...key, OFFSHOOT_HOME: '/nowhere', HTTPS_PROXY: 'socks5://u:secret@p' },
  }).diagnostics
  expect(JSON.stringify(told)).not.toContain('secret')
})

test.each([
  ['no proxy is set', { ANTHROPIC_API_KEY: 'k' }],
  [
    'it can be used',
    { ANTHROPIC_API_KEY: 'k', HTTPS_PROXY: 'http://user:secret@proxy:3128', HTTP_PROXY: 'proxy:3128' },
  ],
  ['none is wanted', { ANTHROPIC_API_KEY: 'k', HTTPS_PROXY: 'socks5://p', NO_PROXY: '*' }],
  [
    'every provider is on this machine',
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', HTTPS_PROXY: 'socks5://p' },
  ],
  ['no provider can be asked', { HTTPS_PROXY: 'socks5://p' }],
])('nothing is said of a proxy where %s', (_, env) => {
  expect(codes(env)).not.toContain('proxy-unused')
})
