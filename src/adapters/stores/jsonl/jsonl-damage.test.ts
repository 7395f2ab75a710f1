import assert from 'node:assert/strict'
import { appendFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { claimed, jsonlPlaces, openJsonl, owner, run, seqsOf } from '../../../../test/support/jsonl-places.js'
import { runId, sampleEnded, sampleOwner, sampleQueued, sampleTurn } from '../../../testing/sample-log.js'
import { placeMark, recordOwner } from '../../os/process-owner.js'
import { verifyChain } from '../hash-chain.js'
import { jsonlStore } from '../jsonl.js'

const places = await jsonlPlaces()

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe('a log file that was damaged', () => {
  test('K03 a last line cut off in the middle: the rest is kept, it is said, and the next append starts a new line', async () => {
    const { directory, file } = await places.written(2)
    await truncate(file, (await readFile(file)).length - 40)
    const { store, warnings } = await openJsonl(directory)
    assert.deepEqual(await seqsOf(store), upTo(6))

    const epoch = await claimed(store)
    assert.deepEqual(
      warnings.map(warning => warning.code),
      ['torn-tail'],
    )
    assert.equal(await store.append(run.runId, epoch, 6, sampleTurn(run, 7, 2)), 'ok')
    assert.deepEqual(await seqsOf(store), upTo(11))
    assert.equal((await readFile(file, 'utf8')).split('\n').length, 5)
    assert.equal((await verifyChain(store, run.runId)).isIntact, true)
    await store.close()
  })

  test('K03 a last line that only lacks its line end is whole', async () => {
    const { directory, file } = await places.written(1)
    await truncate(file, (await readFile(file)).length - 1)
    const { store, warnings } = await openJsonl(directory)
    await store.append(run.runId, await claimed(store), 6, [sampleEnded(run, 7)])
    assert.deepEqual(await seqsOf(store), upTo(7))
    assert.deepEqual(warnings, [])
    await store.close()
  })

  test.each<
    [name: string, lines: number, damage: (lines: string[]) => string, seqs: readonly number[], faults: number]
  >([
    ['a torn line', 3, ([a, b, c]) => `${a}\n${b!.slice(0, 90)}\n${c}\n`, [1, ...upTo(11).slice(6)], 1],
    ['a block of 512 NULs', 2, ([a, b]) => `${a}\n${'\0'.repeat(512)}${b}\n`, upTo(6), 1],
    ['a line of NULs', 2, ([a, b]) => `${a}\n${'\0'.repeat(512)}\n${b}\n`, upTo(6), 1],
    ['empty lines', 2, ([a, b]) => `${a}\n\n\n${b}\n`, upTo(6), 2],
    ['two objects on one line', 3, ([a, b, c]) => `${a}\n${b}${c}\n`, upTo(11), 1],
    [
      'a torn line with a whole one glued to it',
      3,
      ([a, b, c]) => `${a}${b!.slice(0, 90)}${c}\n`,
      [1, ...upTo(11).slice(6)],
      1,
    ],
    ['CRLF', 2, lines => lines.map(line => `${line}\r\n`).join(''), upTo(6), 0],
    ['a byte order mark', 2, lines => `\uFEFF${lines.join('\n')}\n`, upTo(6), 0],
    ['a line of another program', 2, ([a, b]) => `${a}\n{"hello":"world"}\n${b}\n`, upTo(6), 1],
  ])('K04 %s: skipped or mended with a count, and what follows is loaded', async (_, lines, damage, seqs, faults) => {
    const { directory, file } = await places.written(lines - 1)
    const before = (await readFile(file, 'utf8')).trimEnd().split('\n')
    await writeFile(file, damage(before))
    const { store, warnings } = await openJsonl(directory)
    assert.deepEqual(await seqsOf(store), seqs)
    assert.deepEqual(
      warnings.map(({ code, count }) => [code, count]),
      faults === 0 ? [] : [['unusable-lines', faults]],
    )
    const last = seqs.at(-1)!
    assert.equal(await store.append(run.runId, await claimed(store), last, [sampleEnded(run, last + 1)]), 'ok')
    assert.deepEqual(await seqsOf(store), [...seqs, last + 1])
    await store.close()
  })

  test('K04 cut anywhere and written on: every whole append is there, and the file can be read again', async () => {
    const { directory, file } = await places.written(3)
    const bytes = await readFile(file)
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: ends[0]!, max: bytes.length }), async cut => {
        await writeFile(file, bytes.subarray(0, cut))
        const { store } = await openJsonl(directory)
        const whole = ends.filter(end => end <= cut).length
        const seqs = upTo(1 + (whole - 1) * 5)
        assert.deepEqual(await seqsOf(store), seqs)
        const epoch = await claimed(store)
        await store.append(run.runId, epoch, seqs.length, [sampleEnded(run, seqs.length + 1)])
        assert.deepEqual(await seqsOf(store), upTo(seqs.length + 1))
        assert.equal((await verifyChain(store, run.runId)).isIntact, true)
        await store.close()
      }),
      { numRuns: 40 },
    )
  })

  test('K04 a damaged number costs its append: nothing is out of order, and what follows is loaded', async () => {
    const { directory, file } = await places.written(3)
    const whole = await readFile(file, 'utf8')
    const { store: sound } = await openJsonl(directory)
    const all = await seqsOf(sound)
    await sound.close()
    for (const { index } of whole.matchAll(/(?<="seq":)\d/g)) {
      const digit = whole[index] === '9' ? '8' : '9'
      await writeFile(file, whole.slice(0, index) + digit + whole.slice(index + 1))
      const { store } = await openJsonl(directory)
      const seqs = await seqsOf(store)
      assert.deepEqual(
        seqs,
        [...new Set(seqs)].sort((a, b) => a - b),
        `the number at ${index}`,
      )
      const last = whole.lastIndexOf('\n', whole.length - 2)
      if (index < last) assert.equal(seqs.at(-1), all.at(-1), `after the number at ${index}`)
      await store.close()
    }
  })

  test.each([
    ['brief', []],
    ['usage', upTo(11).slice(6)],
    ['content', upTo(11)],
  ])('K04 one damaged byte in a key (%s) made the list of all runs fail', async (key, left) => {
    const { directory, file } = await places.written(2)
    const whole = await readFile(file, 'utf8')
    for (const sign of ['x', '\0']) {
      await writeFile(file, whole.replace(`"${key}"`, `"${sign}${key.slice(1)}"`))
      const { store, warnings } = await openJsonl(directory)
      const others = await store.list({})
      assert.equal(others.length, 1)
      assert.equal(others[0]?.damage !== undefined, key === 'brief')
      const seqs = await seqsOf(store)
      assert.deepEqual([key, seqs.filter(seq => left.includes(seq))], [key, left])
      assert.notEqual(warnings.length, 0)
      await store.close()
    }
  })

  test('K04 a message counted as read by an append that was damaged before its file was deleted', async () => {
    const { directory, file } = await places.written(0)
    const { store } = await openJsonl(directory)
    await store.post(run.runId, { id: 'm', kind: 'message', from: 'a person', text: 'wait' })
    const inbox = join(directory, 'inbox')
    const [item] = await readdir(inbox)
    const kept = await readFile(join(inbox, item!))
    const epoch = await claimed(store)
    assert.equal(await store.append(run.runId, epoch, 1, sampleTurn(run, 2, 1), ['m']), 'ok')
    assert.deepEqual(await store.inbox(run.runId), [])
    await store.close()
    await writeFile(join(inbox, item!), kept)
    await writeFile(file, (await readFile(file, 'utf8')).replace('"usage"', '"usxge"'))
    const { store: again } = await openJsonl(directory)
    assert.deepEqual(await seqsOf(again), [1])
    assert.deepEqual(
      (await again.inbox(run.runId)).map(({ id }) => id),
      ['m'],
    )
    await again.close()
  })

  test('K04 whatever bytes are written over it, opening and reading never throw', async () => {
    const { directory, file } = await places.written(3)
    const bytes = await readFile(file)
    const damage = fc.record({ at: fc.nat(bytes.length - 1), with: fc.uint8Array({ minLength: 1, maxLength: 300 }) })
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, with: garbage }) => {
        const changed = Buffer.from(bytes)
        changed.set(garbage.subarray(0, bytes.length - at), at)
        await writeFile(file, changed)
        const { store } = await openJsonl(directory)
        const seqs = await seqsOf(store)
        assert.deepEqual(
          seqs,
          [...new Set(seqs)].sort((a, b) => a - b),
        )
        await store.list({})
        await store.close()
      }),
      { numRuns: 60 },
    )
  })
})

