/** What befalls a JSONL store's directory from outside: lines that go, files that go, copies, other people's files. */
import assert from 'node:assert/strict'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { claimed, jsonlPlaces, openJsonl, owner, run, seqsOf } from '../../../../test/support/jsonl-places.js'
import { runId, sampleEnded, sampleEvent, sampleOwner } from '../../../testing/sample-log.js'
import { pruneRuns } from '../prune.js'
import { LogReader } from './jsonl-reader.js'

const places = await jsonlPlaces()

async function changeLines(file: string, change: (lines: string[]) => string[]): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  await writeFile(file, `${change(lines).join('\n')}\n`)
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

describe('lines of a log that are gone or not in their place', () => {
  test.each<[name: string, change: (lines: string[]) => string[], codes: string[]]>([
    ['a line removed', ([a, b, , ...rest]) => [a!, b!, ...rest], ['tampered']],
    ['two lines swapped', ([a, b, c, d, e]) => [a!, b!, d!, c!, e!], ['unusable-lines', 'tampered']],
    ['a line made unreadable', ([a, b, , ...rest]) => [a!, b!, 'x', ...rest], ['unusable-lines']],
  ])('K09 %s passed where changed runs are refused', async (_, change, codes) => {
    const { directory, file } = await places.written(4)
    await changeLines(file, change)
    const { store, warnings } = await openJsonl(directory)
    await claimed(store)
    assert.deepEqual(
      warnings.map(({ code }) => code),
      codes,
    )
    const missing = warnings.find(({ code }) => code === 'tampered')
    if (missing) assert.match(missing.message, /events 7 to 11 are missing or not in their place/)
    await store.close()
    const strict = await openJsonl(directory, { tampering: 'refuse' })
    await assert.rejects(strict.store.claim(run.runId, sampleOwner('other')), { code: 'tampered', path: file })
    await strict.store.close()
  })

  test('K04 a line that was left out because it came too late was told as mended', async () => {
    const { directory, file } = await places.written(3)
    await changeLines(file, ([a, b, c, d]) => [a!, b!, d!, c!])
    const { store, warnings } = await openJsonl(directory)
    assert.deepEqual(await seqsOf(store), [1, 2, 3, 4, 5, 6, 12, 13, 14, 15, 16])
    assert.match(warnings[0]!.message, /1 unusable lines skipped, 0 mended \(line 4\)/)
    await store.close()
  })

  test('K04 an append that stands there twice is mended', async () => {
    const { directory, file } = await places.written(2)
    await changeLines(file, ([a, b, c]) => [a!, b!, b!, c!])
    const { store, warnings } = await openJsonl(directory, { tampering: 'refuse' })
    await claimed(store)
    assert.match(warnings[0]!.message, /0 unusable lines skipped, 1 mended/)
    await store.close()
  })
})

describe('a log whose first line is damaged', () => {
  const reasons = /run\.jsonl: its first event, which says what the run is, cannot be read/

  test.each<[name: string, change: (lines: string[]) => string[]]>([
    ['its first line was cut', ([a, ...rest]) => [a!.slice(0, 100), ...rest]],
    ['nothing of it can be read', () => ['x']],
  ])('K04 %s: the run was gone from every list, and could not be removed', async (_, change) => {
    const { directory, file } = await places.written(2)
    await changeLines(file, change)
    const { store, warnings } = await openJsonl(directory)
    const [summary] = await store.list({})
    assert.equal(summary?.runId, run.runId)
    assert.deepEqual([summary.status, summary.outcome], ['ended', 'failed'])
    assert.match(summary.damage!, reasons)
    assert.match(summary.description, /damaged/)
    assert.deepEqual(await store.summary(run.runId), summary)
    assert.doesNotMatch(warnings[0]!.message, /Everything else is loaded/)
    for (const asked of [
      store.claim(run.runId, owner),
      store.post(run.runId, { id: 'm', kind: 'message', from: 'user', text: 'hello' }),
    ]) {
      await assert.rejects(asked, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'corrupt')
        assert.match(error.message, reasons)
        return true
      })
    }
    const pruned = await pruneRuns(store, { maxAgeMs: 0 }, Date.now() + 1e6)
    assert.equal(pruned.removed.length, 1)
    assert.deepEqual(await readdir(join(directory, 'runs')), [])
    await store.close()
  })

  test('K04 an emptied log was an unknown run', async () => {
    const { directory, file } = await places.written(1)
    await writeFile(file, '')
    const { store } = await openJsonl(directory)
    await assert.rejects(store.claim(run.runId, owner), { code: 'corrupt' })
    assert.equal((await store.list({})).length, 1)
    assert.equal(await store.remove(run.runId), 'removed')
    await store.close()
  })
})

