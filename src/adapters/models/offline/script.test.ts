import { expect, test } from 'vitest'
import { type Answer, Answers, type Call, replay, type Script } from './script.js'

const grep = (pattern: string): Call => ({ name: 'Grep', input: { pattern } })
const answered = (text: string): Answer => ({ text, isMissing: false })

function* twoSteps(): Script {
  const [first] = yield [grep('a')]
  const [second, third] = yield [grep(`b${first!.text}`), grep('c')]
  return `${first!.text}${second!.text}${third!.text}${third!.isMissing}`
}

test('a script asks for its first batch, then for the next, then speaks', () => {
  const answers = new Answers()
  expect(replay(twoSteps(), answers, true)).toEqual({ calls: [grep('a')] })
  answers.add(grep('a'), answered('1'))
  expect(replay(twoSteps(), answers, true)).toEqual({ calls: [grep('b1'), grep('c')] })
  answers.add(grep('b1'), answered('2'))
  answers.add(grep('c'), answered('3'))
  expect(replay(twoSteps(), answers, true)).toEqual({ said: '123false', missing: [] })
})

test('only what is not answered yet is asked for, and the same call once', () => {
  const answers = new Answers()
  answers.add(grep('a'), answered('1'))
  answers.add(grep('c'), answered('3'))
  expect(replay(twoSteps(), answers, true)).toEqual({ calls: [grep('b1')] })
  function* twice(): Script {
    yield [
      grep('a'),
      grep('a'),
      { name: 'Grep', input: { b: 1, pattern: 'x' } },
      { name: 'Grep', input: { pattern: 'x', b: 1 } },
    ]
    return ''
  }
  expect(replay(twice(), new Answers(), true)).toMatchObject({ calls: { length: 2 } })
})

test('when no call can be made, the script ends with what it has and says what is missing', () => {
  const answers = new Answers()
  answers.add(grep('a'), answered('1'))
  expect(replay(twoSteps(), answers, false)).toEqual({ said: '1true', missing: ['Grep', 'Grep'] })
})

test('a script that never has enough is ended after so many rounds', () => {
  function* endless(): Script {
    for (let i = 0; i < 100; i++) yield [grep(String(i))]
    return 'done'
  }
  const answers = new Answers()
  for (let i = 0; i < 12; i++) answers.add(grep(String(i)), answered(''))
  expect(replay(endless(), answers, true)).toMatchObject({ said: 'done' })
})
