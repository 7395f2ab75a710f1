/**
 * A server that was asked for a stream of events and answers with one JSON object instead: a gateway that cannot stream, or
 * one that says no with status 200. Told by how the body begins, since some label their events as JSON, and others, which
 * write the label before they know, their JSON as events.
 *
 * R1 A whole answer is the answer: it is handed on as the events it would have come in. R2 An error is told as the
 * provider's reason; asking again is for those whose kind says that it may help. R3 What is neither is handed on as it
 * came.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isRecord } from '../../../core/record.js'
import { parseJson } from '../../../core/text/parse-json.js'

type Loose = Readonly<Record<string, unknown>>

/** Rejects with what an error in it says. Nearly always the answer itself, of which nothing has been taken. */
export async function asEvents(incoming: IncomingMessage, source: Readable): Promise<Readable> {
  const isLabelled = incoming.headers['content-type']?.includes('text/event-stream') ?? false
  const held: Buffer[] = []
  // Between two readers nobody would listen, and an error without a listener ends the process.
  source.on('error', () => {})
  try {
    if (!(await beginsAsJson(source, held, isLabelled))) return withBeginning(source, held)
    await readWhole(source, held)
  } catch (error) {
    return brokenOff(held, error as Error)
  }
  const text = Buffer.concat(held).toString('utf8')
  // `trim` takes a byte order mark off as well.
  const given = parseJson(text.trim())
  const value = Array.isArray(given) && given.length === 1 ? given[0] : given
  if (!isRecord(value)) return bytes(held)
  const refusal = refusalIn(value, incoming, text)
  if (refusal) throw refusal
  const events = messageEvents(value) ?? completionEvents(value)
  return bytes(events ? events.map(event => Buffer.from(`data: ${JSON.stringify(event)}\n\n`)) : held)
}

const bytes = (pieces: Iterable<Buffer>): Readable => Readable.from(pieces, { objectMode: false })

/** It breaks off for its reader, too, once all that came of it is read: nothing is waiting in it by then. */
function brokenOff(held: readonly Buffer[], error: Error): Readable {
  const rest = [...held]
  return new Readable({
    highWaterMark: 0,
    read() {
      const next = rest.shift()
      if (next) this.push(next)
      else this.destroy(error)
    },
  })
}

/** What was read of it comes first again. A stream that has ended or broken off takes nothing back. */
function withBeginning(source: Readable, held: readonly Buffer[]): Readable {
  if (source.errored) return brokenOff(held, source.errored)
  if (source.readableEnded || source.destroyed) return bytes(held)
  for (const piece of held.toReversed()) source.unshift(piece)
  return source
}

/**
 * Past blanks; no line of a stream of events begins with a bracket. Where events are announced, blanks are signs of life,
 * and whoever waits for the answer hears them at once.
 */
async function beginsAsJson(source: Readable, held: Buffer[], isLabelled: boolean): Promise<boolean> {
  for (let next = await nextOf(source); next; next = await nextOf(source)) {
    held.push(next)
    const start = Buffer.concat(held).toString('latin1')
    // Of a byte order mark a part may have come.
    if (byteOrderMark.startsWith(start)) continue
    const text = (start.startsWith(byteOrderMark) ? start.slice(byteOrderMark.length) : start).trimStart()
    if (text !== '') return /^[{[]/.test(text)
    if (isLabelled) return false
  }
  return false
}

/** In UTF-8, byte by byte. */
const byteOrderMark = '\xef\xbb\xbf'

const longestAnswer = 16 * 1024 * 1024

/** Of one without end only the beginning is read, which is no JSON then. */
async function readWhole(source: Readable, held: Buffer[]): Promise<void> {
  let size = held.reduce((sum, piece) => sum + piece.length, 0)
  for (let next = await nextOf(source); next && size <= longestAnswer; next = await nextOf(source)) {
    held.push(next)
    size += next.length
  }
  if (size > longestAnswer) source.destroy()
}

/** All that has come by now; undefined at its end. An iterator would close the stream when it is left. */
async function nextOf(source: Readable): Promise<Buffer | undefined> {
  for (;;) {
    const piece = source.read() as Buffer | null
    if (piece) return piece
    if (source.errored) throw source.errored
    if (source.readableEnded || source.destroyed) return undefined
    await new Promise<void>(resolve => {
      const go = () => {
        for (const event of wakingEvents) source.off(event, go)
        resolve()
      }
      for (const event of wakingEvents) source.on(event, go)
    })
  }
}

const wakingEvents = ['readable', 'end', 'error', 'close'] as const

/** R2. */
function refusalIn(value: Loose, incoming: IncomingMessage, responseBody: string): Error | undefined {
  const error = isRecord(value.error) ? value.error : value
  const message = reasonIn(value)
  if (typeof message !== 'string' || message.trim() === '') return undefined
  const code = Number(error.code)
  return Object.assign(new Error(message), {
    name: 'RefusedRequest',
    isInAnswer: true,
    ...(code >= 400 && code < 600 && { statusCode: code }),
    responseHeaders: Object.fromEntries(Object.entries(incoming.headers).map(([name, said]) => [name, String(said)])),
    responseBody,
    data: value,
  })
}

/** As providers write it, and as servers do that stand before them. */
function reasonIn({ error, object, type, message, detail, choices }: Loose): unknown {
  if (error !== undefined && error !== null) return isRecord(error) ? error.message : error
  if (object === 'error' || type === 'error') return message
  if (choices !== undefined || type === 'message') return undefined
  const details = Array.isArray(detail) ? detail.map(one => (isRecord(one) ? one.msg : one)) : [detail]
  return details.filter(one => typeof one === 'string').join('; ')
}

/** R1, in Anthropic's format. */
function messageEvents(message: Loose): readonly Loose[] | undefined {
  if (message.type !== 'message' || !Array.isArray(message.content)) return undefined
  const { content, stop_reason, stop_sequence = null, usage } = message
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    ...content
      .filter(isRecord)
      .flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: emptied(block) },
        ...deltasOf(block).map(delta => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
    { type: 'message_stop' },
  ]
}

function emptied(block: Loose): Loose {
  if (block.type === 'text') return { ...block, text: '' }
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  return block.type === 'tool_use' ? { ...block, input: {} } : block
}

function deltasOf({ type, text, thinking, signature, input }: Loose): readonly Loose[] {
  if (type === 'text') return [{ type: 'text_delta', text }]
  if (type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) }]
  if (type !== 'thinking') return []
  const seal = signature === undefined ? [] : [{ type: 'signature_delta', signature }]
  return [{ type: 'thinking_delta', thinking }, ...seal]
}

/** R1, in OpenAI's chat format. */
function completionEvents({ choices, ...rest }: Loose): readonly Loose[] | undefined {
  if (!Array.isArray(choices) || !choices.every(choice => isRecord(choice) && isRecord(choice.message)))
    return undefined
  const pieces = (choices as readonly { readonly message: Loose }[]).map(({ message, ...choice }, index) => {
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isRecord) : undefined
    const delta = { ...message, ...(calls && { tool_calls: calls.map((call, at) => ({ index: at, ...call })) }) }
    return { index, ...choice, delta }
  })
  return [{ ...rest, object: 'chat.completion.chunk', choices: pieces }]
}
