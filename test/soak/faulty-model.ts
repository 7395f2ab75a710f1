/** A model that does a little of everything, and in one turn of six something no model should. */
import type { Model, ModelRequest } from '../../src/core/ports.js'
import { modelOf, type ScriptedCall, type ScriptedReply } from '../../src/testing/scripted-model.js'
import type { Chance } from './chance.js'

/** `isCalm` ends every run with its next turn: what is left after the storm is finished by it. */
export function faultyModel(chance: Chance, isCalm: () => boolean): Model {
  return modelOf(request => {
    assertPaired(request)
    if (isCalm() || request.purpose !== 'work') return reportFor(request)
    if (chance.is(1 / 6)) return chance.pick(faults)(chance)
    const turns = request.messages.filter(message => message.role === 'assistant').length
    if (turns >= 4 || chance.is(turns / 10)) return reportFor(request)
    const names = new Set(request.declared.tools.map(({ name }) => name))
    const possible = calls.filter(([name]) => names.has(name))
    if (possible.length === 0) return reportFor(request)
    const made = Array.from({ length: chance.between(1, 3) }, () => {
      const [name, inputFor] = turns === 0 && names.has('Task') ? chance.pick(first) : chance.pick(possible)
      return { name, ...inputFor(chance, request) } as ScriptedCall
    })
    return { text: 'Let me see.', calls: made }
  })
}

const reportFor = ({ agent, declared, toolChoice }: ModelRequest): ScriptedReply | string =>
  toolChoice !== 'none' && declared.tools.some(({ name }) => name === 'complete_task')
    ? { calls: [{ name: 'complete_task', input: { result: `${agent} is done` } }] }
    : `${agent} is done.`

const faults: readonly ((chance: Chance) => ScriptedReply)[] = [
  () => ({ throws: new Error('the adapter broke its contract') }),
  () => ({ text: 'I was about to', hangs: true }),
  () => ({ text: 'cut off in the mid', error: { message: 'socket hang up', kind: 'network', isRetryable: true } }),
  () => ({ error: { message: 'prompt is too long', kind: 'context-overflow', status: 400 } }),
  () => ({ error: { message: 'overloaded', kind: 'overloaded', isRetryable: true, status: 529 } }),
  () => ({ text: 'I will not do that.', finish: 'refusal' }),
  () => ({ text: '', finish: 'other' }),
  () => ({ text: 'and so on', finish: 'length' }),
  () => ({ calls: [{ name: 'Read', invalidInput: '{"file_path": ' }] }),
  () => ({ calls: [{ name: 'NoSuchTool', input: {} }] }),
  () => ({
    calls: [
      { id: 'twin', name: 'LS', input: {} },
      { id: 'twin', name: 'LS', input: {} },
    ],
  }),
  chance => ({ calls: [{ name: 'complete_task', input: chance.pick([{}, { result: 7 }, { other: 'x' }]) }] }),
  chance => ({ text: '\u001b]0;x\u0007'.repeat(chance.between(1, 2000)) }),
]

type InputFor = (chance: Chance, request: ModelRequest) => Pick<ScriptedCall, 'input' | 'invalidInput'>
const input = (make: (chance: Chance, request: ModelRequest) => unknown): InputFor => {
  return (chance, request) => ({ input: make(chance, request) })
}
const commands = [
  'true',
  'echo hello',
  'false',
  'sleep 0.1',
  'sleep 30',
  'yes | head -c 400000',
  'setsid sleep 30 & echo left',
  'exit 3',
  'kill -9 $$',
]
const task: InputFor = input(chance => ({
  description: 'some more work',
  prompt: 'Do a part of it.',
  subagent_type: chance.pick(['worker', 'worker', 'reporter', 'apart', 'connected', 'nobody']),
  run_in_background: chance.is(0.4),
  ...(chance.is(0.1) && { max_turns: chance.between(1, 3) }),
}))
const child = (more: (chance: Chance) => Record<string, unknown>): InputFor =>
  input((chance, request) => ({ task_id: chance.pick([...childrenOf(request), 'a-stranger']), ...more(chance) }))

const calls: readonly (readonly [string, InputFor])[] = [
  ['Task', task],
  ['Task', task],
  ['Task', task],
  ['TaskOutput', child(chance => ({ block: chance.is(0.5), timeout: 0.5 }))],
  ['TaskSend', child(() => ({ message: 'Look at the tests too.' }))],
  ['TaskStop', child(() => ({}))],
  ['TaskWait', input((_, request) => ({ task_ids: childrenOf(request).slice(0, 3), until: 'any', timeout: 0.5 }))],
  ['TaskList', input(() => ({}))],
  ['Bash', input(chance => ({ command: chance.pick(commands), timeout: chance.pick([400, 1_000, 5_000]) }))],
  ['Bash', input(chance => ({ command: chance.pick(commands), run_in_background: true }))],
  ['Read', input(chance => ({ file_path: chance.pick(['shared.txt', 'absent.txt', '/etc/hostname']) }))],
  [
    'Write',
    input(chance => ({
      file_path: `made-${chance.between(1, 30)}.txt`,
      content: 'x'.repeat(chance.between(0, 5_000)),
    })),
  ],
  ['Edit', input(() => ({ file_path: 'shared.txt', old_string: 'a', new_string: 'a' }))],
  ['Grep', input(() => ({ pattern: 'line', path: '.' }))],
  ['Throw', input(() => ({}))],
  ['Hang', input(() => ({}))],
  ['Deaf', input(() => ({}))],
  ['Flood', input(() => ({}))],
  ['Block', input(() => ({}))],
  ['mcp__odd__echo', input(() => ({ a: 1 }))],
  ['mcp__odd__hang', input(() => ({}))],
  ['mcp__odd__die', input(() => ({}))],
]

/** A run that can delegate begins with that, mostly. */
const first = calls.filter(([name]) => /^(Task|Bash|Read)$/.test(name))

/** Ids of runs that stand in the conversation. */
function childrenOf({ messages }: ModelRequest): readonly string[] {
  return [...new Set(JSON.stringify(messages.slice(-6)).match(/\ba[0-9a-z]{12,}\b/g) ?? [])]
}

/** Refuses what a provider would refuse. */
function assertPaired({ messages }: ModelRequest): void {
  messages.forEach((message, i) => {
    if (message.role !== 'assistant') return
    const asked = message.content.flatMap(part => (part.type === 'call' ? [part.id] : []))
    const after = messages[i + 1]
    const answered = after?.role === 'tool' ? after.content.map(({ callId }) => callId) : []
    if (JSON.stringify(asked) !== JSON.stringify(answered)) throw new Error('UNPAIRED: calls and results differ')
  })
}
