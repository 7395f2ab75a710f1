/** Questions and plans: all of them can be read, in any terminal, and only what was meant is an answer. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/support/properties.js'
import { facts, rowsOf } from '../../../../test/support/screens.js'
import type { RunId } from '../../../core/message.js'
import { emptyEditor } from './editor.js'
import { frameLines } from './frame.js'
import { asciiGlyphs, unicodeGlyphs } from './glyphs.js'
import { type KeyPress, press, type Wish } from './keys.js'
import { lineWidth, plainText } from './line.js'
import { emptyScreen, type OpenQuestion, type Screen, settleMs } from './screen.js'

const labels = (...names: readonly string[]) => names.map(label => ({ label }))

const steps = (count: number) => Array.from({ length: count }, (_, at) => `- step ${at} does something`)
const planOf = (count: number): OpenQuestion => ({
  id: 'plan',
  from: 'main',
  question: `# Plan\n\n${steps(count).join('\n')}\n\nLeave plan mode and do this?`,
  options: labels('Yes, do it', 'No, keep planning'),
})
const colour: OpenQuestion = { id: 'q', from: 'main', question: 'Which?', options: labels('Red', 'Blue') }
const rooms: OpenQuestion = { ...colour, isMulti: true, options: labels('Kitchen', 'Bath', 'Hall') }

const screenWith = (question: OpenQuestion, width = 80, height = 24): Screen => ({
  ...emptyScreen([], width, height),
  now: 100_000,
  questions: [question],
})
const named = ['return', 'escape', 'upArrow', 'downArrow', 'pageUp', 'pageDown', 'tab'] as const
const keyOf = (name: string): KeyPress =>
  (named as readonly string[]).includes(name) ? { input: '', [name]: true } : { input: name }
function play(screen: Screen, ...keys: readonly string[]): { readonly screen: Screen; readonly wishes: Wish[] } {
  const wishes: Wish[] = []
  let now = screen
  for (const key of keys) {
    const pressed = press(now, keyOf(key))
    now = pressed.screen
    if (pressed.wish) wishes.push(pressed.wish)
  }
  return { screen: now, wishes }
}
const answerTo = (question: OpenQuestion, ...keys: readonly string[]): string | undefined => {
  const [wish] = play(screenWith(question), ...keys).wishes
  return wish?.do === 'answer' ? wish.text : undefined
}

test.each([
  [100, 30, 60],
  [80, 24, 22],
  [100, 30, 300],
  [40, 10, 22],
  [20, 5, 22],
])('at %ix%i a plan of %i steps could be approved with its beginning nowhere to be seen', (width, height, count) => {
  let screen = screenWith(planOf(count), width, height)
  const seen: string[] = []
  for (let page = 0, before = ''; ; page++) {
    const shown = rowsOf(screen)
    if (shown.join('\n') === before) break
    before = shown.join('\n')
    expect(shown.length).toBeLessThan(height)
    expect(shown.some(line => /\d\. (Yes, do it|No, keep)/.test(line))).toBe(true)
    if (page === 0) expect(shown.join('\n')).toMatch(/PgUp PgDn: \d+ more lines|\d+\/\d+/)
    seen.push(...shown)
    screen = play(screen, 'pageDown').screen
  }
  const text = seen.join('\n').replace(/\s+/g, ' ')
  for (let at = 0; at < count; at++) expect(text).toContain(`step ${at} `)
})

test('on the first page of a long plan nothing said what was asked', () => {
  const shown = rowsOf(screenWith(planOf(60)))
  expect(shown).toContain('  Leave plan mode and do this?')
  expect(shown).toContain('❯ 1. Yes, do it')
  expect(shown[0]).toBe('? main: # Plan')
})

test('short lines of a plan were broken, because all of them were counted as one', () => {
  const shown = rowsOf(screenWith(planOf(8), 100, 30))
  for (const step of steps(8)) expect(shown).toContain(`  ${step}`)
})

test('of 40 options 17 were cut off in silence', () => {
  const many = { ...colour, options: Array.from({ length: 40 }, (_, at) => ({ label: `Choice ${at}` })) }
  let screen = screenWith(many, 100, 30)
  expect(rowsOf(screen).join('\n')).toMatch(/❯ 1\. Choice 0\n[\s\S]*… 1[5-9] more choices/)
  screen = play(screen, ...Array.from({ length: 39 }, () => 'downArrow')).screen
  expect(rowsOf(screen)).toContain('❯ 40. Choice 39')
  expect(play(screen, 'return').wishes).toEqual([{ do: 'answer', questionId: 'q', text: 'Choice 39' }])
})

test.each([
  [80, 8],
  [80, 6],
  [20, 5],
])('at %ix%i neither the question nor what Enter takes could be seen', (width, height) => {
  const shown = rowsOf(screenWith(colour, width, height)).join('\n')
  expect(shown).toContain('Which?')
  expect(shown).toContain('❯ 1. Red')
})

test('an option longer than the line was cut where it mattered', () => {
  const label = `Delete ${'everything '.repeat(20)}but the last`
  const screen = screenWith({ ...colour, options: labels(label, 'Nothing') }, 40, 24)
  expect(rowsOf(screen).join(' ').replace(/\s+/g, ' ')).toContain(`1. ${label}`)
})

test('a frame with a question is never taller than the terminal nor wider', () => {
  const options = fc.record({
    width: fc.integer({ min: 12, max: 140 }),
    height: fc.integer({ min: 2, max: 50 }),
    question: fc.string({ maxLength: 600, unit: fc.constantFrom('a', ' ', '\n', 'word', '漢') }),
    labels: fc.array(fc.string({ maxLength: 120 }), { maxLength: 30 }),
    isMulti: fc.boolean(),
    text: fc.string({ maxLength: 200 }),
    downs: fc.nat(12),
    isAscii: fc.boolean(),
  })
  fc.assert(
    fc.property(options, ({ width, height, question, labels: names, isMulti, text, downs, isAscii }) => {
      const asked = { id: 'q', from: 'main', question, options: labels(...names), isMulti }
      const moved = play(screenWith(asked, width, height), ...Array.from({ length: downs }, () => 'downArrow')).screen
      const screen = { ...moved, editor: { ...moved.editor, text, cursor: text.length } }
      const drawn = frameLines(screen, { ...facts, glyphs: isAscii ? asciiGlyphs : unicodeGlyphs })
      expect(drawn.length).toBeLessThan(Math.max(2, height))
      expect(drawn.filter(line => lineWidth(line) > width || plainText(line).includes('\n'))).toEqual([])
    }),
    runs(150),
  )
})

test('arrows and Enter did nothing at a question', () => {
  expect(answerTo(colour, 'return')).toBe('Red')
  expect(answerTo(colour, 'downArrow', 'return')).toBe('Blue')
  expect(answerTo(colour, 'upArrow', 'return')).toBe('Blue')
  expect(answerTo(colour, 'downArrow', 'g', 'reen', 'return')).toBe('green')
  expect(answerTo({ ...colour, options: [] }, 'return')).toBeUndefined()
})

test('while words are typed no choice carries the mark: Enter takes the words', () => {
  expect(rowsOf(play(screenWith(colour), 'green').screen).join('\n')).not.toMatch(/❯ \d/)
})

test('an Enter for something else, pressed as the question appeared, is no answer to it', () => {
  const fresh = { ...screenWith(colour), askedAt: 100_000 - settleMs + 1 }
  expect(rowsOf(fresh).join('\n')).not.toContain('❯ 1.')
  for (const key of ['return', 'escape']) expect(play(fresh, key).wishes).toEqual([])
  expect(play(fresh, 'hi').screen.editor.text).toBe('hi')
})

test.each([
  ['1', 'Red'],
  [' blue ', 'Blue'],
  ['12 or so', '12 or so'],
])('%j is the answer %j', (typed, answer) => expect(answerTo(colour, typed, 'return')).toBe(answer))

test.each(['9', '0', '1,2'])('%s went to the model although there is no such choice', typed => {
  const { screen, wishes } = play(screenWith(colour), typed, 'return')
  expect(wishes).toEqual([])
  expect(rowsOf(screen).at(-1)).toMatch(/choice/)
  expect(screen.editor.text).toBe(typed)
})

test('without choices a number is an answer', () => {
  expect(answerTo({ ...colour, options: [] }, '9', 'return')).toBe('9')
})

test('"1,3" where several may be chosen went to the model as "1,3"', () => {
  for (const typed of ['1,3', '1, 3', '1 3', '3,1,1']) expect(answerTo(rooms, typed, 'return')).toBe('Kitchen, Hall')
  expect(answerTo(rooms, ' ', 'downArrow', 'downArrow', ' ', 'return')).toBe('Kitchen, Hall')
  expect(answerTo(rooms, ' ', ' ', 'downArrow', 'return')).toBe('Bath')
  expect(answerTo(rooms, '1,9', 'return')).toBeUndefined()
  expect(answerTo(rooms, 'all', ' ', 'of them', 'return')).toBe('all of them')
})

test('nothing said that several may be chosen, or that another question follows', () => {
  const shown = rowsOf(screenWith({ ...rooms, place: { at: 1, of: 2 } }))
  expect(shown[0]).toBe('? main, question 1 of 2, several may be chosen (Space marks): Which?')
  expect(shown).toContain('❯ 1. [ ] Kitchen')
  expect(rowsOf(play(screenWith(rooms), ' ').screen)).toContain('❯ 1. [x] Kitchen')
})

test('the mark of one question is not that of the next', () => {
  const { screen } = play(screenWith(colour), 'downArrow')
  expect(play({ ...screen, questions: [{ ...colour, id: 'next' }] }, 'return').wishes).toEqual([
    { do: 'answer', questionId: 'next', text: 'Red' },
  ])
})

test('a slash command typed at a question became its answer', () => {
  expect(play(screenWith(colour), '/permissions', 'return').wishes).toEqual([{ do: 'submit', text: '/permissions' }])
  for (const typed of ['/clear', '/mine now']) {
    const { screen, wishes } = play(screenWith(colour), typed, 'return')
    expect([wishes, rowsOf(screen).at(-1)]).toEqual([[], expect.stringContaining('answer the question first')])
  }
  expect(answerTo(colour, '/etc/hosts', 'return')).toBe('/etc/hosts')
})

test('behind an open transcript a question could not be seen, and Enter answered it', () => {
  const shown = rowsOf({ ...screenWith(colour), transcript: { runId: 'r' as RunId, fromEnd: 0 } })
  expect(shown).toContain('❯ 1. Red')
})

test('while a message to somebody else is written, no choice carries the mark', () => {
  const message = { to: { runId: 'r' as RunId, name: 'clerk' }, editor: emptyEditor() }
  expect(rowsOf({ ...screenWith(colour), message }).join('\n')).not.toMatch(/❯ \d/)
})

test('suggestions for what was being typed as the question came are gone with the answer', () => {
  const suggestions = { items: [{ text: '/cost', about: '' }], selected: 0, from: 0 } as never
  expect(play({ ...screenWith(colour), suggestions }, 'green', 'return').screen.suggestions).toBeUndefined()
})
