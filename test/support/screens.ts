/** What tests of the terminal's screen are drawn with. */
import { type FrameFacts, frameLines } from '../../src/apps/tui/model/frame.js'
import { unicodeGlyphs } from '../../src/apps/tui/model/glyphs.js'
import { plainText } from '../../src/apps/tui/model/line.js'
import type { Screen } from '../../src/apps/tui/model/screen.js'
import { task } from '../scenarios/house.js'

export const facts: FrameFacts = { glyphs: unicodeGlyphs, model: 'test/model', mode: 'default', cwd: '~/project' }

/** The rows of a frame as text. */
export const rowsOf = (screen: Screen): readonly string[] => frameLines(screen, facts).map(plainText)

/** A turn that hands something to each of them. */
export const handingTo = (...agents: readonly string[]) => ({
  calls: agents.map(name => task(name, 'go', { description: `${name} works` })),
})
