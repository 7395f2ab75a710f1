/**
 * Lines of a sidechain file, and the conversation among them.
 *
 * T1 the chain is followed by `parentUuid` from the last line; where a link is torn out, by the order of the lines.
 * T2 what belongs to a message of the chain or answers one of its calls belongs to the chain, wherever it hangs: calls
 *    made at once lie on branches.
 */
import { tokenCount } from '../budget/known-usage.js'
import type { CallId, CallPart, ImagePart, TextPart } from '../message.js'
import { isRecord } from '../record.js'
import { parseJson } from '../text/parse-json.js'
import type { Usage } from '../types.js'

export interface SidechainLine {
  readonly type: 'user' | 'assistant'
  readonly uuid: string | undefined
  readonly parentUuid: string | undefined
  /** Several lines may carry parts of one message. */
  readonly messageId: string | undefined
  readonly model: string | undefined
  readonly usage: Usage | undefined
  /** Epoch milliseconds. */
  readonly at: number | undefined
  readonly content: readonly (TextPart | ImagePart)[]
  readonly calls: readonly CallPart[]
  readonly results: readonly SidechainResult[]
}
export interface SidechainResult {
  readonly callId: CallId
  readonly content: readonly (TextPart | ImagePart)[]
  readonly isError: boolean
}

/** Lines that are no JSON are skipped and named; lines that are no message are left out. */
export function parseSidechain(text: string): {
  readonly lines: readonly SidechainLine[]
  readonly skippedLines: readonly number[]
} {
  const lines: SidechainLine[] = []
  const skippedLines: number[] = []
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    const clean = raw.replaceAll('\0', '').trim()
    if (clean === '') continue
    const values = parseGlued(clean)
    if (values.length === 0) skippedLines.push(index + 1)
    lines.push(...values.flatMap(readLine))
  }
  return { lines, skippedLines }
}

export function followChain(lines: readonly SidechainLine[]): readonly SidechainLine[] {
  const places = new Map(lines.map((line, index) => [line.uuid, index]))
  const chain = new Set<number>()
  for (let index = lines.length - 1; index >= 0 && !chain.has(index); ) {
    chain.add(index)
    const { parentUuid } = lines[index]!
    // The line before stands in for a parent that is not in the file.
    index = parentUuid === undefined ? -1 : (places.get(parentUuid) ?? index - 1)
  }
  return addBranches(lines, chain)
}

function addBranches(lines: readonly SidechainLine[], chain: Set<number>): readonly SidechainLine[] {
  for (let size = -1; size !== chain.size; ) {
    size = chain.size
    const onChain = [...chain].map(index => lines[index]!)
    const messages = new Set(onChain.flatMap(line => line.messageId ?? []))
    const calls = new Set(onChain.flatMap(line => line.calls.map(call => call.id)))
    lines.forEach((line, index) => {
      const isPart = line.messageId !== undefined && messages.has(line.messageId)
      if (isPart || line.results.some(result => calls.has(result.callId))) chain.add(index)
    })
  }
  return lines.filter((_, index) => chain.has(index))
}

/** A line torn off can have the next one glued to it; every line of this format starts in the same way. */
function parseGlued(text: string): readonly unknown[] {
  const whole = parseJson(text)
  if (whole !== undefined) return [whole]
  const pieces = text.split(/(?=\{"parentUuid":)/)
  return pieces.length === 1 ? [] : pieces.flatMap(piece => parseJson(piece) ?? [])
}

function readLine(value: unknown): readonly SidechainLine[] {
  if (!isRecord(value) || !isRecord(value.message) || value.isApiErrorMessage === true) return []
  const { type, message } = value
  if (type !== 'user' && type !== 'assistant') return []
  const blocks = blocksOf(message.content)
  const at = Date.parse(textIn(value, 'timestamp') ?? '')
  return [
    {
      type,
      uuid: textIn(value, 'uuid'),
      parentUuid: textIn(value, 'parentUuid'),
      messageId: type === 'assistant' ? textIn(message, 'id') : undefined,
      model: textIn(message, 'model'),
      usage: isRecord(message.usage) ? usageOf(message.usage) : undefined,
      at: Number.isNaN(at) ? undefined : at,
      content: blocks.flatMap(contentOf),
      calls: type === 'assistant' ? blocks.flatMap(callOf) : [],
      results: type === 'user' ? blocks.flatMap(resultOf) : [],
    },
  ]
}

type Block = { readonly [key: string]: unknown }

const blocksOf = (content: unknown): readonly Block[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : Array.isArray(content)
      ? content.filter(isRecord)
      : []

// Thoughts are signed for the conversation they came from, so they are not taken over.
function contentOf(block: Block): readonly (TextPart | ImagePart)[] {
  if (block.type === 'text' && typeof block.text === 'string') return [{ type: 'text', text: block.text }]
  if (block.type !== 'image' || !isRecord(block.source)) return []
  const { media_type: mediaType, data } = block.source
  return typeof mediaType === 'string' && typeof data === 'string' ? [{ type: 'image', mediaType, data }] : []
}

function callOf({ type, id, name, input }: Block): readonly CallPart[] {
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return []
  return [{ type: 'call', id: id as CallId, name, input: input ?? {} }]
}

function resultOf({ type, tool_use_id: id, content, is_error }: Block): readonly SidechainResult[] {
  if (type !== 'tool_result' || typeof id !== 'string') return []
  return [{ callId: id as CallId, content: blocksOf(content).flatMap(contentOf), isError: is_error === true }]
}

function usageOf(usage: Block): Usage {
  const count = (key: string) => tokenCount(usage[key]) ?? 0
  return {
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
  }
}

export function textIn(record: unknown, key: string): string | undefined {
  const value = isRecord(record) ? record[key] : undefined
  return typeof value === 'string' ? value : undefined
}
