/** The promise through the program's own composition: settings in, a child's calls judged, nothing done. */
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { afterEach, describe, expect, test } from 'vitest'
import type { AskUser } from '../../src/adapters/tools/ask-user.js'
import { type CommandDeps, processDeps } from '../../src/apps/cli/command-deps.js'
import { registerApprovalsCommands } from '../../src/apps/cli/commands/approvals.js'
import { mountAgents } from '../../src/apps/cli/commands/mount-agents.js'
import { pruneCommand } from '../../src/apps/cli/runs/prune.js'
import { registerRunsCommands } from '../../src/apps/cli/runs/runs-command.js'
import { sendToRun, stopRun } from '../../src/apps/cli/runs/steer.js'
import { exitCodes } from '../../src/apps/session/exit-codes.js'
import { openSession } from '../../src/apps/session/open-session.js'
import { openRunStore } from '../../src/apps/session/open-store.js'
import { call, calls, type Part, task } from '../e2e/scripted-server.js'
import { createStage, type OpenStage, type Stage } from '../support/session.js'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

async function play(
  parts: Readonly<Record<string, Part>>,
  flags: object,
  askUser?: AskUser,
): Promise<{ stage: Stage; house: OpenStage }> {
  const stage = await createStage(parts)
  open.push(stage)
  const house = await stage.open({ flags, ...(askUser && { askUser }) })
  open.push(house)
  await house.ask('go')
  return { stage, house }
}

const once =
  (line: ReturnType<Part>): Part =>
  ({ turn }) =>
    turn === 0 ? line : 'done'
const settings = (permissions: object) => ({ settings: [JSON.stringify({ permissions })] })

test('C01 O2 a deny in the settings binds a child with every tool, and the event names the rule', async () => {
  const parts = {
    main: once(task('worker', 'fetch')),
    worker: once(
      calls(call('Bash', { command: 'git status; curl http://127.0.0.1:9' }), call('Bash', { command: 'touch ok' })),
    ),
  }
  const { stage, house } = await play(parts, settings({ allow: ['Bash'], deny: ['Bash(curl:*)'] }))
  expect(house.answers('Bash')[0]).toContain('Bash(curl:*)')
  const denied = house.events.flatMap(({ event }) =>
    event.type === 'tool.ended' && event.status === 'denied' ? [event.rule] : [],
  )
  expect(denied).toEqual(['Bash(curl:*)'])
  expect(existsSync(`${stage.project}/ok`)).toBe(true)
})

test('C03 a tool that was not granted does nothing when it is called all the same', async () => {
  const looker = { description: 'x', prompt: 'AGENT:looker', tools: ['Read'] }
  const parts = {
    main: once(task('looker', 'look')),
    looker: once(
      calls(
        call('Write', { file_path: 'x', content: 'x' }),
        call('Bash', { command: 'touch x' }),
        call('Task', { subagent_type: 'looker', prompt: 'x', description: 'x' }),
        call('mcp__other__tool', {}),
      ),
    ),
  }
  const { stage, house } = await play(parts, {
    agents: JSON.stringify({ looker }),
    permissionMode: 'bypassPermissions',
  })
  expect(existsSync(`${stage.project}/x`)).toBe(false)
  const ended = house.events.flatMap(({ agent, event }) =>
    agent === 'looker' && event.type === 'tool.ended' ? [event.status] : [],
  )
  expect(ended).toEqual(['denied', 'denied', 'denied', 'error'])
  expect(await house.session.house.list({})).toHaveLength(2)
})

test('C05 a denied agent is not started: no run, no model call', async () => {
  const parts = { main: once(task('worker', 'x')), worker: once('never') }
  const { stage, house } = await play(parts, settings({ deny: ['Agent(worker)'] }))
  expect(house.answers('Task')[0]).toContain('Agent(worker)')
  expect(await house.session.house.list({})).toHaveLength(1)
  expect(stage.server.requestsOf('worker')).toHaveLength(0)
})

test('C06 P16 headless: a background child that needs a yes is denied at once and goes on', async () => {
  const parts = {
    main: once(task('worker', 'x', { run_in_background: true })),
    worker: once(call('Write', { file_path: 'x', content: 'x' })),
  }
  const { stage, house } = await play(parts, {})
  expect(house.answers('Write')[0]).toContain('nobody is there to give it')
  expect(existsSync(`${stage.project}/x`)).toBe(false)
})

test('H01 a command, and what it starts, sees none of the keys the program runs with', async () => {
  const parts = { main: once(call('Bash', { command: 'env; cat /proc/$$/environ | tr "\\0" "\\n"' })) }
  const { house } = await play(parts, { allowedTools: ['Bash'], permissionMode: 'bypassPermissions' })
  expect(house.answers('Bash')[0]).toContain('PATH=')
  expect(house.answers('Bash')[0]).not.toMatch(/sk-test|ANTHROPIC|OFFSHOOT_HOME|OFFSHOOT_MODEL/)
})

