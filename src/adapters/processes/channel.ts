/**
 * Two ends of a pipe that call each other and answer. Symmetrical: host and process use the same class.
 *
 * H1 Every call is answered once, with a value or an error; an abort of the caller reaches the one who answers.
 * H2 The other end is not trusted: what is no message, too much of it, or an answer to nothing is a fault.
 * H3 When the channel closes, calls being answered here are aborted first, then our own open calls are rejected.
 */
import type { Duplex } from 'node:stream'
import { PipeClosed, ProtocolFault } from '../../core/run-process.js'
import { messageOf } from '../../core/thrown.js'
import { encodeFrame, FrameReader } from './frames.js'

export interface ChannelOptions {
  answer(method: string, value: unknown, signal: AbortSignal): unknown
  /** The other end broke the protocol. Called at most once. */
  onFault(fault: ProtocolFault): void
  /** The stream has ended. */
  onClose(): void
  /** Put on every message. */
  now?(): number
  onNow?(at: number): void
}

export type PipeMessage =
  | { readonly k: 'call'; readonly id: number; readonly m: string; readonly v: unknown; readonly at?: number }
  | { readonly k: 'tell'; readonly m: string; readonly v: unknown; readonly at?: number }
  | { readonly k: 'ok'; readonly id: number; readonly v: unknown; readonly at?: number }
  | { readonly k: 'no'; readonly id: number; readonly e: CarriedError; readonly at?: number }
  | { readonly k: 'abort'; readonly id: number; readonly r: string; readonly at?: number }
  | { readonly k: 'ping' | 'pong'; readonly id: number; readonly at?: number }

interface CarriedError {
  readonly message: string
  readonly name?: string
  readonly code?: string
}

/** An error of the other end, as far as it can cross. */
class RemoteError extends Error {
  readonly code: string | undefined
  constructor({ message, name, code }: CarriedError) {
    super(message)
    if (name) this.name = name
    this.code = code
  }
}

/** How many calls of the other end may be open at once. */
const maxOpenCalls = 2_000
/** How much may come: so many messages at once, refilled every second. */
const burst = 20_000

export class Channel {
  /** How many messages have passed, both ways; asking whether anybody is there does not count. */
  messages = 0
  readonly #stream: Duplex
  readonly #options: ChannelOptions
  readonly #reader = new FrameReader()
  readonly #asked = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>()
  readonly #answering = new Map<number, AbortController>()
  #nextId = 1
  #credit = burst
  #creditAt = performance.now()
  #isClosed = false

