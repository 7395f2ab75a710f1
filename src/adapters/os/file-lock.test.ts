import { fork } from 'node:child_process'
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contentHash } from './content-hash.js'
import { createFileLocks } from './file-lock.js'
import { ensurePrivateDir } from './private-dir.js'

const directory = mkdtempSync(join(tmpdir(), 'offshoot-lock-test-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('writers of one file take turns, writers of different files do not wait', async () => {
  const locks = createFileLocks(join(directory, 'turns'))
  const order: string[] = []
  const hold = (path: string, name: string) =>
    locks.withLock(path, async () => {
      order.push(`${name} in`)
      await new Promise(resolve => setTimeout(resolve, 5))
      order.push(`${name} out`)
    })
  await Promise.all([hold('/a', 'first'), hold('/a', 'second'), hold('/b', 'other')])
  expect(order.indexOf('second in')).toBeGreaterThan(order.indexOf('first out'))
  expect(order.indexOf('other in')).toBeLessThan(order.indexOf('first out'))
})

test('a lock is given back when the work throws', async () => {
  const locks = createFileLocks(join(directory, 'throws'))
  await expect(locks.withLock('/a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(locks.withLock('/a', async () => 'next')).resolves.toBe('next')
  expect(readdirSync(join(directory, 'throws')).filter(name => name.endsWith('.lock'))).toEqual([])
})

test('two lock tables on one directory exclude each other, as two processes would', async () => {
  const place = join(directory, 'tables')
  const counter = join(directory, 'counter')
  writeFileSync(counter, '0')
  const add = (locks: ReturnType<typeof createFileLocks>) =>
    locks.withLock(counter, async () => {
      const value = Number(readFileSync(counter, 'utf8'))
      await new Promise(resolve => setImmediate(resolve))
      writeFileSync(counter, String(value + 1))
    })
  const tables = [createFileLocks(place), createFileLocks(place)]
  await Promise.all(Array.from({ length: 60 }, (_, i) => add(tables[i % 2]!)))
  expect(readFileSync(counter, 'utf8')).toBe('60')
})

test('the lock of a process that died is broken, that of a living one is not', async () => {
  const place = await ensurePrivateDir(join(directory, 'dead'))
  const lockOf = (path: string) => join(place, `${contentHash(path).slice(0, 40)}.lock`)
  const dead = join(place, 'dead.owner')
  const child = fork('-e', [], { execArgv: ['-e', '0'], stdio: 'ignore' })
  await new Promise(resolve => child.on('exit', resolve))
  writeFileSync(dead, JSON.stringify({ pid: child.pid, startedAt: '1', id: 'corpse' }))
  linkSync(dead, lockOf('/dead'))
  writeFileSync(lockOf('/alive'), JSON.stringify({ pid: process.pid, id: 'living' }))
  const locks = [createFileLocks(place, 60), createFileLocks(place, 60)]
  const entered = await Promise.all(locks.map((table, i) => table.withLock('/dead', async () => i)))
  expect(entered).toEqual([0, 1])
  await expect(locks[0]!.withLock('/alive', async () => 'never')).rejects.toThrow(`locked by process ${process.pid}`)
})

test('E07 a guessed directory that is a link is not used, and ours is private whatever the umask', async () => {
  const victim = mkdtempSync(join(directory, 'victim-'))
  symlinkSync(victim, join(directory, 'planted'))
  const locks = createFileLocks(join(directory, 'planted'))
  await expect(locks.withLock('/a', async () => 'in')).rejects.toThrow('must be a directory')
  expect(readdirSync(victim)).toEqual([])
  const before = process.umask(0)
  try {
    await createFileLocks(join(directory, 'own')).withLock('/a', async () => undefined)
  } finally {
    process.umask(before)
  }
  expect(statSync(join(directory, 'own')).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(join(directory, 'own'))) {
    expect(statSync(join(directory, 'own', name)).mode & 0o777).toBe(0o600)
  }
})
