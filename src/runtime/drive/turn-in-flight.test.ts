import { expect, test } from 'vitest'
import { estimateTokens } from '../../core/brief/fork.js'
import { noUsage } from '../../core/budget/usage.js'
import { type Said, TurnInFlight } from './turn-in-flight.js'

const facts = { turn: 3, purpose: 'work', upto: 7 } as const
const sent = (onSaid?: (said: Said) => void) => {
  const flight = new TurnInFlight(facts, onSaid)
  flight.send(9, output => ({ usage: { ...noUsage, output } }))
  return flight
}

test('a turn is to be paid from the moment its request is out, and not while it waits behind one that was refused', () => {
  expect(new TurnInFlight(facts).isOut(0)).toBe(false)
  const flight = sent()
  expect(flight.isOut(0)).toBe(true)
  flight.askAgain({ at: 100, isUsed: false })
  expect([flight.isOut(99), flight.isOut(100)]).toEqual([false, true])
})

test.each([
  ['words', (flight: TurnInFlight) => flight.say({ text: 'half', isAnew: false }), false],
  ['a thought', (flight: TurnInFlight) => flight.think('hm'), false],
  ['nothing but a bill', () => {}, true],
] as const)('a request that broke off after %s has to be paid, however often it is asked again', (_, hear, isUsed) => {
  const flight = sent()
  hear(flight)
  flight.askAgain({ at: 100, isUsed })
  expect(flight.isOut(50)).toBe(true)
  flight.askAgain({ at: 200, isUsed: false })
  expect(flight.isOut(150)).toBe(true)
  expect(flight.partial).toBe('')
})

test('whoever listens can follow it: sent, said, begun anew', () => {
  const heard: Said[] = []
  const flight = sent(said => heard.push(said))
  flight.say({ text: 'half', isAnew: false })
  flight.askAgain({ at: 0, isUsed: false })
  flight.say({ text: 'whole', isAnew: false })
  const followed = new TurnInFlight(facts)
  for (const said of heard) followed.say(said)
  expect(heard[0]).toEqual({ text: '', isAnew: false })
  expect(followed.partial).toBe('whole')
  expect(flight.partial).toBe('whole')
})

test('cut off, it tells what its request held, what was said, and what words and thoughts have used', () => {
  const flight = sent()
  flight.think('x'.repeat(8))
  flight.say({ text: 'some words', isAnew: false })
  expect(flight.cutOff('m', 'enough')).toEqual({
    type: 'turn.failed',
    turn: 3,
    purpose: 'work',
    upto: 9,
    error: { kind: 'aborted', message: 'enough', isRetryable: false },
    partial: 'some words',
    model: 'm',
    usage: { ...noUsage, output: estimateTokens('some words') + 2 },
  })
})
