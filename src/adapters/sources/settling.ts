/**
 * Whether a file may be read by now, or is still being written. Its writer may empty it first, pause between two pieces, and
 * leave any time on it.
 * W1 a file counts once it has been still for a moment; for longer where it may be a part of something.
 * W2 how long it has been still is told by the disk, and where that is ahead of us, by when it was first seen so.
 */
import { type Stats, statSync } from 'node:fs'
import type { FileReading } from '../../core/agent-file/read-agent-file.js'

/** What a file was when it was looked at. */
export interface Stamp {
  readonly text: string
  readonly size: number
  readonly changedAt: number
  /** Of what a link leads to. */
  readonly stat?: Stats
}

export interface SettlingOptions {
  readonly now?: (() => number) | undefined
  /** A clock that nobody sets. */
  readonly monotonic?: (() => number) | undefined
  readonly settleMs: number
}

/** A file, and what it was read as. */
export interface Seen {
  readonly stamp: Stamp
  readonly reading: FileReading
}

interface Held {
  readonly text: string
  readonly since: number
  readonly mayBePart: boolean
}

/** Files that are waited for, by what they are remembered under. */
export class Settling {
  readonly #held = new Map<string, Held>()
  readonly #now: () => number
  readonly #monotonic: () => number
  readonly #settleMs: number

  constructor({ now = Date.now, monotonic = () => performance.now(), settleMs }: SettlingOptions) {
    this.#now = now
    this.#monotonic = monotonic
    this.#settleMs = settleMs
  }

  /** Look again soon. */
  get isWaiting(): boolean {
    return this.#held.size > 0
  }

  /** `before` is what counts until then. */
  isSettled(key: string, file: Seen, before: Seen | undefined): boolean {
    const { text, changedAt } = file.stamp
    const seen = this.#held.get(key)
    // It changed again while it was waited for: whoever writes it takes more than one step.
    const mayBePart = seen !== undefined || looksLikePart(file, before)
    const held = seen?.text === text ? seen : { text, since: this.#monotonic(), mayBePart }
    const age = this.#now() - changedAt
    const stillMs = age >= 0 ? age : this.#monotonic() - held.since
    const isSettled = stillMs >= this.#settleMs * (held.mayBePart ? partPatience : 1)
    if (isSettled) this.#held.delete(key)
    else this.#held.set(key, held)
    return isSettled
  }

  /** What is not there any more is not waited for. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#held.keys()) if (!keys.has(key)) this.#held.delete(key)
  }
}

/** How much longer a writer gets that takes its time. */
const partPatience = 20

/** Of a data file any beginning may be whole. Else: it was an agent and is none, its front matter just ends, or it is shorter. */
function looksLikePart({ stamp, reading }: Seen, before: Seen | undefined): boolean {
  const { path, state, diagnostics } = reading
  if (/\.(?:ya?ml|toml|roomodes)$/i.test(path)) return true
  const isSound = (one: FileReading['state']) => one === 'loaded' || one === 'warned'
  const isBroken = before !== undefined && isSound(before.reading.state) && !isSound(state)
  const isCut = diagnostics.some(each => each.code === 'front-matter-unclosed')
  return isBroken || isCut || (before !== undefined && stamp.size < before.stamp.size)
}

export function stampOf(path: string): Stamp {
  try {
    return stampFrom(statSync(path))
  } catch {
    return { text: 'missing', size: 0, changedAt: 0 }
  }
}

/** A writer can set back the time of what a file holds, and not that of its entry. */
export function stampFrom(stat: Stats): Stamp {
  const { dev, ino, size, mtimeMs, ctimeMs } = stat
  return { text: `${dev}:${ino}:${size}:${mtimeMs}:${ctimeMs}`, size, changedAt: Math.max(mtimeMs, ctimeMs), stat }
}
