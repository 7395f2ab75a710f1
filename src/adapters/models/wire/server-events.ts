/**
 * Server-sent events out of the body of an answer. Only `data` counts: the formats read here say the type in there too.
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
    const split = splitEvents(data => reader.event(data))
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
        reader.end()
        resolve()
      })
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

/** Feed it the text in any pieces. */
export function splitEvents(on: (data: string) => void): (text: string) => void {
  let rest = ''
  let data: string | undefined
  let isFirst = true
  const take = (line: string) => {
    if (line === '') {
      if (data !== undefined) on(data)
      data = undefined
      return
    }
    if (!line.startsWith('data:')) return
    const value = line.charCodeAt(5) === space ? line.slice(6) : line.slice(5)
    data = data === undefined ? value : `${data}\n${value}`
  }
  return text => {
    const from = rest.length
    rest += isFirst ? text.replace(/^\uFEFF/, '') : text
    isFirst = false
    // A carriage return at the very end may be the first half of a line's end.
    if (rest.includes('\r')) rest = rest.replace(/\r\n|\r(?!$)/g, '\n')
    let start = 0
    for (let end = rest.indexOf('\n', Math.max(0, from - 1)); end !== -1; end = rest.indexOf('\n', start)) {
      take(rest.slice(start, end))
      start = end + 1
    }
    rest = rest.slice(start)
  }
}

const space = 32
