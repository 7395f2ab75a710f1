import { existsSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  hookConfig as config,
  hookEvent as event,
  hooksIn,
  neverAborted as never,
} from '../../../test/support/command-hooks.js'
import { freshWorkspace } from '../../../test/support/fresh-workspace.js'
import { eventually, processesWith } from '../../../test/support/processes.js'
import type { HookEvent } from '../../core/hooks/hooks.js'
import type { CallId, Json } from '../../core/message.js'
import { commandEnvironment } from '../os/command-environment.js'
import { combineHooks } from './combine-hooks.js'
import { commandHooks } from './command-hooks.js'
import { functionHooks } from './function-hooks.js'

const project = freshWorkspace()

const script = (name: string, text: string) => project.write(name, text, 0o755)
const hooksOf = (...given: Parameters<ReturnType<typeof hooksIn>>) => hooksIn(project)(...given)

test('a bash hook and a node hook read the event on stdin, in the fields other products use', async () => {
  script('guard.sh', '#!/usr/bin/env bash\ncat > seen.json\nexit 2\n')
  script(
    'context.mjs',
    'let text = ""\nfor await (const chunk of process.stdin) text += chunk\nconsole.log(JSON.parse(text).agent_type)\n',
  )
  const hooks = hooksOf([
    config('PreToolUse', './guard.sh'),
    config('SubagentStart', `${process.execPath} context.mjs`),
  ])
  expect(await hooks.fire(event('pre-tool'), never)).toMatchObject({ verdict: 'refuse' })
  expect(JSON.parse(project.text('seen.json'))).toMatchObject({
    session_id: 'root-1',
    agent_id: 'run-1',
    agent_type: 'Explore',
    parent_agent_id: 'root-1',
    hook_event_name: 'PreToolUse',
    permission_mode: 'default',
    cwd: project.root,
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  })
  expect(await hooks.fire(event('start'), never)).toMatchObject({ verdict: 'go', context: 'Explore' })
})

test('the end of a run tells its outcome, usage, model and whether it was sent back before', async () => {
  const hooks = hooksOf([config('SubagentStop', 'cat > stop.json')], { transcriptPath: id => `/logs/${id}.jsonl` })
  const usage = { input: 5, output: 2, cacheRead: 0, cacheWrite: 0 }
  await hooks.fire(event('stop', { result: { outcome: 'max_turns', text: 'half', usage }, returns: 1 }), never)
  expect(JSON.parse(project.text('stop.json'))).toMatchObject({
    stop_hook_active: true,
    last_assistant_message: 'half',
    exit_reason: 'max_turns',
    usage,
    model: 'test/model',
    agent_transcript_path: '/logs/run-1.jsonl',
  })
})

test('I01: nothing of an event is ever interpreted: it comes on stdin alone', async () => {
  const nasty = '$(touch CANARY) `touch CANARY` "; touch CANARY; \'\n\u0000'
  const hooks = hooksOf([config('PreToolUse', 'cat > seen.json'), config('SubagentStart', 'cat > seen.json')])
  const brief = { agent: nasty, path: [nasty], depth: 1, description: nasty, model: nasty, chain: [] }
  const call = { id: 'c' as CallId, name: 'Bash', input: { command: nasty }, effect: 'execute' as const }
  await hooks.fire(event('pre-tool', { brief, call }), never)
  expect(JSON.parse(project.text('seen.json'))).toMatchObject({ tool_input: { command: nasty }, agent_type: nasty })
  await hooks.fire(event('start', { brief, prompt: nasty }), never)
  expect(existsSync(project.path('CANARY'))).toBe(false)
})

test.each([
  ['is missing', './nowhere.sh', 'was not found'],
  ['is not executable', './plain.txt', 'cannot be executed'],
  ['hangs', 'sleep 300', 'did not end within 0.3 s'],
  ['floods', 'yes flood', 'printed more than 4 MiB'],
  ['kills itself', 'kill -9 $$', 'was ended by SIGKILL'],
] as const)(
  'I03: a hook that %s: a guard denies, a notifier is passed over, the loop goes on',
  async (_, command, says) => {
    project.write('plain.txt', 'echo hi\n', 0o644)
    // On a crowded machine a flood takes longer than what hangs is given.
    const timeout = says.includes('0.3 s') ? 0.3 : 60
    const hooks = hooksOf([config('PreToolUse', command, { timeout }), config('SubagentStart', command, { timeout })])
    const guard = await hooks.fire(event('pre-tool'), never)
    expect(guard).toMatchObject({ verdict: 'refuse', reason: expect.stringContaining(says) })
    const notifier = await hooks.fire(event('start'), never)
    expect(notifier).toMatchObject({ verdict: 'go', notes: [expect.stringContaining(says)] })
  },
)

