import { expect, test } from 'vitest'
import { bound } from './bounded-fetch.js'

const line = Buffer.concat([Buffer.from('data: '), Buffer.alloc(1024 * 1024, 'x')])

async function sent(pieces: readonly (string | Buffer)[], isStream: boolean): Promise<number> {
  let bytes = 0
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(Buffer.from(piece))
      controller.close()
    },
  })
  for await (const chunk of stream.pipeThrough(bound(isStream))) bytes += chunk.length
  return bytes
}

test.each([
  ['line feeds', ['\n', '\n']],
  ['both signs', ['\r\n', '\r\n']],
  ['both signs, cut in the middle of one', ['\r', '\n\r', '\n']],
  ['returns', ['\r', '\r']],
])('a long stream of short events was cut where each ended between two pieces: %s', async (_, end) => {
  const events = Array.from({ length: 20 }, () => [line, ...end]).flat()
  expect(await sent(events, true)).toBeGreaterThan(20 * 1024 * 1024)
  await expect(sent(events, false)).rejects.toThrow(/more than \d+ bytes at once/)
})

test('an event without an end is cut', async () => {
  const endless = ['data: a\n\n', ...Array.from({ length: 20 }, () => [line, '\n']).flat()]
  await expect(sent(endless, true)).rejects.toThrow(/more than \d+ bytes at once/)
})
