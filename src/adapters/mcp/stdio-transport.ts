/**
 * A server as a process of ours: its own group, so that all of it can be ended; stdin and stdout for messages, one a
 * line and bounded; the end of stderr kept for the error text.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { endGroup } from '../os/process-group.js'
import type { Reaper } from '../os/reaper.js'
import { tryStart } from '../os/try-start.js'

export interface StdioOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly reaper?: Reaper
}

/** From the protocol package, handed in so that this file loads without it. */
export interface Wire {
  deserializeMessage(line: string): JSONRPCMessage
  serializeMessage(message: JSONRPCMessage): string
}

/** One message may be this long; more is a flood, and ends the server. */
const maxMessageBytes = 16 * 1024 * 1024
const keptErrorBytes = 4096
/** A server that is asked to end by the end of its input gets this long. */
const politeMs = 200
/** How long its last words are read after its end; something it left behind may hold the stream for ever. */
const drainMs = 100

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: Transport['onmessage']
  /** The last words on stderr. */
  lastWords = ''
  /** How it ended, unless it was ended from here. */
  end: string | undefined
  readonly #options: StdioOptions
  readonly #wire: Wire
  /** What has come of a line that has not ended yet. */
  #pieces: Buffer[] = []
  #size = 0
  readonly #mark = `OFFSHOOT_SERVER=${randomUUID()}`
  #child: ChildProcess | undefined
  #closing: Promise<void> | undefined
  #isEndedHere = false
  /** Resolves when its last words are read. Set once it has ended. */
  #drained: Promise<void> | undefined

  constructor(options: StdioOptions, wire: Wire) {
    this.#options = options
    this.#wire = wire
  }

  start(): Promise<void> {
    const { command, args, env, cwd, reaper } = this.#options
    const [name, value] = this.#mark.split('=') as [string, string]
    return new Promise((resolve, reject) => {
      reaper?.expect()
      const marked = { ...env, ...reaper?.environment, [name]: value }
      const child = tryStart(() => spawn(command, args, { cwd, env: marked, detached: true, stdio: 'pipe' }))
      if (typeof child === 'string') throw new Error(`its program could not be started: ${child}`)
      this.#child = child
      child.once('error', error => {
        reject(error)
        this.#closed()
      })
      child.once('spawn', () => {
        if (child.pid !== undefined) reaper?.watch(child.pid)
        resolve()
      })
      child.once('exit', (code, signal) => {
        if (!this.#isEndedHere) this.end = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
        // What it had started does not outlive it.
        if (child.pid !== undefined) void endGroup(child.pid, this.#mark)
        this.#drained = drained(child).then(() => this.#closed())
      })
      child.stdin.on('error', error => this.onerror?.(error))
      child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
      child.stderr.on('data', (chunk: Buffer) => {
        this.lastWords = (this.lastWords + chunk.toString('utf8')).slice(-keptErrorBytes)
      })
      for (const stream of [child.stdout, child.stderr]) stream.on('error', () => undefined)
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#child?.stdin
      if (!stdin?.writable) reject(new Error('the server has ended'))
      else stdin.write(this.#wire.serializeMessage(message), error => (error ? reject(error) : resolve()))
    })
  }

  /** However often it is asked for, it is ended once: a server that floods us asks with every piece. */
  close(): Promise<void> {
    if (this.#child) this.#closing ??= this.#end(this.#child)
    return this.#closing ?? Promise.resolve()
  }

  async #end(child: ChildProcess): Promise<void> {
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
    child.stdin?.end()
    if (child.exitCode === null && child.signalCode === null)
      await Promise.race([ended, new Promise(resolve => setTimeout(resolve, politeMs))])
    this.#isEndedHere = true
    if (child.pid !== undefined) await endGroup(child.pid, this.#mark)
    await this.#drained
    this.#closed()
  }

  #read(chunk: Buffer): void {
    // What comes of a message past all bounds is let go by.
    if (this.#size > maxMessageBytes) return
    let from = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#hear(Buffer.concat([...this.#pieces, chunk.subarray(from, end)]).toString('utf8'))
      this.#pieces = []
      this.#size = 0
      from = end + 1
    }
    if (from >= chunk.length || !this.#child) return
    this.#pieces.push(chunk.subarray(from))
    this.#size += chunk.length - from
    if (this.#size <= maxMessageBytes) return
    this.#pieces = []
    this.onerror?.(new Error(`one message had more than ${maxMessageBytes} bytes`))
    void this.close()
  }

  #hear(line: string): void {
    if (line.trim() === '') return
    try {
      this.onmessage?.(this.#wire.deserializeMessage(line))
    } catch (error) {
      const id = idOfAnswer(line)
      // Whoever asked would wait for an answer that has come.
      if (id !== undefined) this.onmessage?.({ jsonrpc: '2.0', id, error: { code: internalError, message: noAnswer } })
      // A line that is no message: servers print banners. The next line may be one.
      else this.onerror?.(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #closed(): void {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    this.#pieces = []
    if (child.pid !== undefined) this.#options.reaper?.leave(child.pid)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    this.onclose?.()
  }
}

/** Of JSON-RPC. */
const internalError = -32603
const noAnswer = 'the server sent an answer that is none of the protocol (neither a result nor an error)'

/** Which request a line answers, however wrongly. */
function idOfAnswer(line: string): string | number | undefined {
  try {
    const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method?: unknown }
    return method === undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined
  } catch {
    return undefined
  }
}

function drained(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, drainMs)
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