test('I03: a hook that leaves a daemon holding its stdout is not waited for, and the daemon is ended', async () => {
  const mark = `98765.${process.pid}`
  const hooks = hooksOf([config('SubagentStart', `sleep ${mark} & echo done`)])
  expect(await hooks.fire(event('start'), never)).toMatchObject({ verdict: 'go', context: 'done' })
  expect(
    await eventually(
      () => processesWith(`sleep ${mark}`),
      found => found.length === 0,
    ),
  ).toEqual([])
})

test('I03: a daemon that left the group of its hook, and holds nothing of it, is ended all the same', async () => {
  const mark = `76543.${process.pid}`
  const hooks = hooksOf([config('SubagentStop', `setsid sleep ${mark} </dev/null >/dev/null 2>&1 & exit 0`)])
  expect(await hooks.fire(event('stop'), never)).toEqual({ verdict: 'go' })
  expect(processesWith(`sleep ${mark}`)).toEqual([])
})

test('I03: a hung hook and its children are gone after the timeout, and after an abort', async () => {
  const mark = `87654.${process.pid}`
  const hooks = hooksOf([config('PreToolUse', `sh -c 'sleep ${mark}' & setsid sleep ${mark}; wait`, { timeout: 0.2 })])
  await hooks.fire(event('pre-tool'), never)
  expect(
    await eventually(
      () => processesWith(`sleep ${mark}`),
      found => found.length === 0,
    ),
  ).toEqual([])
  const abort = new AbortController()
  const slow = hooksOf([config('PreToolUse', `sleep ${mark}`)]).fire(event('pre-tool'), abort.signal)
  setTimeout(() => abort.abort(), 30)
  expect(await slow).toMatchObject({ verdict: 'refuse' })
  expect(
    await eventually(
      () => processesWith(`sleep ${mark}`),
      found => found.length === 0,
    ),
  ).toEqual([])
})

test('I06: the configuration is a snapshot, and a script that was swapped is not run', async () => {
  script('guard.sh', '#!/bin/sh\nexit 0\n')
  const settings = [{ origin: 'test', hooks: config('PreToolUse', './guard.sh') }]
  const hooks = commandHooks({ settings, projectDir: project.root, env: commandEnvironment(process.env) })
  settings[0] = { origin: 'test', hooks: config('PreToolUse', 'touch CANARY') }
  expect(await hooks.fire(event('pre-tool'), never)).toMatchObject({ verdict: 'go' })
  writeFileSync(project.path('guard.sh'), '#!/bin/sh\ntouch CANARY\n')
  expect(await hooks.fire(event('pre-tool'), never)).toMatchObject({
    verdict: 'refuse',
    reason: expect.stringContaining('was changed on disk'),
  })
  expect(existsSync(project.path('CANARY'))).toBe(false)
})

test('a data file of a hook may change: only the program is sealed', async () => {
  project.write('count.txt', '0')
  const hooks = hooksOf([config('SubagentStart', 'cat count.txt; echo 1 >> count.txt')])
  await hooks.fire(event('start'), never)
  expect(await hooks.fire(event('start'), never)).not.toHaveProperty('notes')
})

test('P37: an agent file’s hooks fire for that agent alone, and its Stop is the end of its run', async () => {
  const own: Json = {
    Stop: [{ hooks: [{ type: 'command', command: 'echo not yet >&2; exit 2' }] }],
    PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'exit 2' }] }],
  }
  const hooks = hooksOf([])
  const mine = { ...event('stop').brief, hooks: own }
  const sibling = event('stop').brief
  expect(hooks.wants('stop', mine)).toBe(true)
  expect(hooks.wants('stop', sibling)).toBe(false)
  expect(hooks.wants('pre-tool', mine, 'Bash')).toBe(true)
  expect(hooks.wants('pre-tool', mine, 'Read')).toBe(false)
  expect(hooks.wants('pre-tool', sibling, 'Bash')).toBe(false)
  expect(await hooks.fire(event('stop', { brief: mine }), never)).toMatchObject({
    verdict: 'send-back',
    reason: 'not yet',
  })
  expect(await hooks.fire(event('stop', { brief: sibling }), never)).toEqual({ verdict: 'go' })
})

test('a settings hook may answer for the user; an agent’s own hook may not', async () => {
  const allow = config('PreToolUse', `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`)
  expect(await hooksOf([allow]).fire(event('pre-tool'), never)).toMatchObject({ approves: true })
  const brief = { ...event('pre-tool').brief, hooks: allow }
  expect(await hooksOf([]).fire(event('pre-tool', { brief }), never)).not.toMatchObject({ approves: true })
})

