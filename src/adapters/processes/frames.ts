/** Messages on a stream: four bytes of length, then JSON. Whatever is not that is a fault with a reason. */
import { ProtocolFault } from '../../core/run-process.js'

/** A message longer than this is refused on both sides. */
const maxMessageBytes = 32 * 1024 * 1024

/** Throws when the value is no JSON or too long: the message is not sent, and the stream stays sound. */
export function encodeFrame(value: unknown, maxBytes = maxMessageBytes): Buffer {
  const text = JSON.stringify(value)
  const length = Buffer.byteLength(text)
  if (length > maxBytes) throw new Error(`a message of ${length} bytes is longer than the ${maxBytes} that may cross`)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeUInt32BE(length, 0)
  frame.write(text, 4)
  return frame
}

export class FrameReader {
  readonly #maxBytes: number
  #chunks: Buffer[] = []
  #size = 0
  #wanted: number | undefined

  constructor(maxBytes = maxMessageBytes) {
    this.#maxBytes = maxBytes
  }

  /** Every message that is whole now, in order. Throws ProtocolFault. */
  *push(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    for (;;) {
      if (this.#wanted === undefined) {
        if (this.#size < 4) return
        this.#wanted = this.#readLength()
      }
      if (this.#size < this.#wanted) return
      const body = this.#take(this.#wanted)
      this.#wanted = undefined
      yield parse(body)
    }
  }

  #readLength(): number {
    const length = this.#take(4).readUInt32BE(0)
    if (length > this.#maxBytes)
      throw new ProtocolFault(`it announced a message of ${length} bytes; at most ${this.#maxBytes} may cross`)
    return length
  }

  #take(length: number): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    this.#size = all.length - length
    this.#chunks = this.#size > 0 ? [all.subarray(length)] : []
    return all.subarray(0, length)
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new ProtocolFault(`it sent something that is no JSON: ${JSON.stringify(body.toString('utf8', 0, 60))}`)
  }
}
