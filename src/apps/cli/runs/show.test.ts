import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sqliteStore } from '../../../adapters/stores/sqlite.js'
import type { PermissionRule } from '../../../core/agent-definition.js'
import type { DurableEvent, StoredEvent } from '../../../core/events.js'
import type { GivenBounds } from '../../../core/permission/given-bounds.js'
import { parsePermissionRule } from '../../../core/permission/permission-rule.js'
import type { PermissionLink } from '../../../core/types.js'
import { runId, sampleEnded, sampleEvent, sampleOwner, sampleQueued } from '../../../testing/sample-log.js'
import { paint } from '../../session/paint.js'
import { textWidth } from '../../session/text-width.js'
import type { CommandDeps } from '../command-deps.js'
import { listRuns } from './list.js'
import { showRun } from './show.js'

const directory = await mkdtemp(join(tmpdir(), 'offshoot-show-'))
afterAll(() => rm(directory, { recursive: true, force: true }))

test('runs show: a run that was dead for a minute took the seconds it worked, not the minute', async () => {
  const store = await sqliteStore({ path: join(directory, 'runs.db') })
  const run = { runId: runId('killed') }
  const claimed = (epoch: number): DurableEvent => ({ type: 'run.claimed', attempt: 1, epoch, owner: 'x' })
  const at = (seq: number, time: number, event: DurableEvent) => ({ ...sampleEvent(run, seq, event), at: time })
  await store.create({ ...sampleQueued(run), at: 1_000 })
  const claim = await store.claim(run.runId, sampleOwner('x'))
  if (!('epoch' in claim)) throw new Error('somebody has it')
  await store.append(run.runId, claim.epoch, 1, [
    at(2, 1_000, claimed(1)),
    at(3, 2_000, { type: 'run.started' }),
    at(4, 5_000, { type: 'clock.stopped', cause: 'slot' }),
    at(5, 6_000, { type: 'clock.started', cause: 'slot' }),
    at(6, 70_000, claimed(2)),
    { ...sampleEnded(run, 7), at: 71_000 },
  ])
  await store.release(run.runId, claim.epoch)
  let written = ''
  const deps = {
    look: paint(false),
    width: 100,
    env: {},
    now: () => 80_000,
    write: (text: string) => (written += text),
  }
  await showRun(store, (await store.summary(run.runId))!, {}, deps as unknown as CommandDeps)
  // 3 s up to the queue, 1 s after the second claim.
  expect(written).toMatch(/ 4\.0s {2}0 tok/)
  expect(written).toContain('main completed')
  // A run that goes on much later was one long bar.
  expect(written).toMatch(/━╌{20,}━ +4\.0s/)
  expect(written).toContain('╌ idle: ended, left, or waiting')
  await store.close()
})

test('runs show: what was given at the start and binds the run was nowhere to be seen', async () => {
  const store = await sqliteStore({ path: join(directory, 'bound.db') })
  const rule = (text: string) => parsePermissionRule(text) as PermissionRule
  const given: GivenBounds = {
    origin: '--settings',
    deny: [rule('Bash(touch *)')],
    ask: [rule('WebFetch')],
    guards: {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard.sh', args: ['--token', 'hush'] }] }],
    },
    sandbox: { kind: 'bubblewrap', writable: ['/var/cache'] },
  }
  const link: PermissionLink = {
    agent: 'main',
    mode: 'default',
    approvalMode: 'caller',
    rules: { allow: [], ask: [], deny: [] },
    grants: [],
    refusals: [],
    given,
  }
  const run = { runId: runId('bound'), brief: { chain: [link, { ...link, agent: 'again' }] } }
  await store.create(sampleQueued(run))
  const show = async (json: boolean) => {
    let written = ''
    const write = (text: string) => (written += text)
    const deps = { look: paint(false), width: 100, env: {}, now: () => 80_000, write }
    await showRun(store, (await store.summary(run.runId))!, { json }, deps as unknown as CommandDeps)
    return written
  }
  const [, ...others] = (await show(false)).split('\n').filter(line => line.startsWith('  bound  '))
  expect(await show(false)).toContain(
    'bound  denies Bash(touch *); asks for WebFetch; guards PreToolUse Bash: ' +
      "'guard.sh' '--token' '[key hidden]'; commands in bubblewrap, which leaves open /var/cache (--settings, for as long as it lives)",
  )
  expect(others).toEqual([])
  const { bounds } = (JSON.parse(await show(true)) as { runs: { bounds: unknown }[] }).runs[0]!
  expect(bounds).toMatchObject([
    { origin: '--settings', deny: ['Bash(touch *)'], ask: ['WebFetch'], sandbox: given.sandbox },
  ])
  expect(JSON.stringify(bounds)).not.toContain('hush')
  await store.close()
})