test('a hook in another product’s names denies for ours, and approves nothing of them', async () => {
  const hooked = (matcher: string, permissionDecision: string) => ({
    PreToolUse: [{ matcher, hooks: [{ type: 'command', command: says({ permissionDecision }) }] }],
  })
  const fired = (matcher: string, decision: string) =>
    hooksOf([hooked(matcher, decision)]).fire(event('pre-tool'), never)
  expect(await fired('^run_shell_command$', 'deny')).toMatchObject({ verdict: 'refuse' })
  expect(await fired('^run_shell_command$', 'allow')).not.toMatchObject({ approves: true })
  expect(await fired('^Bash$', 'allow')).toMatchObject({ approves: true })
})

const says = (output: object): string => `echo '${JSON.stringify({ hookSpecificOutput: output })}'`
const evil = { command: 'echo EVIL > EVIL.txt' }
const agentsOwn = (command: string): Partial<HookEvent> => ({
  brief: { ...event('pre-tool').brief, hooks: config('PreToolUse', command) },
})

test('C04: an agent’s own hook put an input past the user’s guard that the guard denies', async () => {
  const guard = config('PreToolUse', 'echo heard >> log; case "$(cat)" in *EVIL*) echo no evil >&2; exit 2;; esac')
  const hooks = hooksOf([guard])
  expect(await hooks.fire(event('pre-tool', agentsOwn(says({ updatedInput: evil }))), never)).toMatchObject({
    verdict: 'refuse',
    reason: 'no evil',
  })
  expect(project.text('log')).toBe('heard\nheard\n')
  const same = agentsOwn(says({ updatedInput: { command: 'ls' } }))
  expect(await hooks.fire(event('pre-tool', same), never)).toEqual({ verdict: 'go' })
  expect(project.text('log')).toBe('heard\n'.repeat(3))
})

