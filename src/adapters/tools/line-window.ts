/**
 * Picks some lines out of a stream of bytes. A line of a million characters costs no more than its first ones, and
 * lines before the window cost only the search for their ends.
 */
export interface WindowBounds {
  /** 1-based. */
  readonly firstLine: number
  readonly maxLines: number
  readonly maxLineBytes: number
  readonly maxBytes: number
}

export interface WindowLine {
  readonly number: number
  /** The start of the line, without its end. */
  readonly bytes: Buffer
  readonly length: number
}

export class LineWindow {
  readonly lines: WindowLine[] = []
  /** Lines seen so far, an unfinished last one included. */
  lineCount = 0
  hasCarriageReturns = false
  private readonly bounds: WindowBounds
  private keptBytes = 0
  private open: { parts: Buffer[]; kept: number; length: number } | undefined
  private lastByte = -1

  constructor(bounds: WindowBounds) {
    this.bounds = bounds
  }

  get isFull(): boolean {
    return this.lines.length >= this.bounds.maxLines || this.keptBytes >= this.bounds.maxBytes
  }

  push(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(10, start)
      this.extend(chunk.subarray(start, end === -1 ? chunk.length : end))
      if (end === -1) return
      this.finishLine()
      start = end + 1
    }
  }

  /** Call once, after the last chunk. */
  finish(): void {
    if (this.open) this.finishLine()
  }

  private extend(piece: Buffer): void {
    if (!this.open) {
      this.open = { parts: [], kept: 0, length: 0 }
      this.lineCount++
    }
    this.open.length += piece.length
    if (piece.length > 0) this.lastByte = piece[piece.length - 1]!
    if (!this.isWanted) return
    const room = this.bounds.maxLineBytes - this.open.kept
    if (room <= 0) return
    const kept = Buffer.from(piece.subarray(0, room))
    this.open.parts.push(kept)
    this.open.kept += kept.length
  }

  private finishLine(): void {
    const line = this.open
    this.open = undefined
    if (!line || !this.isWanted) return
    const hasReturn = line.length > 0 && this.lastByte === 13
    if (hasReturn) this.hasCarriageReturns = true
    const whole = line.parts.length === 1 ? line.parts[0]! : Buffer.concat(line.parts)
    const bytes = hasReturn && whole.length === line.length ? whole.subarray(0, -1) : whole
    this.lines.push({ number: this.lineCount, bytes, length: line.length - (hasReturn ? 1 : 0) })
    this.keptBytes += bytes.length + 8
  }

  private get isWanted(): boolean {
    return this.lineCount >= this.bounds.firstLine && !this.isFull
  }
}
