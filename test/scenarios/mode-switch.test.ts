/** The person switches the permission mode of a conversation that is under way. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { functionHooks } from '../../src/adapters/hooks/function-hooks.js'
import { hooksInMode } from '../../src/adapters/hooks/hooks-in-mode.js'
import { switchedMode, switchedModesIn, switchMode } from '../../src/adapters/tools/mode-switch.js'
import { SessionMode } from '../../src/apps/tui/session-mode.js'
import type { PermissionMode } from '../../src/core/agent-definition.js'
import type { HookEvent } from '../../src/core/hooks/hooks.js'
import type { RunId } from '../../src/core/message.js'
import type { Approver } from '../../src/core/ports.js'
import { call, calls, type Part, task } from '../e2e/scripted-server.js'
import { createStage, type OpenStage, type Stage } from '../support/session.js'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

const write = (path: string) => call('Write', { file_path: path, content: 'x\n' })
const agentsFor = (more: object) =>
  JSON.stringify({
    worker: { description: 'works', prompt: 'AGENT:worker' },
    careful: { description: 'asks', prompt: 'AGENT:careful', permissionMode: 'default' },
    ...more,
  })
const writes =
  (name: string): Part =>
  ({ turn }) =>
    turn === 0 ? write(name) : 'done'

async function begin(parts: Readonly<Record<string, Part>>, permissionMode?: PermissionMode, more = {}) {
  const stage = await createStage(parts)
  open.push(stage)
  const session = await reopened(stage, permissionMode, more)
  const run = await session.session.house.start(
    { prompt: 'hello', agent: 'main', description: 'a story of modes' },
    { isConversation: true },
  )
  if ('refused' in run) throw new Error(run.refused)
  await run.result
  const directory = switchedModesIn(session.session.house.directories.data)
  return { stage, session, runId: run.id, directory }
}

async function reopened(stage: Stage, permissionMode?: PermissionMode, more = {}): Promise<OpenStage> {
  const session = await stage.open({ flags: { agents: agentsFor(more), ...(permissionMode && { permissionMode }) } })
  open.push(session)
  return session
}

async function goOn({ session }: OpenStage, runId: RunId): Promise<void> {
  const run = session.house.run(runId)
  const said = await run.say('go on')
  if ('refused' in said) throw new Error(said.refused)
  await session.house.run(runId).result
}

test('hooks heard the mode a run was begun in, not the one that counts', async () => {
  const heard: (string | undefined)[] = []
  const hooks = hooksInMode(
    functionHooks({
      preTool: ({ brief }) => {
        heard.push(brief.chain.at(-1)?.mode)
        return { verdict: 'go' }
      },
    }),
    rootId => (rootId === 'plans' ? { mode: 'plan', isOfThisSession: false } : undefined),
  )
  const chain = [{ mode: 'default' }] as unknown as HookEvent['brief']['chain']
  for (const rootId of ['plans', 'other'])
    await hooks.fire({ point: 'pre-tool', rootId, brief: { chain } } as HookEvent, new AbortController().signal)
  expect(heard).toEqual(['plan', 'default'])
})

const lies = (stage: Stage, name: string) => existsSync(join(stage.project, name))

test('acceptEdits holds for the next call of main and of its children, but of none whose definition is stricter', async () => {
  const { stage, session, runId, directory } = await begin({
    worker: writes('by-worker.txt'),
    careful: writes('by-careful.txt'),
    main: ({ turn }) => {
      if (turn === 0) return 'hello'
      if (turn === 1) return calls(write('by-main.txt'), task('worker', 'write'), task('careful', 'write'))
      return 'end'
    },
  })
  await switchMode(directory, runId, 'acceptEdits')
  await goOn(session, runId)
  expect([lies(stage, 'by-main.txt'), lies(stage, 'by-worker.txt'), lies(stage, 'by-careful.txt')]).toEqual([
    true,
    true,
    false,
  ])
})

test.each(['plan', 'dontAsk', 'default'] as const)('a switch from acceptEdits to %s binds the whole tree', async to => {
  const { stage, session, runId, directory } = await begin(
    {
      worker: writes('by-worker.txt'),
      main: ({ turn }) =>
        turn === 0 ? 'hello' : turn === 1 ? calls(write('by-main.txt'), task('worker', 'write')) : 'end',
    },
    'acceptEdits',
  )
  await switchMode(directory, runId, to)
  await goOn(session, runId)
  expect([lies(stage, 'by-main.txt'), lies(stage, 'by-worker.txt')]).toEqual([false, false])
})

test('nothing loosens beyond the ceiling: bypassPermissions in the file of a session that may not have it', async () => {
  const { stage, session, runId, directory } = await begin({
    main: ({ turn }) => (turn === 0 ? 'hello' : turn === 1 ? call('Bash', { command: 'touch ran' }) : 'end'),
  })
  await switchMode(directory, runId, 'bypassPermissions')
  await goOn(session, runId)
  expect(lies(stage, 'ran')).toBe(false)
})

test('a looser mode of another session is gone after a restart, a stricter one holds', async () => {
  const parts: Readonly<Record<string, Part>> = {
    main: ({ turn }) => (turn === 0 ? 'hello' : turn % 2 === 1 ? write(`file-${turn}.txt`) : 'end'),
  }
  const { stage, session, runId, directory } = await begin(parts)
  await switchMode(directory, runId, 'acceptEdits', 'another session')
  await goOn(session, runId)
  expect(lies(stage, 'file-1.txt')).toBe(false)
  await session.close('leave')
  const second = await reopened(stage, 'acceptEdits')
  await switchMode(directory, runId, 'default', 'another session')
  await goOn(second, runId)
  expect(lies(stage, 'file-3.txt')).toBe(false)
})

test('a file of a switched mode that cannot be read counts as plan mode', async () => {
  const { stage, session, runId, directory } = await begin(
    { main: ({ turn }) => (turn === 0 ? 'hello' : turn === 1 ? write('made.txt') : 'end') },
    'acceptEdits',
  )
  await switchMode(directory, runId, 'acceptEdits')
  writeFileSync(join(directory, runId), '{"mode": "accept')
  expect(switchedMode(directory, runId)).toEqual({ mode: 'plan', isOfThisSession: false })
  await goOn(session, runId)
  expect(lies(stage, 'made.txt')).toBe(false)
})

test('a call that was asked about in another mode still waits for its answer', async () => {
  const stage = await createStage({ main: ({ turn }) => (turn === 0 ? write('asked.txt') : 'end') })
  open.push(stage)
  let asked: (id: string) => void = () => {}
  const request = new Promise<string>(resolve => {
    asked = resolve
  })
  const approver: Approver = {
    isListening: () => true,
    present: ({ approvalId }) => {
      asked(approvalId)
      return () => {}
    },
  }
  const { session } = await stage.open({ approver })
  open.push(session.house)
  const run = await session.house.start(
    { prompt: 'write', agent: 'main', description: 'a story of modes' },
    { isConversation: true },
  )
  if ('refused' in run) throw new Error(run.refused)
  const approvalId = await request
  await switchMode(switchedModesIn(session.house.directories.data), run.id, 'acceptEdits')
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(lies(stage, 'asked.txt')).toBe(false)
  await session.house.approvals.answer(approvalId, { verdict: 'deny' })
  await run.result
  expect(lies(stage, 'asked.txt')).toBe(false)
})

test('the mode on the screen is the one that calls are judged in, through any number of switches', async () => {
  const { session, runId } = await begin({ main: () => 'hello' })
  const brief = await session.session.house.run(runId).brief()
  const house = { rootId: runId as RunId | undefined, runs: new Map([[runId, { chain: brief!.chain }]]) }
  const modes = new SessionMode({
    session: session.session,
    store: { screen: { house } } as never,
    flags: {} as never,
  })
  const seen: string[] = [modes.now]
  for (let i = 0; i < 4; i++) {
    await modes.switchOn()
    seen.push(modes.now)
  }
  expect(seen).toEqual(['default', 'acceptEdits', 'plan', 'default', 'acceptEdits'])
  expect(await modes.switchTo('bypassPermissions')).toContain('rule: mode-ceiling')
  expect(modes.now).toBe('acceptEdits')
  await modes.switchTo('plan')
  expect([modes.plannedBy, await modes.endPlanning(), modes.now]).toEqual(['person', true, 'acceptEdits'])
  // A new conversation has the mode that is on the screen.
  modes.carryOver()
  house.rootId = undefined
  expect([modes.now, modes.next]).toEqual(['acceptEdits', 'acceptEdits'])
})
