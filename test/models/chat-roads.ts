/** Both roads to OpenAI's chat format, and the pieces its answers are made of. */
import { afterAll, beforeAll, expect } from 'vitest'
import { chatFormat } from '../../src/adapters/models/wire/openai.js'
import type { ChatKind } from '../../src/adapters/models/wire/openai-chunk.js'
import type { RunId } from '../../src/core/message.js'
import type { ModelReply, ModelRequest } from '../../src/core/ports.js'
import { type Answer, comparable, joined, openRoads, type Roads } from './two-roads.js'

export const chatKinds: readonly ChatKind[] = ['openai-chat', 'compatible']
const names: Readonly<Record<ChatKind, string>> = { 'openai-chat': 'openai', compatible: 'house' }

export const openChatRoads = (kind: ChatKind, name = names[kind]): Promise<Roads> =>
  openRoads({ name, kind, key: { value: 'k-1', from: 'OPENAI_API_KEY' } }, config => chatFormat(config, kind))

/** Once at the top of a `describe`: both roads, open while its tests run. */
export function chatRoads(kind: ChatKind): Roads {
  let roads: Roads
  beforeAll(async () => {
    roads = await openChatRoads(kind)
  })
  afterAll(() => roads.close())
  // They are there only once the tests begin.
  return new Proxy({} as Roads, {
    get: (_, key) => Reflect.get(roads, key),
    set: (_, key, value) => Reflect.set(roads, key, value),
  })
}

export const chatRequest = (kind: ChatKind, over: Partial<ModelRequest> = {}): ModelRequest => ({
  runId: 'r' as RunId,
  rootId: 'r' as RunId,
  agent: 'main',
  purpose: 'work',
  model: `${names[kind]}/gpt-4.1`,
  declared: { system: 'Do it.', tools: [] },
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
  toolChoice: 'auto',
  sampling: {},
  ...over,
})

export function expectSameText(requests: readonly { readonly text: string }[]): void {
  expect(requests).toHaveLength(2)
  expect(requests[0]!.text).toBe(requests[1]!.text)
}

/** A server that says the same is understood alike on both roads, and shows the same on the way. */
export async function expectAlike(kind: ChatKind, roads: Roads, answer: Answer): Promise<void> {
  roads.answer = answer
  const { short, long } = await roads.both(chatRequest(kind))
  expect(withoutFreshIds(short.reply)).toEqual(withoutFreshIds(long.reply))
  expect(joined(short.shown)).toEqual(joined(long.shown))
}

/** What is no valid answer is none on either road, and may be asked again; the package quotes it at length. */
export async function expectInvalid(kind: ChatKind, roads: Roads, answer: Answer): Promise<void> {
  roads.answer = answer
  const { short, long } = await roads.both(chatRequest(kind))
  expect(withoutWords(short.reply)).toEqual(withoutWords(long.reply))
  expect(short.reply).toMatchObject({ error: { kind: 'provider', isRetryable: true } })
}

/** Ids that a server left out are made up, differently each time. */
export function withoutFreshIds(reply: ModelReply): unknown {
  return JSON.parse(JSON.stringify(comparable(reply)).replace(/"id":"[A-Za-z0-9]{16}"/g, '"id":"fresh"'))
}

function withoutWords(reply: ModelReply): unknown {
  return 'error' in reply
    ? { ...reply, error: { kind: reply.error.kind, isRetryable: reply.error.isRetryable } }
    : reply
}

type Pieces = Answer['pieces']
export const says = (...pieces: Pieces): Answer => ({ pieces })
/** A whole answer. */
export const said = (...chunks: readonly unknown[]): Answer => says(sse(...chunks))
export const half = (...chunks: readonly unknown[]): string =>
  chunks.map(one => `data: ${JSON.stringify(one)}\n\n`).join('')
export const sse = (...chunks: readonly unknown[]): string => `${half(...chunks)}data: [DONE]\n\n`

export const base = { id: 'c-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'gpt-4.1-2025-04-14' }
export const choice = (delta: object, reason: string | null = null) => ({ index: 0, delta, finish_reason: reason })
export const chunk = (delta: object, reason: string | null = null) => ({ ...base, choices: [choice(delta, reason)] })
export const start = chunk({ role: 'assistant', content: '' })
export const text = (...pieces: readonly string[]) => pieces.map(content => chunk({ content }))
export const usage = (more: object = {}) => ({
  ...base,
  choices: [],
  usage: {
    prompt_tokens: 20,
    completion_tokens: 7,
    total_tokens: 27,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 3 },
    ...more,
  },
})
export const stop = (reason = 'stop') => [chunk({}, reason), usage()]
export const calling = stop('tool_calls')
export const pieces = (...deltas: readonly object[]) => chunk({ tool_calls: deltas })
export const head = (index: number, id: string, name: string, first = '') => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: first },
})
export const more = (index: number, piece: string) => ({ index, function: { arguments: piece } })