test('C10 P19 a command of a run starts, steers, stops and removes no runs through the program', async () => {
  const stage = await createStage({ main: once('hi') })
  open.push(stage)
  const first = await stage.open()
  await first.ask('hello')
  await first.close('leave')
  const env = { ...stage.env, OFFSHOOT_RUN: 'run-1' }
  for (const flags of [{}, { permissionMode: 'bypassPermissions' as const }, { trustProject: true }])
    expect(await openSession({ cwd: stage.project, env, flags })).toMatchObject({
      fault: expect.stringContaining('Task'),
    })
  const said: string[] = []
  const streams = { env, stdout: () => true, stderr: { write: (text: string) => said.push(text) } }
  const deps = { ...processDeps(streams as never), write: () => {} }
  const runs = async () => {
    const store = await openRunStore(env)
    return { store, run: (await store.list({}))[0]! }
  }
  const stopping = await runs()
  expect(await stopRun(stopping.store, stopping.run, 'x', deps)).toBe(exitCodes.permission)
  const sending = await runs()
  expect(await sendToRun(sending.store, sending.run, 'approve', deps)).toBe(exitCodes.permission)
  const pruning = await runs()
  expect(await pruneCommand(pruning.store, { days: 0 }, deps)).toBe(exitCodes.permission)
  expect(await pruning.store.list({})).toHaveLength(1)
  await pruning.store.close()
  expect(said.every(text => text.includes('is for people'))).toBe(true)
})

describe('a command of a run went through the program to what no tool may reach', () => {
  const told = async (...words: readonly string[]) => {
    const stage = await createStage({ main: once('The password is hunter2.') })
    open.push(stage)
    const first = await stage.open()
    await first.ask('hello')
    await first.close('leave')
    const [runId] = await openRunStore(stage.env).then(async store => {
      const runs = await store.list({})
      await store.close()
      return runs.map(run => run.runId)
    })
    const said: string[] = []
    const deps: CommandDeps = {
      ...processDeps({ env: stage.env, stdout: () => true, stderr: { write: () => true } } as never),
      cwd: stage.project,
      startedBy: () => 'run-1',
      write: text => void said.push(text),
      warn: text => void said.push(text),
      setExitCode: code => void said.push(`exit ${code}`),
    }
    const program = new Command()
    const mount = { runs: registerRunsCommands, agents: mountAgents, approvals: registerApprovalsCommands }
    mount[words[0] as keyof typeof mount](program, deps)
    await program.parseAsync(
      words.map(word => (word === '@' ? runId! : word)),
      { from: 'user' },
    )
    return { said: said.join(''), stage }
  }

  test.each([['list'], ['show', '@', '--json'], ['tail', '@', '--from-start'], ['export', '@', '--format', 'json']])(
    'runs %s showed what other sessions said',
    async (...words) => {
      const { said } = await told('runs', ...words)
      expect(said).toContain('is for people')
      expect(said).toContain(`exit ${exitCodes.permission}`)
      expect(said).not.toContain('hunter2')
      expect(said).not.toContain('hello')
    },
  )

  test('approvals list showed what other sessions ask for', async () => {
    expect((await told('approvals', 'list')).said).toContain('is for people')
  })

  test.each([
    ['new', 'Explore', '--user', '--force', '--tools', 'Bash,Write'],
    ['new', 'helper'],
    ['import', 'README.md', '--to', '.'],
    ['lint', '--fix'],
  ])('agents %s %s wrote agents that are trusted without a word', async (...words) => {
    const { said, stage } = await told('agents', ...words)
    expect(said).toContain('is for people')
    expect(said).toContain(`exit ${exitCodes.permission}`)
    expect(existsSync(`${stage.env.OFFSHOOT_HOME}/config/agents`)).toBe(false)
    expect(existsSync(`${stage.project}/.offshoot`)).toBe(false)
  })
})

test('every rule that counts is named with its origin, what was approved for the session too', async () => {
  const stage = await createStage({ main: once(call('Bash', { command: 'touch ok' })) })
  open.push(stage)
  const house = await stage.open({
    flags: { ...settings({ deny: ['Bash(curl:*)'] }), allowedTools: ['Read'] },
    approver: {
      isListening: () => true,
      present: ({ approvalId }) => {
        const { approvals } = house.session.house
        setImmediate(() => void approvals.answer(approvalId, { verdict: 'allow', scope: 'session' }))
        return () => {}
      },
    },
  })
  open.push(house)
  await house.ask('go')
  const named = house.session.house
    .rules()
    .flatMap(({ origin, rules }) => [...rules.deny, ...rules.allow].map(rule => [rule.text, origin]))
  expect(named).toEqual([
    ['Bash(curl:*)', '--settings'],
    ['Read', 'the command line'],
    [`Bash(in ${stage.project}: touch ok)`, 'approved for this session'],
  ])
})
