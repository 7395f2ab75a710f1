import { expect, test } from 'vitest'
import { type Line, plainText, span, wrapLine } from './model/line.js'
import { emptyScreen } from './model/screen.js'
import { type Printed, ScreenStore } from './screen-store.js'

const frame = 4
/** A terminal that keeps what is scrolled away: `lines` is all that stands on it, the screen its end. */
function storeAt(width: number, height: number) {
  const store = new ScreenStore(emptyScreen([], width, height), {
    wipe: () => {},
    room: screen => (screen.transcript ? 0 : screen.height - frame),
  })
  const drawn = () => {
    store.flush()
    const { printed, screen } = store.snapshot()
    return printed.flatMap(item => item.draw(screen.width)).map(plainText)
  }
  const resize = (to: number, rows: number) => {
    store.change(screen => ({ ...screen, width: to, height: rows }))
    store.redraw()
    return drawn()
  }
  return { store, drawn, resize }
}

const entry = (id: string, words: number): Printed => ({
  id,
  draw: width => wrapLine([span(Array.from({ length: words }, (_, n) => `${id}${n}`).join(' '))], width) as Line[],
})
const wordsOf = (lines: readonly string[]) => lines.join(' ').split(/\s+/).filter(Boolean)

test('a wider terminal printed again what its scrollback had: of what was seen nothing is lost, and little is added', () => {
  for (const entries of [[entry('a', 400)], Array.from({ length: 40 }, (_, n) => entry(`e${n}-`, 11))]) {
    const { store, drawn, resize } = storeAt(40, 14)
    store.print(entries)
    const seen = wordsOf(drawn().slice(-10))
    const again = resize(100, 14)
    expect(again).toHaveLength(10)
    const shown = wordsOf(again)
    expect(shown.slice(-seen.length)).toEqual(seen)
    // At most the rest of the line that the first word stands on.
    expect(shown.length - seen.length).toBeLessThan(30)
    expect(again[0]?.trim()).toBe('')
    store.print([entry('new', 3)])
    expect(drawn().at(-1)).toBe('new0 new1 new2')
  }
})

test('lines that a taller terminal takes out of its scrollback are printed again', () => {
  const { store, drawn, resize } = storeAt(40, 14)
  store.print([entry('a', 200)])
  const all = drawn()
  expect(resize(40, 20)).toEqual(all.slice(-16))
  expect(resize(40, 10)).toEqual(all.slice(-6))
  expect(resize(40, 14)).toEqual(all.slice(-10))
})

test('what a transcript stood before is there again, also when the terminal grew wider meanwhile', () => {
  const { store, drawn, resize } = storeAt(40, 14)
  store.print([entry('a', 400)])
  drawn()
  const transcript = { runId: 'r', scroll: 0 } as never
  store.change(screen => ({ ...screen, transcript }))
  drawn()
  resize(100, 14)
  store.change(screen => ({ ...screen, transcript: undefined }))
  store.redraw()
  expect(drawn()).toHaveLength(10)
  expect(drawn()[0]).toMatch(/^a\d/)
})

test('all of a short conversation is drawn at any width, from the top', () => {
  const { store, drawn, resize } = storeAt(40, 24)
  store.print([entry('a', 20), entry('b', 20)])
  const words = wordsOf(drawn())
  for (const width of [100, 30, 60]) {
    const lines = resize(width, 24)
    expect([wordsOf(lines), lines[0]?.startsWith('a0')]).toEqual([words, true])
  }
})

test('lines that came in the frame of a resize were neither on the screen nor in the scrollback', () => {
  for (const [width, height] of [
    [100, 14],
    [40, 20],
    [30, 10],
  ] as const) {
    const { store, drawn, resize } = storeAt(40, 14)
    store.print([entry('old', 200)])
    const before = drawn()
    store.print([entry('new', 300)])
    const again = resize(width, height)
    const words = wordsOf(again)
    expect(words.filter(word => word.startsWith('new'))).toEqual(wordsOf(entry('new', 300).draw(40).map(plainText)))
    // What could be seen before stands above it, and no more of it than fits.
    expect(words[0]).toMatch(/^old/)
    expect(words.filter(word => word.startsWith('old')).length).toBeLessThan(wordsOf(before).length)
  }
})
