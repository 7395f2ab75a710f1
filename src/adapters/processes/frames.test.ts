import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProtocolFault } from '../../core/run-process.js'
import { encodeFrame, FrameReader } from './frames.js'

test('messages come out as they went in, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 })),
      (values, cuts) => {
        const stream = Buffer.concat(values.map(value => encodeFrame(value)))
        const reader = new FrameReader()
        const read: unknown[] = []
        for (let at = 0, i = 0; at < stream.length; i++) {
          const length = cuts[i % Math.max(1, cuts.length)] ?? stream.length
          read.push(...reader.push(stream.subarray(at, at + length)))
          at += length
        }
        expect(JSON.stringify(read)).toBe(JSON.stringify(values))
      },
    ),
  )
})

test('no bytes make it hang or throw anything but a fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
      const reader = new FrameReader(1_000)
      try {
        for (const _ of reader.push(Buffer.from(bytes)));
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolFault)
      }
    }),
  )
})

test('a message too long is refused by whoever sends it and by whoever reads its length', () => {
  expect(() => encodeFrame('x'.repeat(100), 50)).toThrow('longer than the 50 that may cross')
  const announced = Buffer.alloc(4)
  announced.writeUInt32BE(51, 0)
  expect(() => [...new FrameReader(50).push(announced)]).toThrow('announced a message of 51 bytes')
})
