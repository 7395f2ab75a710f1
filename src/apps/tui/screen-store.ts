/** Holds the screen. Changes are gathered and shown together, at most once a frame, however many events come in. */
import type { Line } from './model/line.js'
import type { Screen } from './model/screen.js'

/** Written once, above the part that changes; the terminal's own scrollback keeps it. */
export interface Printed {
  readonly id: string
  draw(width: number): readonly Line[]
}

export interface Snapshot {
  readonly screen: Screen
  readonly printed: readonly Printed[]
  /** Counts how often the terminal was wiped: what is printed after that begins anew. */
  readonly sheet: number
}

/** What is drawn on. */
export interface Sheet {
  /** Clears what can be seen of the terminal and nothing above it. */
  wipe(): void
  /** Lines above the part that changes. */
  room(screen: Screen): number
}

export const frameMs = 16

export class ScreenStore {
  readonly #listeners = new Set<() => void>()
  readonly #paper: Sheet
  #screen: Screen
  /** Since the beginning: a terminal that grows takes lines back out of its scrollback, and they are wiped with the rest. */
  readonly #ever: Printed[] = []
  #printed: readonly Printed[] = []
  #sheet = 0
  #snapshot: Snapshot
  #timer: NodeJS.Timeout | undefined
  #mustWipe = false

  constructor(screen: Screen, paper: Sheet) {
    this.#screen = screen
    this.#paper = paper
    this.#snapshot = { screen, printed: this.#printed, sheet: 0 }
  }

  /** As it is, with changes that are not drawn yet. */
  get screen(): Screen {
    return this.#screen
  }

  change(by: (screen: Screen) => Screen): void {
    this.#screen = by(this.#screen)
    this.#schedule()
  }

  print(items: readonly Printed[]): void {
    if (items.length === 0) return
    this.#ever.push(...items)
    this.#printed = [...this.#printed, ...items]
    this.#schedule()
  }

  /** After a screen of its own, or when the size changed: the last screenful is printed again, at today's width. */
  redraw(): void {
    this.#mustWipe = true
    this.#schedule()
  }

  /** What is drawn: the same value until the next frame. */
  readonly snapshot = (): Snapshot => this.#snapshot

  readonly subscribe = (hear: () => void): (() => void) => {
    this.#listeners.add(hear)
    return () => void this.#listeners.delete(hear)
  }

  /** Draws what is waiting, now. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#mustWipe) {
      this.#mustWipe = false
      this.#sheet += 1
      this.#printed = lastLines(this.#ever, this.#screen.width, this.#paper.room(this.#screen))
      this.#paper.wipe()
    }
    // A new value each time: the house inside is changed in place.
    this.#snapshot = { screen: { ...this.#screen }, printed: this.#printed, sheet: this.#sheet }
    for (const hear of this.#listeners) hear()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.flush(), frameMs)
  }
}

/** What lies further up is in the scrollback already: printed again, it would stand there twice. */
function lastLines(printed: readonly Printed[], width: number, room: number): readonly Printed[] {
  let left = room
  let from = printed.length
  let cut: readonly Printed[] = []
  while (from > 0 && left > 0) {
    const item = printed[from - 1]!
    const { length } = item.draw(width)
    if (length > left) {
      const shown = left
      cut = [{ id: item.id, draw: now => item.draw(now).slice(-shown) }]
      break
    }
    left -= length
    from -= 1
  }
  return [...cut, ...printed.slice(from)]
}
