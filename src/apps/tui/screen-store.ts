/** Holds the screen. Changes are gathered and shown together, at most once a frame, however many events come in. */
import { type Line, plainText } from './model/line.js'
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

const frameMs = 16

export class ScreenStore {
  readonly #listeners = new Set<() => void>()
  readonly #paper: Sheet
  #screen: Screen
  /** Since the beginning: a terminal that grows takes lines back out of its scrollback, and they are wiped with the rest. */
  readonly #ever: Printed[] = []
  #printed: readonly Printed[] = []
  /** Come since the last frame: a wipe takes away none of it, and there is no scrollback that would have it. */
  #fresh: readonly Printed[] = []
  /** Stands above what was printed again where that does not fill the terminal, so that the frame stays below. */
  #gap: readonly Printed[] = []
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
    this.#fresh = [...this.#fresh, ...items]
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
      this.#printed = this.#toPrintAgain()
      this.#paper.wipe()
    }
    if (this.#fresh.length > 0) this.#printed = [...this.#printed, ...this.#fresh]
    this.#ever.push(...this.#fresh)
    this.#fresh = []
    // A new value each time: the house inside is changed in place.
    this.#snapshot = { screen: { ...this.#screen }, printed: [...this.#gap, ...this.#printed], sheet: this.#sheet }
    for (const hear of this.#listeners) hear()
  }

  /** The last screenful. What lies further up is in the scrollback already: printed again, it would stand there twice. */
  #toPrintAgain(): readonly Printed[] {
    const [before, now] = [this.#snapshot.screen, this.#screen]
    const fitting = lastLines(this.#ever, now.width, this.#paper.room(now))
    // Lines that were wrapped are fewer now, and there is room for more than could be seen.
    const isWider = now.width > before.width && !before.transcript
    const wiped = isWider ? this.#shownAt(before, now.height - before.height) : fitting
    const missing = countLines(fitting, now.width) - countLines(wiped, now.width)
    this.#gap = missing > 0 ? [{ id: `gap-${this.#sheet}`, draw: () => Array.from({ length: missing }, () => []) }] : []
    return missing > 0 ? wiped : fitting
  }

  /** What a screen showed, and what a terminal that grew taller took back out of its scrollback. */
  #shownAt(screen: Screen, grown: number): readonly Printed[] {
    const shown = lastLines(this.#printed, screen.width, this.#paper.room(screen))
    // What was taken back may be of a narrower day, and less than these lines hold: better twice than lost.
    return grown > 0 ? lastLines(this.#ever, screen.width, countLines(shown, screen.width) + grown) : shown
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.flush(), frameMs)
  }
}

const countLines = (printed: readonly Printed[], width: number): number =>
  printed.reduce((sum, item) => sum + item.draw(width).length, 0)

function lastLines(printed: readonly Printed[], width: number, room: number): readonly Printed[] {
  let left = room
  let from = printed.length
  let cut: readonly Printed[] = []
  while (from > 0 && left > 0) {
    const item = printed[from - 1]!
    const { length } = item.draw(width)
    if (length > left) {
      const letters = countLetters(item.draw(width).slice(-left))
      cut = [{ id: item.id, draw: now => lastLetters(item.draw(now), letters) }]
      break
    }
    left -= length
    from -= 1
  }
  return [...cut, ...printed.slice(from)]
}

/** Lines that hold so many letters: at another width the same text is as many letters, and not as many lines. */
function lastLetters(lines: readonly Line[], letters: number): readonly Line[] {
  let from = lines.length
  for (let left = letters; from > 0 && left > 0; from--) left -= countLetters([lines[from - 1]!])
  return lines.slice(from)
}

const countLetters = (lines: readonly Line[]): number =>
  lines.reduce((sum, line) => sum + plainText(line).replace(/\s/g, '').length, 0)
