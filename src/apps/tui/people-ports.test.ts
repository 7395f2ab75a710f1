import { expect, test } from 'vitest'
import type { Subscriber, ToolContext } from '../../core/ports.js'
import type { Offshoot } from '../../offshoot.js'
import { plainText } from './model/line.js'
import { emptyScreen, isSettled } from './model/screen.js'
import { PeoplePorts } from './people-ports.js'
import { ScreenStore } from './screen-store.js'

const context = { path: ['main'], signal: new AbortController().signal } as unknown as ToolContext

function people() {
  const store = new ScreenStore(emptyScreen([], 80, 24), { wipe: () => {}, room: () => 20 })
  const ports = new PeoplePorts(store, { isAscii: false })
  const printed = () => {
    store.flush()
    return store.snapshot().printed.flatMap(item => item.draw(80).map(plainText))
  }
  return { store, ports, printed }
}

test('an Enter on its way to the first question answered the second: each has its moment', async () => {
  const { store, ports } = people()
  const questions = [{ question: 'One?' }, { question: 'Two?', multiSelect: true, options: [{ label: 'a' }] }]
  const answers = ports.ports.askUser(questions, context)
  expect(store.screen.questions[0]).toMatchObject({ question: 'One?', place: { at: 1, of: 2 } })
  store.change(screen => ({ ...screen, askedAt: 0 }))
  await ports.answer(store.screen.questions[0]!.id, 'first')
  await new Promise(resolve => setTimeout(resolve))
  expect(store.screen.questions).toMatchObject([{ question: 'Two?', isMulti: true, place: { at: 2, of: 2 } }])
  expect(isSettled({ ...store.screen, now: Date.now() })).toBe(false)
  await ports.answer(store.screen.questions[0]!.id, '')
  expect(await answers).toEqual(['first', ''])
})

test('what a child asked the person, and what they said, was gone with the dialog', async () => {
  const { store, ports, printed } = people()
  let hear: Subscriber = () => {}
  const answered: unknown[] = []
  ports.connect({
    subscribe: (_: object, subscriber: Subscriber) => {
      hear = subscriber
    },
    questions: {
      answer: async (_: string, text: string) => {
        answered.push(text)
        return text === 'nonsense' ? { refused: 'Not answered.', rule: 'invalid-answer' } : undefined
      },
    },
  } as unknown as Offshoot)
  const question = { text: 'Which port?', type: 'number' }
  const event = { type: 'question.asked', to: 'user', questionId: 'q', path: ['main', 'clerk'], question }
  void hear({ event } as unknown as Parameters<Subscriber>[0])
  await ports.answer('q', 'nonsense')
  expect([store.screen.notice, printed()]).toEqual(['Not answered.', []])
  await ports.answer('q', '8080')
  expect(printed()).toEqual(['', '  main / clerk: Which port?', '  → 8080'])
})
