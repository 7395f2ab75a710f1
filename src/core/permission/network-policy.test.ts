import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { link } from '../../../test/support/judging.js'
import { webFetchBy } from '../../adapters/tools/judged-fetch.js'
import type { ToolContext } from '../ports.js'
import { addressKind } from './ip-address.js'
import { domainCovers, forbidsHost, judgeUrl, type NetworkRules, namesNoHost } from './network-policy.js'
import { narrowedNetwork, networkRulesOf } from './permission-rules.js'

const none: NetworkRules = { allow: [], deny: [] }
const open = ['93.184.216.34']
const ruleOf = (url: string, addresses: readonly string[] | undefined = open, rules = none) => {
  const verdict = judgeUrl(url, addresses, rules)
  return verdict.isAllowed ? 'allowed' : verdict.rule
}

test.each([
  ['http://127.0.0.1:8080/', 'address-loopback'],
  ['http://localhost', 'address-loopback'],
  ['http://LOCALHOST.', 'address-loopback'],
  ['http://a.localhost/', 'address-loopback'],
  ['http://[::1]:99/', 'address-loopback'],
  ['http://0.0.0.0/', 'address-unspecified'],
  ['http://0/', 'address-unspecified'],
  ['http://127.1/', 'address-loopback'],
  ['http://2130706433/', 'address-loopback'],
  ['http://0x7f000001/', 'address-loopback'],
  ['http://0177.0.0.1/', 'address-loopback'],
  ['http://0x7f.1/', 'address-loopback'],
  ['http://①②⑦.0.0.1/', 'address-loopback'],
  ['http://[::ffff:127.0.0.1]/', 'address-loopback'],
  ['http://[::ffff:7f00:1]/', 'address-loopback'],
  ['http://[::127.0.0.1]/', 'address-loopback'],
  ['http://[64:ff9b::7f00:1]/', 'address-loopback'],
  ['http://[2002:7f00:1::]/', 'address-loopback'],
  ['http://[::]/', 'address-unspecified'],
  ['http://169.254.169.254/latest/meta-data', 'address-metadata'],
  ['http://[::ffff:169.254.169.254]/', 'address-metadata'],
  ['http://[fd00:ec2::254]/', 'address-metadata'],
  ['http://metadata.google.internal/', 'address-metadata'],
  ['http://100.100.100.200/', 'address-metadata'],
  ['http://169.254.1.1/', 'address-link-local'],
  ['http://[fe80::1]/', 'address-link-local'],
  ['http://10.1.2.3/', 'address-private'],
  ['http://172.31.255.255/', 'address-private'],
  ['http://192.168.0.1/', 'address-private'],
  ['http://100.64.0.1/', 'address-shared'],
  ['http://[fd12:3456::1]/', 'address-private'],
  ['http://[fec0::1]/', 'address-private'],
  ['http://224.0.0.1/', 'address-multicast'],
  ['http://[ff02::1]/', 'address-multicast'],
  ['http://255.255.255.255/', 'address-reserved'],
  ['http://[2001:db8::1]/', 'address-reserved'],
  ['http://[2001::1]/', 'address-reserved'],
  ['http://[3fff::1]/', 'address-reserved'],
  ['http://127。0。0。1/', 'address-loopback'],
  ['http:127.0.0.1', 'address-loopback'],
  ['http://ip6-localhost/', 'address-loopback'],
  ['http://017700000001/', 'address-loopback'],
])('F01 %s is refused as %s', (url, rule) => {
  expect(ruleOf(url)).toBe(rule)
  expect(ruleOf(url, undefined)).toBe(rule)
})

test('F01 the public internet can be fetched', () => {
  for (const url of [
    'https://example.com/',
    'http://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
    'http://172.32.0.1/',
  ])
    expect(ruleOf(url)).toBe('allowed')
})

test('F03 a name that resolves to a local address is refused, also when only one of its addresses is', () => {
  expect(ruleOf('https://rebound.test/', ['127.0.0.1'])).toBe('address-loopback')
  expect(ruleOf('https://rebound.test/', ['93.184.216.34', '::ffff:10.0.0.1'])).toBe('address-private')
  expect(ruleOf('https://rebound.test/', ['fe80::1%eth0'])).toBe('address-link-local')
  expect(ruleOf('https://rebound.test/', ['nonsense'])).toBe('address-reserved')
  expect(ruleOf('https://rebound.test/', [])).toBe('no-address')
})