  constructor(stream: Duplex, options: ChannelOptions) {
    this.#stream = stream
    this.#options = options
    stream.on('data', chunk => this.#read(chunk))
    stream.on('error', () => undefined)
    stream.on('close', () => this.#wasClosed())
  }

  /** Rejects with what the other end threw, with the signal's reason, or when the channel closes. */
  call(method: string, value: unknown, signal?: AbortSignal): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      if (this.#isClosed) return reject(new PipeClosed(`the pipe is closed, so ${method} was not asked`))
      const id = this.#nextId++
      const onAbort = () => {
        this.#asked.delete(id)
        this.#send({ k: 'abort', id, r: reasonOf(signal) })
        reject(signal?.reason)
      }
      const settled = () => signal?.removeEventListener('abort', onAbort)
      this.#asked.set(id, {
        resolve(given) {
          settled()
          resolve(given)
        },
        reject(error) {
          settled()
          reject(error)
        },
      })
      signal?.addEventListener('abort', onAbort, { once: true })
      try {
        this.#send({ k: 'call', id, m: method, v: value })
      } catch (error) {
        this.#askedBy(id)?.reject(error)
      }
    })
  }

  /** Throws when the value cannot cross; a closed channel hears nothing. */
  tell(method: string, value: unknown): void {
    this.#send({ k: 'tell', m: method, v: value })
  }

  /** Answered by the other end's loop itself, whatever else it does. Rejects when the channel closes. */
  ping(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new PipeClosed('the pipe is closed'))
      const id = this.#nextId++
      this.#asked.set(id, { resolve, reject })
      this.#send({ k: 'ping', id })
    })
  }

  close(): void {
    this.#stream.destroy()
    this.#wasClosed()
  }

  #send(message: PipeMessage): void {
    if (this.#isClosed) return
    const at = this.#options.now?.()
    const frame = encodeFrame(at === undefined ? message : { ...message, at })
    if (message.k !== 'ping' && message.k !== 'pong') this.messages += 1
    // All of one tick leave in one write.
    if (this.#stream.writableCorked === 0) {
      this.#stream.cork()
      process.nextTick(() => this.#stream.uncork())
    }
    this.#stream.write(frame)
  }

  #read(chunk: Buffer): void {
    if (this.#isClosed) return
    try {
      for (const message of this.#reader.push(chunk)) {
        this.#pay()
        this.#hear(checked(message))
        if (this.#isClosed) return
      }
    } catch (error) {
      // Whoever hears a message must not fall over it: what it cannot take is the fault of the one who sent it.
      this.#fail(error instanceof ProtocolFault ? error : new ProtocolFault(`it said what nobody can take: ${error}`))
    }
  }

  #pay(): void {
    this.#credit -= 1
    if (this.#credit > 0) return
    const now = performance.now()
    if (now - this.#creditAt < 1000)
      throw new ProtocolFault(`it flooded the pipe with more than ${burst} messages in a second`)
    this.#credit = burst
    this.#creditAt = now
  }

  #hear(message: PipeMessage): void {
    if (message.at !== undefined) this.#options.onNow?.(message.at)
    if (message.k !== 'ping' && message.k !== 'pong') this.messages += 1
    switch (message.k) {
      case 'call':
        this.#answer(message)
        break
      case 'tell':
        this.#options.answer(message.m, message.v, never)
        break
      case 'abort':
        this.#answering.get(message.id)?.abort(new DOMException(message.r, 'AbortError'))
        break
      case 'ping':
        this.#send({ k: 'pong', id: message.id })
        break
      case 'pong':
        this.#askedBy(message.id)?.resolve(undefined)
        break
      case 'ok':
        this.#askedBy(message.id)?.resolve(message.v)
        break
      case 'no':
        this.#askedBy(message.id)?.reject(new RemoteError(message.e))
        break
    }
  }

  /** An answer to a call that was aborted meanwhile reaches nobody; one to a call never made is a fault. */
  #askedBy(id: number) {
    if (id >= this.#nextId) throw new ProtocolFault(`it answered call ${id}, which was never made`)
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    return asked
  }

  #answer({ id, m, v }: Extract<PipeMessage, { k: 'call' }>): void {
    if (this.#answering.has(id)) throw new ProtocolFault(`it made call ${id} twice`)
    if (this.#answering.size >= maxOpenCalls)
      throw new ProtocolFault(`it has more than ${maxOpenCalls} calls open at once`)
    const controller = new AbortController()
    this.#answering.set(id, controller)
    const reply = (message: PipeMessage) => {
      if (!this.#answering.delete(id) || controller.signal.aborted) return
      try {
        this.#send(message)
      } catch (error) {
        this.#send({ k: 'no', id, e: carried(error) })
      }
    }
    // The extra function turns a synchronous throw into a rejection; a fault is one of the pipe, not of the call.
    const work = (async () => this.#options.answer(m, v, controller.signal))()
    work.then(
      value => reply({ k: 'ok', id, v: value ?? null }),
      error => (error instanceof ProtocolFault ? this.#fail(error) : reply({ k: 'no', id, e: carried(error) })),
    )
  }

  #fail(fault: ProtocolFault): void {
    if (this.#isClosed) return
    this.close()
    this.#options.onFault(fault)
  }

  #wasClosed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const controller of this.#answering.values())
      controller.abort(new DOMException('the pipe is closed', 'AbortError'))
    this.#answering.clear()
    const asked = [...this.#asked.values()]
    this.#asked.clear()
    for (const { reject } of asked) reject(new PipeClosed('the pipe was closed before an answer came'))
    this.#options.onClose()
  }
}

const never = new AbortController().signal

function checked(message: unknown): PipeMessage {
  const { k, id, m, e } = (message ?? {}) as { k?: unknown; id?: unknown; m?: unknown; e?: unknown }
  const hasId = Number.isSafeInteger(id)
  if (k === 'call' && hasId && typeof m === 'string') return message as PipeMessage
  if (k === 'tell' && typeof m === 'string') return message as PipeMessage
  if (['ok', 'abort', 'ping', 'pong'].includes(k as string) && hasId) return message as PipeMessage
  if (k === 'no' && hasId && typeof (e as CarriedError | null)?.message === 'string') return message as PipeMessage
  throw new ProtocolFault(`it sent a message nobody knows: ${JSON.stringify(message)?.slice(0, 80)}`)
}

function carried(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = (error as { code?: unknown }).code
  return { message: error.message, name: error.name, ...(typeof code === 'string' && { code }) }
}

const reasonOf = (signal: AbortSignal | undefined): string => messageOf(signal?.reason ?? 'aborted')
