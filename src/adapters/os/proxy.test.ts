import { expect, test } from 'vitest'
import { hasProxyLogin, proxyFor, unusableProxies } from './proxy.js'

const via = (env: Record<string, string>, url: string, addresses: string[] = []) =>
  proxyFor(env, new URL(url), addresses)?.label

test.each([
  [{ HTTPS_PROXY: 'http://p:3128' }, 'https://a.test', 'p:3128'],
  [{ HTTPS_PROXY: 'http://p:3128' }, 'http://a.test', undefined],
  [{ HTTP_PROXY: 'p:3128' }, 'http://a.test', 'p:3128'],
  [{ HTTP_PROXY: 'p:3128' }, 'https://a.test', undefined],
  [{ HTTPS_PROXY: 'http://big', https_proxy: 'https://small' }, 'https://a.test', 'small:443'],
  [{ HTTPS_PROXY: 'http://big', https_proxy: ' ' }, 'https://a.test', 'big:80'],
  [{ ALL_PROXY: 'http://all:1' }, 'https://a.test', 'all:1'],
  [{ HTTPS_PROXY: 'socks5://p:1080' }, 'https://a.test', undefined],
  [{ HTTPS_PROXY: 'http://' }, 'https://a.test', undefined],
  [{ HTTPS_PROXY: 'http://[fd00::1]:8' }, 'https://a.test', '[fd00::1]:8'],
])('%j: %s goes by %s', (env, url, label) => {
  expect(via(env, url)).toBe(label)
})

test.each([
  'localhost',
  'LOCALHOST.',
  'api.localhost',
  '127.0.0.1',
  '127.9.9.9',
  '[::1]',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
  '2130706433',
])('what is meant for this machine goes to no proxy: %s', host => {
  expect(via({ HTTP_PROXY: 'http://p' }, `http://${host}:8080/v1`)).toBeUndefined()
})

test('a name that is known to be this machine goes to no proxy', () => {
  expect(via({ HTTP_PROXY: 'http://p' }, 'http://mine.test', ['127.0.0.1'])).toBeUndefined()
})

test.each([
  ['*', 'https://a.test', true],
  ['a.test', 'https://a.test', true],
  ['a.test', 'https://b.a.test', true],
  ['a.test', 'https://ba.test', false],
  ['.a.test', 'https://b.a.test', true],
  ['*.a.test', 'https://b.a.test', true],
  ['A.TEST', 'https://a.test.', true],
  ['x, a.test', 'https://a.test', true],
  ['x a.test', 'https://a.test', true],
  ['a.test:8443', 'https://a.test:8443', true],
  ['a.test:8443', 'https://a.test', false],
  ['a.test:443', 'https://a.test', true],
  ['10.0.0.0/8', 'https://10.1.2.3', true],
  ['10.0.0.0/8', 'https://11.1.2.3', false],
  ['10.0.0.0/99', 'https://10.1.2.3', false],
  ['10.1.2.3', 'https://10.1.2.3', true],
  ['[fd00::1]:443', 'https://[fd00::1]', true],
  ['fd00::/8', 'https://[fd00::1]', true],
  ['[fd00::]/8', 'https://[fd00::1]', true],
  ['FD00:0:0::1', 'https://[fd00::1]', true],
  ['fd00::2', 'https://[fd00::1]', false],
  ['10.1.2.3', 'https://[::ffff:10.1.2.3]', true],
  ['10.1.2.3', 'https://10.1.2.4', false],
  [',', 'https://a.test', false],
  ['.', 'https://a.test', false],
])('NO_PROXY=%s, %s: direct is %s', (list, url, isDirect) => {
  expect(via({ HTTPS_PROXY: 'http://p', NO_PROXY: list }, url) === undefined).toBe(isDirect)
  expect(via({ https_proxy: 'http://p', no_proxy: list }, url) === undefined).toBe(isDirect)
})

test('the password is for the proxy alone', () => {
  const env = { HTTPS_PROXY: 'http://me:p%40ss%@proxy:3128' }
  const { label, authorization } = proxyFor(env, new URL('https://a.test'))!
  expect(label).toBe('proxy:3128')
  expect(Buffer.from(authorization!.slice(6), 'base64').toString()).toBe('me:p%40ss%')
  expect(hasProxyLogin(env)).toBe(true)
  expect(hasProxyLogin({ HTTPS_PROXY: 'http://proxy' })).toBe(false)
  expect(unusableProxies({ ...env, ALL_PROXY: 'socks5://x', http_proxy: '' })).toEqual(['ALL_PROXY'])
})
