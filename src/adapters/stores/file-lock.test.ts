import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FileLocks } from './file-lock.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-lock-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a process killed while it took a lock left one without a name, which nobody dared to break', async () => {
  const path = join(root, 'run')
  const seen: string[] = []
  const holding = new FileLocks(1_000).hold(path, async () => {
    seen.push(readFileSync(path, 'utf8'), ...readdirSync(root))
  })
  // Made with everything in it, before anything else gets to run.
  await holding
  expect(JSON.parse(seen[0]!)).toMatchObject({ owner: { pid: process.pid } })
  expect(seen.slice(1)).toEqual(['run'])
  expect(readdirSync(root)).toEqual([])
})

test('two that want the same lock have it one after the other', async () => {
  const path = join(root, 'both')
  const order: string[] = []
  const use = (locks: FileLocks, name: string) =>
    locks.hold(path, async () => {
      order.push(`${name} in`)
      await new Promise(resolve => setTimeout(resolve, 5))
      order.push(`${name} out`)
    })
  await Promise.all([use(new FileLocks(5_000), 'one'), use(new FileLocks(5_000), 'two')])
  expect(order).toEqual([order[0], order[0]!.replace('in', 'out'), order[2], order[2]!.replace('in', 'out')])
})
