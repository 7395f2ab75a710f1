import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRedactor } from './redact.js'

const canary = 'canary-7Jq2mZ8wLp'

test('a known key is gone wherever it stands (H03)', () => {
  const redact = createRedactor([canary])
  const encoded = Buffer.from(canary).toString('base64')
  for (const text of [
    `401: invalid key ${canary}.`,
    `{"x-api-key":"${canary}"}`,
    `GET https://host/v1?key=${canary}&alt=sse failed`,
    `Authorization: Bearer ${canary}`,
    `https://${canary}:x@host/`,
    `Basic ${encoded}`,
  ]) {
    expect(redact(text)).not.toContain(canary)
    expect(redact(text)).not.toContain(encoded)
  }
})

test('any text around a key: the key is never in what comes out', () => {
  const redact = createRedactor([canary])
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => !redact(`${a}${canary}${b}`).includes(canary)))
})

const shapes: readonly [text: string, secret: string][] = [
  ['Incorrect API key provided: sk-proj-abcd1234efgh5678.', 'abcd1234'],
  ['authorization: Bearer abcdefghijklmnop', 'abcdefghijklmnop'],
  ['"x-goog-api-key": "AIzaSyA1234567890abcdefghijk"', 'AIzaSyA1234567890'],
  ['api_key=verysecretvalue&x=1', 'verysecretvalue'],
  ['proxy http://bob:hunter22@proxy:3128', 'hunter22'],
]
test.each(shapes)('what looks like a credential is hidden: %s', (text, secret) => {
  expect(createRedactor([])(text)).not.toContain(secret)
})

test('plain sentences and short words stay as they are', () => {
  const redact = createRedactor(['test', undefined])
  const text = 'The test model asked for a task-list; ANTHROPIC_API_KEY is not set.'
  expect(redact(text)).toBe(text)
})
