import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createScratch } from './scratch.js'

const parent = mkdtempSync(join(tmpdir(), 'offshoot-scratch-test-'))
afterAll(() => rmSync(parent, { recursive: true, force: true }))

test('a host killed while it made its scratch directory left it behind: whoever clears up hears of it first', async () => {
  const heard: [path: string, wasThere: boolean][] = []
  const scratch = createScratch(parent, path => heard.push([path, existsSync(path)]))
  const own = await scratch.of('run')
  expect(heard).toEqual([[join(own, '..'), false]])
  await scratch.close()
  expect(readdirSync(parent)).toEqual([])
})

test('a run that was late made a scratch directory after its house had closed, which nobody removed', async () => {
  const scratch = createScratch(parent)
  await scratch.close()
  await expect(scratch.of('late')).rejects.toThrow('the house is closed')
  expect(readdirSync(parent)).toEqual([])
})
