import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hostname } from 'node:os'
import { test } from 'vitest'
import { sampleOwner } from '../../testing/sample-log.js'
import { currentOwner, OwnerWatch, recordOwner } from './process-owner.js'

const isLinux = process.platform === 'linux'
const now = 1_000_000

test('this process lives, however old its heartbeat', () => {
  const record = recordOwner(currentOwner('me'), 0)
  assert.equal(new OwnerWatch(30_000).isAlive({ ...record, ...(!isLinux && { heartbeat: now }) }, now), true)
})

test('H1 a process that ended on this host is gone at once, however fresh its heartbeat', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const record = recordOwner(sampleOwner('dead', { host: hostname(), pid }), now)
  assert.equal(new OwnerWatch(30_000).isAlive(record, now), false)
})

test.skipIf(!isLinux)('H1 a pid that another process has now is told apart by its start', () => {
  const record = recordOwner(currentOwner('me'), now)
  assert.equal(new OwnerWatch(30_000).isAlive({ ...record, ticks: record.ticks! - 1 }, now), false)
})

test.each([
  ['fresh', now - 1, true],
  ['at the limit', now - 30_000, true],
  ['past the limit', now - 30_001, false],
  ['from the future, because a clock went back', now + 3_600_000, true],
])('H2 on another host a heartbeat decides: %s', (_, heartbeat, isAlive) => {
  assert.equal(new OwnerWatch(30_000).isAlive({ owner: sampleOwner('far'), heartbeat }, now), isAlive)
})

test('H2 a heartbeat from the future that never moves is no sign of life for long', async () => {
  const watch = new OwnerWatch(5)
  const record = { owner: sampleOwner('far'), heartbeat: now + 3_600_000 }
  assert.equal(watch.isAlive(record, now), true)
  await new Promise(resolve => setTimeout(resolve, 10))
  assert.equal(watch.isAlive(record, now), false)
  assert.equal(watch.isAlive({ ...record, heartbeat: record.heartbeat + 1 }, now), true)
})
