/** Widths against those who paint: what a row holds has room in ink and in a terminal that knows nothing of clusters. */
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { eastAsianWidth } from 'get-east-asian-width'
import { expect, test } from 'vitest'
import { anyCharacter, runs } from '../../../test/support/properties.js'
import { rowsOf } from '../../../test/support/screens.js'
import type { ApprovalRequest } from '../../core/ports.js'
import { inputRows, requestText } from '../tui/model/approval-input.js'
import { pagesOfApproval } from '../tui/model/frame.js'
import { foldLine, plainText, span, wrapLine } from '../tui/model/line.js'
import { emptyScreen, type OpenQuestion, type Screen, settleMs } from '../tui/model/screen.js'
import { textWidth } from './text-width.js'

// The copy that ink counts with, not the one that lies on top.
const ofInk = createRequire(createRequire(import.meta.url).resolve('ink'))
const { default: inkWidth } = (await import(ofInk.resolve('string-width'))) as {
  readonly default: (text: string) => number
}

/** As the C library of a common system has it, code point by code point. */
const terminalWidth = (text: string): number => [...text].reduce((sum, letter) => sum + wcwidth(letter), 0)
function wcwidth(letter: string): number {
  const code = letter.codePointAt(0)!
  if (/[\u1160-\u11ff\ud7b0-\ud7ff]/.test(letter) && letter.length === 1) return 0
  if (/[\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(letter)) return 1
  if (/[\u3248-\u324f]/.test(letter)) return 2
  return /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u.test(letter) ? 0 : eastAsianWidth(code)
}

const among = (from: number, to: number) => fc.integer({ min: from, max: to }).map(code => String.fromCodePoint(code))
/** All planes, and oftener what joins its neighbours or is counted in more than one way. */
const letter = fc.oneof(
  anyCharacter,
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  among(0x20, 0x7e),
  among(0x300, 0x36f),
  among(0x900, 0x97f),
  among(0xb80, 0xbff),
  among(0xe00, 0xeff),
  among(0x1100, 0x11ff),
  among(0x2300, 0x27bf),
  among(0x4dc0, 0x4dff),
  among(0xa960, 0xa97f),
  among(0xac00, 0xd7ff),
  among(0xfe00, 0xffef),
  among(0x16fe0, 0x18d08),
  among(0x1aff0, 0x1b2ff),
  among(0x1d300, 0x1d376),
  among(0x1f000, 0x1faff),
  among(0x1f1e6, 0x1f1ff),
  among(0x1f3fb, 0x1f3ff),
  among(0xe0020, 0xe007f),
  fc.constantFrom('\u200d', '\ufe0f', '\ufe0e', '\u20e3', '1', '#', '\u094d', 'क', 'ष', '\u0e33', '\u3099', 'ﾞ'),
  fc.constantFrom('👨‍👩‍👧‍👦', '👍🏽', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '\u0600', '\ud83d', '\u00ad', '\u115f', '\u3164', 'ᄀ', 'ᅡ', 'ᆨ', '\u0d4e'),
)
const foreign = fc.string({ unit: letter, maxLength: 120 })
const widths = fc.integer({ min: 2, max: 80 })

function expectRoom(rows: readonly string[], width: number): void {
  const isTooWide = (row: string) => inkWidth(row) > width || terminalWidth(row) > width
  expect([...new Set(rows)].filter(isTooWide), `${width} columns`).toEqual([])
}

test('every single code point has at least the columns that ink and a terminal give it', () => {
  const short: string[] = []
  for (let code = 0xa0; code < 0x20000; code += 1) {
    const text = String.fromCodePoint(code)
    // All alike, and many.
    if (/[\p{Cn}\p{Co}\p{Unified_Ideograph}\uac02-\ud7a2]/u.test(text)) continue
    if (textWidth(text) < Math.max(inkWidth(text), terminalWidth(text))) short.push(code.toString(16))
  }
  expect(short).toEqual([])
})

test('Thai, Devanagari, skin tones and jamo were counted narrower than they are painted', () => {
  fc.assert(
    fc.property(foreign, text => {
      expect(textWidth(text)).toBeGreaterThanOrEqual(inkWidth(text.replace(/[\u001b\u009b]/g, '')))
      expect(textWidth(text)).toBeGreaterThanOrEqual(terminalWidth(text))
    }),
    runs(200),
  )
})

test('a row of foreign letters is never wider than asked for, and folding loses none of them', () => {
  const line = fc.array(
    foreign.map(text => span(text)),
    { maxLength: 4 },
  )
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 40 }), fc.integer({ min: 0, max: 6 }), (spans, width, inset) => {
      const folded = foldLine(spans, width, '').map(plainText)
      expect(folded.join('')).toBe(plainText(spans))
      expectRoom(folded, width)
      expectRoom(foldLine(spans, width, ' '.repeat(inset)).map(plainText), width)
      expectRoom(wrapLine(spans, width, ' '.repeat(inset)).map(plainText), width)
    }),
    runs(200),
  )
})

const settled = { askedAt: 1000, now: 1000 + settleMs }
const heights = fc.integer({ min: 10, max: 30 })

function asking(command: string): ApprovalRequest {
  const about = { approvalId: 'a', path: ['main'], context: 'short', rule: 'default', reason: 'asks', lasting: false }
  return { ...about, name: 'Bash', input: { command } } as unknown as ApprovalRequest
}

test('G04 a part of a command stood on no page, and a yes let it run: rows were cut at the edge', () => {
  fc.assert(
    fc.property(foreign, widths, heights, (text, width, height) => {
      const command = `echo '${text}'; rm -rf important`
      const request = asking(command)
      const screen: Screen = { ...emptyScreen([], width, height), ...settled, approvals: [request] }
      const count = pagesOfApproval(screen)
      const pages = Array.from({ length: count }, (_, page) => rowsOf({ ...screen, page }))
      expect(pages.every(page => page.length < height)).toBe(true)
      expectRoom(pages.flat(), width)
      const rows = inputRows(request, width).map(({ line }) => plainText(line))
      const painted = new Set(pages.flat())
      expect(rows.filter(row => count > 0 && !painted.has(row))).toEqual([])
      const inset = (row: string, index: number) => row.slice(Math.min(index === 0 ? 2 : 4, width - 2))
      if (!text.includes('\n')) expect(rows.map(inset).join('')).toBe(requestText(request, command))
    }),
    runs(60),
  )
})

test('G04 a question in foreign letters is not cut at the edge either', () => {
  fc.assert(
    fc.property(foreign, fc.integer({ min: 8, max: 60 }), heights, (text, width, height) => {
      const options = [{ label: text, description: text }]
      const question: OpenQuestion = { id: 'q', from: 'main', question: `a ${text}`, options }
      const screen: Screen = { ...emptyScreen([], width, height), ...settled, questions: [question] }
      const pages = Array.from({ length: 8 }, (_, page) =>
        rowsOf({ ...screen, answering: { questionId: 'q', at: 0, marked: new Set(), page } }),
      )
      expect(pages.every(page => page.length < height)).toBe(true)
      expectRoom(pages.flat(), width)
    }),
    runs(60),
  )
})