describe('other things among the logs', () => {
  test('K04 a copy of a log beside it: the run was listed twice, and its removal waited for itself', async () => {
    const { directory, file } = await places.written(1)
    const copy = file.replace('run.jsonl', 'run-backup.jsonl')
    await copyFile(file, copy)
    const { store, warnings } = await openJsonl(directory)
    assert.equal((await store.list({})).length, 1)
    assert.equal((await store.trees())[0]?.runs, 1)
    assert.equal(await store.summary(runId('run-backup')), undefined)
    await assert.rejects(store.claim(runId('run-backup'), owner), { code: 'unknown-run' })
    assert.deepEqual(
      warnings.map(({ code, path }) => [code, path]),
      [['left-out', copy]],
    )
    assert.match(warnings[0]!.message, /holds run run, whose log is/)
    assert.equal(await store.remove(run.runId), 'removed')
    assert.deepEqual(await readdir(join(directory, 'runs')), ['run-backup.jsonl'])
    await store.close()
  })

  test('K04 a folder among the logs made every list fail', async () => {
    const { directory } = await places.written(1)
    await mkdir(join(directory, 'runs', 'zz.jsonl'))
    const { store, warnings } = await openJsonl(directory)
    assert.equal((await store.list({})).length, 1)
    assert.equal(warnings[0]?.code, 'left-out')
    await store.close()
  })

  test.skipIf(process.getuid?.() === 0)('K04 a log that may not be read made every list fail', async () => {
    const { directory, file } = await places.written(1)
    await copyFile(file, file.replace('run.jsonl', 'other.jsonl'))
    await chmod(file.replace('run.jsonl', 'other.jsonl'), 0)
    const { store } = await openJsonl(directory)
    assert.equal((await store.list({})).length, 2)
    await store.close()
  })

  test.skipIf(process.platform === 'win32')('files that others could read stayed open to them', async () => {
    const { directory, file } = await places.written(1)
    await chmod(file, 0o644)
    await chmod(join(directory, 'runs'), 0o755)
    await chmod(join(directory, 'format.json'), 0o644)
    const { store } = await openJsonl(directory)
    assert.deepEqual(
      [await modeOf(file), await modeOf(join(directory, 'runs')), await modeOf(join(directory, 'format.json'))],
      ['600', '700', '600'],
    )
    await store.close()
  })

  test('a damaged item of an inbox was left out of what waits without a word', async () => {
    const { directory } = await places.written(0)
    const { store, warnings } = await openJsonl(directory)
    await store.post(run.runId, { id: 'word', kind: 'message', from: 'user', text: 'hello' })
    const [name] = await readdir(join(directory, 'inbox'))
    await writeFile(join(directory, 'inbox', name!), '{"runId":')
    assert.deepEqual(await store.unread(), [])
    await store.unread()
    assert.deepEqual(
      warnings.map(({ code, path }) => [code, path]),
      [['damaged-item', join(directory, 'inbox', name!)]],
    )
    await store.close()
  })
})

