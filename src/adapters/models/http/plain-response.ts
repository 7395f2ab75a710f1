/** An answer without undici, which Node loads (tens of milliseconds) as soon as `Response` is touched. */
import type { PlainHeaders } from './plain-headers.js'

export interface ResponseFacts {
  readonly status: number
  readonly statusText: string
  readonly headers: PlainHeaders
  readonly url: string
}

/** What providers read of a `Response`. The body can be read once, as with the real one. */
export class PlainResponse {
  readonly status: number
  readonly statusText: string
  readonly headers: PlainHeaders
  readonly url: string
  readonly body: ReadableStream<Uint8Array> | null
  readonly redirected = false
  readonly type = 'default'
  #isRead = false

  constructor(body: ReadableStream<Uint8Array> | null, { status, statusText, headers, url }: ResponseFacts) {
    this.body = body
    this.status = status
    this.statusText = statusText
    this.headers = headers
    this.url = url
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get bodyUsed(): boolean {
    return this.#isRead || (this.body?.locked ?? false)
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer())
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    if (this.bodyUsed) throw new TypeError('the body has been read already')
    this.#isRead = this.body !== null
    const chunks: Uint8Array[] = []
    for await (const chunk of this.body ?? []) chunks.push(chunk)
    const { buffer, byteOffset, byteLength } = Buffer.concat(chunks)
    return buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.arrayBuffer()], { type: this.headers.get('content-type') ?? '' })
  }
}
