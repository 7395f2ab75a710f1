import { expect, test } from 'vitest'
import { FakeClock } from '../../testing/fake-clock.js'
import { localSteps, orAbort } from './steps.js'

const steps = () => localSteps<string>(new FakeClock(), (key, error) => `${key} threw ${String(error)}`)

test('a turn was asked twice: work that has finished counts as there until its value is taken', async () => {
  const s = steps()
  s.start('turn/0', async () => 'reply')
  await new Promise(resolve => setImmediate(resolve))
  expect([...s.running()]).toEqual([])
  expect(s.has('turn/0')).toBe(true)
  expect(await s.take(undefined)).toEqual(['reply'])
  expect(s.has('turn/0')).toBe(false)
})

test('what an aborted effect yields later is dropped, and its signal says why', async () => {
  const s = steps()
  let reason: unknown
  s.start(
    'a',
    signal =>
      new Promise(resolve => signal.addEventListener('abort', () => ((reason = signal.reason), resolve('late')))),
  )
  s.abort('a', 'not wanted')
  s.post('other')
  await new Promise(resolve => setImmediate(resolve))
  expect(await s.take(undefined)).toEqual(['other'])
  expect(reason).toMatchObject({ name: 'AbortError', message: 'not wanted' })
})

test('a throw arrives like a value', async () => {
  const s = steps()
  s.start('a', async () => {
    throw new Error('oops')
  })
  expect(await s.take(undefined)).toEqual(['a threw Error: oops'])
})

test('take returns empty-handed once the time is there, and leaves no timer behind when something came first', async () => {
  const clock = new FakeClock()
  const s = localSteps<string>(clock, () => 'threw')
  const taken = s.take(clock.now() + 100)
  await clock.advance(100)
  expect(await taken).toEqual([])
  const second = s.take(clock.now() + 100)
  s.post('x')
  expect(await second).toEqual(['x'])
  expect(clock.pending).toBe(0)
})

test('nobody waits for work that ignores its abort', async () => {
  const controller = new AbortController()
  const waiting = orAbort(new Promise(() => {}), controller.signal)
  controller.abort(new DOMException('enough', 'AbortError'))
  await expect(waiting).rejects.toThrow('enough')
})