describe('a log that is driven', () => {
  test.each<[name: string, hurt: (file: string) => Promise<void>, code: string, words: RegExp]>([
    ['deleted', file => rm(file), 'io', /was moved or deleted while it was in use/],
    ['emptied', file => writeFile(file, ''), 'corrupt', /was cut short while it was in use/],
    ['cut', file => changeLines(file, lines => lines.slice(0, 2)), 'corrupt', /was cut short while it was in use/],
  ])('K06 %s: it was told as driven by somebody else', async (_, hurt, code, words) => {
    const { directory, file } = await places.written(2)
    const { store } = await openJsonl(directory)
    const epoch = await claimed(store)
    const before = await readFile(file)
    await hurt(file)
    for (let again = 0; again < 2; again += 1) {
      await assert.rejects(store.append(run.runId, epoch, 11, [sampleEnded(run, 12)]), (error: Error) => {
        assert.equal((error as Error & { code?: string }).code, code)
        assert.match(error.message, words)
        return true
      })
    }
    await writeFile(file, before)
    assert.equal(await store.append(run.runId, epoch, 11, [sampleEnded(run, 12)]), 'ok', 'once it is back')
    await store.close()
  })

  test('K09 another file put in its place is read from its first byte', async () => {
    const { directory, file } = await places.written(2)
    const { store, warnings } = await openJsonl(directory)
    const epoch = await claimed(store)
    await copyFile(file, `${file}.new`)
    await changeLines(`${file}.new`, ([a, b, c]) => [a!, 'x'.repeat(b!.length + 500), c!])
    await rename(`${file}.new`, file)
    await store.append(run.runId, epoch, 11, [sampleEnded(run, 12)])
    assert.equal(warnings[0]?.code, 'unusable-lines')
    await store.close()
  })
})

