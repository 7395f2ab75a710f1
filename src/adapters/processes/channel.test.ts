import { duplexPair } from 'node:stream'
import { expect, test } from 'vitest'
import type { ProtocolFault } from '../../core/run-process.js'
import { Channel, type ChannelOptions } from './channel.js'
import { encodeFrame } from './frames.js'

type Answer = ChannelOptions['answer']

function pair(answer: Answer) {
  const [near, far] = duplexPair()
  // As sockets do, and this pair does not.
  near.on('close', () => far.destroy())
  far.on('close', () => near.destroy())
  const faults: ProtocolFault[] = []
  const options = (answering: Answer): ChannelOptions => ({
    answer: answering,
    onFault: fault => void faults.push(fault),
    onClose: () => {},
  })
  return {
    here: new Channel(
      near,
      options(() => null),
    ),
    there: new Channel(far, options(answer)),
    faults,
    far,
  }
}

test('a call is answered with a value, or with the error and its code', async () => {
  const { here } = pair((method, value) => {
    if (method === 'double') return (value as number) * 2
    throw Object.assign(new Error('no such thing'), { code: 'unknown' })
  })
  expect(await here.call('double', 21)).toBe(42)
  await expect(here.call('other', null)).rejects.toMatchObject({ message: 'no such thing', code: 'unknown' })
})

test('an abort reaches whoever answers, and the caller waits no longer', async () => {
  let heard = ''
  const { here } = pair(
    (_, __, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          heard = signal.reason.message
          reject(signal.reason)
        }),
      ),
  )
  const controller = new AbortController()
  const call = here.call('wait', null, controller.signal)
  await new Promise(resolve => setImmediate(resolve))
  controller.abort(new DOMException('enough', 'AbortError'))
  await expect(call).rejects.toThrow('enough')
  await here.ping()
  expect(heard).toBe('enough')
})

test('when the pipe closes, what is being answered is aborted before our own calls are rejected', async () => {
  const order: string[] = []
  const { here, there } = pair((_, __, signal) => {
    signal.addEventListener('abort', () => order.push('aborted'))
    return new Promise(() => {})
  })
  const answered = here.call('wait', null)
  answered.catch(() => order.push('rejected here'))
  const back = there.call('anything', null)
  await back
  const open = there.call('anything', null)
  open.catch(() => order.push('rejected there'))
  there.close()
  await expect(open).rejects.toThrow('closed before an answer')
  expect(order[0]).toBe('aborted')
})

test('a value that cannot cross is an error of that call alone', async () => {
  const { here } = pair(method => (method === 'big' ? 10n : 'fine'))
  await expect(here.call('big', null)).rejects.toThrow('BigInt')
  await expect(here.call('x', { n: 1n })).rejects.toThrow('BigInt')
  expect(await here.call('small', null)).toBe('fine')
})

const nonsense: readonly [string, unknown][] = [
  ['a word', 'hello'],
  ['null', null],
  ['an unknown kind', { k: 'shout', id: 1 }],
  ['a call without a number', { k: 'call', m: 'x' }],
  ['an answer to a call never made', { k: 'ok', id: 99, v: 1 }],
  ['an error without a message', { k: 'no', id: 1, e: {} }],
]
test.each(nonsense)('%s is a fault, and closes the channel', async (_, message) => {
  const { here, far, faults } = pair(() => null)
  far.write(encodeFrame(message))
  await expect(here.call('anything', null)).rejects.toThrow('closed')
  expect(faults).toHaveLength(1)
})

test('a flood is a fault', async () => {
  const { far, faults, here } = pair(() => null)
  const frames = Buffer.concat(Array.from({ length: 25_000 }, () => encodeFrame({ k: 'tell', m: 'pass', v: null })))
  far.write(frames)
  await expect(here.call('anything', null)).rejects.toThrow('closed')
  expect(faults[0]?.message).toContain('flooded the pipe')
})

test('too many calls at once are a fault', async () => {
  const { here, faults } = pair(() => new Promise(() => {}))
  const calls = Array.from({ length: 2_100 }, () => here.call('wait', null).catch(error => error.message))
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['the pipe was closed before an answer came']))
  expect(faults[0]?.message).toContain('calls open at once')
})