describe('a log file that somebody changed', () => {
  test.each([
    ['a past result', '42 words', '43 words', 3, 6],
    ['the very last event', '42 words', '43 words', 1, 6],
  ])('K09 %s was edited: reported with its number, and refused where asked for', async (_, was, is, turns, seq) => {
    const { directory, file } = await places.written(turns)
    await writeFile(file, (await readFile(file, 'utf8')).replace(was, is))
    const { store, warnings } = await openJsonl(directory)
    await claimed(store)
    assert.deepEqual(
      warnings.map(({ code, at }) => [code, at]),
      [['tampered', [seq]]],
    )
    const report = await verifyChain(store, run.runId)
    assert.equal(!report.isIntact && report.seq, seq)
    await store.close()

    const strict = await openJsonl(directory, { tampering: 'refuse' })
    await assert.rejects(strict.store.claim(run.runId, sampleOwner('other')), { code: 'tampered', path: file })
    await strict.store.close()
  })

  test('K09 an approval written in by hand shows', async () => {
    const { directory, file } = await places.written(2)
    const [first, ...rest] = (await readFile(file, 'utf8')).split('\n')
    const forged = rest[0]!.replaceAll('"clock.stopped"', '"approval.resolved"')
    await writeFile(file, [first, forged, ...rest.slice(1)].join('\n'))
    const { store, warnings } = await openJsonl(directory)
    await claimed(store)
    assert.equal(warnings[0]?.code, 'tampered')
    await store.close()
  })

  test('K09 other spaces are no change', async () => {
    const { directory, file } = await places.written(2)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const spaced = lines.map(line => line.replaceAll('"seq":', '"seq" : ').replace('"consumed":', '"consumed" : '))
    await writeFile(file, `${spaced.join('\n')}\n`)
    const { store, warnings } = await openJsonl(directory)
    await claimed(store)
    assert.deepEqual(warnings, [])
    await store.close()
  })
})

