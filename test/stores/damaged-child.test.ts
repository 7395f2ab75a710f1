/** One child of a tree is damaged: what is asked for the whole tree is told of the others, and the damaged one is named. */
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { defaultDriver } from '../../src/adapters/stores/sqlite/sqlite-driver.js'
import { sqliteStore } from '../../src/adapters/stores/sqlite.js'
import type { CommandDeps } from '../../src/apps/cli/command-deps.js'
import { exportRun } from '../../src/apps/cli/runs/export.js'
import { showRun } from '../../src/apps/cli/runs/show.js'
import { tailRun } from '../../src/apps/cli/runs/tail.js'
import { paint } from '../../src/apps/session/paint.js'
import { runId, sampleEnded, sampleOwner, sampleQueued } from '../../src/testing/sample-log.js'

const root = mkdtempSync(join(tmpdir(), 'offshoot-child-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const path = join(root, 'runs.db')
const parent = { runId: runId('parent') }

const first = await sqliteStore({ path })
for (const run of [parent, { runId: runId('child'), rootId: parent.runId, parentId: parent.runId }]) {
  await first.create(sampleQueued(run))
  const claim = await first.claim(run.runId, sampleOwner('first'))
  if (!('epoch' in claim)) throw new Error('somebody has it')
  await first.append(run.runId, claim.epoch, 1, [sampleEnded(run, 2)])
  await first.release(run.runId, claim.epoch)
}
await first.close()

function told() {
  const said = { out: '', err: '' }
  const deps = {
    look: paint(false),
    width: 100,
    env: {},
    cwd: root,
    now: () => 80_000,
    write: (text: string) => void (said.out += text),
    warn: (text: string) => void (said.err += text),
    streams: { onBrokenPipe: () => {} },
  }
  return { said, deps: deps as unknown as CommandDeps }
}

test('runs export left a file that others could read as it was, and wrote through a link that lay there', async () => {
  const store = await sqliteStore({ path })
  const run = (await store.summary(parent.runId))!
  const { said, deps } = told()
  await exportRun(store, run, { format: 'json', to: 'plain', only: true }, deps)
  const file = said.err.trim()
  const precious = join(root, 'precious')
  writeFileSync(precious, 'precious')
  rmSync(file)
  symlinkSync(precious, file)
  await exportRun(store, run, { format: 'json', to: 'plain', only: true }, deps)
  expect(readFileSync(precious, 'utf8')).toBe('precious')
  expect(lstatSync(file).isFile()).toBe(true)
  writeFileSync(file, 'old', { mode: 0o644 })
  rmSync(file)
  writeFileSync(file, 'old', { mode: 0o644 })
  await exportRun(store, run, { format: 'json', to: 'plain', only: true }, deps)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  rmSync(file)
  mkdirSync(join(file, 'in the way'), { recursive: true })
  await expect(exportRun(store, run, { format: 'json', to: 'plain', only: true }, deps)).rejects.toThrow(
    `${file} could not be written: `,
  )
  expect(statSync(`${file}.${process.pid}.part`, { throwIfNoEntry: false })).toBeUndefined()
  await store.close()
})

test('runs show, export and tail failed whole for one damaged event of one child', async () => {
  const database = (await defaultDriver()).open(path)
  database.exec("UPDATE events SET body = 'x' WHERE seq = 2 AND ref = (SELECT ref FROM runs WHERE run_id = 'child')")
  database.close()
  const store = await sqliteStore({ path })
  const run = (await store.summary(parent.runId))!
  const commands = {
    show: (deps: CommandDeps) => showRun(store, run, {}, deps),
    export: (deps: CommandDeps) => exportRun(store, run, { format: 'markdown' }, deps),
    tail: (deps: CommandDeps) => tailRun(store, run, { fromStart: true }, deps),
  }
  for (const command of Object.values(commands)) {
    const { said, deps } = told()
    expect(await command(deps)).toBe(1)
    expect(said.out).toContain('main')
    expect(said.err.split('event 2 of run child is damaged')).toHaveLength(2)
  }
  await store.close()
})
