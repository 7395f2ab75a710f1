import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createTestWorkspace } from '../../../test/support/tool-workspace.js'
import { outputText } from '../tools/shell-text.js'
import { type CaptureDisk, OutputCapture } from './output-capture.js'

const workspace = createTestWorkspace()
afterAll(() => workspace.remove())
let count = 0
const limits = { headBytes: 20, tailBytes: 30, fileBytes: 200 }
const capture = () => new OutputCapture(workspace.path(`out-${++count}`), limits)

test('what fits is kept whole and makes no file', () => {
  const output = capture()
  for (const piece of ['a'.repeat(25), 'b'.repeat(25)]) output.push(Buffer.from(piece))
  expect(output.ends()).toEqual({ head: 'a'.repeat(25) + 'b'.repeat(25), tail: '', leftOutBytes: 0 })
  expect(output.filePath).toBeUndefined()
  expect(existsSync(workspace.path(`out-${count}`))).toBe(false)
})

test('head and tail are cut between lines, or at least between characters', () => {
  const lines = capture()
  lines.push(Buffer.from(Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('')))
  expect(lines.ends()).toMatchObject({ head: 'line 0\nline 1\n', tail: 'line 37\nline 38\nline 39\n' })
  const { head, tail, leftOutBytes } = lines.ends()
  // What was cut off to end at a line is left out as well, and was not counted.
  expect(head.length + tail.length + leftOutBytes).toBe(lines.totalBytes)
  const letters = capture()
  letters.push(Buffer.from('ä'.repeat(100)))
  expect(letters.ends().head + letters.ends().tail).toMatch(/^ä+$/)
})

test('for any output, memory and file keep their bounds and the file is a prefix of it', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 1, maxLength: 90 }), { maxLength: 12 }), chunks => {
      const output = capture()
      for (const chunk of chunks) output.push(Buffer.from(chunk))
      output.close()
      const all = Buffer.concat(chunks)
      expect(output.totalBytes).toBe(all.length)
      expect(output.filePath === undefined).toBe(all.length <= 50)
      if (all.length <= 50) return
      const file = readFileSync(output.filePath!)
      expect(file.equals(all.subarray(0, 200))).toBe(true)
      expect(output.isFileCut).toBe(all.length > 200)
      expect(output.ends().leftOutBytes).toBeGreaterThanOrEqual(all.length - 50)
    }),
  )
})

/** Takes so many bytes and then none; the last write that fits a little takes that little, as a real one does. */
function smallDisk(room: number): { readonly disk: CaptureDisk; kept(): string } {
  const pieces: Buffer[] = []
  let left = room
  const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const disk: CaptureDisk = {
    open: () => 99,
    write(_, piece) {
      if (left === 0) throw full()
      const written = Math.min(left, piece.length)
      pieces.push(Buffer.from(piece.subarray(0, written)))
      left -= written
      return written
    },
    close: () => {},
  }
  return { disk, kept: () => Buffer.concat(pieces).toString() }
}

test('a full disk while a command printed ended the whole host: what was kept is kept, and the rest is the output’s fault', () => {
  const { disk, kept } = smallDisk(70)
  const output = new OutputCapture('/kept/out', limits, disk)
  for (let count = 0; count < 12; count++) output.push(Buffer.from(`line ${count % 10}\n`))
  output.close()
  expect(kept()).toHaveLength(70)
  expect(output.ends().tail).toContain('line 1\n')
  expect(outputText(output)).toContain(
    'left out here; only the first 70 bytes are in /kept/out: the rest could not be stored (ENOSPC: no space left on device, write)',
  )
  const none = new OutputCapture('/kept/none', limits, smallDisk(0).disk)
  none.push(Buffer.from('x'.repeat(90)))
  expect(none.filePath).toBeUndefined()
  expect(outputText(none)).toContain('and not kept: it could not be stored (ENOSPC: no space left on device, write)')
})

test('P31 a file that a full disk had cut short was handed out as “all of it”', () => {
  const { disk, kept } = smallDisk(60)
  const output = new OutputCapture('/kept/out', limits, disk)
  output.push(Buffer.from('x'.repeat(90)))
  output.close()
  expect([output.isFileCut, kept().length]).toEqual([true, 60])
  expect(outputText(output)).not.toContain('all of it')
})

test('a write that takes only a part is gone on with', () => {
  const pieces: Buffer[] = []
  const slow: CaptureDisk = {
    open: () => 99,
    write: (_, piece) => pieces.push(Buffer.from(piece.subarray(0, 7))) && Math.min(7, piece.length),
    close: () => {},
  }
  const output = new OutputCapture('/kept/out', limits, slow)
  output.push(Buffer.from('abc'.repeat(30)))
  expect([Buffer.concat(pieces).toString(), output.isFileCut]).toEqual(['abc'.repeat(30), false])
})