describe('an item that is posted again', () => {
  test('after it was used up it is not taken for the one before', async () => {
    const { directory } = await places.written(0)
    const { store } = await openJsonl(directory)
    const epoch = await claimed(store)
    const names: string[] = []
    for (let post = 1; post <= 2; post += 1) {
      await store.post(run.runId, { id: 'm', kind: 'message', from: 'user', text: 'hello' })
      names.push(...(await readdir(join(directory, 'inbox'))))
      await store.append(run.runId, epoch, post, [sampleEvent(run, post + 1, { type: 'run.started' })], ['m'])
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    assert.equal(new Set(names).size, 2)
    await store.close()
  })
})

describe('the claim file of a run', () => {
  test.each(['', '{', 'null', '{}', '{"epoch":"x"}', '{"epoch":1,"holder":{}}'])(
    'K07 damaged (%s): a second process drove the run beside the first, under the same number',
    async text => {
      const { directory, claim } = await places.written(1)
      const { store } = await openJsonl(directory)
      const epoch = await claimed(store)
      await writeFile(claim, text)
      const { store: second, warnings } = await openJsonl(directory)
      for (const asked of [
        second.claim(run.runId, sampleOwner('other')),
        store.append(run.runId, epoch, 6, [sampleEnded(run, 7)]),
      ]) {
        await assert.rejects(asked, (error: Error & { code?: string }) => {
          assert.equal(error.code, 'corrupt')
          assert.ok(error.message.startsWith(`${claim} is damaged`), error.message)
          return true
        })
      }
      assert.equal(await second.isHeld(run.runId), true, 'it cannot be ruled out')
      assert.equal(await second.remove(run.runId), 'held')
      assert.deepEqual(
        warnings.map(({ code, path }) => [code, path]),
        [['damaged-claim', claim]],
      )
      await store.release(run.runId, epoch)
      assert.equal(await claimed(second, sampleOwner('other')), epoch + 1, 'who held it knows its number')
      await store.close()
      await second.close()
    },
  )

  test('K07 gone while the run is driven: it was told as driven by somebody else', async () => {
    const { directory, claim } = await places.written(1)
    const { store } = await openJsonl(directory)
    const epoch = await claimed(store)
    await rm(claim)
    await assert.rejects(store.append(run.runId, epoch, 6, [sampleEnded(run, 7)]), { code: 'io', path: claim })
    await store.release(run.runId, epoch)
    assert.equal(await claimed(store), epoch + 1)
    await store.close()
  })

  test('K07 deleted, or an old copy put back: the number went back', async () => {
    const { directory, claim } = await places.written(1)
    const { store } = await openJsonl(directory)
    const epoch = await claimed(store)
    const event = { type: 'run.claimed', attempt: 1, epoch: 7, owner: 'x' } as const
    await store.append(run.runId, epoch, 6, [sampleEvent(run, 7, event)])
    await store.release(run.runId, epoch)
    await writeFile(claim, '{"epoch":3}')
    const next = await claimed(store)
    assert.equal(next, 8)
    await store.release(run.runId, next)
    await rm(claim)
    assert.equal(await claimed(store), 8)
    await store.close()
  })

  test('the file of an owner that was swept away did not come back', async () => {
    const { directory } = await places.written(0)
    const { store } = await openJsonl(directory, { heartbeatMs: 5 })
    const epoch = await claimed(store)
    const owners = join(directory, 'owners')
    const [name] = await readdir(owners)
    await rm(join(owners, name!))
    await claimed(store)
    assert.deepEqual(await readdir(owners), [name], 'with the next claim')
    await rm(join(owners, name!))
    while ((await readdir(owners))[0] !== name) await new Promise(resolve => setTimeout(resolve, 2))
    await store.release(run.runId, epoch)
    await store.close()
  })
})

describe('large logs', () => {
  test('a log is read a part at a time, so that it may be longer than a string can be', async () => {
    const { file } = await places.written(4)
    const whole = new LogReader(file)
    const all = whole.readOn()
    const { size } = await stat(file)
    for (const partBytes of [1, 100, 1_000, size - 1, size]) {
      const reader = new LogReader(file, { partBytes })
      const parts = [...reader.parts()]
      assert.deepEqual(parts.flat(), all)
      assert.deepEqual([reader.offset, reader.lastHash, reader.faults], [size, whole.lastHash, []])
      if (partBytes < 1_000) assert.ok(parts.length > 3, `${parts.length} parts of ${partBytes} bytes`)
    }
  })

  test('a torn line whose tool was given many lists of events blocked the program for seconds', async () => {
    const { directory, file } = await places.written(0)
    const batches = Array.from({ length: 4_000 }, (_, index) => ({ events: [{ name: 'click', index }] }))
    const { store } = await openJsonl(directory)
    const epoch = await claimed(store)
    const called = { type: 'tool.started', callId: 'c', name: 'send', input: { batches }, effect: 'network', rule: 'x' }
    await store.append(run.runId, epoch, 1, [sampleEvent(run, 2, called as never)])
    await store.append(run.runId, epoch, 2, [sampleEnded(run, 3)])
    await store.close()
    await changeLines(file, ([a, b, c]) => [a!, `${b!.slice(0, -20)}${c}`])
    const { store: again } = await openJsonl(directory)
    const begun = performance.now()
    assert.deepEqual(await seqsOf(again), [1, 3])
    assert.ok(performance.now() - begun < 2_000)
    await again.close()
  })
})

test('K01 killed right behind its last append, a run had an item in its inbox for ever that it had read', async () => {
  const { directory } = await places.written(1)
  const first = (await openJsonl(directory)).store
  const epoch = await claimed(first)
  await first.post(run.runId, { id: 'm1', kind: 'message', text: 'go on', from: 'user' })
  const [name] = await readdir(join(directory, 'inbox'))
  const text = await readFile(join(directory, 'inbox', name!))
  await first.append(run.runId, epoch, 6, [sampleEnded(run, 7)], ['m1'])
  await first.close()
  // As if it had come to the line, and not to the file.
  await writeFile(join(directory, 'inbox', name!), text)
  const { store } = await openJsonl(directory)
  assert.deepEqual(await store.inbox(run.runId), [])
  assert.deepEqual([await store.unread(), await readdir(join(directory, 'inbox'))], [[], []])
  await store.close()
})