describe('a jsonl directory', () => {
  test('from a newer version is refused and left as it is', async () => {
    const { directory } = await places.written(1)
    await writeFile(join(directory, 'format.json'), '{"version":99}')
    await assert.rejects(jsonlStore({ directory }), { code: 'newer-version' })
  })

  test('K06 a word to a run whose file was damaged was passed over in silence', async () => {
    const { directory } = await places.written(0)
    const { store } = await openJsonl(directory)
    await store.post(run.runId, { id: 'word', kind: 'message', from: 'user', text: 'hello' })
    const [name] = await readdir(join(directory, 'inbox'))
    const path = join(directory, 'inbox', name!)
    for (const text of ['{"runId":', '', 'null', '{"item":{}}']) {
      await writeFile(path, text)
      await assert.rejects(store.inbox(run.runId), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'corrupt')
        assert.ok(error.message.startsWith(`${path} is damaged`), error.message)
        return true
      })
    }
    await store.close()
  })

  test('ids that look like paths stay inside it', async () => {
    const { directory } = await places.written(0)
    const { store } = await openJsonl(directory)
    for (const id of ['../../escape', '..', '.', 'a/b', 'a\\b', 'x'.repeat(400), 'ünï!code', 'CON']) {
      const strange = { runId: runId(id) }
      assert.equal(await store.create(sampleQueued(strange)), 'created', id)
      await store.post(strange.runId, { id: '../item', kind: 'message', from: 'main', text: id })
      assert.equal((await store.summary(strange.runId))?.runId, id)
      assert.equal((await store.inbox(strange.runId)).length, 1)
    }
    await store.close()
  })

  test('taking a run up reads its log once: what the claim read is handed to the reading after it', async () => {
    const { directory, file } = await places.written(3)
    const { store } = await openJsonl(directory)
    await claimed(store)
    const text = await readFile(file)
    await rm(file)
    assert.deepEqual(await seqsOf(store), upTo(16), 'from what the claim read')
    assert.deepEqual(await seqsOf(store), [], 'from the disk')
    await writeFile(file, text)
    await store.close()
  })

  test('what was appended between a claim and the reading after it is read as well', async () => {
    const { directory } = await places.written(1)
    const { store } = await openJsonl(directory)
    const epoch = await claimed(store)
    const reading = store.read(run.runId)[Symbol.asyncIterator]()
    await reading.next()
    await store.append(run.runId, epoch, 6, sampleTurn(run, 7, 2))
    const seqs = [1]
    for (let step = await reading.next(); !step.done; step = await reading.next()) seqs.push(step.value.seq)
    assert.deepEqual(seqs, upTo(11))
    await store.close()
  })

  test('what a killed process left is swept at the next opening; what a living one writes just now stays', async () => {
    const { directory } = await places.written(1)
    const gone = 2 ** 31 - 2
    const left = [`runs/.${placeMark()}.${gone}.a-1.tmp`, `claims/.${placeMark()}.${gone}.b-2.tmp`, 'locks/other']
    const kept = [`runs/.${placeMark()}.${process.pid}.c-3.tmp`, `inbox/.0123456789ab.${gone}.d-4.tmp`]
    for (const name of [...left, ...kept]) await writeFile(join(directory, name), '')
    const dead = recordOwner(sampleOwner('lock', { host: hostname(), pid: gone }), Date.now())
    await writeFile(join(directory, 'locks/other'), JSON.stringify(dead))
    const { store } = await openJsonl(directory)
    const names = await readdir(directory, { recursive: true })
    assert.deepEqual(
      [...left, ...kept].filter(name => names.includes(name)),
      kept,
    )
    assert.deepEqual(await seqsOf(store), upTo(6))
    await store.close()
  })

  test('a lock left behind by a dead process is broken', async () => {
    const { directory } = await places.written(1)
    const lock = join(directory, 'locks', 'run')
    const dead = { owner: sampleOwner('lock', { pid: 1 }), place: 'another boot', heartbeat: 0 }
    await appendFile(lock, JSON.stringify(dead))
    const { store } = await openJsonl(directory)
    assert.ok('epoch' in (await store.claim(run.runId, owner)))
    await store.close()
  })

  test('a lock held by a living process is waited for up to the limit, and its holder named', async () => {
    const { directory } = await places.written(1)
    const lock = join(directory, 'locks', 'run')
    const living = { owner: sampleOwner('lock', { pid: 77 }), place: 'another host', heartbeat: Date.now() }
    await appendFile(lock, JSON.stringify(living))
    const { store } = await openJsonl(directory, { busyLimitMs: 10 })
    await assert.rejects(store.claim(run.runId, owner), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'busy')
      assert.match(error.message, /process 77 on test-host/)
      return true
    })
    await store.close()
  })

  test('fsync now and then: everything is on the disk at the latest when the store is closed', async () => {
    const directory = places.fresh()
    const store = await jsonlStore({ directory, fsync: { everyMs: 5 } })
    await store.create(sampleQueued(run))
    await store.append(run.runId, await claimed(store), 1, sampleTurn(run, 2, 1))
    await store.close()
    const { store: next } = await openJsonl(directory)
    assert.deepEqual(await seqsOf(next), upTo(6))
    await next.close()
  })
})
