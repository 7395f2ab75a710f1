/** Whole runs with real scripts, in bash and node, as a user would have them. */
import { existsSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type CommandHooksOptions, commandHooks } from '../../src/adapters/hooks/command-hooks.js'
import { transcriptFiles } from '../../src/adapters/hooks/transcript-files.js'
import { commandEnvironment } from '../../src/adapters/os/command-environment.js'
import { systemClock } from '../../src/adapters/os/system-clock.js'
import { memoryStore } from '../../src/adapters/stores/memory.js'
import type { Hooks } from '../../src/core/hooks/hooks.js'
import type { Json } from '../../src/core/message.js'
import { agent, call, house, task, tool } from '../scenarios/house.js'
import { freshWorkspace } from '../support/fresh-workspace.js'

const project = freshWorkspace()

const clock = systemClock() as never
const hooksOf = (hooks: Json, transcriptPath: CommandHooksOptions['transcriptPath'] = () => ''): Hooks =>
  commandHooks({
    settings: [{ origin: 'test', hooks }],
    projectDir: project.root,
    env: commandEnvironment(process.env),
    transcriptPath,
  })
const on = (event: string, command: string, matcher?: string): Json => ({
  [event]: [{ ...(matcher && { matcher }), hooks: [{ type: 'command', command }] }],
})

test('C1: start scripts with exit 0, 2 and 1: context for the child, a note, a note; the child runs each time', async () => {
  for (const [body, isHeard, notes] of [
    ['echo "Mind the gap."', true, 0],
    ['echo "Mind the gap."; echo trouble >&2; exit 2', false, 1],
    ['echo "Mind the gap."; echo trouble >&2; exit 1', false, 1],
  ] as const) {
    project.write('start.sh', `#!/usr/bin/env bash\n${body}\n`, 0o755)
    const { run, model, events } = house(
      { main: [{ calls: [task('worker')] }, 'ok'], worker: ['fine'] },
      { agents: [agent('worker')], clock, hooks: hooksOf(on('SubagentStart', './start.sh')) },
    )
    expect(await run()).toMatchObject({ outcome: 'completed' })
    expect(JSON.stringify(model.requestsOf('worker')[0]?.messages).includes('Mind the gap.')).toBe(isHeard)
    const recorded = events.flatMap(({ event }) => (event.type === 'hook.ended' ? [event] : []))
    expect(recorded.map(event => event.notes?.length ?? 0)).toEqual([notes])
    if (notes > 0) expect(recorded[0]?.notes?.[0]).toContain('trouble')
  }
})

test('C1 I02: a stop script in node sends the child back until its report names the tests', async () => {
  project.write(
    'stop.mjs',
    `let text = ''
for await (const chunk of process.stdin) text += chunk
const { last_assistant_message, stop_hook_active } = JSON.parse(text)
if (!last_assistant_message.includes('tests pass')) {
  console.error(stop_hook_active ? 'Still no tests.' : 'Run the tests.')
  process.exit(2)
}
`,
  )
  const { run, model, toolTexts } = house(
    { main: [{ calls: [task('worker')] }, 'ok'], worker: ['done', 'really done', 'tests pass'] },
    { agents: [agent('worker')], clock, hooks: hooksOf(on('SubagentStop', `${process.execPath} stop.mjs`)) },
  )
  await run()
  expect(toolTexts('main')[0]).toContain('tests pass')
  const asked = JSON.stringify(model.requestsOf('worker').at(-1)?.messages)
  expect(asked).toContain('Run the tests.')
  expect(asked).toContain('Still no tests.')
})

test('a start script hears the inputs, wherever the prompt has them, and can refuse the child for one', async () => {
  const script = `node -e 'const {inputs} = JSON.parse(require("fs").readFileSync(0, "utf8"));
    if (inputs.topic === "secrets") console.log(JSON.stringify({decision: "block", reason: "not about " + inputs.topic + ", " + inputs.depth}))'`
  const asks = (topic: string) => ({ name: 'Task', input: { ...task('worker').input, inputs: { topic } } })
  const worker = agent('worker', {
    systemPrompt: 'You write about ${topic}.',
    inputs: [
      { name: 'topic', type: 'string', isRequired: true },
      { name: 'depth', type: 'number', isRequired: false, default: 2 },
    ],
  })
  const { run, toolTexts } = house(
    { main: [{ calls: [asks('secrets')] }, { calls: [asks('gardens')] }, 'ok'], worker: ['written'] },
    { agents: [worker], clock, hooks: hooksOf(on('SubagentStart', script)) },
  )
  await run()
  expect(toolTexts('main')[0]).toContain('not about secrets, 2')
  expect(toolTexts('main')[1]).toContain('written')
})

