import { existsSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createTestWorkspace } from '../../../test/support/tool-workspace.js'
import { OutputCapture } from './output-capture.js'

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
