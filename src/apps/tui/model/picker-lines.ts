/** A list to choose from: at most half of the terminal, so that what stands above it can still be read. */
import type { Glyphs } from './glyphs.js'
import { cutLine, dim, type Line, lineWidth, span } from './line.js'
import type { Picker } from './screen.js'

export interface PickerLook {
  readonly width: number
  /** Of the terminal. */
  readonly height: number
  /** Lines there are for it. */
  readonly room: number
  readonly glyphs: Glyphs
}

export function pickerLines(picker: Picker, { width, height, room, glyphs }: PickerLook): readonly Line[] {
  const { title, items, selected } = picker
  const shown = Math.max(1, Math.min(room - 1, Math.max(fewest, Math.floor(height / 2))))
  const from = Math.max(0, Math.min(selected - Math.floor(shown / 2), items.length - shown))
  const place = items.length > shown ? [dim(`  ${selected + 1} of ${items.length}`)] : []
  const column = labelColumn(picker, width)
  const rows = items.slice(from, from + shown).map(({ label, about }, at): Line => {
    const isSelected = at + from === selected
    const sign = span(isSelected ? `${glyphs.prompt} ` : '  ', { hue: 'cyan' })
    const end = dim(`  ${about}`)
    // How it ended and when tells alike ones apart: a long label gives way to it, down to half the line.
    const forLabel = Math.max(Math.floor(width / 2), Math.min(column, width - lineWidth([sign, end])))
    const name = cutLine([span(label, { isBold: isSelected })], forLabel, glyphs.ellipsis)
    const gap = lineWidth([sign, end]) + column > width ? 0 : Math.max(0, column - lineWidth(name))
    return cutLine([sign, ...name, span(' '.repeat(gap)), end], width, glyphs.ellipsis)
  })
  return [cutLine([span(title, { isBold: true }), ...place], width, glyphs.ellipsis), ...rows]
}

/** However low the terminal is. */
const fewest = 5

/** A state and when it was; what is longer names a directory as well, and moves its own row alone. */
const usualAbout = 24

/** Where the words behind the labels begin, in rows with room for both. */
function labelColumn({ items }: Picker, width: number): number {
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map(text => lineWidth([span(text)])))
  const about = Math.min(usualAbout, longest(items.map(item => item.about)))
  return Math.min(longest(items.map(({ label }) => label)), Math.max(0, width - 4 - about))
}