test('P37: the hooks of one agent do not fire for its sibling, nor for its caller', async () => {
  const guard = on('PreToolUse', 'echo "not with this one" >&2; exit 2', 'Look')
  const { run, events } = house(
    {
      main: [{ calls: [task('careful'), task('plain')] }, call('Look'), 'ok'],
      careful: [call('Look'), 'a'],
      plain: [call('Look'), 'b'],
    },
    {
      agents: [agent('careful', { hooks: guard }), agent('plain')],
      tools: [tool('Look', 'read', () => 'seen')],
      clock,
      hooks: hooksOf({}),
    },
  )
  await run()
  const looks = events.flatMap(({ agent: name, event }) =>
    event.type === 'tool.ended' && event.name === 'Look' ? [[name, event.status]] : [],
  )
  expect(Object.fromEntries(looks)).toEqual({ careful: 'denied', plain: 'ok', main: 'ok' })
})

test('a broken notifier costs a run nothing, a broken guard costs it the call', async () => {
  const ran: string[] = []
  const { run } = house(
    { main: [call('Look'), call('Touch'), 'ok'] },
    {
      tools: [tool('Look', 'read', () => `${ran.push('Look')}`), tool('Touch', 'write', () => `${ran.push('Touch')}`)],
      clock,
      hooks: hooksOf({
        ...(on('PostToolUse', './nowhere.sh') as object),
        ...(on('PreToolUse', './nowhere.sh', 'Touch') as object),
      }),
    },
  )
  expect(await run()).toMatchObject({ outcome: 'completed' })
  expect(ran).toEqual(['Look'])
})

test('a script reads what was done and what came of it', async () => {
  const { run } = house(
    { main: [call('Look', { path: 'a b.txt' }), 'ok'] },
    { tools: [tool('Look', 'read', () => 'seen')], clock, hooks: hooksOf(on('PostToolUse', 'cat > after.json')) },
  )
  await run()
  expect(JSON.parse(project.text('after.json'))).toMatchObject({
    tool_name: 'Look',
    tool_input: { path: 'a b.txt' },
    tool_response: { content: 'seen', is_error: false },
  })
  expect(existsSync(project.path('b.txt'))).toBe(false)
})

test('a script finds the conversation in a file, as it is at that moment; the file is the user’s alone', async () => {
  const store = memoryStore()
  const transcripts = transcriptFiles(store, project.path('state/transcripts'))
  const copy = (name: string, field: string) =>
    `node -e 'const e = JSON.parse(require("fs").readFileSync(0)); require("fs").copyFileSync(e.${field}, "${name}.jsonl"); require("fs").writeFileSync("${name}.path", e.${field})'`
  const { run } = house(
    { main: [call('Look'), { calls: [task('worker', 'count the trees')] }, 'ok'], worker: ['there are seven'] },
    {
      agents: [agent('worker')],
      tools: [tool('Look', 'read', () => 'seen')],
      clock,
      store,
      hooks: hooksOf(
        {
          ...(on('PostToolUse', copy('after', 'transcript_path'), 'Look') as object),
          ...(on('SubagentStop', copy('child', 'agent_transcript_path')) as object),
          ...(on('Stop', copy('session', 'transcript_path')) as object),
        },
        transcripts,
      ),
    },
  )
  await run()
  const lines = (name: string) =>
    project
      .text(`${name}.jsonl`)
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  expect(lines('after')).toMatchObject([
    { type: 'user', parentUuid: null, message: { content: [{ text: 'do it' }] } },
    { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Look' }] } },
  ])
  expect(lines('child').every(line => line.isSidechain === true)).toBe(true)
  expect(project.text('child.jsonl')).toContain('there are seven')
  expect(project.text('child.path')).toMatch(/subagents\/agent-[\w-]+\.jsonl$/)
  expect(project.text('session.path')).toBe(project.text('after.path'))
  expect(project.text('session.jsonl')).toContain('there are seven')
  expect(statSync(project.text('session.path')).mode & 0o777).toBe(0o600)
})

test('where no hook is due no file is written; one that cannot be written costs nothing but its path', async () => {
  const store = memoryStore()
  project.write('state', 'a file where the folder should be')
  const told = async (hooks: Json, directory: string) => {
    const { run } = house({ main: ['ok'] }, { clock, store, hooks: hooksOf(hooks, transcriptFiles(store, directory)) })
    return run()
  }
  await told(on('PreToolUse', 'true'), project.path('elsewhere'))
  expect(existsSync(project.path('elsewhere'))).toBe(false)
  expect(await told(on('Stop', 'cat > stop.json'), project.path('state/inside'))).toMatchObject({
    outcome: 'completed',
  })
  expect(JSON.parse(project.text('stop.json')).transcript_path).toBe('')
})
