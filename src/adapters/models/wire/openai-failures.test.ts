/** Failures in OpenAI's chat format, in the stream or instead of it, come to the same on both roads. */
import { describe, expect, test } from 'vitest'
import {
  base,
  chatKinds,
  chatRequest,
  chatRoads,
  expectAlike,
  half,
  head,
  pieces,
  says,
  start,
  text,
} from '../../../../test/models/chat-roads.js'
import type { Answer } from '../../../../test/models/two-roads.js'

describe.each(chatKinds)('%s', kind => {
  const roads = chatRoads(kind)

  const html = { 'content-type': 'text/html' }
  const json = { 'content-type': 'application/json' }
  const failure = (code: string | number | null, message: string, type = 'error') =>
    JSON.stringify({ error: { message, type, param: null, code } })
  const error = (code: string | number | null, message: string, type?: string) =>
    half(JSON.parse(failure(code, message, type)))
  test.each<[string, Answer]>([
    ['a stream without its end', says(half(start, ...text('half')))],
    ['an end after an empty beginning', says(half(start))],
    ['a connection that breaks', says(half(start, ...text('half')), undefined)],
    ['a connection that breaks inside an event', says(half(start, ...text('half')), 'data: {"id"', undefined)],
    ['a connection that breaks inside a call', says(half(start, pieces(head(0, 'a', 'X', '{"a"'))), undefined)],
    ['nothing at all', says()],
    ['only DONE', says('data: [DONE]\n\n')],
    ['an error in the middle', says(half(start, ...text('half')), error('server_error', 'it broke'))],
    [
      'an error in the middle, and text after it',
      says(half(start, ...text('half')) + error(500, 'it broke') + half(...text('more'))),
    ],
    ['an error at once', says(error('server_error', 'The server had an error'))],
    ['an error after an empty beginning', says(half(start), error('rate_limit_exceeded', 'slow down', 'requests'))],
    ['an error in the first call', says(half(start, pieces(head(0, 'a', 'X'))), error('server_error', 'it broke'))],
    ['an error with words of its own', says(half(...text('half'), { error: { message: 'busy', status: 429 } }))],
    ['an error with a number', says(error(503, 'busy'))],
    ['an error with a number as text', says(error('429', 'busy'))],
    ['an error without a word for it', says(error(null, 'who knows'))],
    ['an error with nothing but a message', says(half({ error: { message: 'who knows' } }))],
    ['an overload', says(error('overloaded', 'busy', 'overloaded_error'))],
    [
      'a quota that is used up',
      says(error('insufficient_quota', 'You exceeded your current quota', 'insufficient_quota')),
    ],
    [
      'a limit with its times',
      {
        headers: { 'x-ratelimit-reset-requests': '6m0s', 'x-ratelimit-remaining-requests': '0', 'retry-after': '3' },
        pieces: [error('rate_limit_exceeded', 'slow down', 'requests')],
      },
    ],
    [
      'a context that is too long',
      says(error('context_length_exceeded', 'maximum context length is 9', 'invalid_request_error')),
    ],
    [
      'a whole answer instead of a stream',
      {
        headers: json,
        pieces: [
          JSON.stringify({ ...base, choices: [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }] }),
        ],
      },
    ],
    ['a web page', { headers: html, pieces: ['<html><body>hi</body></html>'] }],
    [
      '400 for the tools',
      { status: 400, headers: json, pieces: [failure('api_error', 'qwen does not support tools')] },
    ],
    [
      '400 too long',
      {
        status: 400,
        headers: json,
        pieces: [failure('context_length_exceeded', 'maximum context length is 9 tokens')],
      },
    ],
    ['400 with a number', { status: 400, headers: json, pieces: [failure(400, 'bad')] }],
    ['401', { status: 401, headers: json, pieces: [failure('invalid_api_key', 'Incorrect API key provided')] }],
    ['402', { status: 402, headers: json, pieces: [failure(null, 'Insufficient Balance')] }],
    [
      "404 in a local server's words",
      { status: 404, headers: json, pieces: ['{"error":"model not found, try pulling it first"}'] },
    ],
    ['404 with a detail', { status: 404, headers: json, pieces: ['{"detail":"Not Found"}'] }],
    ['404 with a page', { status: 404, headers: html, pieces: ['<h1>not here</h1>'] }],
    ['413 without JSON', { status: 413, headers: html, pieces: ['<h1>too large</h1>'] }],
    [
      "422 in an older server's words",
      {
        status: 422,
        headers: json,
        pieces: ['{"object":"error","message":"bad","type":"BadRequestError","code":422}'],
      },
    ],
    [
      '429 with a wait',
      {
        status: 429,
        headers: { ...json, 'retry-after': '7' },
        pieces: [failure('rate_limit_exceeded', 'slow down')],
      },
    ],
    [
      '429 without money',
      { status: 429, headers: json, pieces: [failure('insufficient_quota', 'You exceeded your current quota')] },
    ],
    ['500 without a body', { status: 500, pieces: [] }],
    ['502 with a page', { status: 502, headers: html, pieces: ['<h1>Bad Gateway</h1>'] }],
    ['503', { status: 503, headers: json, pieces: [failure(null, 'Loading model', 'unavailable_error')] }],
  ])('%s is understood alike', async (_, answer) => {
    await expectAlike(kind, roads, answer)
  })

  test('a server that cannot be reached says which', async () => {
    const { short, long } = await roads.both(chatRequest(kind), roads.config({ baseUrl: 'http://127.0.0.1:9/v1' }))
    for (const { reply } of [short, long])
      expect(reply).toMatchObject({ error: { kind: 'network', message: expect.stringContaining('ECONNREFUSED') } })
  })

  test('an abort in the middle of an answer rejects with its reason', async () => {
    roads.answer = says(half(start, ...text('half')), ...Array.from({ length: 38 }, () => ': wait\n\n'))
    const reason = new DOMException('enough', 'AbortError')
    const controller = new AbortController()
    const asking = roads.road('short').ask(
      chatRequest(kind),
      delta => {
        if (delta.type === 'text') controller.abort(reason)
      },
      controller.signal,
    )
    await expect(asking).rejects.toBe(reason)
  })
})
