/** Says once what is wrong with a log file: nothing is skipped in silence, and nothing is said a hundred times. */

import { StoreError } from '../store-error.js'
import type { LogReader } from './jsonl-reader.js'

/** Something of a log could not be used, or was changed after it was written. */
export interface LogWarning {
  readonly code: 'torn-tail' | 'unusable-lines' | 'tampered'
  readonly path: string
  /** Lines, or events for `tampered`. */
  readonly count: number
  /** Their line numbers, or sequence numbers for `tampered`. */
  readonly at: readonly number[]
  readonly message: string
}

export class LogReporter {
  readonly #onWarning: (warning: LogWarning) => void
  readonly #tampering: 'report' | 'refuse'
  readonly #said = new Set<string>()

  constructor(onWarning: ((warning: LogWarning) => void) | undefined, tampering: 'report' | 'refuse') {
    this.#onWarning = onWarning ?? (({ message }) => process.emitWarning(message, { code: 'OFFSHOOT_LOG' }))
    this.#tampering = tampering
  }

  report(reader: LogReader): void {
    for (const warning of [unusableLines(reader), tampered(reader)]) if (warning) this.#say(warning)
  }

  /** Under the run's lock nobody is writing: a line without its end is torn for good. */
  reportAtClaim(reader: LogReader): void {
    const tail = tornTail(reader)
    if (tail) this.#say(tail)
    const changed = tampered(reader)
    if (changed && this.#tampering === 'refuse') {
      throw new StoreError('tampered', `${changed.message} The run is not resumed.`, { path: reader.path })
    }
  }

  #say(warning: LogWarning): void {
    const key = `${warning.path} ${warning.code} ${warning.at.join()}`
    if (this.#said.has(key)) return
    this.#said.add(key)
    this.#onWarning(warning)
  }
}

function unusableLines({ path, faults }: LogReader): LogWarning | undefined {
  if (faults.length === 0) return undefined
  const skipped = faults.filter(fault => fault.kind === 'skipped').length
  const at = faults.map(fault => fault.line)
  const message =
    `${path}: ${skipped} unusable lines skipped, ${faults.length - skipped} mended (line ${listed(at)}). ` +
    'Everything else is loaded.'
  return { code: 'unusable-lines', path, count: faults.length, at, message }
}

function tornTail({ path, offset, tornBytes }: LogReader): LogWarning | undefined {
  if (tornBytes === 0) return undefined
  const message =
    `${path}: the last line was cut off while it was written (${tornBytes} bytes after byte ${offset}). ` +
    'It is left out; everything before it is kept.'
  return { code: 'torn-tail', path, count: 1, at: [offset], message }
}

function tampered({ path, tampered: at }: LogReader): LogWarning | undefined {
  if (at.length === 0) return undefined
  const message =
    `${path}: event ${listed(at)} is not what was written (the hash chain does not match). ` +
    'Somebody or something changed the file; look at it before you trust the run.'
  return { code: 'tampered', path, count: at.length, at, message }
}

const listed = (numbers: readonly number[]): string =>
  numbers.length > 10 ? `${numbers.slice(0, 10).join(', ')}…` : numbers.join(', ')