test('runs list and show: a run killed during its first request was said to have cost $0.00', async () => {
  const store = await sqliteStore({ path: join(directory, 'unknown.db') })
  const run = { runId: runId('cut') }
  await store.create(sampleQueued(run))
  const claim = await store.claim(run.runId, sampleOwner('x'))
  if (!('epoch' in claim)) throw new Error('somebody has it')
  await store.append(run.runId, claim.epoch, 1, [sampleEvent(run, 2, { type: 'run.started' })])
  await store.release(run.runId, claim.epoch)
  const said = async (look: (deps: CommandDeps) => Promise<unknown>) => {
    let written = ''
    const write = (text: string) => (written += text)
    await look({
      look: paint(false),
      width: 100,
      env: {},
      cwd: '/',
      now: () => 80_000,
      write,
      warn: () => {},
    } as unknown as CommandDeps)
    return written
  }
  const summary = (await store.summary(run.runId))!
  const shown = await said(deps => showRun(store, summary, {}, deps))
  const listed = await said(deps => listRuns(store, { limit: 9 }, deps))
  expect(shown).toContain('~0 tok, cost unknown')
  expect(listed).toMatch(/unfinished .* ~0 +unknown/)
  expect(shown + listed).not.toContain('$0.00')
  const json = JSON.parse(await said(deps => listRuns(store, { limit: 9, json: true }, deps)))
  expect(json[0].cost).toBeUndefined()
  expect(JSON.parse(await said(deps => showRun(store, summary, { json: true }, deps))).cost).toBeNull()
  await store.close()
})

test('on a narrow terminal the chart of a run was broken in two, and so were lines of its report', async () => {
  const store = await sqliteStore({ path: join(directory, 'narrow.db') })
  const root = { runId: runId('whole'), brief: { description: 'Where are tools filtered for a child agent?' } }
  const child = { ...root, runId: runId('part'), rootId: root.runId, parentId: root.runId, agent: 'Explore' }
  for (const run of [root, child]) {
    await store.create(sampleQueued(run))
    const claim = await store.claim(run.runId, sampleOwner('x'))
    if (!('epoch' in claim)) throw new Error('somebody has it')
    const ended = sampleEnded(run, 2)
    const { event } = ended as { event: Extract<StoredEvent['event'], { type: 'run.ended' }> }
    const text = `${'some words '.repeat(20)}\n     12 | ${'code '.repeat(40)}`
    await store.append(run.runId, claim.epoch, 1, [
      { ...ended, event: { ...event, result: { ...event.result, text } } },
    ])
    await store.release(run.runId, claim.epoch)
  }
  const shown = async (width: number, full = false) => {
    let written = ''
    const write = (text: string) => (written += text)
    const deps = { look: paint(false), width, isTerminal: true, env: {}, now: () => 80_000, write }
    await showRun(store, (await store.summary(root.runId))!, { full }, deps as unknown as CommandDeps)
    return written
  }
  for (const width of [40, 60, 80, 120])
    for (const line of (await shown(width)).split('\n')) expect(textWidth(line), line).toBeLessThanOrEqual(width)
  expect(await shown(40)).toMatch(/\n└─ Explore Where are tools filter.*\n {2}╌+ +[\d.]+s\n {2}0 tok, \$0\.00\n/)
  expect(await shown(80)).toMatch(/\n└─ Explore Where are.* {2}╌+ +[\d.]+s {2}0 tok, \$0\.00\n/)
  expect(await shown(80, true)).toContain('code '.repeat(39))
  await store.close()
})
