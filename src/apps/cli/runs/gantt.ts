/** When each run was at work, as a bar of text below one scale. */
import { secondsWords } from '../../session/figures.js'

export interface Span {
  readonly from: number
  readonly to: number
}
export interface Bar extends Span {
  /** It still runs: the bar has no end. */
  readonly isOpen?: boolean
  /** Where its clock ran, in order; all of it when absent. The rest is idle. */
  readonly atWork?: readonly Span[]
}

/** One text a bar, all of the same width. A bar is never so short that it cannot be seen, and neither is work in it. */
export function ganttBars(bars: readonly Bar[], width: number, isAscii = false): readonly string[] {
  const start = Math.min(...bars.map(bar => bar.from))
  const end = Math.max(...bars.map(bar => bar.to), start + 1)
  const [full, head, empty] = isAscii ? ['=', '>', '.'] : ['━', '╸', '·']
  const idle = idleSign(isAscii)
  const column = (at: number) => Math.round(((at - start) / (end - start)) * width)
  return bars.map(bar => {
    const from = Math.min(column(bar.from), width - 1)
    const to = Math.max(from + 1, column(bar.to))
    const signs = Array<string>(to - from).fill(bar.atWork ? idle : full)
    for (const span of bar.atWork ?? []) {
      const first = Math.max(0, Math.min(column(span.from) - from, signs.length - 1))
      signs.fill(full, first, Math.max(first + 1, column(span.to) - from))
    }
    const body = signs.join('')
    return empty.repeat(from) + (bar.isOpen ? body.slice(0, -1) + head : body) + empty.repeat(width - to)
  })
}

export const idleSign = (isAscii: boolean): string => (isAscii ? '-' : '╌')

/** `0s` at the left, the length of it all at the right. */
export function ganttScale(bars: readonly Bar[], width: number): string {
  const start = Math.min(...bars.map(bar => bar.from))
  const end = Math.max(...bars.map(bar => bar.to), start + 1)
  const right = secondsWords(end - start)
  return `0s${right.padStart(Math.max(0, width - 2))}`
}
