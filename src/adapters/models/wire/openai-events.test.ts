/** What comes back in OpenAI's chat format is understood as the packages understand it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  base,
  calling,
  chatKinds,
  chatRequest,
  chatRoads,
  choice,
  chunk,
  expectAlike,
  expectInvalid,
  half,
  head,
  more,
  pieces,
  said,
  says,
  sse,
  start,
  stop,
  text,
  usage,
  withoutFreshIds,
} from '../../../../test/models/chat-roads.js'
import type { Answer } from '../../../../test/models/two-roads.js'
import { runs } from '../../../../test/support/properties.js'
import type { ModelReply } from '../../../core/ports.js'

describe.each(chatKinds)('%s', kind => {
  const roads = chatRoads(kind)

  test.each<[string, Answer]>([
    ['text', said(start, ...text('Hel', 'lo', ' wörld'), ...stop())],
    ['text cut between its bytes', says(...sse(start, ...text('a', 'b'), ...stop()))],
    ['carriage returns', says(sse(start, ...text('a'), ...stop()).replaceAll('\n', '\r\n'))],
    ['a comment', says(': keep alive\n\n', sse(start, ...text('a'), ...stop()))],
    ['no role, no empty beginning', said(...text('a'), ...stop())],
    ['no DONE', says(half(start, ...text('a'), ...stop()))],
    ['an end without its blank line', says(half(start, ...text('a'), chunk({}, 'stop')).trimEnd())],
    ['text that comes with the reason', said(start, chunk({ content: 'a' }, 'stop'), usage())],
    [
      'chunks without choices before the first',
      said({ ...base, id: '', model: '', created: 0, choices: [] }, start, ...text('a'), ...stop()),
    ],
    [
      'chunks without a delta',
      said(start, { ...base, choices: [{ index: 0, finish_reason: null }] }, ...text('a'), ...stop()),
    ],
    [
      'several choices',
      said({ ...base, choices: [choice({ content: 'a' }), { ...choice({ content: 'b' }), index: 1 }] }, ...stop()),
    ],
    ['a model named later', said({ choices: [choice({ content: 'a' })] }, ...text('b'), ...stop())],
    ['no model at all', said({ choices: [choice({ content: 'a' }, 'stop')] })],
    [
      'nothing where something could be',
      said(
        {
          ...base,
          usage: null,
          choices: [
            {
              ...choice({ role: null, content: null, refusal: null, tool_calls: null, reasoning: null }),
              logprobs: null,
            },
          ],
        },
        ...text('a'),
        ...stop(),
      ),
    ],
    [
      'a call in pieces',
      said(start, pieces(head(0, 'c1', 'Read')), pieces(more(0, '{"file')), pieces(more(0, '_path":"a"}')), ...calling),
    ],
    ['a whole call in one piece', said(pieces(head(0, 'c1', 'Read', '{"file_path":"a"}')), ...calling)],
    ['a call without arguments', said(start, pieces(head(0, 'c1', 'LS')), ...calling)],
    [
      'arguments of nothing',
      said(start, pieces({ index: 0, id: 'c1', function: { name: 'LS', arguments: null } }), ...calling),
    ],
    ['a call that ends with stop', said(start, pieces(head(0, 'c1', 'LS', '{}')), ...stop())],
    [
      'two calls after text',
      said(
        start,
        ...text('so'),
        pieces(head(0, 'a', 'X')),
        pieces(more(0, '{}')),
        pieces(head(1, 'b', 'Y')),
        pieces(more(1, '{}')),
        ...calling,
      ),
    ],
    ['two calls in one chunk', said(start, pieces(head(0, 'a', 'X', '{}'), head(1, 'b', 'Y', '{}')), ...calling)],
    [
      'calls whose pieces take turns',
      said(
        pieces(head(0, 'a', 'X', '{"p"')),
        pieces(head(1, 'b', 'Y', '{"q"')),
        pieces(more(0, ':1}')),
        pieces(more(1, ':2}')),
        ...calling,
      ),
    ],
    [
      'calls that come in the wrong order',
      said(pieces(head(1, 'b', 'Y', '{}')), pieces(head(0, 'a', 'X', '{}')), ...calling),
    ],
    [
      'calls that are all in the first place',
      said(pieces(head(0, 'a', 'X', '{}')), pieces(head(0, 'b', 'X', '{}')), ...calling),
    ],
    ['the same call told twice', said(pieces(head(0, 'a', 'X', '{"a":1}')), pieces(head(0, 'a', 'X')), ...calling)],
    [
      'an id in every piece',
      said(pieces(head(0, 'a', 'X')), pieces({ index: 0, id: 'a', function: { arguments: '{}' } }), ...calling),
    ],
    [
      'an empty id and name in later pieces',
      said(
        pieces(head(0, 'a', 'X')),
        pieces({ index: 0, id: '', function: { name: '', arguments: '{}' } }),
        ...calling,
      ),
    ],
    ['a call without an id', said(pieces({ index: 0, function: { name: 'X', arguments: '{}' } }), ...calling)],
    ['one id for two calls', said(pieces(head(0, 'a', 'X', '{}')), pieces(head(1, 'a', 'Y', '{}')), ...calling)],
    [
      'an id that comes late',
      said(
        pieces({ index: 0, function: { name: 'X', arguments: '{' } }),
        pieces({ index: 0, id: 'a', function: { arguments: '}' } }),
        ...calling,
      ),
    ],
    ['a name that is blank', said(pieces(head(0, 'a', ' ')), pieces(head(1, 'b', 'Y', '{}')), ...calling)],
    ['a call that never gets a name', says(half(pieces({ index: 0, id: 'a', function: { arguments: '{}' } })))],
    ['arguments that are no JSON', said(start, pieces(head(0, 'c1', 'Read', '{"a":')), ...calling)],
    ['an answer cut at its limit', said(start, ...text('a'), ...stop('length'))],
    ['a filter', said(start, ...text('a'), ...stop('content_filter'))],
    ['the older word for calls', said(start, pieces(head(0, 'a', 'X', '{}')), ...stop('function_call'))],
    ['a reason nobody knows', said(start, ...text('a'), ...stop('tired'))],
    ['a refusal', said(start, chunk({ refusal: 'I ' }), chunk({ refusal: 'will not' }), ...stop())],
    ['a refusal after text', said(start, chunk({ content: 'Well. ', refusal: 'No.' }), ...stop())],
    [
      'thoughts',
      said(start, chunk({ reasoning_content: 'hm, ' }), chunk({ reasoning_content: 'yes' }), ...text('a'), ...stop()),
    ],
    ['thoughts under their other name', said(start, chunk({ reasoning: 'hm' }), ...text('a'), ...stop())],
    [
      'thoughts between texts',
      said(
        ...text('a'),
        chunk({ reasoning_content: 'hm', content: 'b' }),
        chunk({ reasoning_content: 'so' }),
        pieces(head(0, 'a', 'X', '{}')),
        ...calling,
      ),
    ],
    [
      'thoughts before and after a call',
      said(chunk({ reasoning: 'hm' }), pieces(head(0, 'a', 'X', '{}')), chunk({ reasoning: 'so' }), ...calling),
    ],
    ['nothing but thoughts', said(chunk({ reasoning_content: 'hm' }), ...stop())],
    [
      'usage in the last piece of the answer',
      said(start, ...text('a'), { ...chunk({}, 'stop'), usage: usage().usage }),
    ],
    [
      'usage that grows',
      said({ ...chunk({ content: 'a' }), usage: { prompt_tokens: 5, completion_tokens: 1 } }, ...stop()),
    ],
    [
      'usage without details',
      said(...text('a'), chunk({}, 'stop'), {
        ...base,
        choices: [],
        usage: { prompt_tokens: 5, completion_tokens: 1 },
      }),
    ],
    [
      'usage with a tier and writes to the cache',
      said(
        ...text('a'),
        chunk({}, 'stop'),
        usage({ service_tier: 'flex', prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 4 } }),
      ),
    ],
    ['usage before the last chunk', said(...text('a'), { ...chunk({}, 'stop'), usage: usage().usage }, chunk({}))],
    ['no usage', said(start, ...text('a'), chunk({}, 'stop'))],
    ['no content', said(start, ...stop())],
  ])('%s is understood alike', async (_, answer) => {
    await expectAlike(kind, roads, answer)
  })

  test.each<[string, unknown]>([
    ['no JSON', undefined],
    ['a list', []],
    ['no choices', { ...base }],
    ['choices that are none', { ...base, choices: {} }],
    ['a choice of nothing', { ...base, choices: [null] }],
    ['a delta of text', { ...base, choices: [{ index: 0, delta: 'a' }] }],
    ['content that is a number', chunk({ content: 5 })],
    ['a role of its own', chunk({ role: 'tool', content: 'a' })],
    ['calls that are none', chunk({ tool_calls: {} })],
    ['a call without its function', chunk({ tool_calls: [{ index: 0, id: 'a' }] })],
    [
      'arguments that are an object',
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'X', arguments: {} } }] }),
    ],
    ['an id that is a number', { ...start, id: 5 }],
    ['a reason that is a number', { ...base, choices: [{ index: 0, delta: {}, finish_reason: 1 }] }],
    ['usage that is text', { ...base, choices: [], usage: 'much' }],
    ['usage in text', usage({ prompt_tokens: '20' })],
    ['details that are none', usage({ prompt_tokens_details: 'many' })],
    ['an error that is text', { error: 'broken' }],
  ])('%s is no valid answer on either road, and may be asked again, with the text so far', async (_, value) => {
    const broken = value === undefined ? 'data: {"id": \n\n' : half(value)
    await expectInvalid(kind, roads, says(half(start, ...text('half')), broken, sse(...stop())))
  })

  test('text, calls and what came out of the cache are all there', async () => {
    roads.answer = said(start, ...text('so'), pieces(head(0, 'a', 'X', '{"p"')), pieces(more(0, ':1}')), ...calling)
    expect(await roads.ask(chatRequest(kind))).toMatchObject({
      content: [
        { type: 'text', text: 'so' },
        { type: 'call', id: 'a', name: 'X', input: { p: 1 } },
      ],
      finish: 'calls',
      usage: { input: 12, output: 7, cacheRead: 8, cacheWrite: 0 },
      model: expect.stringContaining('/gpt-4.1-2025-04-14'),
    })
  })

  // What servers leave out differs most in calls: any pieces, sensible or not, have to be put together alike.
  test('calls from any pieces are understood alike', async () => {
    const piece = fc.record(
      {
        index: fc.constantFrom(0, 1, 2),
        id: fc.constantFrom('a', 'b', ''),
        function: fc.record(
          {
            name: fc.constantFrom('X', 'Y', ''),
            arguments: fc.constantFrom('', '{}', '{"p":', '"}"}', ' [', ']', '{"q":"\\""', '}'),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: kind === 'compatible' ? ['function'] : ['function', 'index'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(piece, { minLength: 1, maxLength: 2 }), { maxLength: 6 }), async all => {
        roads.answer = said(...all.map(some => pieces(...some)), ...calling)
        const { short, long } = await roads.both(chatRequest(kind))
        expect(inOrder(short.reply)).toEqual(inOrder(long.reply))
      }),
      runs(80),
    )
  })
})

/** A stream that breaks takes back what nobody has read of it yet, so its usage is left to chance on the long road. */
function inOrder(reply: ModelReply): unknown {
  return 'error' in reply ? { error: reply.error.message } : withoutFreshIds(reply)
}
