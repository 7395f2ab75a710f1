/**
 * The stream a server over HTTP speaks on of its own accord (a GET), kept open as long as it can be had.
 *
 * A1 A request that was taken (202) is answered there. Where there is no such stream, or no more, its answer can come by no
 *    way, and that is told at once.
 * A2 A stream that ends is opened again from the event that came last, be there calls waiting for it or not; less and less
 *    often while it ends at once, and not beyond a few tries where not even an event comes. The next request that is taken
 *    tries again.
 */
import { splitEvents } from '../models/wire/server-events.js'
import { boundedFetch, isEventStream } from './bounded-fetch.js'

export interface AnswerStreamOptions {
  /** Ends it, without a word. */
  readonly signal: AbortSignal
  /** One message, as text. */
  onMessage(text: string): void
  /** There is no stream, or no more of it. */
  onGone(reason: string): void
}

/** With what it is asked for: that of the request that began the session, or that was taken. */
export interface AskedBy {
  readonly url: string | URL
  readonly headers: Headers
}

const firstPauseMs = 500
const longestPauseMs = 5_000
const maxTries = 3
/** One that lasted so long has served, though nothing came over it. */
const servedMs = 1_000

export class AnswerStream {
  readonly #options: AnswerStreamOptions
  #isOpen = false
  /** A server that said it has none is not asked again. */
  #refusal: string | undefined
  #lastEvent: string | undefined
  #pauseMs: number | undefined
  #messages = 0
  /** How many in a row ended at once, without a message. */
  #idle = 0

  constructor(options: AnswerStreamOptions) {
    this.#options = options
  }

  /** Opens it where it is not open, or being opened. Does not reject. */
  async open(by: AskedBy): Promise<void> {
    if (this.#refusal !== undefined) return this.#options.onGone(this.#refusal)
    this.#idle = 0
    if (this.#isOpen) return
    this.#isOpen = true
    const reason = await this.#listen(by)
    this.#isOpen = false
    if (!this.#options.signal.aborted) this.#options.onGone(reason)
  }

  /** Why it is over. */
  async #listen(by: AskedBy): Promise<string> {
    const { signal } = this.#options
    let reason = ''
    for (let tries = 0; tries < maxTries && this.#refusal === undefined; ) {
      if (tries > 0 || reason) await pause(this.#nextPauseMs(tries), signal)
      if (signal.aborted) return reason
      const begin = performance.now()
      const before = this.#messages
      const { hasCome, why } = await this.#once(by)
      const hasServed = performance.now() - begin > servedMs
      reason = why
      tries = hasCome || hasServed ? 0 : tries + 1
      this.#idle = this.#messages > before || hasServed ? 0 : this.#idle + 1
    }
    return reason
  }

  /** A server that ends its stream with every event may ask for haste, and is polled less and less all the same. */
  #nextPauseMs(tries: number): number {
    const wanted = this.#pauseMs ?? Math.min(firstPauseMs * 2 ** tries, longestPauseMs)
    return Math.max(wanted, Math.min(shortestPauseMs * 2 ** this.#idle, longestPauseMs))
  }

  async #once({ url, headers: given }: AskedBy): Promise<{ hasCome: boolean; why: string }> {
    const { signal } = this.#options
    const headers = new Headers(given)
    headers.delete('content-type')
    headers.set('accept', 'text/event-stream')
    if (this.#lastEvent !== undefined) headers.set('last-event-id', this.#lastEvent)
    let hasCome = false
    try {
      const response = await boundedFetch(url, { method: 'GET', headers, redirect: 'manual', signal }, true)
      if (!response.ok || !isEventStream(response) || !response.body) {
        await response.body?.cancel().catch(() => undefined)
        const why = `it has no stream to answer on (status ${response.status})`
        if (response.ok || isFinal(response.status)) this.#refusal = why
        return { hasCome, why }
      }
      const feed = this.#reader(() => {
        hasCome = true
      })
      for await (const text of response.body.pipeThrough(new TextDecoderStream() as never)) feed(text as never)
    } catch {
      // Broken off, or never there: what came of it is all there is to say.
    }
    return { hasCome, why: 'its stream of answers ended' }
  }

  #reader(onEvent: () => void): (text: string) => void {
    let id: string | undefined
    return splitEvents(
      data => {
        onEvent()
        // Only now: an event that broke off has not come.
        this.#lastEvent = id ?? this.#lastEvent
        if (data === '') return
        this.#messages += 1
        this.#options.onMessage(data)
      },
      () => {},
      line => {
        const [, name, value = ''] = /^(id|retry): ?(.*)$/.exec(line) ?? []
        if (name === 'id' && !value.includes('\0')) id = value
        else if (name === 'retry' && /^\d{1,9}$/.test(value)) this.#pauseMs = Math.max(Number(value), shortestPauseMs)
      },
    )
  }
}

/** Whatever the server says. */
const shortestPauseMs = 50

/** What will not be otherwise in a moment; a stream that is still taken (409) or a server in trouble may be. */
const isFinal = (status: number): boolean =>
  status < 500 ? status !== 409 && status !== 408 && status !== 429 : status === 501

/** Keeps no program from ending; an abort ends it. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms).unref()
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