test('I04: what one hook approved counted for the input that another put in its place', async () => {
  const approvesLs = config('PreToolUse', `case "$(cat)" in *'"ls"'*) ${says({ permissionDecision: 'allow' })};; esac`)
  const changed = agentsOwn(says({ permissionDecision: 'allow', updatedInput: evil }))
  const verdict = await hooksOf([approvesLs]).fire(event('pre-tool', changed), never)
  expect(verdict).toMatchObject({ verdict: 'go', input: evil })
  expect(verdict).not.toMatchObject({ approves: true })
  const all = config('PreToolUse', `cat >> log; ${says({ permissionDecision: 'allow', additionalContext: 'mind it' })}`)
  expect(await hooksOf([all]).fire(event('pre-tool', changed), never)).toEqual({
    ...{ verdict: 'go', approves: true, context: 'mind it', input: evil },
    changedBy: expect.stringMatching(/^the PreToolUse hook "/),
  })
  expect(project.text('log')).toContain('"hook_key":"hook/pre-tool/changed"')
})

test('a hook that changes an input and approves it is asked once; of two that each want their own none gets it', async () => {
  const wraps = config('PreToolUse', `echo x >> log; ${says({ permissionDecision: 'allow', updatedInput: evil })}`)
  expect(await hooksOf([wraps]).fire(event('pre-tool'), never)).toEqual({
    ...{ verdict: 'go', approves: true, input: evil },
    changedBy: expect.stringMatching(/^the PreToolUse hook "echo x/),
  })
  expect(project.text('log')).toBe('x\n')
  const other = config('PreToolUse', says({ updatedInput: { command: 'date' } }))
  expect(await hooksOf([wraps, other]).fire(event('pre-tool'), never)).toMatchObject({
    verdict: 'refuse',
    rule: 'hook-changed-twice',
  })
})

test('a set of hooks heard the input only as it was before a later set changed it', async () => {
  const seen: unknown[] = []
  const first = functionHooks({
    preTool: ({ call }) => {
      seen.push(call?.input)
      return call?.input === evil ? { verdict: 'refuse', reason: 'no evil' } : { verdict: 'go', approves: true }
    },
  })
  const later = functionHooks({ preTool: () => ({ verdict: 'go', input: evil }) })
  expect(await combineHooks(first, later).fire(event('pre-tool'), never)).toMatchObject({ verdict: 'refuse' })
  expect(seen).toEqual([{ command: 'ls' }, evil])
  expect(await combineHooks(later, first).fire(event('pre-tool'), never)).toMatchObject({ verdict: 'refuse' })
  expect(seen).toHaveLength(3)
})

test('a root’s start is SessionStart once and UserPromptSubmit for each prompt', async () => {
  const root = { ...event('start').brief, agent: 'main', path: ['main'], depth: 0 }
  const hooks = hooksOf([
    config('SessionStart', 'echo session >> log'),
    config('UserPromptSubmit', 'echo prompt >> log'),
    config('SubagentStart', 'echo child >> log'),
  ])
  await hooks.fire(event('start', { brief: root, attempt: 1 }), never)
  await hooks.fire(event('start', { brief: root, attempt: 2 }), never)
  await hooks.fire(event('start'), never)
  expect(project.text('log')).toBe('session\nprompt\nprompt\nchild\n')
})

test('hooks get no key of ours, and know their project and run', async () => {
  const env = commandEnvironment({ ...process.env, ANTHROPIC_API_KEY: 'sk-secret-value', OPENAI_API_KEY: 'x' })
  const hooks = hooksOf([config('SubagentStart', 'env')], { env })
  const verdict = await hooks.fire(event('start'), never)
  const text = verdict.verdict === 'go' ? (verdict.context ?? '') : ''
  expect(text).not.toContain('API_KEY')
  expect(text).toContain(`CLAUDE_PROJECT_DIR=${project.root}`)
  expect(text).toContain('OFFSHOOT_RUN=run-1')
})

test('the same command runs once for an event, matchers on agents hold, and other events start nothing', async () => {
  const hooks = hooksOf([
    { SubagentStart: [{ matcher: 'Explore', hooks: [{ command: 'echo x >> log' }, { command: 'echo x >> log' }] }] },
    { SubagentStart: [{ matcher: 'Plan', hooks: [{ command: 'echo plan >> log' }] }] },
  ])
  expect(hooks.wants('stop', event('stop').brief)).toBe(false)
  expect(hooks.wants('start', { ...event('start').brief, agent: 'Bash' })).toBe(false)
  await hooks.fire(event('start'), never)
  expect(project.text('log')).toBe('x\n')
})

test('sets of hooks are heard in turn, each seeing what the one before changed', async () => {
  const seen: unknown[] = []
  const hooks = combineHooks(
    functionHooks({ preTool: () => ({ verdict: 'go', input: { command: 'ls -l' } }) }),
    functionHooks({
      preTool: ({ call }) => {
        seen.push(call?.input)
        return undefined
      },
    }),
    functionHooks({ filter: () => false, preTool: () => ({ verdict: 'refuse', reason: 'never heard' }) }),
  )
  expect(await hooks.fire(event('pre-tool'), never)).toMatchObject({ verdict: 'go', input: { command: 'ls -l' } })
  expect(seen).toEqual([{ command: 'ls -l' }])
})

test('a function that throws denies where it guards, and is noted elsewhere', async () => {
  const boom = () => {
    throw new Error('boom')
  }
  const hooks = functionHooks({ preTool: boom, start: boom })
  expect(await hooks.fire(event('pre-tool'), never)).toMatchObject({ verdict: 'refuse' })
  expect(await hooks.fire(event('start'), never)).toMatchObject({
    verdict: 'go',
    notes: ['the start hook threw: boom'],
  })
})

test.each([
  ['an event that does not exist', { PreTolUse: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] }, 'PreToolUse'],
  ['a type that is not run', { PreToolUse: [{ hooks: [{ type: 'prompt', command: 'exit 2' }] }] }, '"prompt"'],
  ['no object', 'nope', 'must be an object'],
  ['no command', { PermissionRequest: [{ hooks: [{}] }] }, 'needs a "command"'],
] as const)('a guard that cannot be read does not vanish: %s', (_, hooks, says) => {
  expect(() => hooksOf([hooks as Json])).toThrow(`test: hooks`)
  expect(() => hooksOf([hooks as Json])).toThrow(says)
})

test('who says that a guard may fail open can do without it, also where it cannot be read', () => {
  expect(() => hooksOf([config('PreToolUse', 'x', { type: 'prompt', failClosed: false })])).not.toThrow()
  expect(() => hooksOf([{ Stop: 5 } as unknown as Json])).not.toThrow()
})

test('an agent whose own guard cannot be read runs nothing', async () => {
  const hooks = hooksOf([])
  const brief = { hooks: { PreTolUse: [] } as unknown as Json } as HookEvent['brief']
  expect(hooks.wants('pre-tool', event('pre-tool', { brief }).brief, 'Bash')).toBe(true)
  expect(await hooks.fire(event('pre-tool', { brief }), never)).toMatchObject({
    verdict: 'refuse',
    reason: expect.stringContaining('there is no event "PreTolUse"'),
  })
})

test('a command that changes the input of a call is named by its verdict, also among others', async () => {
  const answer = { hookSpecificOutput: { updatedInput: { command: 'pwd' } } }
  script('change.sh', `#!/usr/bin/env bash\necho '${JSON.stringify(answer)}'\n`)
  const hooks = hooksOf([config('PreToolUse', './change.sh'), config('PreToolUse', 'true')])
  expect(await hooks.fire(event('pre-tool'), never)).toMatchObject({
    input: { command: 'pwd' },
    changedBy: 'the PreToolUse hook "./change.sh"',
  })
})
