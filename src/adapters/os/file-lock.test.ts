import { fork } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contentHash } from './content-hash.js'
import { asOnlyWriter, createFileLocks, LockFiles } from './file-lock.js'
import { ensurePrivateDir } from './private-dir.js'
import { currentOwner, draftName, recordOwner } from './process-owner.js'

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

/** Who held a lock: a process that ended, or a living one. */
async function holders() {
  const child = fork('-e', [], { execArgv: ['-e', '0'], stdio: 'ignore' })
  await new Promise(resolve => child.on('exit', resolve))
  const living = recordOwner(currentOwner('lock'), Date.now())
  const dead = { ...living, owner: { ...living.owner, pid: child.pid! } }
  return { dead: JSON.stringify(dead), living: JSON.stringify(living) }
}

test('the lock of a process that died is broken, that of a living one is not', async () => {
  const place = await ensurePrivateDir(join(directory, 'dead'))
  const lockOf = (path: string) => join(place, `${contentHash(path).slice(0, 40)}.lock`)
  const { dead, living } = await holders()
  writeFileSync(lockOf('/dead'), dead)
  writeFileSync(lockOf('/alive'), living)
  const locks = [createFileLocks(place, 60), createFileLocks(place, 60)]
  const entered = await Promise.all(locks.map((table, i) => table.withLock('/dead', async () => i)))
  expect(entered).toEqual([0, 1])
  const refused = locks[0]!.withLock('/alive', async () => 'never')
  await expect(refused).rejects.toThrow(`/alive is locked by process ${process.pid}`)
  expect(readdirSync(place).map(name => join(place, name))).toEqual([lockOf('/alive')])
})

test('a process that died while it broke a lock keeps nobody else from it, and a living one is not overtaken', async () => {
  const place = await ensurePrivateDir(join(directory, 'breaking'))
  const { dead, living } = await holders()
  const locks = new LockFiles({ limitMs: 60, busy: (what, holder) => new Error(`${what}: ${holder}`) })
  const right = (name: string) => join(place, `${name}.${contentHash(dead).slice(0, 12)}`)
  for (const [name, breaker] of [
    ['left', dead],
    ['taken', living],
  ] as const) {
    writeFileSync(join(place, name), dead)
    writeFileSync(right(name), breaker)
  }
  await expect(locks.hold(join(place, 'left'), async () => 'in')).resolves.toBe('in')
  await expect(locks.hold(join(place, 'taken'), async () => 'in')).rejects.toThrow('taken: process')
  expect(readdirSync(place).sort()).toEqual(['taken', right('taken').slice(place.length + 1)])
})

test('a lock of another place counts as left behind only when it has been silent for long', async () => {
  const place = await ensurePrivateDir(join(directory, 'elsewhere'))
  const foreign = (heartbeat: number) =>
    JSON.stringify({ owner: { ...currentOwner('lock'), pid: 1 }, place: 'another host', heartbeat })
  const locks = new LockFiles({ limitMs: 20, busy: (what, holder) => new Error(`${what}: ${holder}`) })
  writeFileSync(join(place, 'fresh'), foreign(Date.now()))
  writeFileSync(join(place, 'silent'), foreign(0))
  await expect(locks.hold(join(place, 'fresh'), async () => 'in')).rejects.toThrow('fresh: process 1')
  await expect(locks.hold(join(place, 'silent'), async () => 'in')).resolves.toBe('in')
})

test('a lock that was torn by a power failure is broken once it is old, and not before', async () => {
  const place = await ensurePrivateDir(join(directory, 'torn'))
  const locks = new LockFiles({ limitMs: 20, busy: (what, holder) => new Error(`${what}: ${holder}`) })
  for (const name of ['new', 'old']) writeFileSync(join(place, name), '')
  utimesSync(join(place, 'old'), 1, 1)
  await expect(locks.hold(join(place, 'new'), async () => 'in')).rejects.toThrow('new: another process')
  await expect(locks.hold(join(place, 'old'), async () => 'in')).resolves.toBe('in')
})

test('a process killed while it took a lock left one without a name, which nobody dared to break', async () => {
  const place = await ensurePrivateDir(join(directory, 'named'))
  const path = join(place, 'run')
  const locks = new LockFiles({ limitMs: 1_000, busy: what => new Error(what) })
  // Made with everything in it, before anything else gets to run.
  const seen = await locks.hold(path, async () => [readFileSync(path, 'utf8'), ...readdirSync(place)])
  expect(JSON.parse(seen[0]!)).toMatchObject({ owner: { pid: process.pid } })
  expect(seen.slice(1)).toEqual(['run'])
  expect(readdirSync(place)).toEqual([])
})

test('a lock that was taken over meanwhile is not given back for the one who has it now', async () => {
  const place = await ensurePrivateDir(join(directory, 'overtaken'))
  const path = join(place, 'run')
  const locks = new LockFiles({ limitMs: 1_000, busy: what => new Error(what) })
  await locks.hold(path, async () => writeFileSync(path, 'another'))
  expect(readFileSync(path, 'utf8')).toBe('another')
})

test('what processes that ended left in the directory is removed by the next one', async () => {
  const place = await ensurePrivateDir(join(directory, 'left'))
  const { dead } = await holders()
  const { owner } = JSON.parse(dead) as { owner: { pid: number } }
  writeFileSync(join(place, draftName('lock-1').replace(String(process.pid), String(owner.pid))), dead)
  writeFileSync(join(place, 'a.lock'), dead)
  await createFileLocks(place).withLock('/a', async () => undefined)
  expect(readdirSync(place)).toEqual([])
})

test('something in the directory that could not be removed kept every file from being written', async () => {
  const place = await ensurePrivateDir(join(directory, 'stuck'))
  const { dead } = await holders()
  const { owner } = JSON.parse(dead) as { owner: { pid: number } }
  const stuck = draftName('lock-1').replace(String(process.pid), String(owner.pid))
  mkdirSync(join(place, stuck))
  await expect(createFileLocks(place).withLock('/a', async () => 'in')).resolves.toBe('in')
  expect(readdirSync(place)).toEqual([stuck])
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

test('a file could not be changed where the program had no directory of its own for its locks', () => {
  expect(asOnlyWriter('/elsewhere/settings.json', '/dev/null/locks', () => 'changed')).toBe('changed')
})
