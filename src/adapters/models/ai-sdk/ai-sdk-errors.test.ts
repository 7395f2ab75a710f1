import { APICallError, JSONParseError, UnsupportedFunctionalityError } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { createRedactor } from '../redact.js'
import { toModelFailure } from './ai-sdk-errors.js'

const key = 'canary-key-123456'
const context = {
  provider: 'acme',
  model: 'large',
  keyName: 'ACME_API_KEY',
  redact: createRedactor([key]),
  now: 0,
}
const answer = (
  statusCode: number,
  message: string,
  more: Partial<ConstructorParameters<typeof APICallError>[0]> = {},
) =>
  new APICallError({
    message,
    statusCode,
    url: `https://api.acme.test/v1/messages?key=${key}`,
    requestBodyValues: {},
    ...more,
  })
const network = (code: string) =>
  new APICallError({
    message: 'Cannot connect to API',
    url: 'https://api.acme.test/v1',
    requestBodyValues: {},
    cause: Object.assign(new Error(code), { code }),
  })

const table: readonly [title: string, error: unknown, kind: string, isRetryable: boolean, says: RegExp][] = [
  ['wrong key', answer(401, `invalid x-api-key ${key}`), 'auth', false, /Check ACME_API_KEY/],
  ['forbidden', answer(403, 'no access'), 'auth', false, /403/],
  ['unknown model', answer(404, 'model: large'), 'bad-request', false, /no model "large".*another name there/],
  ['rate limit', answer(429, 'slow down'), 'rate-limit', true, /429/],
  [
    'no money left',
    answer(429, 'You exceeded your current quota', { data: { error: { code: 'insufficient_quota' } } }),
    'rate-limit',
    false,
    /Add credit/,
  ],
  ['no credit', answer(400, 'Your credit balance is too low'), 'auth', false, /Add credit/],
  ['overloaded', answer(529, 'Overloaded'), 'overloaded', true, /overloaded/],
  ['unavailable', answer(503, ''), 'overloaded', true, /503/],
  ['server error', answer(500, 'oops'), 'provider', true, /500/],
  [
    'a gateway’s page',
    answer(502, 'Bad Gateway', { responseHeaders: { 'content-type': 'text/html' } }),
    'provider',
    true,
    /502/,
  ],
  [
    'somebody else’s page',
    answer(404, 'Not Found', { responseHeaders: { 'content-type': 'text/html; charset=utf-8' } }),
    'bad-request',
    false,
    /web page.*base URL/,
  ],
  [
    'too long',
    answer(400, 'prompt is too long: 210000 tokens > 200000 maximum'),
    'context-overflow',
    false,
    /does not fit/,
  ],
  [
    'too long elsewhere',
    answer(400, "This model's maximum context length is 8192 tokens"),
    'context-overflow',
    false,
    /does not fit/,
  ],
  [
    'no tools',
    answer(400, 'registry.test/llama2 does not support tools'),
    'bad-request',
    false,
    /cannot call tools.*Choose a model/,
  ],
  ['bad request', answer(400, 'temperature: must be below 1'), 'bad-request', false, /temperature/],
  ['unprocessable', answer(422, 'nope'), 'bad-request', false, /422/],
  ['nobody there', network('ECONNREFUSED'), 'network', true, /cannot be reached.*base URL/],
  ['no such host', network('ENOTFOUND'), 'network', false, /ENOTFOUND/],
  ['cut', network('ECONNRESET'), 'network', true, /broke/],
  ['bad certificate', network('CERT_HAS_EXPIRED'), 'network', false, /CERT_HAS_EXPIRED/],
  ['overload inside a stream', { type: 'overloaded_error', message: 'Overloaded' }, 'overloaded', true, /overloaded/],
  ['rate limit inside a stream', { type: 'rate_limit_error', message: 'x' }, 'rate-limit', true, /429/],
  ['error object without a word', { message: 'something' }, 'provider', true, /something/],
  [
    'malformed chunk',
    new JSONParseError({ text: '{"a"', cause: new SyntaxError('x') }),
    'provider',
    true,
    /no valid answer/,
  ],
  ['not supported', new UnsupportedFunctionalityError({ functionality: 'video' }), 'bad-request', false, /video/],
  ['our own mistake', new TypeError('x is not a function'), 'bug', false, /TypeError: x is not a function/],
]

test.each(table)('%s', (_title, error, kind, isRetryable, says) => {
  const failure = toModelFailure(error, context)
  expect(failure).toMatchObject({ kind, isRetryable })
  expect(failure.message).toMatch(says)
  expect(JSON.stringify(failure)).not.toContain(key)
})

test('a wait the provider asked for is kept, and the time a limit is lifted', () => {
  const responseHeaders = { 'retry-after': '3', 'x-ratelimit-reset-requests': '9s' }
  expect(toModelFailure(answer(429, 'slow', { responseHeaders }), context)).toMatchObject({
    status: 429,
    retryAfterMs: 3_000,
    resetsAt: 9_000,
  })
})