test('F03 an allowed domain cannot be pointed at this machine', () => {
  const rules = { allow: ['docs.python.org', '*'], deny: [] }
  expect(ruleOf('https://docs.python.org/', ['127.0.0.1'], rules)).toBe('address-loopback')
  expect(ruleOf('https://docs.python.org/', ['169.254.169.254'], rules)).toBe('address-metadata')
  expect(ruleOf('https://any.test/', ['10.0.0.1'], rules)).toBe('address-private')
})

test('a rule that names the host opens a private network, and a named local address opens itself', () => {
  const allow = (...domains: string[]) => ({ allow: domains, deny: [] })
  expect(ruleOf('https://wiki.corp/', ['10.0.0.1'], allow('wiki.corp'))).toBe('allowed')
  expect(ruleOf('https://wiki.corp/', ['10.0.0.1'], allow('corp'))).toBe('address-private')
  expect(ruleOf('http://127.0.0.1:3000/', undefined, allow('127.0.0.1'))).toBe('allowed')
  expect(ruleOf('http://127.0.0.1:3000/', undefined, allow('127.0.0.1:3000'))).toBe('allowed')
  expect(ruleOf('http://127.0.0.1:3001/', undefined, allow('127.0.0.1:3000'))).toBe('address-loopback')
  expect(ruleOf('http://localhost/', ['127.0.0.1'], allow('localhost'))).toBe('allowed')
  expect(ruleOf('http://127.0.0.2/', undefined, allow('127.0.0.1'))).toBe('address-loopback')
})

test.each([
  ['docs.python.org', 'docs.python.org', true],
  ['docs.python.org', 'sub.docs.python.org', true],
  ['docs.python.org', 'docs.python.org.evil.test', false],
  ['docs.python.org', 'evildocs.python.org', false],
  ['docs.python.org', 'evil.test', false],
  ['python.org', 'notpython.org', false],
  ['*.python.org', 'docs.python.org', true],
  ['*.python.org', 'python.org', false],
  ['DOCS.Python.ORG', 'docs.python.org', true],
  ['bücher.test', 'xn--bcher-kva.test', true],
  ['1.2.3.4', '9.1.2.3.4', false],
  ['', 'x.test', false],
  ['.', 'x.test', false],
  ['python.org/path', 'python.org', false],
  ['user@python.org', 'python.org', false],
])('F05 a rule for %j covers %s: %s', (domain, host, expected) => {
  expect(domainCovers(domain, host)).toBe(expected)
})

test('F05 the host is the parsed one, wherever the allowed name stands in the URL', () => {
  const rules: NetworkRules = { allow: [], deny: [], only: ['docs.python.org'] }
  for (const url of [
    'https://docs.python.org.evil.test/',
    'https://evil.test/?x=docs.python.org',
    'https://evil.test/docs.python.org',
    'https://evil.test#docs.python.org',
    'https://evil.test\\.docs.python.org/',
  ])
    expect(ruleOf(url, open, rules)).toBe('network-only')
  expect(ruleOf('https://docs.python.org@evil.test/', open, rules)).toBe('url-credentials')
  expect(ruleOf('https://docs.python.org/3/', open, rules)).toBe('allowed')
})

test.each([
  'file:///etc/passwd',
  'data:text/plain,x',
  'ftp://x.test/',
  'gopher://x.test/',
  'unix:/run/x.sock',
  'ws://x.test/',
  'javascript:1',
])('F07 %s is refused for its scheme', url => {
  expect(ruleOf(url)).toBe('url-scheme')
})

test('F08 an empty list of reachable hosts means no network', () => {
  expect(ruleOf('https://example.com/', open, { allow: ['*'], deny: [], only: [] })).toBe('network-only')
})

test('a denied domain stays denied whatever else allows it', () => {
  expect(ruleOf('https://a.evil.test/', open, { allow: ['a.evil.test'], deny: ['evil.test'] })).toBe(
    'WebFetch(domain:evil.test)',
  )
})

test('the rules of settings files say which hosts may be fetched', () => {
  const rule = (pattern: string) => ({ tool: 'WebFetch', pattern, text: `WebFetch(${pattern})` })
  const rules = {
    allow: [rule('domain:127.0.0.1'), { tool: 'WebFetch', text: 'WebFetch' }],
    ask: [],
    deny: [rule('domain:evil.test')],
  }
  const network = networkRulesOf([{ scope: 'user', origin: 'x', rules }])
  expect(network).toEqual({ allow: ['127.0.0.1'], deny: ['evil.test'] })
  expect(ruleOf('http://127.0.0.1:8080/', ['127.0.0.1'], network)).toBe('allowed')
  expect(ruleOf('http://a.evil.test/', open, network)).toBe('WebFetch(domain:evil.test)')
})

