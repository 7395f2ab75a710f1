/**
 * Server-sent events out of the body of an answer. Only `data` counts: the formats read here say the type in there too;
 * a comment is a sign of life.
 *
 * R1 An event is handed on as soon as its blank line is there. R2 A body that breaks off just ends, and an event without
 * its blank line is none: what is missing tells the reader all it needs.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { EventReader } from './wire.js'

export function readServerEvents(
  incoming: IncomingMessage,
  source: Readable,
  reader: EventReader,
  hasEnough: () => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const split = splitEvents(
      data => reader.event(data),
      () => reader.alive?.(),
    )
    const act = (work: () => void) => {
      try {
        work()
      } catch (error) {
        incoming.destroy()
        reject(error)
      }
    }
    const end = () =>
      act(() => {
        // Broken off, or broken in itself: the connection is of no further use.
        if (!incoming.complete || source !== incoming) incoming.destroy()
        reader.end()
        resolve()
      })
    if (incoming.destroyed && !incoming.complete) return end()
    source.setEncoding('utf8')
    source.on('data', (text: string) =>
      act(() => {
        split(text)
        if (hasEnough()) incoming.destroy()
      }),
    )
    source.once('end', end)
    source.on('error', end)
    incoming.on('error', end)
    incoming.once('close', () => {
      if (!incoming.complete) end()
    })
  })
}

/** Nothing a model says comes in a line that long. */
const longestLine = 16 * 1024 * 1024

/**
 * Feed it the text in any pieces; each is looked at once. Throws when a line goes past all bounds. `onField` hears the lines
 * that are neither data nor comment (`id: 7`), before their event.
 */
export function splitEvents(
  on: (data: string) => void,
  onComment = () => {},
  onField: (line: string) => void = () => {},
): (text: string) => void {
  let line = ''
  let data: string | undefined
  let isFirst = true
  let hasReturned = false
  const take = () => {
    if (line === '') {
      if (data !== undefined) on(data)
      data = undefined
    } else if (line.startsWith('data:')) {
      const value = line.charCodeAt(5) === space ? line.slice(6) : line.slice(5)
      data = data === undefined ? value : `${data}\n${value}`
    } else if (line.startsWith(':')) onComment()
    else onField(line)
    line = ''
  }
  return given => {
    let text = isFirst ? given.replace(/^\uFEFF/, '') : given
    isFirst = false
    // The second half of a line's end whose first half closed the piece before.
    if (hasReturned && text.startsWith('\n')) text = text.slice(1)
    hasReturned = given.endsWith('\r')
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    let start = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      line += text.slice(start, end)
      take()
      start = end + 1
    }
    line += text.slice(start)
    if (line.length > longestLine) throw Object.assign(new Error('a line without an end'), { name: 'ParseError' })
  }
}

const space = 32

/** What a stream sent instead of an event, as the packages call it. */
export const unreadable = (data: string): Error =>
  Object.assign(new Error(`an event that cannot be read: ${data.slice(0, 200)}`), { name: 'ParseError' })