test('a deny that only a chain has was not asked again where a name leads, nor at a redirect', () => {
  const denies = (pattern: string) => [{ tool: 'WebFetch', pattern, text: `WebFetch(${pattern})` }]
  const rules = (pattern?: string) => ({ allow: [], ask: [], deny: pattern === undefined ? [] : denies(pattern) })
  const chain = [
    link({ given: { origin: '--settings', deny: denies('domain:given.test'), ask: [] } }),
    link({ rules: rules('domain:own.test'), refusals: [{ name: 'WebFetch', pattern: 'domain:refused.test' }] }),
  ]
  const network = narrowedNetwork({ allow: ['a.test'], deny: ['evil.test'] }, chain)
  expect(network.deny).toEqual(['evil.test', 'given.test', 'own.test', 'refused.test'])
  expect(ruleOf('http://a.given.test/', open, network)).toBe('WebFetch(domain:given.test)')
  expect(narrowedNetwork(network, [link({})])).toBe(network)
  const { judgeUrl: asked } = webFetchBy(() => ({ allow: [], deny: [] }))
  const context = { chain } as unknown as ToolContext
  expect(asked(new URL('http://refused.test/'), open, context)).toMatchObject({ allowed: false })
})

describe('a deny of WebFetch that held nothing, and said nothing', () => {
  test.each([
    'domain:https://evil.invalid',
    'domain:evil.invalid/x',
    'evil.invalid',
    'https://evil.invalid',
    'https://EVIL.invalid/*',
    '*://evil.invalid/*',
    '//evil.invalid/x',
    'domain:*evil.invalid',
    'domain:evil.*',
    'domain:.evil.invalid',
    'domain:evil.invalid.',
    'domain:evil.invalid:443',
    'domain:evil.invalid, bad.invalid',
    'domain:bad.invalid evil.invalid',
    'Domain: Evil.Invalid',
  ])('%s', pattern => {
    expect(['evil.invalid', 'a.evil.invalid'].map(host => forbidsHost(pattern, host))).toEqual([true, true])
    expect(['evil.example.com', 'example.com'].map(host => forbidsHost(pattern, host))).toEqual(
      pattern === 'domain:evil.*' ? [true, false] : [false, false],
    )
    expect(namesNoHost(pattern)).toBe(false)
  })

  test.each([
    '',
    'domain:',
    'domain:https://',
    '^evil.*$',
    '/evil/',
    'domain:evil%2einvalid',
    'domain:*münchen.de',
    'a@b.c',
  ])('%j names no host and forbids all', pattern => {
    expect([forbidsHost(pattern, 'example.com'), namesNoHost(pattern)]).toEqual([true, true])
  })

  test('what is written as before means what it meant', () => {
    const hosts = ['x.org', 'a.x.org', 'ax.org']
    const of = (pattern: string, port = '') => hosts.map(host => forbidsHost(pattern, host, port))
    expect(of('domain:x.org')).toEqual([true, true, false])
    expect(of('domain:*.x.org')).toEqual([false, true, false])
    expect([of('domain:x.org:8443'), of('domain:x.org:8443', '8443')]).toEqual([
      [false, false, false],
      [true, true, false],
    ])
    expect(['::1', '[::1]', 'fe80::80'].map(host => forbidsHost(`domain:${host}`, '::1'))).toEqual([true, true, false])
    expect(forbidsHost('domain:münchen.de', 'xn--mnchen-3ya.de')).toBe(true)
  })
})

test.each([
  'http://[::1]:99/',
  'http://[fd12:3456::1]/',
  'http://127.0.0.1:8080/',
  'http://localhost/',
  'http://10.0.0.1/',
])('the rule that the refusal of %s named did not lift it', url => {
  const verdict = judgeUrl(url, undefined, none)
  const named = verdict.isAllowed ? undefined : /WebFetch\(domain:(\S+)\)/.exec(verdict.reason)?.[1]
  expect(ruleOf(url, undefined, { allow: [named ?? ''], deny: [] })).toBe('allowed')
})

test('arbitrary text never throws and never reaches a local address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.ipV4(), fc.ipV6()), text => {
      for (const url of [text, `http://${text}/`, `http://[${text}]/`]) {
        const verdict = judgeUrl(url, undefined, none)
        if (verdict.isAllowed) expect(addressKind(verdict.host) ?? 'public').toBe('public')
      }
    }),
  )
})
